import { describe, expect, it } from "vitest";

import { contentHeight, layoutOf, renderedRange, scrolledTo, shownRange } from "../src/state/grid_layout";
import { ScrollMap, maxHeight } from "../src/state/scroll_map";
import { Slots } from "../src/util/slots";

describe("layout of the grid", () => {
  const layout = layoutOf(1232, false);

  it("fills the width with equal cards", () => {
    expect(layout.columns).toBe(4); // 5 of 250 pixels and their gaps need 1330
    expect(layout.cardWidth * 4 + layout.gap * 3).toBe(1232);
    expect(layoutOf(362, true)).toMatchObject({ columns: 2, cardWidth: 175 });
    expect(layoutOf(100, false).columns).toBe(1);
  });

  it("has rows of equal height", () => {
    expect(contentHeight(layout, 0)).toBe(0);
    expect(contentHeight(layout, 4)).toBe(layout.cardHeight);
    expect(contentHeight(layout, 5)).toBe(layout.cardHeight + layout.rowHeight);
  });

  it("shows the positions whose cards touch the window", () => {
    const { rowHeight } = layout;
    expect(shownRange(layout, 1000, 0, 10)).toEqual({ from: 0, to: 4 });
    expect(shownRange(layout, 1000, rowHeight, rowHeight)).toEqual({ from: 4, to: 8 });
    expect(shownRange(layout, 1000, rowHeight - layout.gap - 1, rowHeight)).toEqual({ from: 0, to: 8 });
    expect(shownRange(layout, 10, rowHeight * 2, rowHeight * 7)).toEqual({ from: 8, to: 10 });
    expect(shownRange(layout, 10, rowHeight * 50, rowHeight)).toEqual({ from: 10, to: 10 });
  });

  it("has the same number of elements at every place", () => {
    const end = contentHeight(layout, 1000) - 800;
    const all = Array.from({ length: 400 }, (_, index) => (index * end) / 399);
    for (const top of all) {
      const { from, to } = renderedRange(layout, 1000, top, 800, 2);
      expect(to - from).toBe(32); // 800 pixels: at most 4 rows of 379
      const shown = shownRange(layout, 1000, top, 800);
      expect(from <= shown.from && to >= shown.to).toBe(true);
    }
    expect(renderedRange(layout, 10, 0, 800, 2)).toEqual({ from: 0, to: 10 });
  });

  it("scrolls no more than is necessary", () => {
    const { rowHeight } = layout;
    expect(scrolledTo(layout, 40, 10 * rowHeight - 100, 800, 76)).toBe(10 * rowHeight - 100);
    expect(scrolledTo(layout, 40, 11 * rowHeight, 800, 76)).toBe(10 * rowHeight - 76);
    expect(scrolledTo(layout, 40, 0, 800, 76)).toBe(11 * rowHeight - 800);
  });
});

describe("scrolling of high content", () => {
  it("is the identity while the browser allows the height", () => {
    const map = new ScrollMap();
    map.resize(5000, 800);
    expect([map.height, map.scrolled(1234), map.offset, map.reach(4000)]).toEqual([5000, 1234, 0, 4000]);
    expect(map.reach(9999)).toBe(4200);
  });

  const high = 10 * maxHeight;
  it("reaches both ends and moves in proportion when the scroll bar is dragged", () => {
    const map = new ScrollMap();
    map.resize(high, 800);
    expect(map.height).toBe(maxHeight);
    expect(map.scrolled(maxHeight - 800)).toBe(high - 800);
    expect(map.scrolled((maxHeight - 800) / 2)).toBeCloseTo((high - 800) / 2);
    expect(map.scrolled(0)).toBe(0);
  });

  it("moves by pixels with the wheel, and is centered afterwards", () => {
    const map = new ScrollMap();
    map.resize(high, 800);
    const before = map.scrolled(4_000_000);
    expect(map.scrolled(4_000_100)).toBe(before + 100);
    const physical = map.reach(before + 100);
    expect(physical).toBeCloseTo(4_000_010, 0);
    expect(physical + map.offset).toBeCloseTo(before + 100);
    expect(map.scrolled(physical)).toBeCloseTo(before + 100);
  });

  it("reports an end of the scroll bar inside the content", () => {
    const map = new ScrollMap();
    map.resize(high, 800);
    map.scrolled(500); // a small step from the top
    map.scrolled(4000);
    for (let at = 3300; at > 0; at -= 700) map.scrolled(at);
    expect(map.scrolled(0)).toBeGreaterThan(0);
    expect(map.isBlocked).toBe(true);
    expect(map.reach(map.offset)).toBeGreaterThan(0);
    expect(map.isBlocked).toBe(false);
  });
});

describe("slots", () => {
  it("stay with their keys, and are used again", () => {
    const slots = new Slots();
    expect(slots.assign(["a", "b", "c"])).toEqual([0, 1, 2]);
    expect(slots.assign(["b", "c", "d"])).toEqual([1, 2, 0]);
    expect(slots.assign(["x", "y", "d", "z"])).toHaveLength(4);
    expect(new Set(slots.assign(["x", "y", "d", "z"])).size).toBe(4);
    expect(slots.assign(["d"])).toEqual([0]);
  });
});
