// The storage limit of one user.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { t } from "../../i18n";
import { dialogStyles } from "../../styles/dialog";
import { shared } from "../../styles/shared";
import { formatBytes } from "../../util/format";
import { quotaBytes, quotaFields, quotaUnits } from "../../util/quota";
import type { QuotaUnit } from "../../util/quota";

const texts = t.settings.members.quotas;

export interface QuotaQuestion {
  name: string; // of the user
  quota: number | null; // own limit; null: that of the server
  used: number; // bytes
  save: (quota: number | null) => void;
}

@customElement("vt-quota-dialog")
export class QuotaDialog extends LitElement {
  static override styles = [
    shared,
    dialogStyles,
    css`
      fieldset {
        display: grid;
        gap: 8px;
        margin: 14px 0 0;
        padding: 0;
        border: 0;
      }
      fieldset label {
        display: flex;
        align-items: center;
        gap: 8px;
        color: var(--ink);
        font-size: 14px;
      }
      .limit {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 96px;
        gap: 8px;
        padding-left: 24px;
      }
      .note {
        padding-left: 24px;
        font-size: 13px;
      }
    `,
  ];
  @state() private question: QuotaQuestion | null = null;
  @state() private kind: "server" | "own" = "server";
  @state() private unit: QuotaUnit = "GB";
  @state() private amount = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  async show(question: QuotaQuestion): Promise<void> {
    this.question = question;
    this.kind = question.quota === null ? "server" : "own";
    ({ amount: this.amount, unit: this.unit } = quotaFields(question.quota));
    await this.updateComplete;
    this.dialog.showModal();
    this.dialog.querySelector<HTMLElement>('input[type="radio"]:checked')?.focus();
  }

  private get bytes(): number | null {
    return this.kind === "server" ? null : quotaBytes(this.amount, this.unit);
  }

  private async choose(kind: "server" | "own"): Promise<void> {
    this.kind = kind;
    if (kind === "server") return;
    await this.updateComplete;
    this.dialog.querySelector<HTMLElement>('input[type="number"]')?.focus();
  }

  private submit(event: Event): void {
    event.preventDefault();
    if (this.kind === "own" && this.bytes === null) return;
    this.dialog.close();
    this.question?.save(this.bytes);
  }

  override render() {
    const { name = "", used = 0 } = this.question ?? {};
    const { bytes } = this;
    return html`<dialog aria-labelledby="title">
      <form @submit=${this.submit}>
        <h2 id="title">${texts.title(name)}</h2>
        <p>${texts.used(formatBytes(used))}</p>
        <fieldset>
          <legend class="visually-hidden">${texts.limit}</legend>
          <label><input type="radio" name="kind" .checked=${this.kind === "server"} @change=${() => this.choose("server")} />${texts.server}</label>
          <label><input type="radio" name="kind" .checked=${this.kind === "own"} @change=${() => this.choose("own")} />${texts.own}</label>
          ${this.kind === "own" ? this.renderLimit() : nothing}
          ${bytes !== null && bytes < used ? html`<p class="note" role="status">${texts.below}</p>` : nothing}
        </fieldset>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${t.settings.cancel}</button>
          <button class="button primary">${t.settings.save}</button>
        </div>
      </form>
    </dialog>`;
  }

  private renderLimit() {
    return html`<div class="limit">
      <input class="field" type="number" min="0" max="1000000" step="any" required aria-label=${texts.amount} .value=${this.amount} @input=${(event: Event) => (this.amount = (event.target as HTMLInputElement).value)} />
      <select class="field" aria-label=${texts.unit} @change=${(event: Event) => (this.unit = (event.target as HTMLSelectElement).value as QuotaUnit)}>
        ${quotaUnits.map((unit) => html`<option value=${unit} .selected=${unit === this.unit}>${unit}</option>`)}
      </select>
    </div>`;
  }
}
