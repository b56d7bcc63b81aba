// Name, description, place and cover of a collection.
import { LitElement, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { assetUrl } from "../../api/client";
import { organizationApi } from "../../api/organization";
import type { AssetRow, Collection } from "../../api/types";
import { t } from "../../i18n";
import { access } from "../../state/access";
import { collectionRows, placesFor } from "../../state/collections";
import { sentenceOf } from "../../state/library_store";
import { organization } from "../../state/organization";
import { collectionDialogStyles } from "../../styles/collection_dialog_styles";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";

const maxCovers = 24; // that are offered

@customElement("vt-collection-dialog")
export class CollectionDialog extends LitElement {
  static override styles = [shared, dialogStyles, collectionDialogStyles];
  @state() private collection: Collection | null = null;
  @state() private covers: Pick<AssetRow, "id" | "name">[] = [];
  @state() private problem: string | null = null;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("form") private form!: HTMLFormElement;

  async show(collection: Collection): Promise<void> {
    Object.assign(this, { collection, covers: [], problem: null });
    await this.updateComplete;
    const set = (name: string, value: string) => {
      const control = this.form.elements.namedItem(name) as HTMLInputElement | null;
      if (control) control.value = value;
    };
    set("name", collection.name);
    set("description", collection.description);
    set("parent", collection.parent ?? "");
    this.dialog.showModal();
    (this.form.elements.namedItem("name") as HTMLInputElement).select();
    void this.readCovers(collection);
  }

  // The first models, with the one that is the cover now.
  private async readCovers({ id, cover }: Collection): Promise<void> {
    try {
      const assets = (await organizationApi.members(id, maxCovers, null)).items.map(({ asset }) => asset);
      const pictured = assets.filter(({ hasThumbnail }) => hasThumbnail);
      if (id !== this.collection?.id) return;
      const hasCover = cover === null || pictured.some((asset) => asset.id === cover);
      this.covers = hasCover ? pictured : [{ id: cover, name: t.organize.cover }, ...pictured];
    } catch (error) {
      if (id === this.collection?.id) this.problem = sentenceOf(error);
    }
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const { collection } = this;
    if (!collection) return;
    const data = new FormData(this.form);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const parent = text("parent") || null;
    try {
      await organizationApi.changeCollection(collection, {
        name: text("name"),
        description: text("description"),
        ...(parent === collection.parent ? {} : { parent }),
        ...(data.has("cover") && (text("cover") || null) !== collection.cover ? { cover: text("cover") || null } : {}),
      });
      this.dialog.close();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    await organization.refresh();
  }

  override render() {
    return html`<dialog class="wide" aria-labelledby="title">
      <form @submit=${this.submit}>
        <h2 id="title">${t.organize.editCollection}</h2>
        <label>${t.organize.collectionName}<input class="field" name="name" required maxlength="255" autocomplete="off" spellcheck="false" /></label>
        <label>${t.organize.description}<textarea class="field" name="description" rows="3" maxlength="1000"></textarea></label>
        ${access.mayEdit ? this.renderPlaces() : nothing} ${this.renderCovers()}
        <p role="alert">${this.problem ?? ""}</p>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${t.asset.cancel}</button>
          <button class="button primary">${t.organize.save}</button>
        </div>
      </form>
    </dialog>`;
  }

  // By a role for the collection alone it stays where it is.
  private renderPlaces() {
    const places = this.collection ? placesFor(this.collection, collectionRows(organization.value.collections)) : [];
    return html`<label
      >${t.organize.inside}<select class="field" name="parent">
        <option value="">${t.organize.atTop}</option>
        ${places.map(({ collection: { id, name }, depth }) => html`<option value=${id}>${"\u00a0\u00a0".repeat(depth)}${name}</option>`)}
      </select></label
    >`;
  }

  private renderCovers() {
    const current = this.collection?.cover ?? null;
    return html`<fieldset>
      <legend>${t.organize.cover}</legend>
      ${this.covers.length === 0
        ? html`<p class="none">${t.organize.noCoverChoice}</p>`
        : html`<div class="covers">
            <label title=${t.organize.noCover}><input type="radio" name="cover" value="" .checked=${current === null} aria-label=${t.organize.noCover} /><span>${icons.folder}</span></label>
            ${this.covers.map(
              ({ id, name }) => html`<label title=${name}>
                <input type="radio" name="cover" value=${id} .checked=${current === id} aria-label=${t.organize.coverOf(name)} />
                <span><img src=${assetUrl(id, "/thumbnail?size=128")} alt="" loading="lazy" /></span>
              </label>`,
            )}
          </div>`}
    </fieldset>`;
  }
}
