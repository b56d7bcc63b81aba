// Saved searches in the side bar: one is the list with its filters; the current one can be saved.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { getJson, request } from "../../api/client";
import type { Page } from "../../api/types";
import type { components } from "../../api/schema";
import { t } from "../../i18n";
import { announce, toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { isFiltered, queryFromUrl, savedQuery, urlOfQuery } from "../../state/query";
import { router } from "../../state/router";
import { Watch } from "../../state/store";
import { sideBarStyles } from "../../styles/side_bar_styles";
import { shared } from "../../styles/shared";
import { icons } from "../../styles/icons";

type Search = components["schemas"]["Search"];

const json = { "Content-Type": "application/json" };

@customElement("vt-saved-searches")
export class SavedSearches extends LitElement {
  static override styles = [
    shared,
    sideBarStyles,
    css`
      :host {
        display: grid;
        gap: 4px;
      }
    `,
  ];

  @state() private searches: Search[] = [];
  @state() private naming = false;
  @query("input") private input!: HTMLInputElement | null;
  private readonly place = new Watch(this, router);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read(): Promise<void> {
    try {
      this.searches = (await getJson<Page<Search>>("/v1/searches?limit=1000")).items;
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  private async attempt(work: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await work();
      announce(done);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await this.read();
  }

  private async startNaming(): Promise<void> {
    this.naming = true;
    await this.updateComplete;
    this.input?.focus();
  }

  private async save(event: Event): Promise<void> {
    event.preventDefault();
    const name = this.input?.value.trim() ?? "";
    if (!name) return;
    const body = JSON.stringify({ name, query: savedQuery(queryFromUrl(router.value.route.params)) });
    await this.attempt(() => request("/v1/searches", { method: "POST", headers: json, body }), t.organize.searchSaved);
    this.naming = false;
  }

  private discard({ id }: Search): Promise<void> {
    return this.attempt(() => request(`/v1/searches/${encodeURIComponent(id)}`, { method: "DELETE" }), t.organize.searchRemoved);
  }

  override render() {
    const current = queryFromUrl(this.place.value.route.params);
    const text = savedQuery(current);
    return html`<h2>${t.organize.searches}</h2>
      ${this.searches.length === 0 ? html`<p>${t.organize.noSearches}</p>` : nothing}
      <ul>
        ${this.searches.map((search) => {
          const of = queryFromUrl(new URLSearchParams(search.query));
          const shown = savedQuery(of) === text;
          return html`<li>
            <a href=${shown ? "/" : urlOfQuery(of)} aria-current=${shown ? "page" : nothing}><span>${search.name}</span></a>
            ${search.own ? html`<button class="button quiet small icon-only" aria-label=${t.organize.removeSearch(search.name)} @click=${() => this.discard(search)}>${icons.close}</button>` : nothing}
          </li>`;
        })}
      </ul>
      ${this.naming ? this.renderForm() : html`<button class="button quiet small" ?disabled=${!isFiltered(current)} @click=${this.startNaming}>${t.organize.saveSearch}</button>`}`;
  }

  private renderForm() {
    return html`<form @submit=${this.save}>
      <input class="field" aria-label=${t.organize.searchName} maxlength="255" autocomplete="off" required />
      <button class="button small">${t.organize.save}</button>
    </form>`;
  }
}
