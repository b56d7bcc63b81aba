import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { ServerEvent } from "../src/api/events";
import { wholeAsset } from "./shapes";

const streams = vi.hoisted(() => ({ receive: null as ((event: ServerEvent) => void) | null }));
vi.mock("../src/api/events", () => ({
  EventStream: class {
    constructor(receive: (event: ServerEvent) => void) {
      streams.receive = receive;
    }
  },
}));
vi.stubGlobal("window", globalThis);
const stored = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) });

// Of each test.
let store: typeof import("../src/state/organization").organization;
let selection: typeof import("../src/state/selection").selection;

const empty = () => Promise.resolve(new Response('{"items":[],"next":null}'));
let asked: string[] = [];
let answer: () => Promise<Response> = empty;
const readings = () => asked.filter((url) => url.startsWith("/v1/tags")).length;
const receive = (event: ServerEvent) => streams.receive!(event);
const imported = (id: string, changes = {}) => receive({ type: "asset", asset: wholeAsset(id, changes), created: false });

beforeEach(async () => {
  stored.clear();
  vi.resetModules();
  answer = empty;
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return answer();
  });
  ({ organization: store } = await import("../src/state/organization"));
  ({ selection } = await import("../src/state/selection"));
  await (await import("../src/state/access")).access.ready;
  vi.useFakeTimers();
  asked = [];
});
afterEach(() => void vi.useRealTimers());

// Its side bar is open and was read, longer ago than the pause.
async function openSideBar() {
  store.toggle();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(readings()).toBe(1);
}

it("does not read again for imports", async () => {
  await openSideBar();
  receive({ type: "asset", asset: wholeAsset("1"), created: true });
  for (let i = 0; i < 60; ++i) {
    receive({ type: "job", job: { id: "j", asset: "1", state: "running" } as never });
    imported("1", { status: "ready", updatedAt: `2026-01-01T00:00:${i}Z` });
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(readings()).toBe(1);
  imported("1", { tags: ["wood"] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(readings()).toBe(2);
});

it("reads at most every 5 seconds, and the last event is not lost", async () => {
  await openSideBar();
  for (let i = 0; i < 200; ++i) {
    receive({ type: "collection", id: "c" });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(readings()).toBe(5); // 20 seconds: at 0.5, 5.5, 10.5 and 15.5
  await vi.advanceTimersByTimeAsync(5000);
  expect(readings()).toBe(6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings()).toBe(6);
});

it("reads nothing for events while nothing shows it, and then what it missed", async () => {
  await openSideBar();
  store.toggle();
  receive({ type: "tag" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings()).toBe(1);
  selection.toggle("1");
  await vi.advanceTimersByTimeAsync(1000);
  expect(readings()).toBe(2);
  selection.toggle("2");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings()).toBe(2);
  selection.clear();
  receive({ type: "deleted", id: "1" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings()).toBe(2);
  store.toggle();
  await vi.advanceTimersByTimeAsync(0);
  expect(readings()).toBe(3);
});

it("never has two readings at once, and ends with one that is newer than the call", async () => {
  const release: (() => void)[] = [];
  answer = () => new Promise((resolve) => release.push(() => void empty().then(resolve)));
  let done = false;
  void store.refresh();
  void store.refresh();
  void store.refresh().then(() => (done = true));
  expect(asked).toHaveLength(2); // collections and tags
  for (const answered of release.splice(0)) answered();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(4);
  expect(done).toBe(false);
  for (const answered of release.splice(0)) answered();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toBe(true);
  expect(asked).toHaveLength(4);
});

it("reads again after a failure", async () => {
  answer = () => Promise.resolve(new Response('{"code":"busy","detail":"later"}', { status: 503 }));
  await store.refresh();
  expect(store.value).toMatchObject({ loaded: false, error: expect.any(String) });
  answer = empty;
  await store.refresh();
  expect(store.value).toMatchObject({ loaded: true, error: null });
});
