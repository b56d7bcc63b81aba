// The library: a part of the list around what is displayed, with its position and the total, updated by events. The reducers are
// pure functions, tested without a browser.
import type { ServerEvent } from "../api/events";
import type { AssetRow, Correction, Job, Page } from "../api/types";
import { matches } from "./query";
import type { LibraryQuery } from "./query";

export interface LibraryState {
  query: LibraryQuery;
  items: AssetRow[]; // consecutive items of the list
  start: number; // position of the first of them
  total: number; // of the list
  corrections: Correction[]; // of the words of its search
  next: string | null; // cursor after the last item; null: unknown, or the end of the list
  // New assets before position 0 of the displayed list: offered, but not inserted, so that cards do not move while a user reads. The
  // server counts them: its position of an item is ours plus this number.
  newItemsAbove: number;
  loading: PageRequestKind | null;
  loaded: boolean;
  error: string | null;
  totalIsStale: boolean; // the total may have changed
  // Jobs by asset, for the stage on importing cards.
  jobs: Record<string, Job>;
  // New assets that may match a full-text search, and those of `newItemsAbove`.
  unseenNewAssets: number;
  connected: boolean;
}

// What a request reads: the list from a position (`jump`; `first`: for a new query), or the items that join ours.
export type PageRequestKind = "first" | "jump" | "above" | "below";

export const pageSize = 60;
export const maxItems = 600; // more are dropped, those furthest from what is displayed
const overlapItems = 4; // items that are read again to find out whether positions have changed
const prefetchItems = 30; // items beyond the displayed ones

export interface Range {
  from: number;
  to: number; // exclusive
}

export function initialLibrary(query: LibraryQuery): LibraryState {
  return {
    query, items: [], start: 0, total: 0, corrections: [], next: null, newItemsAbove: 0, loading: null, loaded: false, error: null, totalIsStale: false, jobs: {}, unseenNewAssets: 0,
    connected: true,
  };
}

export function assetAt(state: LibraryState, position: number): AssetRow | null {
  return state.items[position - state.start] ?? null;
}

// The position of an asset; -1: not among the items.
export function positionOf(state: LibraryState, id: string): number {
  const at = state.items.findIndex((item) => item.id === id);
  return at < 0 ? -1 : state.start + at;
}

// A page to read. `at` and `offset` are those of the request; positions are the server's.
export interface PlannedPage {
  kind: PageRequestKind;
  limit: number;
  offset?: number;
  at?: string;
  cursor?: string;
}

// Returns the page to read next when these positions are displayed; null: nothing is missing.
export function planPage(state: LibraryState, shown: Range): PlannedPage | null {
  const { items, start, total, newItemsAbove } = state;
  const end = start + items.length;
  const from = Math.max(0, Math.min(shown.from, total) - prefetchItems);
  const to = Math.min(total, shown.to + prefetchItems);
  if (!state.loaded || from >= to || (from >= start && to <= end)) return null;
  const isDisjoint = items.length === 0 || shown.from >= end + pageSize || shown.to <= start - pageSize;
  if (isDisjoint) return { kind: "jump", offset: from + newItemsAbove, limit: Math.max(pageSize, to - from) };
  const visibleAbove = shown.from < start;
  const visibleBelow = Math.min(shown.to, total) > end;
  if (visibleBelow || (!visibleAbove && to > end)) {
    if (state.next !== null) return { kind: "below", cursor: state.next, limit: pageSize };
    return { kind: "below", at: items.at(-1)!.id, limit: pageSize };
  }
  const offset = Math.max(0, start - pageSize) + newItemsAbove;
  return { kind: "above", offset, limit: start + newItemsAbove - offset + overlapItems };
}

// `null`: the page does not join the items; the list has changed too much.
export function withPage(state: LibraryState, page: Page<AssetRow>, kind: PageRequestKind): LibraryState | null {
  const next = { ...state, loading: null, loaded: true, error: null };
  if (kind === "first") return { ...next, ...placePage(state, page), newItemsAbove: 0, unseenNewAssets: 0, totalIsStale: false };
  if (kind === "jump") return { ...next, ...placePage(state, page) };
  if (kind === "below") {
    const known = new Set(state.items.map((asset) => asset.id));
    const items = [...state.items, ...page.items.filter((asset) => !known.has(asset.id))];
    // A page that begins at our last item has the position of that.
    const joins = page.offset !== undefined && page.items[0]?.id === state.items.at(-1)?.id;
    const start = joins ? Math.max(0, page.offset! - state.newItemsAbove - state.items.length + 1) : state.start;
    const end = start + items.length;
    return { ...next, items, start, next: page.next, total: page.next === null ? end : Math.max(state.total, end) };
  }
  const joint = page.items.findIndex((asset) => asset.id === state.items[0]?.id);
  if (joint < 0) return null;
  const start = Math.max(0, (page.offset ?? 0) - state.newItemsAbove);
  return { ...next, items: [...page.items.slice(0, joint), ...state.items], start };
}

function placePage(state: LibraryState, page: Page<AssetRow>) {
  const start = Math.max(0, (page.offset ?? 0) - state.newItemsAbove);
  const counted = page.total === undefined ? state.total : page.total - state.newItemsAbove;
  const total = page.next === null && page.items.length > 0 ? start + page.items.length : Math.max(counted, start + page.items.length);
  return { items: page.items, start, total, corrections: page.corrections ?? [], next: page.next };
}

// Drops items far from the displayed ones.
export function trimItems(state: LibraryState, shown: Range): LibraryState {
  const { items, start } = state;
  const excess = items.length - maxItems;
  if (excess <= 0) return state;
  const above = shown.from - start;
  const below = start + items.length - shown.to;
  if (above > below) return { ...state, items: items.slice(excess), start: start + excess };
  return { ...state, items: items.slice(0, maxItems), next: null };
}

// `shown`: the displayed positions.
export function withEvent(state: LibraryState, event: ServerEvent, shown: Range = { from: 0, to: 0 }): LibraryState {
  switch (event.type) {
    case "reset":
    case "collection": // only the server knows what the list contains now
    case "tag":
    case "note":
      return state;
    case "job":
      return { ...state, jobs: withJob(state.jobs, event.job) };
    case "purged":
      return withoutAsset(state, event.id);
    case "deleted":
      return state.query.trash ? { ...state, totalIsStale: state.loaded } : withoutAsset(state, event.id);
    case "asset": // the import of a deleted asset may end after its deletion
      return Boolean(event.asset.deletedAt) !== state.query.trash ? withoutAsset(state, event.asset.id) : withAsset(state, event.asset, event.created, shown);
  }
}

// Events that arrived while a page was read. The page may be older than they are, or already contain them.
export function withMissedEvents(state: LibraryState, events: Iterable<ServerEvent>, shown: Range): LibraryState {
  let next = state;
  for (const event of events) next = withEvent(next, event.type === "asset" ? { ...event, created: false } : event, shown);
  return next;
}

function withJob(jobs: Record<string, Job>, job: Job): Record<string, Job> {
  if (job.state === "queued" || job.state === "running") return { ...jobs, [job.asset]: job };
  if (!(job.asset in jobs)) return jobs;
  const { [job.asset]: _done, ...rest } = jobs;
  return rest;
}

function withoutAsset(state: LibraryState, id: string): LibraryState {
  const items = state.items.filter((asset) => asset.id !== id);
  if (items.length === state.items.length) return state.loaded ? { ...state, totalIsStale: true } : state;
  return { ...state, items, total: Math.max(0, state.total - 1) };
}

// A known asset is replaced at its position, so that cards do not move; an unknown one is inserted if it matches.
function withAsset(state: LibraryState, asset: AssetRow, created: boolean, shown: Range): LibraryState {
  const at = state.items.findIndex((item) => item.id === asset.id);
  if (at >= 0) {
    const known = state.items[at] as AssetRow;
    if (isOlder(asset, known)) return state;
    const next = known.role ? { ...asset, role: known.role } : asset; // events have no role
    return { ...state, items: state.items.map((item, index) => (index === at ? next : item)) };
  }
  if (!state.loaded) return state;
  const belongs = matches(state.query, asset);
  if (belongs === false) return state;
  if (belongs === null) return created ? { ...state, unseenNewAssets: state.unseenNewAssets + 1 } : state;
  return insertAsset(state, asset, created, shown);
}

// `created`: the server did not count it before. Otherwise an asset outside our items may have been in the list all the time.
function insertAsset(state: LibraryState, asset: AssetRow, created: boolean, shown: Range): LibraryState {
  const { items, start, total } = state;
  const order = comparator(state.query.sort);
  const found = items.findIndex((item) => order(asset, item) < 0);
  const at = found < 0 ? items.length : found;
  const inside = (at > 0 || start === 0) && (at < items.length || start + items.length >= total);
  if (!inside) return countOutside(state, created, at === 0);
  if (at === 0 && shown.from > 0) return { ...state, newItemsAbove: state.newItemsAbove + 1, unseenNewAssets: state.unseenNewAssets + 1 };
  return { ...state, items: [...items.slice(0, at), asset, ...items.slice(at)], total: total + 1 };
}

function countOutside(state: LibraryState, created: boolean, above: boolean): LibraryState {
  if (!created) return { ...state, totalIsStale: true };
  if (!above) return { ...state, total: state.total + 1 };
  // The newest are first: at the begin of the list.
  if (state.query.sort === "-created") return { ...state, newItemsAbove: state.newItemsAbove + 1, unseenNewAssets: state.unseenNewAssets + 1 };
  return { ...state, start: state.start + 1, total: state.total + 1 };
}

function isOlder(asset: AssetRow, known: AssetRow): boolean {
  return Boolean(asset.updatedAt && known.updatedAt && asset.updatedAt < known.updatedAt);
}

// As the server sorts names: ASCII letters of both cases are equal.
function nameKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function comparator(sort: string): (a: AssetRow, b: AssetRow) => number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const by = (key: (asset: AssetRow) => string | number) => (a: AssetRow, b: AssetRow) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? 0 : left < right ? -sign : sign;
  };
  if (sort.endsWith("name")) return by((asset) => nameKey(asset.name));
  if (sort.endsWith("triangles")) return by((asset) => asset.counts?.triangles ?? 0);
  return by((asset) => asset.createdAt);
}
