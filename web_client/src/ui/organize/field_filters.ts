// Filters of the library by custom fields of the collection that is shown.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { fieldsApi } from "../../api/fields";
import type { Field } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { queryFromUrl, urlOfQuery } from "../../state/query";
import type { LibraryQuery } from "../../state/query";
import { router } from "../../state/router";
import { filterFormStyles } from "../../styles/filter_form";
import { shared } from "../../styles/shared";

@customElement("vt-field-filters")
export class FieldFilters extends LitElement {
  static override styles = [shared, filterFormStyles];

  @property({ attribute: false }) query!: LibraryQuery;
  @state() private fields: Field[] = [];
  private reading = "";

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.read(this.query.collection);
  }

  // The newest collection decides.
  private async read(collection: string): Promise<void> {
    if (collection === this.reading) return;
    this.reading = collection;
    this.fields = [];
    if (!collection) return;
    try {
      const fields = await fieldsApi.list(collection, true);
      if (collection === this.reading) this.fields = fields;
    } catch (error) {
      if (collection === this.reading) toast(sentenceOf(error), "error");
    }
  }

  // `name`: what follows "field." in the parameter.
  private set(name: string, value: string): void {
    const query = queryFromUrl(router.value.route.params);
    const { [name]: _before, ...fields } = query.fields;
    router.replace(urlOfQuery({ ...query, fields: value === "" ? fields : { ...fields, [name]: value } }));
  }

  override render() {
    if (this.fields.length === 0) return nothing;
    return html`<form aria-label=${t.fields.title} @submit=${(event: Event) => event.preventDefault()}>${this.fields.map((field) => this.renderField(field))}</form>`;
  }

  private renderField(field: Field) {
    switch (field.type) {
      case "number":
      case "date":
        return html`<fieldset>
          <legend>${field.name}${field.unit ? ` (${field.unit})` : nothing}</legend>
          ${this.renderLimit(field, "min", t.factFilters.atLeast(field.name), t.factFilters.from)} ${this.renderLimit(field, "max", t.factFilters.atMost(field.name), t.factFilters.to)}
        </fieldset>`;
      case "boolean":
        return this.renderChoice(field.name, [["true", t.fields.yes], ["false", t.fields.no]]);
      case "choice":
        return this.renderChoice(field.name, field.options.map((option) => [option, option]));
      case "text":
        return html`<label><span>${field.name}</span><input class="field" maxlength="1000" .value=${this.query.fields[field.name] ?? ""} @change=${(event: Event) => this.set(field.name, (event.target as HTMLInputElement).value.trim())} /></label>`;
    }
  }

  private renderLimit({ name, type }: Field, end: "min" | "max", label: string, placeholder: string) {
    const limit = `${name}.${end}`;
    return html`<input
      class="field"
      type=${type}
      step="any"
      aria-label=${label}
      placeholder=${placeholder}
      .value=${this.query.fields[limit] ?? ""}
      @change=${(event: Event) => this.set(limit, (event.target as HTMLInputElement).value)}
    />`;
  }

  private renderChoice(name: string, options: [value: string, label: string][]) {
    const given = this.query.fields[name] ?? "";
    return html`<label>
      <span>${name}</span>
      <select class="field" @change=${(event: Event) => this.set(name, (event.target as HTMLSelectElement).value)}>
        <option value="" .selected=${given === ""}>${t.fields.any}</option>
        ${options.map(([value, label]) => html`<option value=${value} .selected=${value === given}>${label}</option>`)}
      </select>
    </label>`;
  }
}
