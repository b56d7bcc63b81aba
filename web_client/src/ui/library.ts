// The library: filters, grid, and all states without a grid.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { t } from "../i18n";
import { access } from "../state/access";
import { router } from "../state/router";
import { library } from "../state/library_store";
import { layoutOf } from "../state/grid_layout";
import { organization } from "../state/organization";
import { isFiltered, urlOfQuery, withoutFilters } from "../state/query";
import { mayUpload } from "../state/shown_collection";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatTitles } from "../util/model_formats";
import { Late } from "../util/late";
import "./filters";
import "./grid";
import type { Grid } from "./grid";
import { icons } from "../styles/icons";
import "./organize/collection_header";
import "./organize/selection_bar";
import "./organize/side_bar";

@customElement("vt-library")
export class Library extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        max-width: 1760px;
        margin: 0 auto;
        padding: 20px 24px 96px;
      }
      .skeletons {
        display: grid;
        gap: 20px;
        margin-top: 16px;
      }
      .skeletons vt-card {
        aspect-ratio: 0.8;
      }
      .columns {
        display: grid;
        grid-template-columns: 220px minmax(0, 1fr);
        gap: 24px;
      }
      @media (max-width: 720px) {
        .columns {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      vt-grid {
        margin-top: 16px;
        transition: opacity var(--calm);
      }
      .late {
        opacity: 0.5;
      }
      .wait {
        position: fixed;
        left: 50%;
        bottom: 24px;
        z-index: 15;
        display: flex;
        align-items: center;
        gap: 10px;
        max-width: calc(100vw - 28px);
        padding: 9px 18px 9px 14px;
        border-radius: 22px;
        background: var(--ink);
        color: var(--ground);
        font-size: 13px;
        font-weight: 500;
        box-shadow: var(--shadow-2);
        transform: translateX(-50%);
      }
      .wait .button {
        margin: -4px -10px -4px 4px;
        border-color: transparent;
        background: color-mix(in srgb, var(--ground) 18%, transparent);
        color: inherit;
      }
      .state {
        display: grid;
        justify-items: center;
        gap: 10px;
        margin: clamp(32px, 9vh, 96px) auto 0;
        max-width: 560px;
        text-align: center;
        color: var(--ink-soft);
      }
      .state.empty {
        padding: 56px 32px;
        border: 1.5px dashed var(--line-strong);
        border-radius: var(--radius-l);
        background: var(--surface);
      }
      .state h2 {
        font-size: 22px;
        font-weight: 600;
        letter-spacing: -0.015em;
        color: var(--ink);
      }
      .state .mark {
        display: grid;
        place-items: center;
        width: 64px;
        height: 64px;
        margin-bottom: 6px;
        border-radius: 20px;
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
      }
      .state .mark svg {
        width: 30px;
        height: 30px;
        stroke-width: 1.4;
      }
      .state .button {
        margin-top: 10px;
      }
      .state small {
        font-size: 13px;
        color: var(--ink-faint);
      }
      .offer {
        position: sticky;
        top: calc(var(--header) + 12px);
        z-index: 10;
        display: flex;
        justify-content: center;
        height: 0;
      }
      .offer .button {
        margin-top: 4px;
        border-radius: 16px;
        height: 32px;
        box-shadow: var(--shadow-2);
      }
      .corrected {
        margin: 12px 0 16px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      .foot {
        padding-top: 28px;
        color: var(--ink-faint);
        font-size: 13px;
        text-align: center;
      }
      @media (max-width: 720px) {
        :host {
          padding: 12px 14px 96px;
        }
      }
    `,
  ];

  @property({ type: Boolean }) active = false;
  @query("vt-grid") private grid!: Grid | null;
  private readonly watch = new Watch(this, library);
  private readonly groups = new Watch(this, organization);
  private readonly access = new Watch(this, access);
  private readonly wait = new Late(this, () => this.watch.value.loading !== null && (this.watch.value.loading === "first" || library.isIncomplete));

  // Focuses the card of the model from which the user returns.
  focusAsset(id: string): void {
    this.grid?.focusAsset(id);
  }

  override render() {
    const { unseenNewAssets } = this.watch.value;
    const isShared = this.access.value.me?.shared != null;
    const open = this.groups.value.open && !isShared;
    return html`
      <h1 class="visually-hidden">${t.library.title}</h1>
      ${this.isEmpty() ? nothing : html`<vt-filters></vt-filters>`}
      ${isShared ? nothing : html`<vt-collection-header></vt-collection-header>`}
      ${unseenNewAssets
        ? html`<div class="offer"><button class="button primary small" @click=${() => library.showNew()}>${t.library.unseenNewAssets(unseenNewAssets)}</button></div>`
        : nothing}
      <div class=${open ? "columns" : ""}>
        ${open ? html`<vt-side-bar></vt-side-bar>` : nothing}
        <div>${this.renderBody()}</div>
      </div>
      ${this.active && !isShared ? html`<vt-selection-bar></vt-selection-bar>` : nothing}
    `;
  }

  private isEmpty(): boolean {
    const { loaded, total, query } = this.watch.value;
    return loaded && total === 0 && !isFiltered(query) && !access.shared;
  }

  private renderBody() {
    const { loading, loaded, error, total, corrections } = this.watch.value;
    if (error && !loaded) return this.renderError(error);
    if (loaded && total === 0 && loading !== "first") return this.isEmpty() ? this.renderEmpty() : this.renderNoMatch();
    return html`
      ${corrections.length > 0 ? html`<p class="corrected" role="status">${t.library.corrected(corrections)}</p>` : nothing}
      ${loaded
        ? html`<vt-grid class=${loading === "first" && this.wait.isLate ? "late" : ""} .active=${this.active}></vt-grid>`
        : this.renderSkeleton()}
      ${this.renderWait()}
      ${total > 12 ? html`<div class="foot">${t.library.end}</div>` : nothing}
    `;
  }

  // Says why cards are missing: the server is slow, or cannot be reached.
  private renderWait() {
    const { error } = this.watch.value;
    if (error)
      return html`<div class="wait" role="alert">
        ${error}<button class="button small" @click=${() => library.retry()}>${t.library.tryAgain}</button>
      </div>`;
    if (!this.wait.isLate) return nothing;
    return html`<div class="wait" role="status"><span class="spinner"></span>${this.wait.isSlow ? t.library.slow : t.library.loading}</div>`;
  }

  private renderSkeleton() {
    const { columns } = layoutOf(Math.min(innerWidth, 1760) - 48, innerWidth <= 720);
    return html`<div class="skeletons" .style=${`grid-template-columns:repeat(${columns},1fr)`} aria-busy="true" aria-label=${t.library.loading}>
      ${Array.from({ length: columns * 3 }, () => html`<vt-card .asset=${null}></vt-card>`)}
    </div>`;
  }

  private renderEmpty() {
    return html`<div class="state empty">
      <span class="mark">${icons.cube}</span>
      <h2>${t.library.emptyTitle}</h2>
      ${mayUpload()
        ? html`<p>${t.library.emptyText}</p>
            <button class="button primary" @click=${() => dispatchEvent(new Event("vt-pick"))}>${icons.upload}${t.header.uploadTitle}</button>
            <small>${t.library.emptyFormats(formatTitles)}</small>`
        : html`<p>${t.library.emptyForViewers}</p>`}
      <a class="button quiet" href="/?trash=true">${t.organize.trash}</a>
    </div>`;
  }

  private renderNoMatch() {
    if (this.watch.value.query.trash) return html`<div class="state"><h2>${t.organize.emptyTrash}</h2><p>${t.organize.emptyTrashText}</p></div>`;
    return html`<div class="state">
      <h2>${t.library.noMatchTitle}</h2>
      <p>${t.library.noMatchText}</p>
      <button class="button" @click=${() => router.replace(urlOfQuery(withoutFilters(this.watch.value.query)))}>${t.library.clearFilters}</button>
    </div>`;
  }

  private renderError(error: string) {
    return html`<div class="state" role="alert">
      <h2>${t.library.errorTitle}</h2>
      <p>${error}</p>
      <button class="button" @click=${() => library.retry()}>${icons.retry}${t.library.tryAgain}</button>
    </div>`;
  }
}
