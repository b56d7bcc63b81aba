// The library: pages read by cursor, updated by events. The reducers are pure functions, tested without a browser.
import type { ServerEvent } from "../api/events";
import type { Asset, Job, Page } from "../api/types";
import { matches } from "./query";
import type { LibraryQuery } from "./query";

export interface LibraryState {
  query: LibraryQuery;
  items: Asset[];
  next: string | null;
  loading: "first" | "more" | null;
  loaded: boolean;
  error: string | null;
  // Jobs by asset, for the stage on importing cards.
  jobs: Record<string, Job>;
  // New assets that may match a full-text search; offered, but not inserted.
  unseen: number;
  connected: boolean;
}

export function initialLibrary(query: LibraryQuery): LibraryState {
  return { query, items: [], next: null, loading: null, loaded: false, error: null, jobs: {}, unseen: 0, connected: true };
}

export function withPage(state: LibraryState, page: Page<Asset>, first: boolean): LibraryState {
  const known = new Set(first ? [] : state.items.map((asset) => asset.id));
  const fresh = page.items.filter((asset) => !known.has(asset.id));
  const items = first ? fresh : [...state.items, ...fresh];
  return { ...state, items, next: page.next, loading: null, loaded: true, error: null, unseen: first ? 0 : state.unseen };
}

export function withEvent(state: LibraryState, event: ServerEvent): LibraryState {
  switch (event.type) {
    case "reset":
      return state;
    case "job":
      return { ...state, jobs: withJob(state.jobs, event.job) };
    case "deleted":
      return { ...state, items: state.items.filter((asset) => asset.id !== event.id) };
    case "asset":
      return withAsset(state, event.asset);
  }
}

function withJob(jobs: Record<string, Job>, job: Job): Record<string, Job> {
  if (job.state === "queued" || job.state === "running") return { ...jobs, [job.asset]: job };
  if (!(job.asset in jobs)) return jobs;
  const { [job.asset]: _done, ...rest } = jobs;
  return rest;
}

// A known asset is replaced at its position, so that cards do not move; an unknown one is inserted if it matches.
function withAsset(state: LibraryState, asset: Asset): LibraryState {
  const at = state.items.findIndex((item) => item.id === asset.id);
  if (at >= 0) {
    if (isOlder(asset, state.items[at] as Asset)) return state;
    return { ...state, items: state.items.map((item, index) => (index === at ? asset : item)) };
  }
  if (!state.loaded) return state;
  const belongs = matches(state.query, asset);
  if (belongs === false) return state;
  if (belongs === null) return { ...state, unseen: state.unseen + 1 };
  const position = insertionPoint(state, asset);
  if (position === null) return state;
  return { ...state, items: [...state.items.slice(0, position), asset, ...state.items.slice(position)] };
}

function isOlder(asset: Asset, known: Asset): boolean {
  return Boolean(asset.updatedAt && known.updatedAt && asset.updatedAt < known.updatedAt);
}

// Null: it belongs to a page that was not read yet.
function insertionPoint(state: LibraryState, asset: Asset): number | null {
  const before = comparator(state.query.sort);
  const at = state.items.findIndex((item) => before(asset, item) < 0);
  if (at >= 0) return at;
  return state.next === null ? state.items.length : null;
}

function comparator(sort: string): (a: Asset, b: Asset) => number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const key = sort.replace("-", "");
  if (key === "name") return (a, b) => sign * a.name.localeCompare(b.name);
  if (key === "triangles") return (a, b) => sign * ((a.counts?.triangles ?? 0) - (b.counts?.triangles ?? 0));
  return (a, b) => sign * (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
}
