import { describe, expect, it } from "vitest";

import { parseEvent } from "../src/api/events";
import type { AssetRow, Page } from "../src/api/types";
import { assetAt, initialLibrary, maxItems, planPage, positionOf, trimItems, withEvent, withPage } from "../src/state/library";
import type { LibraryState } from "../src/state/library";
import { emptyQuery, queryFromUrl, queryToApi, queryToUrl, sortsOf, urlOfQuery, withoutFilters, withWords } from "../src/state/query";
import { wholeAsset, wholeJob } from "./shapes";

function asset(id: string, changes: Partial<AssetRow> = {}): AssetRow {
  return wholeAsset(id, { createdAt: `2026-01-0${id}T00:00:00Z`, ...changes });
}

// A list of 1000 assets, newest first: position 0 has the id "999".
const server = Array.from({ length: 1000 }, (_, index) => {
  const minute = String(999 - index).padStart(3, "0");
  return wholeAsset(minute, { createdAt: `2026-01-01T${minute}` });
});
function page(offset: number, limit: number, total?: number): Page<AssetRow> {
  const items = server.slice(offset, offset + limit);
  return { items, next: offset + limit < server.length ? `c${offset + limit}` : null, offset, total };
}
function opened(offset: number, limit: number): LibraryState {
  return withPage(initialLibrary(emptyQuery), page(offset, limit, 1000), "first")!;
}

const few = withPage(initialLibrary(emptyQuery), { items: [asset("5"), asset("3"), asset("1")], next: null, offset: 0, total: 3 }, "first")!;
const ids = (state: { items: AssetRow[] }) => state.items.map((item) => item.id).join("");

describe("query", () => {
  it("is restored from the URL", () => {
    const query = { ...emptyQuery, q: "walk er", animated: "true" as const, format: "glb", sort: "name" as const };
    expect(queryFromUrl(queryToUrl(query))).toEqual(query);
    expect(queryToUrl(emptyQuery).toString()).toBe("");
    expect(queryFromUrl(new URLSearchParams("sort=sideways")).sort).toBe(emptyQuery.sort);
    expect(queryFromUrl(new URLSearchParams("sort=relevance")).sort).toBe(emptyQuery.sort);
    expect(queryFromUrl(new URLSearchParams("q=walk&sortBefore=relevance")).sortBefore).toBe(emptyQuery.sort);
    expect(queryFromUrl(new URLSearchParams("sortBefore=name")).sortBefore).toBe(emptyQuery.sort);
  });

  it("requests pages from the server", () => {
    expect(queryToApi({ ...emptyQuery, rigged: "true" }, 60, { cursor: "abc" }).toString()).toBe("rigged=true&sort=-created&limit=60&cursor=abc");
    expect(queryToApi(emptyQuery, 60, { at: "x" }, true).toString()).toBe("sort=-created&limit=60&at=x&total=true");
  });
});

describe("order of a search", () => {
  const byName = { ...emptyQuery, sort: "name" as const };

  it("is that of relevance, and the former one when the words are removed", () => {
    const search = withWords(byName, "walk");
    expect(search).toMatchObject({ q: "walk", sort: "relevance", sortBefore: "name" });
    expect(queryToUrl(search).toString()).toBe("q=walk&sortBefore=name");
    expect(queryFromUrl(queryToUrl(search))).toEqual(search);
    expect(withWords(withWords(search, "walker"), "  ")).toMatchObject({ sort: "name", sortBefore: emptyQuery.sort });
    expect(urlOfQuery(withWords(search, ""))).toBe("/?sort=name");
    expect(urlOfQuery(withWords(emptyQuery, "walk"))).toBe("/?q=walk");
  });

  it("may be chosen, and stays while other words are typed", () => {
    const chosen = { ...withWords(byName, "walk"), sort: "-triangles" as const };
    expect(queryFromUrl(queryToUrl(chosen))).toEqual(chosen);
    expect(withWords(chosen, "walks")).toMatchObject({ sort: "-triangles", sortBefore: "name" });
    expect(withWords(chosen, "").sort).toBe("name");
    expect(withoutFilters({ ...chosen, format: "glb" })).toEqual(byName);
    expect(withoutFilters({ ...byName, rigged: "true" })).toEqual(byName);
  });

  it("is what the server is asked for", () => {
    expect(queryToApi(withWords(byName, "walk"), 60, { at: "x" }).toString()).toBe("q=walk&sort=relevance&limit=60&at=x");
    expect(sortsOf(emptyQuery)).not.toContain("relevance");
    expect(sortsOf(withWords(emptyQuery, "walk"))[0]).toBe("relevance");
  });
});

describe("pages of the library", () => {
  it("knows the position of each item", () => {
    const state = opened(300, 60);
    expect(state).toMatchObject({ start: 300, total: 1000 });
    expect(assetAt(state, 301)?.id).toBe("698");
    expect(assetAt(state, 299)).toBeNull();
    expect(positionOf(state, "698")).toBe(301);
    expect(positionOf(state, "000")).toBe(-1);
  });

  it("reads nothing while the displayed items and those beside them are known", () => {
    expect(planPage(opened(0, 60), { from: 0, to: 20 })).toBeNull();
    expect(planPage(opened(300, 120), { from: 340, to: 360 })).toBeNull();
    expect(planPage(initialLibrary(emptyQuery), { from: 0, to: 20 })).toBeNull();
  });

  it("continues below with the cursor, or at its last item", () => {
    const state = opened(0, 60);
    expect(planPage(state, { from: 30, to: 50 })).toEqual({ kind: "below", cursor: "c60", limit: 60 });
    expect(planPage({ ...state, next: null }, { from: 30, to: 50 })).toEqual({ kind: "below", at: "940", limit: 60 });
    const more = withPage(state, page(60, 60), "below")!;
    expect(more.items).toHaveLength(120);
    expect(assetAt(more, 119)?.id).toBe("880");
    const joined = withPage({ ...state, next: null }, page(59, 60), "below")!;
    expect(joined.items.map((item) => item.id)).toEqual(server.slice(0, 119).map((item) => item.id));
  });

  it("continues above, with items that show whether positions have changed", () => {
    const state = opened(300, 60);
    const planned = planPage(state, { from: 310, to: 330 });
    expect(planned).toEqual({ kind: "above", offset: 240, limit: 64 });
    const more = withPage(state, page(240, 64), "above")!;
    expect(more).toMatchObject({ start: 240 });
    expect(more.items.map((item) => item.id)).toEqual(server.slice(240, 360).map((item) => item.id));
    // Two rows above were deleted: our first item is at 298 now.
    const moved = withPage(state, { ...page(242, 64), offset: 240 }, "above")!;
    expect(moved.start).toBe(240);
    expect(positionOf(moved, state.items[0]!.id)).toBe(298);
    // Many were inserted: the page does not reach our items.
    expect(withPage(state, page(100, 64), "above")).toBeNull();
  });

  it("jumps to distant positions", () => {
    const planned = planPage(opened(0, 60), { from: 700, to: 720 });
    expect(planned).toEqual({ kind: "jump", offset: 670, limit: 80 });
    expect(withPage(opened(0, 60), page(670, 80), "jump")).toMatchObject({ start: 670, total: 1000, next: "c750" });
  });

  it("ends where the server's list ends", () => {
    const state = { ...opened(900, 60), total: 5000 };
    expect(withPage(state, page(960, 60), "below")).toMatchObject({ total: 1000, next: null });
  });

  it("drops items far from the displayed ones", () => {
    const long = { ...opened(0, 1000), next: null };
    const top = trimItems(long, { from: 100, to: 120 });
    expect([top.start, top.items.length, top.next]).toEqual([0, maxItems, null]);
    const bottom = trimItems({ ...long, next: "c" }, { from: 900, to: 920 });
    expect([bottom.start, bottom.items.length, bottom.next]).toEqual([400, maxItems, "c"]);
    expect(assetAt(bottom, 950)?.id).toBe("049");
  });
});

describe("events of the library", () => {
  it("replaces a known asset in place", () => {
    const state = withEvent(few, { type: "asset", created: false, asset: wholeAsset("3", { name: "new" }) });
    expect(ids(state)).toBe("531");
    expect(state.items[1]?.name).toBe("new");
    expect(state.total).toBe(3);
  });

  it("ignores outdated events", () => {
    const known = withEvent(few, { type: "asset", created: false, asset: wholeAsset("3", { updatedAt: "2026-02-02" }) });
    expect(withEvent(known, { type: "asset", created: false, asset: wholeAsset("3", { updatedAt: "2026-02-01" }) })).toBe(known);
  });

  const created = (id: string) => ({ type: "asset", created: true, asset: wholeAsset(id, { createdAt: `2026-01-0${id}T00:00:00Z` }) }) as const;

  it("inserts a new asset in sort order", () => {
    expect(ids(withEvent(few, created("4")))).toBe("5431");
    expect(ids(withEvent(few, created("9")))).toBe("9531");
    expect(ids(withEvent(few, created("0")))).toBe("5310");
    expect(withEvent(few, created("4")).total).toBe(4);
  });

  it("offers new assets above the displayed ones, so that these do not move", () => {
    const state = withEvent(few, created("9"), { from: 2, to: 3 });
    expect(ids(state)).toBe("531");
    expect(state).toMatchObject({ unseenNewAssets: 1, newItemsAbove: 1, total: 3 });
    // The server counts it.
    expect(withPage(state, { items: [asset("3"), asset("1")], next: null, offset: 2 }, "jump")).toMatchObject({ start: 1, total: 3 });
    expect(withPage(state, { items: [asset("9")], next: null, offset: 0, total: 4 }, "first")).toMatchObject({ newItemsAbove: 0, unseenNewAssets: 0 });
  });

  it("counts a new asset outside its items", () => {
    const state = opened(300, 60);
    const below = { type: "asset", created: true, asset: wholeAsset("x", { createdAt: "2020" }) } as const;
    expect(withEvent(state, below)).toMatchObject({ total: 1001, start: 300, totalIsStale: false });
    expect(withEvent(state, { ...below, created: false })).toMatchObject({ total: 1000, totalIsStale: true });
    const byName = { ...state, query: { ...emptyQuery, sort: "name" as const } };
    const above = { type: "asset", created: true, asset: wholeAsset("x", { name: "!" }) } as const;
    expect(withEvent(byName, above)).toMatchObject({ total: 1001, start: 301 });
  });

  it("sorts names as the server does", () => {
    const named = ["Ant", "bee", "Cow"].map((name) => wholeAsset(name, { name }));
    const query = { ...emptyQuery, sort: "name" as const };
    const state = withPage(initialLibrary(query), { items: named, next: null, offset: 0, total: 3 }, "first")!;
    const inserted = withEvent(state, { type: "asset", created: true, asset: wholeAsset("x", { name: "BAT" }) });
    expect(inserted.items.map((item) => item.name)).toEqual(["Ant", "BAT", "bee", "Cow"]);
  });

  it("applies filters, and offers possible full-text matches once", () => {
    const filtered = { ...few, query: { ...emptyQuery, animated: "true" as const } };
    expect(ids(withEvent(filtered, created("9")))).toBe("531");
    const searched = { ...few, query: { ...emptyQuery, q: "heron" } };
    const offered = withEvent(searched, created("9"));
    expect(offered).toMatchObject({ unseenNewAssets: 1 });
    expect(withEvent(offered, { ...created("9"), created: false })).toMatchObject({ unseenNewAssets: 1 });
  });

  it("removes deleted assets and finished jobs", () => {
    expect(withEvent(few, { type: "deleted", id: "3" })).toMatchObject({ total: 2, totalIsStale: false });
    expect(ids(withEvent(few, { type: "deleted", id: "3" }))).toBe("51");
    const late = wholeAsset("8", { createdAt: "2026-01-08T00:00:00Z", deletedAt: "2026-02-01T00:00:00Z" });
    expect(ids(withEvent(few, { type: "asset", created: false, asset: late }))).toBe("531");
    expect(withEvent(few, { type: "deleted", id: "elsewhere" })).toMatchObject({ total: 3, totalIsStale: true });
    const job = wholeJob("3", { progress: 0.4 });
    const busy = withEvent(few, { type: "job", job });
    expect(busy.jobs["3"]?.progress).toBe(0.4);
    expect(withEvent(busy, { type: "job", job: { ...job, state: "succeeded" } }).jobs).toEqual({});
  });
});

describe("events", () => {
  it("reads the names of the API", () => {
    expect(parseEvent("asset.created", JSON.stringify({ asset: asset("1") }))).toMatchObject({ type: "asset", created: true });
    expect(parseEvent("asset.thumbnail", JSON.stringify({ asset: asset("1") }))).toMatchObject({ type: "asset", created: false });
    expect(parseEvent("asset.deleted", '{"asset":{"id":"7"}}')).toEqual({ type: "deleted", id: "7" });
    expect(parseEvent("job", '{"job":{"id":"j","asset":"1","state":"queued"}}')).toMatchObject({ type: "job" });
    expect(parseEvent("reset", "")).toEqual({ type: "reset" });
    expect(parseEvent("asset.created", "{")).toBeNull();
    expect(parseEvent("job", "{}")).toBeNull();
  });
});
