// Values of custom fields of one model, to be changed.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { fieldsApi } from "../../api/fields";
import type { AssetField, KnownAsset } from "../../api/types";
import { t } from "../../i18n";
import { announce, toast } from "../../state/announce";
import { changedValues, enteredText } from "../../state/field_values";
import { sentenceOf } from "../../state/library_store";
import { nestedPanelStyles } from "../../styles/panel";
import { shared } from "../../styles/shared";

@customElement("vt-field-values")
export class FieldValuesForm extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      form {
        display: grid;
        gap: 8px;
        padding: 8px 12px;
      }
      label {
        display: grid;
        grid-template-columns: 110px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
        color: var(--ink-soft);
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      label :is(input, select) {
        color: var(--ink);
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) asset!: KnownAsset;
  @property({ type: Boolean }) fixed = false; // is shown, and not changed
  @state() private fields: AssetField[] = [];
  private reading = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("asset")) void this.read();
  }

  // Of the newest asset.
  private async read(): Promise<void> {
    const { id, etag } = this.asset;
    const reading = `${id} ${etag}`;
    if (reading === this.reading) return;
    if (!this.reading.startsWith(`${id} `)) this.fields = [];
    this.reading = reading;
    try {
      const fields = await fieldsApi.ofAsset(id);
      if (reading === this.reading) this.fields = fields;
    } catch (error) {
      if (reading === this.reading) toast(sentenceOf(error), "error");
    }
  }

  private async save(event: Event): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const values = changedValues(this.fields, ({ id }) => String(data.get(id) ?? ""));
    if (Object.keys(values).length === 0) return;
    try {
      const { id } = this.asset;
      const fields = await fieldsApi.setValues(id, values);
      if (id === this.asset.id) this.fields = fields;
      announce(t.organize.saved);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  override render() {
    if (this.fields.length === 0) return nothing;
    if (this.fixed) return this.renderFixed();
    return html`<h2>${t.fields.title}</h2>
      <form @submit=${this.save}>
        ${this.fields.map(
          (field) => html`<label title=${field.description || nothing}><span>${field.name}${field.unit ? ` (${field.unit})` : nothing}</span>${this.renderControl(field)}</label>`,
        )}
        <button class="button small">${t.organize.save}</button>
      </form>`;
  }

  private renderFixed() {
    const given = this.fields.filter(({ value }) => value !== null);
    if (given.length === 0) return nothing;
    return html`<h2>${t.fields.title}</h2>
      <dl class="table">
        ${given.map((field) => html`<div><dt>${field.name}${field.unit ? ` (${field.unit})` : nothing}</dt><dd>${textOf(field)}</dd></div>`)}
      </dl>`;
  }

  private renderControl(field: AssetField) {
    const text = enteredText(field.value);
    const option = (value: string, label: string) => html`<option value=${value} .selected=${value === text}>${label}</option>`;
    switch (field.type) {
      case "boolean":
        return html`<select class="field" name=${field.id}>${option("", t.fields.unset)}${option("true", t.fields.yes)}${option("false", t.fields.no)}</select>`;
      case "choice":
        return html`<select class="field" name=${field.id}>${option("", t.fields.unset)}${field.options.map((value) => option(value, value))}</select>`;
      case "number":
        return html`<input class="field" name=${field.id} type="number" step="any" .value=${text} />`;
      case "date":
        return html`<input class="field" name=${field.id} type="date" .value=${text} />`;
      case "text":
        return html`<input class="field" name=${field.id} maxlength="1000" .value=${text} />`;
    }
  }
}

function textOf({ value }: AssetField): string {
  return typeof value === "boolean" ? (value ? t.fields.yes : t.fields.no) : enteredText(value);
}
