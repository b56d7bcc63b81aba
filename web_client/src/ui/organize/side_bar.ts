// Collections as a tree, tags, and the trash; each is a filter of the library.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { access, openShareDialog } from "../../state/access";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { collectionRows, siblingsOf } from "../../state/collections";
import { organization } from "../../state/organization";
import { emptyQuery, queryFromUrl, urlOfQuery } from "../../state/query";
import type { LibraryQuery } from "../../state/query";
import { router } from "../../state/router";
import { Watch } from "../../state/store";
import { sideBarStyles } from "../../styles/side_bar_styles";
import { shared } from "../../styles/shared";
import "../controls/menu";
import type { MenuItem } from "../controls/menu";
import "./collection_dialog";
import type { CollectionDialog } from "./collection_dialog";
import { downloadForm } from "./download";
import "./field_dialog";
import type { FieldDialog } from "./field_dialog";
import "./grants_dialog";
import type { GrantsDialog } from "./grants_dialog";
import "./saved_searches";

@customElement("vt-side-bar")
export class SideBar extends LitElement {
  static override styles = [
    shared,
    sideBarStyles,
    css`
      nav {
        display: grid;
        gap: 4px;
        align-content: start;
      }
    `,
  ];

  @state() private naming = false;
  @query("input") private input!: HTMLInputElement | null;
  @query("vt-collection-dialog") private dialog!: CollectionDialog;
  @query("vt-field-dialog") private fieldDialog!: FieldDialog;
  @query("vt-grants-dialog") private grants!: GrantsDialog;
  private dragged: Collection | null = null;
  private readonly place = new Watch(this, router);
  private readonly watch = new Watch(this, organization);
  protected readonly access = new Watch(this, access);

  private async startNaming(): Promise<void> {
    this.naming = true;
    await this.updateComplete;
    this.input?.focus();
  }

  private async create(event: Event): Promise<void> {
    event.preventDefault();
    const name = this.input?.value.trim() ?? "";
    if (!name) return;
    await this.attempt(() => organizationApi.createCollection(name));
    this.naming = false;
  }

  private async discard({ id }: Collection): Promise<void> {
    await this.attempt(() => organizationApi.removeCollection(id));
    if (queryFromUrl(router.value.route.params).collection === id) router.replace("/");
  }

  // `position`: how many of the others with the same parent come before it.
  private async move(collection: Collection, position: number): Promise<void> {
    await this.attempt(() => organizationApi.changeCollection(collection, { position }));
  }

  private canDrop(target: Collection): boolean {
    return this.dragged !== null && this.dragged.id !== target.id && this.dragged.parent === target.parent;
  }

  // The dragged collection takes the place of the other one.
  private drop(target: Collection): void {
    const { dragged } = this;
    if (!dragged || !this.canDrop(target)) return;
    void this.move(dragged, siblingsOf(target, organization.value.collections).findIndex(({ id }) => id === target.id));
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await organization.refresh();
  }

  override render() {
    const { collections, tags, loaded, error } = this.watch.value;
    const shown = queryFromUrl(this.place.value.route.params);
    return html`<nav aria-label=${t.organize.title}>
      ${error ? html`<p role="alert">${error}</p>` : nothing}
      <h2>${t.organize.collections}</h2>
      ${loaded && collections.length === 0 ? html`<p>${t.organize.noCollections}</p>` : nothing}
      <ul>
        ${collectionRows(collections).map(
          ({ collection, depth }) => html`<li
            .style=${`padding-left:${depth * 14}px`}
            draggable="true"
            @dragstart=${() => (this.dragged = collection)}
            @dragend=${() => (this.dragged = null)}
            @dragover=${(event: DragEvent) => this.canDrop(collection) && event.preventDefault()}
            @drop=${(event: DragEvent) => {
              event.preventDefault();
              this.drop(collection);
            }}
          >
            ${this.link(shown.collection === collection.id, { collection: collection.id }, collection.name, collection.assets)}
            <vt-menu label=${t.organize.collectionActions(collection.name)} .items=${this.actions(collection)}></vt-menu>
          </li>`,
        )}
      </ul>
      ${this.naming ? this.renderForm() : html`<button class="button quiet small" @click=${this.startNaming}>${t.organize.newCollection}</button>`}
      <h2>${t.organize.tags}</h2>
      ${loaded && tags.length === 0 ? html`<p>${t.organize.noTags}</p>` : nothing}
      <ul>
        ${tags.map(({ name, assets }) => html`<li>${this.link(shown.tag === name, { tag: name }, name, assets)}</li>`)}
      </ul>
      <vt-saved-searches></vt-saved-searches>
      <ul>
        <li>${this.link(shown.favorite, { favorite: true }, t.organize.favorites)}</li>
        <li>${this.link(shown.trash, { trash: true }, t.organize.trash)}</li>
      </ul>
    </nav>
    <vt-collection-dialog></vt-collection-dialog><vt-field-dialog></vt-field-dialog><vt-grants-dialog></vt-grants-dialog>`;
  }

  private actions(collection: Collection): MenuItem[] {
    const siblings = siblingsOf(collection, organization.value.collections);
    const at = siblings.findIndex(({ id }) => id === collection.id);
    return [
      { label: t.organize.editShort, run: () => void this.dialog.show(collection) },
      ...(at > 0 ? [{ label: t.organize.moveUp, run: () => void this.move(collection, at - 1) }] : []),
      ...(at + 1 < siblings.length ? [{ label: t.organize.moveDown, run: () => void this.move(collection, at + 1) }] : []),
      { label: t.fields.manage, run: () => void this.fieldDialog.show(collection) },
      ...(access.canShare ? [{ label: t.share.action, run: () => openShareDialog({ collection: collection.id, name: collection.name }) }] : []),
      ...(access.mayGrant(collection.id) ? [{ label: t.organize.grants.action, run: () => void this.grants.show(collection) }] : []),
      { label: t.organize.downloadCollection, run: () => downloadForm({ collection: collection.id, descendants: "true" }) },
      { label: t.organize.exportCollection, run: () => downloadForm({ collection: collection.id, descendants: "true", format: "glb" }) },
      { label: t.organize.removeCollection, danger: true, run: () => void this.discard(collection) },
    ];
  }

  // A second choice shows the whole library again.
  private link(current: boolean, changes: Partial<LibraryQuery>, name: string, count?: number) {
    const url = current ? "/" : urlOfQuery({ ...emptyQuery, ...changes });
    return html`<a href=${url} aria-current=${current ? "page" : nothing} aria-label=${count === undefined ? nothing : t.organize.show(name, count)}>
      <span>${name}</span>${count === undefined ? nothing : html`<small>${count.toLocaleString("en")}</small>`}
    </a>`;
  }

  private renderForm() {
    return html`<form @submit=${this.create}>
      <input class="field" aria-label=${t.organize.newName} maxlength="255" autocomplete="off" required />
      <button class="button small">${t.organize.create}</button>
    </form>`;
  }
}
