// The library: filters, grid, and all states without a grid.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { t } from "../i18n";
import { router } from "../router";
import { library } from "../state/library_store";
import { isFiltered } from "../state/query";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatTitles } from "../util/model_formats";
import "./card";
import type { Card } from "./card";
import "./filters";
import { icons } from "./icons";

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
      .grid {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(250px, 1fr));
        gap: 20px;
        margin-top: 16px;
      }
      .skeleton {
        border: 1px solid var(--line);
        border-radius: var(--radius);
        overflow: hidden;
        background: var(--surface);
      }
      .skeleton .thumbnail {
        aspect-ratio: 1;
      }
      .skeleton .line {
        height: 12px;
        margin: 14px 14px 0;
        border-radius: 6px;
      }
      .skeleton .line:last-child {
        width: 45%;
        height: 10px;
        margin: 10px 14px 18px;
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
      .unseen {
        margin: 12px auto 0;
        display: flex;
      }
      .foot {
        display: flex;
        justify-content: center;
        min-height: 64px;
        padding-top: 28px;
        color: var(--ink-faint);
        font-size: 13px;
      }
      @media (max-width: 720px) {
        :host {
          padding: 12px 14px 96px;
        }
        .grid {
          grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
          gap: 12px;
        }
      }
    `,
  ];

  @property({ type: Boolean }) active = false;
  private readonly watch = new Watch(this, library);
  private observer: IntersectionObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && library.more(), {
      rootMargin: "900px",
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  // The observer reports only changes: it must be observed again after each page.
  protected override updated(_changed: PropertyValues): void {
    const foot = this.renderRoot.querySelector(".foot");
    this.observer?.disconnect();
    if (foot && this.active) this.observer?.observe(foot);
  }

  // Focuses the card of the model from which the user returns.
  focusAsset(id: string): void {
    const cards = [...this.renderRoot.querySelectorAll("vt-card")] as Card[];
    cards.find((card) => card.asset.id === id)?.focus({ preventScroll: true });
  }

  // Arrow keys move through the grid in its current layout.
  private keyed(event: KeyboardEvent): void {
    const cards = [...this.renderRoot.querySelectorAll<HTMLElement>("vt-card")];
    const at = cards.findIndex((card) => card.contains(event.target as Node) || card === event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = getComputedStyle(cards[0]?.parentElement as Element).gridTemplateColumns.split(" ").length;
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const target = event.key === "Home" ? 0 : event.key === "End" ? cards.length - 1 : at + (steps[event.key] ?? NaN);
    const card = cards[target];
    if (!card) return;
    event.preventDefault();
    card.focus();
  }

  override render() {
    const { query, unseen } = this.watch.value;
    return html`
      <h1 class="visually-hidden">${t.library.title}</h1>
      ${this.isEmpty() ? nothing : html`<vt-filters></vt-filters>`}
      ${unseen && query.q
        ? html`<button class="unseen button small" @click=${() => library.refresh()}>${t.library.unseen(unseen)}</button>`
        : nothing}
      ${this.renderBody()}
    `;
  }

  private isEmpty(): boolean {
    const { items, loaded, query } = this.watch.value;
    return loaded && items.length === 0 && !isFiltered(query);
  }

  private renderBody() {
    const { items, loading, loaded, error, next, jobs } = this.watch.value;
    if (error && items.length === 0) return this.renderError(error);
    if (!loaded || (loading === "first" && items.length === 0)) return this.renderSkeleton();
    if (items.length === 0) return this.isEmpty() ? this.renderEmpty() : this.renderNoMatch();
    return html`
      <div class="grid" role="list" aria-busy=${loading ? "true" : "false"} @keydown=${this.keyed}>
        ${repeat(
          items,
          (asset) => asset.id,
          (asset) => html`<vt-card role="listitem" .asset=${asset} .job=${jobs[asset.id] ?? null}></vt-card>`,
        )}
      </div>
      <div class="foot">
        ${error
          ? html`<button class="button" @click=${() => library.retry()}>${icons.retry}${t.library.tryAgain}</button>`
          : next !== null
            ? html`<button class="button quiet" @click=${() => library.more()}>${loading ? t.library.loading : t.library.loadMore}</button>`
            : items.length > 12
              ? t.library.end
              : nothing}
      </div>
    `;
  }

  private renderSkeleton() {
    return html`<div class="grid" aria-busy="true" aria-label=${t.library.loading}>
      ${Array.from(
        { length: 12 },
        () => html`<div class="skeleton"><div class="thumbnail shimmer"></div><div class="line shimmer"></div><div class="line shimmer"></div></div>`,
      )}
    </div>`;
  }

  private renderEmpty() {
    return html`<div class="state empty">
      <span class="mark">${icons.cube}</span>
      <h2>${t.library.emptyTitle}</h2>
      <p>${t.library.emptyText}</p>
      <button class="button primary" @click=${() => dispatchEvent(new Event("vt-pick"))}>${icons.upload}${t.header.uploadTitle}</button>
      <small>${t.library.emptyFormats(formatTitles)}</small>
    </div>`;
  }

  private renderNoMatch() {
    return html`<div class="state">
      <h2>${t.library.noMatchTitle}</h2>
      <p>${t.library.noMatchText}</p>
      <button class="button" @click=${() => router.replace("/")}>${t.library.clearFilters}</button>
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
