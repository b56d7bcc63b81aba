// Filters and sort order; each change changes the URL.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";

import { t } from "../i18n";
import { router } from "../state/router";
import { library } from "../state/library_store";
import { organization } from "../state/organization";
import { hasFacts, isFiltered, queryFromUrl, sortsOf, urlOfQuery, withoutFilters } from "../state/query";
import type { LibraryQuery } from "../state/query";
import { selection } from "../state/selection";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatLabel } from "../util/format";
import { assetFormats } from "../util/model_formats";
import "./organize/fact_filters";
import "./organize/field_filters";

@customElement("vt-filters")
export class Filters extends LitElement {
  static override styles = [
    shared,
    css`
      .tools {
        display: flex;
        align-items: center;
        gap: 8px;
        flex-wrap: wrap;
        min-height: 36px;
      }
      .button {
        border-radius: 18px;
        height: 34px;
      }
      .count {
        margin-left: auto;
        color: var(--ink-soft);
        font-size: 13px;
      }
      @media (max-width: 720px) {
        .tools {
          flex-wrap: nowrap;
          overflow-x: auto;
          margin: 0 -14px;
          padding: 3px 14px;
          scrollbar-width: none;
        }
        .button {
          flex: none;
        }
        .count {
          display: none;
        }
      }
    `,
  ];

  @state() private hasMore: boolean | null = null; // null: as the query needs
  private readonly place = new Watch(this, router);
  private readonly assets = new Watch(this, library);
  private readonly groups = new Watch(this, organization);
  private readonly chosen = new Watch(this, selection);

  private change(changes: Partial<LibraryQuery>): void {
    router.replace(urlOfQuery({ ...queryFromUrl(router.value.route.params), ...changes }));
  }

  private toggle(label: string, on: boolean, changes: Partial<LibraryQuery>) {
    return html`<button class="button" aria-pressed=${on ? "true" : "false"} @click=${() => this.change(changes)}>${label}</button>`;
  }

  override render() {
    const query = queryFromUrl(this.place.value.route.params);
    const { total, loaded } = this.assets.value;
    const failed = query.status === "failed";
    const hasMore = this.hasMore ?? hasFacts(query);
    return html`<div class="tools" role="group" aria-label=${t.library.filters}>
      <button class="button" aria-expanded=${this.groups.value.open ? "true" : "false"} @click=${() => organization.toggle()}>${t.organize.title}</button>
      <select
        class="button"
        aria-label=${t.library.format}
        .value=${query.format}
        @change=${(event: Event) => this.change({ format: (event.target as HTMLSelectElement).value })}
      >
        <option value="">${t.library.anyFormat}</option>
        ${assetFormats.map((format) => html`<option value=${format} ?selected=${format === query.format}>${formatLabel(format)}</option>`)}
      </select>
      ${this.toggle(t.library.animated, query.animated === "true", { animated: query.animated === "true" ? "" : "true" })}
      ${this.toggle(t.library.rigged, query.rigged === "true", { rigged: query.rigged === "true" ? "" : "true" })}
      ${this.toggle(t.library.failed, failed, { status: failed ? "" : "failed" })}
      <button class="button" aria-expanded=${hasMore ? "true" : "false"} @click=${() => (this.hasMore = !hasMore)}>${t.factFilters.title}</button>
      ${query.trash ? nothing : html`<button class="button" aria-pressed=${this.chosen.value.active ? "true" : "false"} @click=${() => (selection.value.active ? selection.stop() : selection.start())}>${t.organize.select}</button>`}
      ${isFiltered(query) ? html`<button class="button quiet" @click=${() => router.replace(urlOfQuery(withoutFilters(query)))}>${t.library.clearFilters}</button>` : nothing}
      <span class="count numbers" role="status">${loaded ? t.library.shown(total) : nothing}</span>
      <select
        class="button"
        aria-label=${t.library.sort}
        @change=${(event: Event) => this.change({ sort: (event.target as HTMLSelectElement).value as LibraryQuery["sort"] })}
      >
        ${sortsOf(query).map((sort) => html`<option value=${sort} .selected=${sort === query.sort}>${t.library.sorts[sort]}</option>`)}
      </select>
    </div>
    ${hasMore ? html`<vt-fact-filters .query=${query}></vt-fact-filters><vt-field-filters .query=${query}></vt-field-filters>` : nothing}`;
  }
}
