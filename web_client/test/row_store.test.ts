import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { readRow, rowQuery, RowStore } from "../src/preview/row_store";
import type { Row } from "../src/preview/protocol";

const row = { models: [{ asset: "a", clip: "c1" }, { asset: "b", clip: null }], equal: false };
const shown = { type: "row" as const, query: "", duration: 2, bounds: null, items: [] } satisfies Row;
const emptyHit = { node: { index: 0, name: "" }, mesh: { index: 0, name: "" }, material: null, joint: null, primitive: 0, barycentric: [1, 0, 0] as [number, number, number], triangle: 0 };

describe("the row of a comparison", () => {
  it("is a query of the API and is read back", () => {
    const query = rowQuery({ ...row, equal: true });
    expect(query).toBe("asset=a&asset=b&sizes=equal&0.clip=c1&1.clip=none");
    expect(readRow(new URLSearchParams(query), () => "c7")).toEqual({ ...row, equal: true });
    expect(readRow(new URLSearchParams("asset=a&asset=b&1.clip=c2"), (asset) => `first of ${asset}`).models).toEqual([
      { asset: "a", clip: "first of a" },
      { asset: "b", clip: "c2" },
    ]);
    expect(readRow(new URLSearchParams(Array.from({ length: 20 }, () => ["asset", "a"])), () => null).models.length).toBe(16);
  });
});

describe("the live preview of a row", () => {
  let model: RowStore;
  beforeEach(() => {
    vi.stubGlobal("document", { hidden: false, addEventListener() {}, removeEventListener() {} });
    vi.stubGlobal("window", { setTimeout: () => 0, setInterval: () => 0 });
    vi.stubGlobal("requestAnimationFrame", () => 0);
    model = new RowStore(row, { playing: true, width: 200, height: 100 }, 0);
  });
  afterEach(() => vi.unstubAllGlobals());

  it("plays all clips as one, as long as the server says", () => {
    expect(model.view).toMatchObject({ clip: "row", row: rowQuery(row), playing: true });
    expect(model.clip).toBe(null);
    model.message(shown);
    expect(model.clip).toMatchObject({ duration: 2 });
    model.message({ type: "state", clip: "row", time: 1, playing: false });
    expect(model.view).toMatchObject({ clip: "row", playing: false });
    expect(model.live.value.time).toBe(1);
  });

  it("changes its models", () => {
    model.message({ type: "picked", id: 0, item: 1, hit: emptyHit });
    expect(model.row.value.picked).toBe(1);
    expect(model.value.picked).toBe(null);
    model.arrange({ models: [{ asset: "c", clip: null }] });
    expect(model.view.row).toBe("asset=c&0.clip=none");
    expect(model.row.value.picked).toBe(null);
  });

  it("has pictures of the same row", () => {
    expect(model.pictureUrl({ format: "png", width: 100 })).toMatch(/^\/v1\/render\?asset=a&asset=b&0\.clip=c1&1\.clip=none&t=0&view=30,15&w=100&h=50&/);
    expect(model.thumbnailUrl()).toContain("view=auto");
  });
});
