// What can be done with the selected assets.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { BatchOperation } from "../../api/types";
import { t } from "../../i18n";
import { access } from "../../state/access";
import { toast } from "../../state/announce";
import { library, sentenceOf } from "../../state/library_store";
import { collectionRows } from "../../state/collections";
import { organization } from "../../state/organization";
import { selection } from "../../state/selection";
import { Watch } from "../../state/store";
import { shared } from "../../styles/shared";
import { downloadForm } from "./download";
import "./purge_dialog";
import type { PurgeDialog } from "./purge_dialog";

type Option = [value: string, label: string];

@customElement("vt-selection-bar")
export class SelectionBar extends LitElement {
  static override styles = [
    shared,
    css`
      section {
        position: fixed;
        left: 50%;
        bottom: 20px;
        z-index: 31;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        width: max-content;
        max-width: calc(100vw - 28px);
        padding: 8px 8px 8px 16px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--raised);
        box-shadow: var(--shadow-3);
        transform: translateX(-50%);
      }
      form {
        display: flex;
        align-items: center;
        gap: 6px;
      }
      input {
        width: 150px;
        height: 30px;
      }
      section > *,
      .button {
        flex: none;
      }
      @media (max-width: 720px) {
        section {
          flex-wrap: nowrap;
          width: calc(100vw - 28px);
          overflow-x: auto;
        }
      }
    `,
  ];

  @query("input") private input!: HTMLInputElement | null;
  @query("vt-purge-dialog") private dialog!: PurgeDialog;
  private hasAsked = false;
  private inTrash = library.value.query.trash;
  private readonly chosen = new Watch(this, selection);
  private readonly groups = new Watch(this, organization);
  private readonly assets = new Watch(this, library);
  protected readonly access = new Watch(this, access);

  // What is selected in the library is not in the trash, and the other way round.
  protected override willUpdate(): void {
    const { trash } = library.value.query;
    if (trash !== this.inTrash && selection.value.ids.size > 0) selection.clear();
    this.inTrash = trash;
    if (!selection.value.active || this.hasAsked) return;
    this.hasAsked = true; // for the collections, which the side bar may have read already
    organization.need();
  }

  private async run(...operations: BatchOperation[]): Promise<void> {
    const ids = [...selection.value.ids];
    if (ids.length === 0) return;
    try {
      const results = await organizationApi.batch(ids, operations);
      const rejected = results.filter(({ problem }) => problem !== null);
      if (rejected.length > 0) toast(t.organize.failed(rejected.length, rejected[0]?.problem?.detail ?? ""), "error");
      else toast(t.organize.changed(ids.length));
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    selection.clear();
    library.refresh();
    await organization.refresh();
  }

  private addTag(event: Event): void {
    event.preventDefault();
    const tag = this.input?.value.trim();
    if (!tag || !this.input) return;
    this.input.value = "";
    void this.run({ op: "tag", tags: [tag] });
  }

  override render() {
    const { active, ids } = this.chosen.value;
    const { query: shown, items } = this.assets.value;
    if (!active && !shown.trash) return nothing;
    const none = ids.size === 0;
    return html`<section aria-label=${t.organize.selection}>
        <span role="status">${t.organize.selected(ids.size)}</span>
        <button class="button small" @click=${() => selection.add(items.map(({ id }) => id))}>${t.organize.selectShown}</button>
        ${shown.trash ? this.renderTrash(none) : this.renderActions(none, shown.collection)}
        ${shown.trash ? nothing : html`<button class="button primary small" @click=${() => selection.stop()}>${t.organize.done}</button>`}
      </section>
      <vt-purge-dialog .confirm=${() => void this.run({ op: "purge" })}></vt-purge-dialog>`;
  }

  private renderTrash(none: boolean) {
    if (!this.mayChange()) return nothing;
    return html`<button class="button small" ?disabled=${none} @click=${() => this.run({ op: "restore" })}>${t.organize.restore}</button>
      ${access.mayEdit ? html`<button class="button danger small" ?disabled=${none} @click=${() => this.dialog.show(selection.value.ids.size)}>${t.organize.purge}</button>` : nothing}`;
  }

  private renderActions(none: boolean, collection: string) {
    const may = this.mayChange();
    return html`${may ? this.renderTags(none) : nothing} ${may ? this.renderCollections(none, collection) : nothing}
      <button class="button small" ?disabled=${none} @click=${() => downloadForm({ assets: [...selection.value.ids].join() })}>${t.organize.download}</button>
      <button class="button small" ?disabled=${none} @click=${() => downloadForm({ assets: [...selection.value.ids].join(), format: "glb" })}>${t.organize.exportGlb}</button>
      ${may ? html`<button class="button danger small" ?disabled=${none} @click=${() => this.run({ op: "delete" })}>${t.organize.discard}</button>` : nothing}`;
  }

  // Whether some of the shown models may be changed: with roles for collections those of others may be shown beside them, and the server
  // says which were not changed.
  private mayChange(): boolean {
    return access.mayEdit || this.assets.value.items.some((asset) => access.mayChange(asset));
  }

  private renderTags(none: boolean) {
    return html`<form @submit=${this.addTag}>
        <input class="field" aria-label=${t.organize.tagName} placeholder=${t.organize.tagPlaceholder} maxlength="64" autocomplete="off" />
        <button class="button small" ?disabled=${none}>${t.organize.addTag}</button>
      </form>
      ${this.renderSelect(t.organize.untag, none, this.commonTags().map((name) => [name, name]), (tag) => this.run({ op: "untag", tags: [tag] }))}`;
  }

  // Tags of the selected models that are loaded.
  private commonTags(): string[] {
    const { ids } = this.chosen.value;
    const tags = this.assets.value.items.filter(({ id }) => ids.has(id)).flatMap((asset) => asset.tags);
    return [...new Set(tags)].sort((a, b) => a.localeCompare(b));
  }

  private renderCollections(none: boolean, collection: string) {
    const rows = collectionRows(this.groups.value.collections).filter((row) => access.mayChange(row.collection));
    const others = rows.filter((row) => row.collection.id !== collection);
    const options = others.map(({ collection: { id, name }, depth }): Option => [id, "\u00a0\u00a0".repeat(depth) + name]);
    const leaves = collection !== "" && rows.length > others.length;
    const leave: BatchOperation = { op: "removeFromCollection", collection };
    return html`${this.renderSelect(t.organize.chooseCollection, none, options, (id) => this.run({ op: "addToCollection", collection: id }))}
      ${leaves ? this.renderSelect(t.organize.moveToCollection, none, options, (id) => this.run({ op: "addToCollection", collection: id }, leave)) : nothing}
      ${leaves ? html`<button class="button small" ?disabled=${none} @click=${() => this.run(leave)}>${t.organize.leaveCollection}</button>` : nothing}`;
  }

  // A choice is an action.
  private renderSelect(title: string, none: boolean, options: Option[], run: (value: string) => unknown) {
    const chosen = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      const { value } = select;
      select.value = "";
      if (value) run(value);
    };
    return html`<select class="button small" aria-label=${title} ?disabled=${none || options.length === 0} @change=${chosen}>
      <option value="">${title}</option>
      ${options.map(([value, label]) => html`<option value=${value}>${label}</option>`)}
    </select>`;
  }
}
