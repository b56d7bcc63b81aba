// The name of a collection, and which other one it is in.
import { LitElement, html } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { collectionRows, placesFor } from "../../state/collections";
import { organization } from "../../state/organization";
import { sentenceOf } from "../../state/library_store";
import { dialogStyles } from "../../styles/dialog";
import { shared } from "../../styles/shared";

@customElement("vt-collection-dialog")
export class CollectionDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @state() private collection: Collection | null = null;
  @state() private problem: string | null = null;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("input") private input!: HTMLInputElement;
  @query("select") private select!: HTMLSelectElement;

  async show(collection: Collection): Promise<void> {
    this.collection = collection;
    this.problem = null;
    await this.updateComplete;
    this.input.value = collection.name;
    this.select.value = collection.parent ?? "";
    this.dialog.showModal();
    this.input.select();
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.collection) return;
    try {
      await organizationApi.changeCollection(this.collection, { name: this.input.value.trim(), parent: this.select.value || null });
      this.dialog.close();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    await organization.refresh();
  }

  override render() {
    const places = this.collection ? placesFor(this.collection, collectionRows(organization.value.collections)) : [];
    return html`<dialog aria-labelledby="title">
      <form @submit=${this.submit}>
        <h2 id="title">${t.organize.editCollection}</h2>
        <label>${t.organize.collectionName}<input class="field" required maxlength="255" autocomplete="off" spellcheck="false" /></label>
        <label
          >${t.organize.inside}<select class="field">
            <option value="">${t.organize.atTop}</option>
            ${places.map(({ collection: { id, name }, depth }) => html`<option value=${id}>${"\u00a0\u00a0".repeat(depth)}${name}</option>`)}
          </select></label
        >
        <p role="alert">${this.problem ?? ""}</p>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${t.asset.cancel}</button>
          <button class="button primary">${t.organize.save}</button>
        </div>
      </form>
    </dialog>`;
  }
}
