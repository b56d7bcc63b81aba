// Geometry of the grid: rows of equal cards below each other, of which only those near the window exist. Pure functions.
import type { Range } from "./library";

export interface GridLayout {
  columns: number;
  cardWidth: number; // pixels, as all of these
  cardHeight: number;
  gap: number;
  rowHeight: number; // with its gap
}

const textHeight = 67; // of a card, below its square thumbnail

export function layoutOf(width: number, narrow: boolean): GridLayout {
  const [minWidth, gap] = narrow ? [150, 12] : [250, 20];
  const columns = Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
  const cardWidth = Math.max(1, (width - gap * (columns - 1)) / columns);
  const cardHeight = Math.round(cardWidth + textHeight);
  return { columns, cardWidth, cardHeight, gap, rowHeight: cardHeight + gap };
}

export function contentHeight(layout: GridLayout, total: number): number {
  const rows = Math.ceil(total / layout.columns);
  return rows === 0 ? 0 : rows * layout.rowHeight - layout.gap;
}

// The positions whose cards touch the window of this height at `top`.
export function shownRange(layout: GridLayout, total: number, top: number, height: number): Range {
  const { columns, rowHeight, gap } = layout;
  const first = Math.max(0, Math.floor((top + gap) / rowHeight));
  const last = Math.max(0, Math.ceil((top + height) / rowHeight));
  return { from: Math.min(total, first * columns), to: Math.min(total, last * columns) };
}

// The positions that have elements: the displayed ones and `extra` rows on both sides. Always the same number of rows, so that
// elements are neither made nor dropped while the list is scrolled.
export function renderedRange(layout: GridLayout, total: number, top: number, height: number, extra: number): Range {
  const { columns, rowHeight } = layout;
  const rows = Math.ceil(height / rowHeight) + 1 + 2 * extra;
  const lastFirst = Math.max(0, Math.ceil(total / columns) - rows);
  const first = Math.max(0, Math.min(lastFirst, Math.floor(top / rowHeight) - extra));
  return { from: first * columns, to: Math.min(total, (first + rows) * columns) };
}

export function rowOf(layout: GridLayout, position: number): number {
  return Math.floor(position / layout.columns);
}

// Where to scroll so that the row of this position is between `inset` (what the header covers) and the window's bottom.
export function scrolledTo(layout: GridLayout, position: number, top: number, height: number, inset: number): number {
  const rowTop = rowOf(layout, position) * layout.rowHeight;
  if (rowTop - inset < top) return rowTop - inset;
  const bottom = rowTop + layout.cardHeight + layout.gap;
  return bottom > top + height ? bottom - height : top;
}
