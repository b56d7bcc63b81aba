// Custom fields of one collection: their order, names and types.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { fieldsApi } from "../../api/fields";
import type { Collection, Field, NewField } from "../../api/types";
import { t } from "../../i18n";
import { linesOf } from "../../state/field_values";
import { sentenceOf } from "../../state/library_store";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";

const types = Object.keys(t.fields.types) as Field["type"][];

@customElement("vt-field-dialog")
export class FieldDialog extends LitElement {
  static override styles = [
    shared,
    dialogStyles,
    css`
      form {
        display: grid;
        gap: 10px;
        margin-top: 14px;
      }
      li {
        display: flex;
        align-items: center;
        gap: 4px;
        min-height: 36px;
      }
      li span {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      li small {
        color: var(--ink-soft);
      }
      label.row {
        display: flex;
        align-items: center;
      }
    `,
  ];
  @state() private collection: Collection | null = null;
  @state() private fields: Field[] = [];
  @state() private edited: Field | null = null; // null: the form adds one
  @state() private type: Field["type"] = "text";
  @state() private problem: string | null = null;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("form") private form!: HTMLFormElement;

  async show(collection: Collection): Promise<void> {
    Object.assign(this, { collection, fields: [], problem: null });
    await this.edit(null);
    this.dialog.showModal();
    await this.attempt(() => Promise.resolve());
  }

  private async edit(field: Field | null): Promise<void> {
    this.edited = field;
    this.type = field?.type ?? "text";
    await this.updateComplete;
    this.form.reset();
    const set = (name: string, value: string) => {
      const control = this.form.elements.namedItem(name) as HTMLInputElement | null;
      if (control) control.value = value;
    };
    set("type", this.type);
    set("name", field?.name ?? "");
    set("unit", field?.unit ?? "");
    set("options", field?.options.join("\n") ?? "");
  }

  // Reads the fields again after the work, whether or not it fails.
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    const id = this.collection?.id ?? "";
    this.problem = null;
    try {
      await work();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    const succeeded = this.problem === null;
    try {
      const fields = await fieldsApi.list(id, false);
      if (id === this.collection?.id) this.fields = fields;
    } catch (error) {
      this.problem ??= sentenceOf(error);
    }
    return succeeded;
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const data = new FormData(this.form);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const field: NewField = { name: text("name"), type: this.type, unit: text("unit"), options: this.type === "choice" ? linesOf(text("options")) : [] };
    const { edited, collection } = this;
    const done = await this.attempt(async () => {
      if (edited) await fieldsApi.change(edited, { ...field, discard: data.has("discard") });
      else await fieldsApi.create(collection?.id ?? "", field);
    });
    if (done) return this.edit(null);
    if (edited) this.edited = this.fields.find(({ id }) => id === edited.id) ?? null;
  }

  override render() {
    return html`<dialog class="wide" aria-labelledby="title">
      <h2 id="title">${t.fields.of(this.collection?.name ?? "")}</h2>
      <p>${this.fields.length === 0 ? t.fields.none : nothing} ${t.fields.hint}</p>
      <ul>
        ${this.fields.map((field, index) => this.renderField(field, index))}
      </ul>
      <form @submit=${this.submit}>
        <label>${t.fields.name}<input class="field" name="name" required maxlength="64" autocomplete="off" /></label>
        <label
          >${t.fields.type}<select class="field" name="type" @change=${(event: Event) => (this.type = (event.target as HTMLSelectElement).value as Field["type"])}>
            ${types.map((type) => html`<option value=${type} .selected=${type === this.type}>${t.fields.types[type]}</option>`)}
          </select></label
        >
        <label>${t.fields.unit}<input class="field" name="unit" maxlength="32" autocomplete="off" /></label>
        <label ?hidden=${this.type !== "choice"}>${t.fields.options}<textarea class="field" name="options" rows="4" ?required=${this.type === "choice"}></textarea></label>
        ${this.edited ? html`<label class="row"><input type="checkbox" name="discard" />${t.fields.discard}</label>` : nothing}
        <p role="alert">${this.problem ?? ""}</p>
        <div class="buttons">
          <button type="button" class="button" @click=${() => (this.edited ? void this.edit(null) : this.dialog.close())}>${this.edited ? t.asset.cancel : t.organize.done}</button>
          <button class="button primary">${this.edited ? t.fields.change : t.fields.add}</button>
        </div>
      </form>
    </dialog>`;
  }

  private renderField(field: Field, index: number) {
    const button = (label: string, icon: unknown, run: () => unknown, disabled = false) =>
      html`<button type="button" class="button quiet small icon-only" aria-label=${label} title=${label} ?disabled=${disabled} @click=${run}>${icon}</button>`;
    const move = (position: number) => this.attempt(() => fieldsApi.change(field, { position }));
    return html`<li>
      <span>${field.name} <small>${t.fields.types[field.type]}${field.unit ? `, ${field.unit}` : nothing}</small></span>
      ${button(t.fields.up(field.name), "↑", () => move(index - 1), index === 0)} ${button(t.fields.down(field.name), "↓", () => move(index + 1), index + 1 === this.fields.length)}
      <button type="button" class="button quiet small" aria-label=${t.fields.edit(field.name)} @click=${() => this.edit(field)}>${t.fields.change}</button>
      ${button(t.fields.remove(field.name), icons.close, () => this.attempt(() => fieldsApi.remove(field)))}
    </li>`;
  }
}
