import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { ServerEvent } from "../src/api/events";
import type { AssetRow, Page } from "../src/api/types";
import { emptyQuery, withWords } from "../src/state/query";
import { wholeAsset } from "./shapes";

// The constructor's callbacks of the event stream, and requests that a test answers.
const streams = vi.hoisted(() => ({ receive: null as ((event: ServerEvent) => void) | null }));
vi.mock("../src/api/events", () => ({
  EventStream: class {
    constructor(receive: (event: ServerEvent) => void) {
      streams.receive = receive;
    }
  },
}));

const { LibraryStore } = await import("../src/state/library_store");

let answers: ((page: Page<AssetRow> | { code: string }, status?: number) => void)[] = [];
let asked: string[] = [];
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  answers = [];
  asked = [];
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return new Promise((resolve) => answers.push((body, status = 200) => resolve(new Response(JSON.stringify(body), { status }))));
  });
});
afterEach(() => vi.unstubAllGlobals());

const row = (id: string, changes: Partial<AssetRow> = {}) => wholeAsset(id, { createdAt: `2026-01-0${id}T00:00:00Z`, ...changes });
const pageOf = (...items: AssetRow[]): Page<AssetRow> => ({ items, next: null, offset: 0, total: items.length });

it("keeps events that arrive while an older list is on its way", async () => {
  const store = new LibraryStore();
  store.load(emptyQuery, null);
  streams.receive!({ type: "asset", asset: row("4"), created: true });
  streams.receive!({ type: "asset", asset: row("1", { name: "renamed", updatedAt: "2026-02-02" }), created: false });
  streams.receive!({ type: "deleted", id: "2" });
  answers[0]!(pageOf(row("3"), row("2"), row("1", { updatedAt: "2026-02-01" })));
  await settled();
  expect(store.value.items.map(({ id }) => id)).toEqual(["4", "3", "1"]);
  expect(store.value.items[2]!.name).toBe("renamed");
  expect(store.value.total).toBe(3);
});

it("does not count an asset twice that the list contains already", async () => {
  const store = new LibraryStore();
  store.load(emptyQuery, null);
  streams.receive!({ type: "asset", asset: row("4"), created: true });
  answers[0]!(pageOf(row("4"), row("3")));
  await settled();
  expect(store.value.items.map(({ id }) => id)).toEqual(["4", "3"]);
  expect(store.value.total).toBe(2);
});

it("forgets what arrived before the request of the list", async () => {
  const store = new LibraryStore();
  store.load(emptyQuery, null);
  streams.receive!({ type: "asset", asset: row("4"), created: true });
  store.load({ ...emptyQuery, sort: "name" }, null);
  answers[1]!(pageOf(row("3")));
  await settled();
  expect(store.value.items.map(({ id }) => id)).toEqual(["3"]);
});

// By relevance, a renamed asset may have no place any more.
it("shows the position where the asset of a stored place is gone", async () => {
  const store = new LibraryStore();
  store.load(withWords(emptyQuery, "walk"), { id: "7", index: 120, shift: 3 });
  expect(asked[0]).toContain("sort=relevance&limit=60&at=7");
  answers[0]!({ code: "no_asset" }, 404);
  await settled();
  expect(asked[1]).toContain("sort=relevance&limit=60&offset=120");
  answers[1]!({ ...pageOf(row("3")), offset: 120, total: 400 });
  await settled();
  expect(store.takePlace()).toEqual({ id: "7", index: 120, shift: 3 });
  store.show({ from: 120, to: 121 });
  const before = asked.length;
  store.refresh();
  expect(asked[before]).toContain("at=3");
  answers[before]!({ code: "no_asset" }, 404);
  await settled();
  expect(asked[before + 1]).toContain("offset=120");
});

it("reads the list again when a tag, or the shown collection, has changed", async () => {
  vi.useFakeTimers();
  try {
    const store = new LibraryStore();
    streams.receive!({ type: "tag" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toEqual([]); // nothing was loaded
    store.load({ ...emptyQuery, collection: "c" }, null);
    answers[0]!(pageOf(row("3")));
    await vi.advanceTimersByTimeAsync(0);
    streams.receive!({ type: "collection", id: "other" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
    for (let i = 0; i < 5; ++i) streams.receive!({ type: "collection", id: "c" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(2);
    streams.receive!({ type: "tag" }); // while that is read, which may be older
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(2);
    answers[1]!(pageOf(row("3"), row("2")));
    await vi.advanceTimersByTimeAsync(5000);
    expect(store.value.items.map(({ id }) => id)).toEqual(["3", "2"]);
    expect(asked).toHaveLength(3);
    answers[2]!(pageOf());
    await vi.advanceTimersByTimeAsync(5000);
    expect(store.value).toMatchObject({ items: [], total: 0 });
    expect(asked).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
