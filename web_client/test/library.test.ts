import { describe, expect, it } from "vitest";

import { parseEvent } from "../src/api/events";
import type { Asset } from "../src/api/types";
import { initialLibrary, withEvent, withPage } from "../src/state/library";
import { emptyQuery, queryFromUrl, queryToApi, queryToUrl } from "../src/state/query";
import { wholeAsset, wholeJob } from "./shapes";

function asset(id: string, changes: Partial<Asset> = {}): Asset {
  return wholeAsset(id, { createdAt: `2026-01-0${id}T00:00:00Z`, ...changes });
}

const page = withPage(initialLibrary(emptyQuery), { items: [asset("5"), asset("3"), asset("1")], next: null }, true);
const ids = (state: { items: Asset[] }) => state.items.map((item) => item.id).join("");

describe("query", () => {
  it("is restored from the URL", () => {
    const query = { ...emptyQuery, q: "walk er", animated: true, format: "glb", sort: "name" as const };
    expect(queryFromUrl(queryToUrl(query))).toEqual(query);
    expect(queryToUrl(emptyQuery).toString()).toBe("");
    expect(queryFromUrl(new URLSearchParams("sort=sideways")).sort).toBe(emptyQuery.sort);
  });

  it("requests pages from the server", () => {
    expect(queryToApi({ ...emptyQuery, rigged: true }, 60, "abc").toString()).toBe("rigged=true&sort=-created&limit=60&cursor=abc");
  });
});

describe("library", () => {
  it("appends pages without duplicates", () => {
    const first = withPage(initialLibrary(emptyQuery), { items: [asset("5"), asset("3")], next: "n" }, true);
    const second = withPage(first, { items: [asset("3"), asset("1")], next: null }, false);
    expect(ids(second)).toBe("531");
    expect(second.next).toBeNull();
  });

  it("replaces a known asset in place", () => {
    const state = withEvent(page, { type: "asset", created: false, asset: asset("3", { name: "new" }) });
    expect(ids(state)).toBe("531");
    expect(state.items[1]?.name).toBe("new");
  });

  it("ignores outdated events", () => {
    const known = withEvent(page, { type: "asset", created: false, asset: asset("3", { updatedAt: "2026-02-02" }) });
    expect(withEvent(known, { type: "asset", created: false, asset: asset("3", { updatedAt: "2026-02-01" }) })).toBe(known);
  });

  it("inserts a new asset in sort order", () => {
    expect(ids(withEvent(page, { type: "asset", created: true, asset: asset("4") }))).toBe("5431");
    expect(ids(withEvent(page, { type: "asset", created: true, asset: asset("9") }))).toBe("9531");
  });

  it("does not insert an asset beyond the last page read", () => {
    const open = { ...page, next: "more" };
    expect(ids(withEvent(open, { type: "asset", created: true, asset: asset("0") }))).toBe("531");
  });

  it("applies filters, and offers possible full-text matches", () => {
    const filtered = { ...page, query: { ...emptyQuery, animated: true } };
    expect(ids(withEvent(filtered, { type: "asset", created: true, asset: asset("9") }))).toBe("531");
    const searched = { ...page, query: { ...emptyQuery, q: "heron" } };
    expect(withEvent(searched, { type: "asset", created: true, asset: asset("9") })).toMatchObject({ unseen: 1 });
  });

  it("removes deleted assets and finished jobs", () => {
    expect(ids(withEvent(page, { type: "deleted", id: "3" }))).toBe("51");
    const job = wholeJob("3", { progress: 0.4 });
    const busy = withEvent(page, { type: "job", job });
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
