// Filters of the library by facts, with the values that the list has.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { getJson } from "../../api/client";
import { t } from "../../i18n";
import { sentenceOf } from "../../state/library_store";
import { facetsToApi, queryFromUrl, urlOfQuery } from "../../state/query";
import type { FactName, LibraryQuery } from "../../state/query";
import { router } from "../../state/router";
import { filterFormStyles } from "../../styles/filter_form";
import { shared } from "../../styles/shared";

const facets = ["license", "author", "owner", "warning"] as const;
type Facet = (typeof facets)[number];
type FacetValues = Partial<Record<Facet, { value: string; count: number }[]>>;

const ranges = ["size", "duration", "speed", "triangles", "joints", "bytes"] as const;
const times = ["created", "updated"] as const;
const megabyte = 1e6;

@customElement("vt-fact-filters")
export class FactFilters extends LitElement {
  static override styles = [shared, filterFormStyles];

  @property({ attribute: false }) query!: LibraryQuery;
  @state() private values: FacetValues = {};
  @state() private error: string | null = null;
  private reading = "";

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.read();
  }

  // The newest query decides.
  private async read(): Promise<void> {
    const url = `/v1/assets?${facetsToApi(this.query, facets)}`;
    if (url === this.reading) return;
    this.reading = url;
    try {
      const { facets: values } = await getJson<{ facets: FacetValues }>(url);
      if (url === this.reading) Object.assign(this, { values, error: null });
    } catch (error) {
      if (url === this.reading) Object.assign(this, { error: sentenceOf(error), reading: "" });
    }
  }

  private set(name: FactName, value: string): void {
    const query = queryFromUrl(router.value.route.params);
    const { [name]: _before, ...facts } = query.facts;
    router.replace(urlOfQuery({ ...query, facts: value === "" ? facts : { ...facts, [name]: value } }));
  }

  override render() {
    return html`<form aria-label=${t.factFilters.title} @submit=${(event: Event) => event.preventDefault()}>
      ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}
      ${ranges.map((name) => this.renderRange(name))} ${times.map((name) => this.renderTimes(name))}
      ${this.renderChoice("loops", t.factFilters.loops, [
        { value: "true", label: t.factFilters.loopingClip },
        { value: "false", label: t.factFilters.openClip },
      ])}
      ${this.renderChoice("missingTextures.min", t.factFilters.textures, [{ value: "1", label: t.factFilters.missingTextures }])}
      ${facets.map((name) => this.renderFacet(name))}
    </form>`;
  }

  private renderRange(name: (typeof ranges)[number]) {
    const unit = name === "bytes" ? megabyte : 1;
    const field = (end: "min" | "max", label: string) => {
      const fact: FactName = `${name}.${end}`;
      const given = this.query.facts[fact];
      return html`<input
        class="field"
        type="number"
        min="0"
        step=${name === "triangles" || name === "joints" ? "1" : "any"}
        aria-label=${label}
        placeholder=${end === "min" ? t.factFilters.from : t.factFilters.to}
        .value=${given === undefined ? "" : String(Number(given) / unit)}
        @change=${(event: Event) => this.setNumber(fact, event.target as HTMLInputElement, unit)}
      />`;
    };
    const title = t.factFilters.ranges[name];
    return html`<fieldset>
      <legend>${title}</legend>
      ${field("min", t.factFilters.atLeast(title))} ${field("max", t.factFilters.atMost(title))}
    </fieldset>`;
  }

  private setNumber(name: FactName, input: HTMLInputElement, unit: number): void {
    if (!input.checkValidity()) return void input.reportValidity();
    this.set(name, input.value === "" ? "" : String(unit === 1 ? Number(input.value) : Math.round(Number(input.value) * unit)));
  }

  // Whole days of the user's time zone.
  private renderTimes(name: (typeof times)[number]) {
    const title = t.factFilters.times[name];
    const field = (end: "min" | "max", label: string) => {
      const given = this.query.facts[`${name}.${end}`];
      return html`<input
        class="field"
        type="date"
        aria-label=${label}
        .value=${given === undefined ? "" : dayOf(given)}
        @change=${(event: Event) => this.set(`${name}.${end}`, instantOf((event.target as HTMLInputElement).value, end))}
      />`;
    };
    return html`<fieldset>
      <legend>${title}</legend>
      ${field("min", t.factFilters.since(title))} ${field("max", t.factFilters.until(title))}
    </fieldset>`;
  }

  private renderFacet(name: Facet) {
    const given = this.query.facts[name] ?? "";
    const values = this.values[name] ?? [];
    const known = values.some(({ value }) => value === given) || given === "";
    const options = known ? values : [...values, { value: given, count: 0 }];
    return this.renderChoice(name, t.factFilters.facets[name], options.map(({ value, count }) => ({ value, label: t.factFilters.counted(value, count) })));
  }

  private renderChoice(name: FactName, title: string, options: { value: string; label: string }[]) {
    const given = this.query.facts[name] ?? "";
    return html`<label>
      <span>${title}</span>
      <select class="field" @change=${(event: Event) => this.set(name, (event.target as HTMLSelectElement).value)}>
        <option value="" .selected=${given === ""}>${t.factFilters.any}</option>
        ${options.map(({ value, label }) => html`<option value=${value} .selected=${value === given}>${label}</option>`)}
      </select>
    </label>`;
  }
}

function dayOf(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return "";
  const two = (number: number) => String(number).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

function instantOf(day: string, end: "min" | "max"): string {
  if (day === "") return "";
  return new Date(`${day}T${end === "min" ? "00:00:00.000" : "23:59:59.999"}`).toISOString();
}
