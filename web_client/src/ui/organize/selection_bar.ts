// What can be done with the selected assets.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { BatchOperation } from "../../api/types";
import { t } from "../../i18n";
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

  // What is selected in the library is not in the trash, and the other way round.
  protected override willUpdate(): void {
    const { trash } = library.value.query;
    if (trash !== this.inTrash && selection.value.ids.size > 0) selection.clear();
    this.inTrash = trash;
    if (!selection.value.active || this.hasAsked) return;
    this.hasAsked = true; // for the collections, which the side bar may have read already
    if (!organization.value.loaded) void organization.refresh();
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

  private choose(event: Event): void {
    const select = event.target as HTMLSelectElement;
    const collection = select.value;
    select.value = "";
    if (collection) void this.run({ op: "addToCollection", collection });
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
    return html`<button class="button small" ?disabled=${none} @click=${() => this.run({ op: "restore" })}>${t.organize.restore}</button>
      <button class="button danger small" ?disabled=${none} @click=${() => this.dialog.show(selection.value.ids.size)}>${t.organize.purge}</button>`;
  }

  private renderActions(none: boolean, collection: string) {
    const rows = collectionRows(this.groups.value.collections);
    return html`<form @submit=${this.addTag}>
        <input class="field" aria-label=${t.organize.tagName} maxlength="64" autocomplete="off" />
        <button class="button small" ?disabled=${none}>${t.organize.addTag}</button>
      </form>
      <select class="button small" aria-label=${t.organize.chooseCollection} ?disabled=${none || rows.length === 0} @change=${this.choose}>
        <option value="">${t.organize.chooseCollection}</option>
        ${rows.map(({ collection: { id, name }, depth }) => html`<option value=${id}>${"\u00a0\u00a0".repeat(depth)}${name}</option>`)}
      </select>
      ${collection
        ? html`<button class="button small" ?disabled=${none} @click=${() => this.run({ op: "removeFromCollection", collection })}>${t.organize.leaveCollection}</button>`
        : nothing}
      <button class="button small" ?disabled=${none} @click=${() => downloadForm({ assets: [...selection.value.ids].join() })}>${t.organize.download}</button>
      <button class="button small" ?disabled=${none} @click=${() => downloadForm({ assets: [...selection.value.ids].join(), format: "glb" })}>${t.organize.exportGlb}</button>
      <button class="button danger small" ?disabled=${none} @click=${() => this.run({ op: "delete" })}>${t.organize.discard}</button>`;
  }
}
