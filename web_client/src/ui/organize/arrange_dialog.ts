// The order of the models of a collection: by drag, by Alt with the arrow keys, and by buttons.
import { LitElement, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { assetUrl } from "../../api/client";
import { organizationApi } from "../../api/organization";
import type { AssetRow, Collection } from "../../api/types";
import { t } from "../../i18n";
import { announce } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { withMoved } from "../../state/collections";
import { arrangeDialogStyles } from "../../styles/arrange_dialog_styles";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";

const maxModels = 500;

@customElement("vt-arrange-dialog")
export class ArrangeDialog extends LitElement {
  static override styles = [shared, dialogStyles, arrangeDialogStyles];
  @state() private collection: Collection | null = null;
  @state() private models: AssetRow[] | null = null;
  @state() private isPart = false;
  @state() private dragged = -1;
  @state() private over = -1;
  @state() private problem = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  private saving: Promise<void> = Promise.resolve();

  async show(collection: Collection): Promise<void> {
    Object.assign(this, { collection, models: null, problem: "" });
    await this.updateComplete;
    this.dialog.showModal();
    await this.read(collection);
  }

  private async read({ id }: Collection): Promise<void> {
    try {
      const { items, next } = await organizationApi.members(id, maxModels, null);
      if (id !== this.collection?.id) return;
      this.models = items.map(({ asset }) => asset);
      this.isPart = next !== null;
    } catch (error) {
      this.problem = sentenceOf(error);
    }
  }

  // Shown at once; the changes are sent one after the other. What the server rejects is read again.
  private move(from: number, to: number): void {
    const { models, collection } = this;
    const moved = models?.[from];
    if (!models || !moved || !collection || to < 0 || to >= models.length || from === to) return;
    this.models = withMoved(models, from, to);
    announce(t.organize.moved(moved.name, to + 1));
    this.problem = "";
    this.saving = this.saving
      .then(() => organizationApi.placeMembers(collection.id, [moved.id], to))
      .catch(async (error: unknown) => {
        await this.read(collection);
        this.problem = sentenceOf(error);
      });
  }

  private async keyed(event: KeyboardEvent, at: number): Promise<void> {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (event.altKey) this.move(at, at + step);
    await this.updateComplete;
    this.dialog.querySelectorAll<HTMLElement>("li")[at + step]?.focus();
  }

  private drop(event: DragEvent, at: number): void {
    event.preventDefault();
    this.move(this.dragged, at);
    this.dragged = this.over = -1;
  }

  override render() {
    return html`<dialog class="wide" aria-labelledby="title">
      <h2 id="title">${t.organize.arrangeTitle(this.collection?.name ?? "")}</h2>
      <p>${t.organize.arrangeText}${this.isPart ? html` ${t.organize.arrangePart(maxModels)}` : nothing}</p>
      ${this.models ? html`<ol aria-labelledby="title">${repeat(this.models, ({ id }) => id, (model, index) => this.renderModel(model, index, this.models?.length ?? 0))}</ol>` : this.problem ? nothing : html`<span class="spinner"></span>`}
      <p role="alert">${this.problem}</p>
      <div class="buttons"><button class="button primary" @click=${() => this.dialog.close()}>${t.organize.done}</button></div>
    </dialog>`;
  }

  private renderModel({ id, name, hasThumbnail }: AssetRow, index: number, count: number) {
    const side = this.over === index && this.dragged >= 0 && this.dragged !== index ? (this.dragged < index ? "after" : "before") : "";
    return html`<li
      class="${side} ${this.dragged === index ? "dragged" : ""}"
      tabindex=${index === 0 ? 0 : -1}
      draggable="true"
      aria-label=${t.organize.place(name, index + 1, count)}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      @keydown=${(event: KeyboardEvent) => this.keyed(event, index)}
      @dragstart=${() => (this.dragged = index)}
      @dragend=${() => (this.dragged = this.over = -1)}
      @dragover=${(event: DragEvent) => {
        if (this.dragged < 0) return;
        event.preventDefault();
        this.over = index;
      }}
      @drop=${(event: DragEvent) => this.drop(event, index)}
    >
      <span class="picture">${hasThumbnail ? html`<img src=${assetUrl(id, "/thumbnail?size=128")} alt="" loading="lazy" draggable="false" />` : icons.cube}</span>
      <span class="name">${name}</span>
      <button class="button quiet small icon-only up" tabindex="-1" ?disabled=${index === 0} aria-label=${t.organize.moveEarlier(name)} @click=${() => this.move(index, index - 1)}>${icons.chevron}</button>
      <button class="button quiet small icon-only down" tabindex="-1" ?disabled=${index + 1 === count} aria-label=${t.organize.moveLater(name)} @click=${() => this.move(index, index + 1)}>${icons.chevron}</button>
    </li>`;
  }
}
