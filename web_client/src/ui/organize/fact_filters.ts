// Filters of the library by facts, with the values that the list has.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { getJson } from "../../api/client";
import { t } from "../../i18n";
import { sentenceOf } from "../../state/library_store";
import { facetsToApi, queryFromUrl, urlOfQuery, withGroup } from "../../state/query";
import type { FactName, LibraryQuery } from "../../state/query";
import { router } from "../../state/router";
import { filterFormStyles } from "../../styles/filter_form";
import { shared } from "../../styles/shared";
import { formatLabel } from "../../util/format";

// All that the server counts. Those before `license` are members of the query, the others facts.
const memberFacets = ["format", "status", "rigged", "animated", "tag"] as const;
const factFacets = ["license", "author", "owner", "warning"] as const;
const facets = [...memberFacets, ...factFacets] as const;
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

  private setMember(name: (typeof memberFacets)[number], value: string): void {
    const query = queryFromUrl(router.value.route.params);
    router.replace(urlOfQuery(name === "tag" ? withGroup(query, { tag: value }) : { ...query, [name]: value }));
  }

  private set(name: FactName, value: string): void {
    const query = queryFromUrl(router.value.route.params);
    const { [name]: _before, ...facts } = query.facts;
    router.replace(urlOfQuery({ ...query, facts: value === "" ? facts : { ...facts, [name]: value } }));
  }

  override render() {
    return html`<form aria-label=${t.factFilters.title} @submit=${(event: Event) => event.preventDefault()}>
      ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}
      ${memberFacets.map((name) => this.renderFacet(name, this.query[name], (value) => this.setMember(name, value)))}
      ${factFacets.map((name) => this.renderFacet(name, this.query.facts[name] ?? "", (value) => this.set(name, value)))}
      ${ranges.map((name) => this.renderRange(name))} ${times.map((name) => this.renderTimes(name))}
      ${this.renderFact("loops", t.factFilters.loops, [
        ["true", t.factFilters.loopingClip],
        ["false", t.factFilters.openClip],
      ])}
      ${this.renderFact("inPlace", t.factFilters.inPlace, [
        ["true", t.factFilters.inPlaceClip],
        ["false", t.factFilters.travelingClip],
      ])}
      ${this.renderText("clip", t.factFilters.clip)} ${this.renderText("joint", t.factFilters.joint)}
      ${this.renderFact("missingTextures.min", t.factFilters.textures, [["1", t.factFilters.missingTextures]])}
      ${this.query.collection ? this.renderFact("descendants", t.factFilters.inside, [["true", t.factFilters.withInside]]) : nothing}
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

  private renderFacet(name: Facet, given: string, set: (value: string) => void) {
    const values = this.values[name] ?? [];
    const known = given === "" || values.some(({ value }) => value === given);
    const options = known ? values : [...values, { value: given, count: 0 }];
    return renderChoice(t.factFilters.facets[name], given, set, options.map(({ value, count }) => [value, t.factFilters.counted(labelOf(name, value), count)]));
  }

  private renderFact(name: FactName, title: string, options: Options) {
    return renderChoice(title, this.query.facts[name] ?? "", (value) => this.set(name, value), options);
  }

  private renderText(name: FactName, title: string) {
    return html`<label>
      <span>${title}</span>
      <input class="field" maxlength="255" autocomplete="off" spellcheck="false" .value=${this.query.facts[name] ?? ""} @change=${(event: Event) => this.set(name, (event.target as HTMLInputElement).value.trim())} />
    </label>`;
  }
}

type Options = [value: string, label: string][];

function renderChoice(title: string, given: string, set: (value: string) => void, options: Options) {
  return html`<label>
    <span>${title}</span>
    <select class="field" @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      <option value="" .selected=${given === ""}>${t.factFilters.any}</option>
      ${options.map(([value, label]) => html`<option value=${value} .selected=${value === given}>${label}</option>`)}
    </select>
  </label>`;
}

function labelOf(name: Facet, value: string): string {
  if (name === "format") return formatLabel(value);
  if (name === "status" || name === "rigged" || name === "animated" || name === "owner") return (t.factFilters.values[name] as Record<string, string>)[value] ?? value;
  return value;
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
