// The grid of the library. Only the rows near the window have elements, which are used again for other assets. The focused card
// keeps its element wherever the window is, so that the focus is not lost.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { AssetRow } from "../api/types";
import { t } from "../i18n";
import { router } from "../state/router";
import { contentHeight, layoutOf, renderedRange, rowOf, scrolledTo, shownRange } from "../state/grid_layout";
import type { GridLayout } from "../state/grid_layout";
import { assetAt, positionOf } from "../state/library";
import type { Range } from "../state/library";
import { library } from "../state/library_store";
import type { Place } from "../state/library_store";
import { ScrollMap } from "../state/scroll_map";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { Slots } from "../util/slots";
import "./card";
import type { Card } from "./card";

const extraRows = 2;
const restMs = 120; // without scrolling: the user has arrived
const headerInset = 76; // pixels that the page's header covers, with a margin
const narrow = matchMedia("(max-width: 720px)");

interface Cell {
  position: number;
  asset: AssetRow | null; // null: not read yet
}

@customElement("vt-grid")
export class Grid extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        position: relative;
      }
      .canvas {
        position: relative;
        overflow: clip;
        overflow-clip-margin: 40px;
      }
      vt-card {
        position: absolute;
        left: 0;
        top: 0;
        width: var(--card-width);
        height: var(--card-height);
      }
    `,
  ];

  @property({ type: Boolean }) active = false;
  @query(".canvas") private canvas!: HTMLElement | null;
  private readonly watch = new Watch(this, library);
  private readonly sizes = new ResizeObserver(() => this.measure());
  private readonly slots = new Slots();
  private readonly map = new ScrollMap();
  private layout: GridLayout | null = null; // null: never displayed
  private pageTop = 0; // of the canvas in the document
  private top = 0; // of the window in the list
  private rendered: Range = { from: 0, to: 0 };
  private anchor: Place = { id: null, index: 0, shift: 0 };
  private scrolling = false; // too fast to load images
  private restTimer = 0;
  private resizedAt: Place | null = null; // to be shown in the new layout
  private stored: Place | null = null;
  private focused: Cell | null = null;
  private wantedFocus = -1; // position whose card gets the focus as soon as it exists
  private pendingRows = 0; // to scroll after the update
  private updating = false;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("scroll", this.scrolled, { passive: true });
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("scroll", this.scrolled);
    this.sizes.disconnect();
    clearTimeout(this.restTimer);
  }

  // Focuses the card of the asset from which the user returns.
  focusAsset(id: string): void {
    const position = positionOf(library.value, id);
    if (position >= 0) this.focusPosition(position);
  }

  private measure(): void {
    if (!this.active || this.clientWidth === 0) return;
    const layout = layoutOf(this.clientWidth, narrow.matches);
    if (this.layout && this.layout.rowHeight !== layout.rowHeight && this.top > 0) this.resizedAt = this.anchor;
    this.layout = layout;
    this.requestUpdate();
  }

  private readonly scrolled = (): void => {
    if (!this.active || !this.layout) return;
    const before = this.top;
    this.top = this.map.scrolled(Math.max(0, scrollY - this.pageTop));
    if (this.map.isBlocked) this.scrollList(this.top);
    if (Math.abs(this.top - before) > this.layout.rowHeight * 1.5) this.scrolling = true;
    clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(this.rested, restMs);
    const range = renderedRange(this.layout, library.value.total, this.top, innerHeight, extraRows);
    if (range.from !== this.rendered.from || range.to !== this.rendered.to) this.requestUpdate();
    else this.remember();
  };

  private readonly rested = (): void => {
    this.restTimer = 0;
    if (!this.active) return;
    this.scrolling = false;
    this.scrollList(this.top); // centers the scroll bar of a scaled list
    this.requestUpdate();
  };

  // Above the list, the document scrolls itself.
  private scrollList(position: number): void {
    if (position <= 0 && scrollY <= this.pageTop) return;
    const physical = this.pageTop + this.map.reach(position);
    this.top = this.map.offset + physical - this.pageTop;
    if (Math.abs(physical - scrollY) >= 1) scrollTo(0, physical);
  }

  private goTo({ index, shift }: Place): void {
    if (!this.layout) return;
    const position = rowOf(this.layout, index) * this.layout.rowHeight + shift;
    if (position > 0) this.scrollList(position);
    else scrollTo(0, this.top = 0);
    this.remember();
  }

  // Remembers the first displayed row: it stays where it is when the list changes.
  private remember(): void {
    if (!this.layout) return;
    const row = Math.max(0, Math.floor(this.top / this.layout.rowHeight));
    const index = row * this.layout.columns;
    this.anchor = { id: assetAt(library.value, index)?.id ?? null, index, shift: this.top - row * this.layout.rowHeight };
  }

  // The place survives a reload in the history entry.
  private store(): void {
    const { id, index, shift } = this.anchor;
    if (this.stored?.id === id && this.stored.index === index && this.stored.shift === shift) return;
    this.stored = this.anchor;
    router.storePlace(this.anchor);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.updating = true;
    if (!this.active) return;
    if (!this.layout && this.clientWidth > 0) this.layout = layoutOf(this.clientWidth, narrow.matches);
    if (!this.layout) return;
    this.map.resize(contentHeight(this.layout, library.value.total), innerHeight);
    this.follow(this.layout);
    if (this.focused?.asset) {
      const position = positionOf(library.value, this.focused.asset.id);
      if (position >= 0) this.focused = { position, asset: assetAt(library.value, position) };
    }
    this.rendered = renderedRange(this.layout, library.value.total, this.top, innerHeight, extraRows);
  }

  // Items were inserted or removed above: the displayed ones stay.
  private follow(layout: GridLayout): void {
    const { id, index } = this.anchor;
    const position = id !== null && this.top > 0 ? positionOf(library.value, id) : -1;
    const rows = position < 0 ? 0 : rowOf(layout, position) - rowOf(layout, index);
    this.pendingRows = rows;
    this.top += rows * layout.rowHeight;
  }

  protected override updated(_changed: PropertyValues): void {
    this.updating = false;
    if (!this.active || !this.layout) return;
    if (!this.scrolling && this.canvas) this.pageTop = this.canvas.getBoundingClientRect().top + scrollY;
    if (this.pendingRows !== 0) this.scrollList(this.top);
    const place = library.takePlace() ?? this.resizedAt;
    this.resizedAt = null;
    if (place) {
      this.goTo(place);
      this.requestUpdate();
    }
    void this.restoreFocus();
    this.remember();
    if (this.restTimer === 0) this.store();
    library.show(shownRange(this.layout, library.value.total, this.top, innerHeight));
  }

  private cells(): Cell[] {
    const { from, to } = this.rendered;
    const cells = Array.from({ length: to - from }, (_, index) => ({ position: from + index, asset: assetAt(library.value, from + index) }));
    const { focused } = this;
    if (!focused || (focused.position >= from && focused.position < to)) return cells;
    return focused.position < from ? [focused, ...cells] : [...cells, focused];
  }

  override render() {
    const { layout } = this;
    if (!layout) return nothing;
    const { jobs, loading, total } = this.watch.value;
    const cells = this.cells();
    const slots = this.slots.assign(cells.map(({ asset, position }) => asset?.id ?? `#${position}`));
    const { cardWidth, cardHeight } = layout;
    return html`<div
      class="canvas"
      role="list"
      aria-label=${t.library.list}
      aria-busy=${loading ? "true" : "false"}
      .style=${`height:${this.map.height}px;--card-width:${cardWidth}px;--card-height:${cardHeight}px`}
      @keydown=${this.keyed}
      @focusin=${this.focusedIn}
      @focusout=${this.focusedOut}
    >
      ${repeat(
        cells,
        (_, index) => slots[index],
        ({ asset, position }) => html`<vt-card
          role="listitem"
          aria-setsize=${total}
          aria-posinset=${position + 1}
          .position=${position}
          .asset=${asset}
          .job=${asset ? (jobs[asset.id] ?? null) : null}
          .quick=${this.scrolling}
          .style=${this.placeOf(layout, position)}
        ></vt-card>`,
      )}
    </div>`;
  }

  private placeOf(layout: GridLayout, position: number): string {
    const { columns, cardWidth, gap, rowHeight } = layout;
    const x = (position % columns) * (cardWidth + gap);
    const y = rowOf(layout, position) * rowHeight - this.map.offset;
    return `transform:translate(${x}px,${y}px)`;
  }

  private cardAt(position: number): Card | null {
    const cards = [...this.renderRoot.querySelectorAll<Card>("vt-card")];
    return cards.find((card) => card.position === position && card.asset !== null) ?? null;
  }

  private focusedIn(event: Event): void {
    const { position, asset } = event.target as Card;
    this.focused = { position, asset };
  }

  private focusedOut(): void {
    if (!this.updating) this.focused = null;
  }

  // Focuses the wanted card, or the one whose element was moved or whose asset was deleted.
  private async restoreFocus(): Promise<void> {
    const isLost = this.focused !== null && !this.shadowRoot?.activeElement;
    const position = this.wantedFocus >= 0 ? this.wantedFocus : isLost ? Math.min(this.focused!.position, library.value.total - 1) : -1;
    const card = position >= 0 ? this.cardAt(position) : null;
    await card?.updateComplete; // its link exists
    if (!card || card.position !== position || (this.wantedFocus >= 0 && this.wantedFocus !== position)) return;
    this.wantedFocus = -1;
    card.focus({ preventScroll: true });
  }

  private focusPosition(position: number): void {
    if (!this.layout) return;
    this.wantedFocus = position;
    const top = scrolledTo(this.layout, position, this.top, innerHeight, headerInset);
    if (top !== this.top) {
      if (top > 0) this.scrollList(top);
      else scrollTo(0, this.top = 0);
    }
    this.requestUpdate();
  }

  // Arrow keys move through the grid in its current layout.
  private keyed(event: KeyboardEvent): void {
    if (!this.layout || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.wantedFocus >= 0 ? this.wantedFocus : (event.target as Card).position;
    const { columns, rowHeight } = this.layout;
    const page = columns * Math.max(1, Math.floor((innerHeight - headerInset) / rowHeight));
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, PageDown: page, PageUp: -page };
    const last = library.value.total - 1;
    const step = steps[event.key];
    const target = event.key === "Home" ? 0 : event.key === "End" ? last : step === undefined ? -1 : at + step;
    const isPage = event.key.startsWith("Page");
    if (target < 0 && !isPage) return;
    if (target > last && !isPage) return;
    event.preventDefault();
    this.focusPosition(Math.max(0, Math.min(last, target)));
  }
}
