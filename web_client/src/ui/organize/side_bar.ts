// Collections as a tree, tags, and the trash; each is a filter of the library.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { assetUrl } from "../../api/client";
import { organizationApi } from "../../api/organization";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { access } from "../../state/access";
import { moveCollection, shiftCollection } from "../../state/collection_order";
import { collectionRows, siblingsOf } from "../../state/collections";
import { attemptChange, organization } from "../../state/organization";
import { emptyQuery, queryFromUrl, urlOfQuery, withGroup } from "../../state/query";
import { router } from "../../state/router";
import { Watch } from "../../state/store";
import { icons } from "../../styles/icons";
import { sideBarStyles } from "../../styles/side_bar_styles";
import { shared } from "../../styles/shared";
import "./collection_menu";
import "./saved_searches";

interface Link {
  url: string;
  current: boolean;
  name: string;
  count?: number;
  collection?: Collection;
}

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
  @state() private dragged: Collection | null = null;
  @state() private over = ""; // id of the collection under the dragged one
  @query("input") private input!: HTMLInputElement | null;
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
    await attemptChange(() => organizationApi.createCollection(name));
    this.naming = false;
  }

  private canDrop(target: Collection): boolean {
    return this.dragged !== null && this.dragged.id !== target.id && this.dragged.parent === target.parent;
  }

  private dragOver(event: DragEvent, target: Collection): void {
    if (!this.canDrop(target)) return;
    event.preventDefault();
    this.over = target.id;
  }

  // The dragged collection takes the place of the other one.
  private drop(event: DragEvent, target: Collection): void {
    event.preventDefault();
    const { dragged } = this;
    if (dragged && this.canDrop(target)) void moveCollection(dragged, siblingsOf(target, organization.value.collections).findIndex(({ id }) => id === target.id));
    this.dragged = null;
    this.over = "";
  }

  // Alt with an arrow key moves the collection; the focus stays on it.
  private async keyed(event: KeyboardEvent, { id }: Collection): Promise<void> {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || !event.altKey) return;
    event.preventDefault();
    if (!(await shiftCollection(id, by))) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`li[data-id="${id}"] a`)?.focus();
  }

  override render() {
    const { collections, tags, loaded, error } = this.watch.value;
    const query = queryFromUrl(this.place.value.route.params);
    const tagLink = (name: string, count: number) => {
      const current = query.tag === name;
      return this.link({ url: urlOfQuery(withGroup(query, { tag: current ? "" : name })), current, name, count });
    };
    const favorites = { url: urlOfQuery(withGroup(query, { favorite: !query.favorite })), current: query.favorite, name: t.organize.favorites };
    const trash = { url: query.trash ? "/" : urlOfQuery({ ...emptyQuery, trash: true }), current: query.trash, name: t.organize.trash };
    return html`<nav aria-label=${t.organize.title}>
      ${error ? html`<p role="alert">${error}</p>` : nothing}
      <h2>${t.organize.collections}</h2>
      ${loaded && collections.length === 0 ? html`<p>${t.organize.noCollections}</p>` : nothing}
      <ul>
        ${collectionRows(collections).map(({ collection, depth }) => this.renderCollection(collection, depth))}
      </ul>
      ${this.renderNew()}
      <h2>${t.organize.tags}</h2>
      ${loaded && tags.length === 0 ? html`<p>${t.organize.noTags}</p>` : nothing}
      <ul>
        ${tags.map(({ name, assets }) => html`<li>${tagLink(name, assets)}</li>`)}
      </ul>
      <vt-saved-searches></vt-saved-searches>
      <ul>
        <li>${this.link(favorites)}</li>
        <li>${this.link(trash)}</li>
      </ul>
    </nav>`;
  }

  private renderCollection(collection: Collection, depth: number) {
    const { id, name, assets: count } = collection;
    const query = queryFromUrl(this.place.value.route.params);
    const current = query.collection === id && !query.trash;
    const mayMove = access.mayChange(collection);
    const side = this.over !== id ? "" : this.isBefore(collection) ? "before" : "after";
    return html`<li
      class=${side}
      data-id=${id}
      .style=${`padding-left:${depth * 14}px`}
      draggable=${mayMove ? "true" : "false"}
      @dragstart=${() => (this.dragged = collection)}
      @dragend=${() => Object.assign(this, { dragged: null, over: "" })}
      @dragover=${(event: DragEvent) => this.dragOver(event, collection)}
      @drop=${(event: DragEvent) => this.drop(event, collection)}
      @keydown=${(event: KeyboardEvent) => (mayMove ? this.keyed(event, collection) : undefined)}
    >
      ${this.link({ url: urlOfQuery(withGroup(query, { collection: current ? "" : id })), current, name, count, collection })}
      <vt-collection-menu .collection=${collection}></vt-collection-menu>
    </li>`;
  }

  // Whether the dragged collection comes to lie before it.
  private isBefore(target: Collection): boolean {
    const siblings = siblingsOf(target, organization.value.collections).map(({ id }) => id);
    return siblings.indexOf(this.dragged?.id ?? "") > siblings.indexOf(target.id);
  }

  // The search and the other filters stay. A second choice ends this one.
  private link({ url, current, name, count, collection }: Link) {
    const keys = collection && access.mayChange(collection);
    return html`<a
      href=${url}
      aria-current=${current ? "page" : nothing}
      aria-label=${count === undefined ? nothing : t.organize.show(name, count)}
      aria-keyshortcuts=${keys ? "Alt+ArrowUp Alt+ArrowDown" : nothing}
      title=${keys ? t.organize.reorderHint : nothing}
      draggable="false"
    >
      ${collection ? html`<span class="cover">${collection.cover ? html`<img src=${assetUrl(collection.cover, "/thumbnail?size=128")} alt="" />` : icons.folder}</span>` : nothing}
      <span>${name}</span>${count === undefined ? nothing : html`<small>${count.toLocaleString("en")}</small>`}
    </a>`;
  }

  private renderNew() {
    if (!access.mayEdit) return nothing;
    if (!this.naming) return html`<button class="button quiet small" @click=${this.startNaming}>${t.organize.newCollection}</button>`;
    return html`<form @submit=${this.create}>
      <input class="field" aria-label=${t.organize.newName} maxlength="255" autocomplete="off" required />
      <button class="button small">${t.organize.create}</button>
    </form>`;
  }
}
