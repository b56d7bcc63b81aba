// Reads the library from the server and listens to its events.
import { api, ApiError } from "../api/client";
import { EventStream } from "../api/events";
import type { ServerEvent } from "../api/events";
import type { AssetRow, Page } from "../api/types";
import { t } from "../i18n";
import { access } from "./access";
import { assetAt, initialLibrary, pageSize, planPage, positionOf, trimItems, withEvent, withMissedEvents, withPage } from "./library";
import type { LibraryState, PlannedPage, Range } from "./library";
import { emptyQuery, queryToApi } from "./query";
import type { LibraryQuery } from "./query";
import { Store } from "./store";

// Where a user is in the list: the first asset of the first displayed row, its position, and how far that row is scrolled.
export interface Place {
  id: string | null;
  index: number;
  shift: number; // pixels
}

// All members of a row, with the role of the person.
const rowFields =
  "id,name,format,status,version,createdAt,updatedAt,deletedAt,sizeBytes,mainFile,etag,job,problem,hasThumbnail,facts,counts,bounds,representativeClip,warnings,tags,license,author,sourceUrl,createdBy,match,cover,coverKey,upAxis,fieldValues,role";
const jumpPauseMs = 150; // while the list is scrolled quickly
const countPauseMs = 1000;
const readAgainPauseMs = 1000; // for events that the state cannot apply

export class LibraryStore extends Store<LibraryState> {
  // The place that the grid shows next; it takes it.
  private wantedPlace: Place | null = null;
  private shown: Range = { from: 0, to: 0 };
  // `missed`: by asset, the last event since the request was sent.
  private pendingRequest: { page: PlannedPage; abort: AbortController; missed: Map<string, ServerEvent> } | null = null;
  private planTimer = 0;
  private countTimer = 0;
  private readAgainTimer = 0;
  private lastJump = -Infinity;
  private wasConnected = false;
  private readonly eventListeners = new Set<(event: ServerEvent) => void>();
  private readonly events = new EventStream(
    (event) => this.receive(event),
    (connected) => this.connectedChanged(connected),
  );

  constructor() {
    super(initialLibrary(emptyQuery));
  }

  start(): void {
    this.events.open();
    // Closes the stream before a reload, so that the browser reports no aborted request.
    addEventListener("pagehide", () => this.events.close());
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      this.events.open();
      this.receive({ type: "reset" });
    });
  }

  onEvent(listener: (event: ServerEvent) => void): () => void {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  // `place`: of an earlier visit; null: the begin for a new query, or what is displayed.
  load(query: LibraryQuery, place: Place | null): void {
    const same = JSON.stringify(query) === JSON.stringify(this.value.query);
    if (same && (this.value.loaded || this.value.loading)) {
      if (place) this.goTo(place);
      return;
    }
    this.patch({ query });
    const at = place?.id && place.index > 0 ? { at: place.id } : { offset: place?.index ?? 0 };
    void this.read({ kind: "first", limit: pageSize, ...at }, place ?? { id: null, index: 0, shift: 0 });
  }

  // Reads the displayed part again; its cards stay.
  refresh(): void {
    const first = this.shown.from > 0 ? assetAt(this.value, this.shown.from) : null;
    const at = first ? { at: first.id } : { offset: this.shown.from };
    void this.read({ kind: "first", limit: pageSize, ...at });
  }

  // Shows the begin of the list with the new assets.
  showNew(): void {
    void this.read({ kind: "first", limit: pageSize, offset: 0 }, { id: null, index: 0, shift: 0 });
  }

  // The grid reports the displayed positions.
  show(shown: Range): void {
    this.shown = shown;
    if (shown.from === 0 && this.value.newItemsAbove > 0 && !this.pendingRequest) return void this.read({ kind: "first", limit: pageSize, offset: 0 });
    this.plan();
  }

  // Whether displayed positions were not read yet.
  get isIncomplete(): boolean {
    const { start, items, total } = this.value;
    return this.shown.from < start || Math.min(this.shown.to, total) > start + items.length;
  }

  takePlace(): Place | null {
    const place = this.wantedPlace;
    if (!this.value.loaded || this.value.loading === "first") return null;
    this.wantedPlace = null;
    return place;
  }

  retry(): void {
    this.patch({ error: null });
    if (this.value.loaded) this.plan();
    else void this.read({ kind: "first", limit: pageSize, offset: 0 });
  }

  forget(id: string): void {
    this.set(withEvent(this.value, { type: "deleted", id }));
  }

  private goTo(place: Place): void {
    const known = place.id === null ? -1 : positionOf(this.value, place.id);
    this.wantedPlace = { ...place, index: known >= 0 ? known : place.index };
    this.patch({});
  }

  private plan(): void {
    clearTimeout(this.planTimer);
    if (this.value.error) return;
    const page = planPage(this.value, this.shown);
    if (this.pendingRequest) {
      if (this.pendingRequest.page.kind === "first" || page?.kind !== "jump" || this.willShow(this.pendingRequest.page)) return;
      this.stop();
    }
    if (!page) return;
    const wait = page.kind === "jump" ? this.lastJump + jumpPauseMs - performance.now() : 0;
    if (wait > 0) this.planTimer = window.setTimeout(() => this.plan(), wait);
    else void this.read(page);
  }

  private willShow({ kind, offset, limit }: PlannedPage): boolean {
    const from = (offset ?? 0) - this.value.newItemsAbove;
    return kind === "jump" && from <= this.shown.to && from + limit >= this.shown.from;
  }

  private stop(): void {
    this.pendingRequest?.abort.abort();
    this.pendingRequest = null;
  }

  private async read(page: PlannedPage, place: Place | null = null): Promise<void> {
    this.stop();
    const abort = new AbortController();
    const missed = new Map<string, ServerEvent>();
    this.pendingRequest = { page, abort, missed };
    if (page.kind === "jump") this.lastJump = performance.now();
    this.patch({ loading: page.kind, error: null });
    try {
      const { kind, limit, ...start } = page;
      const params = queryToApi(this.value.query, limit, start, kind === "first");
      if (access.hasGrants) params.set("fields", rowFields);
      const answer = await api.listAssets(params, abort.signal);
      if (this.pendingRequest?.abort === abort) this.accept(page, answer, place, missed.values());
    } catch (error) {
      if (this.pendingRequest?.abort === abort) this.failed(page, error, place);
    }
  }

  private accept(page: PlannedPage, answer: Page<AssetRow>, place: Place | null, missed: Iterable<ServerEvent>): void {
    this.pendingRequest = null;
    const read = withPage(this.value, answer, page.kind);
    const next = read && withMissedEvents(read, missed, this.shown);
    if (!next) return void this.read({ kind: "jump", offset: Math.max(0, this.shown.from - pageSize / 2) + this.value.newItemsAbove, limit: pageSize });
    if (place) this.wantedPlace = { ...place, index: answer.offset ?? 0 };
    this.set(page.kind === "first" ? next : trimItems(next, this.shown));
    if (next.totalIsStale) this.countSoon();
    this.plan();
  }

  private failed(page: PlannedPage, error: unknown, place: Place | null): void {
    this.pendingRequest = null;
    // Deleted meanwhile; of a search by relevance, or renamed.
    const missing = error instanceof ApiError && error.status === 404 && page.at !== undefined;
    const { start, items, newItemsAbove } = this.value;
    if (missing && page.kind === "below") void this.read({ kind: "jump", offset: start + items.length + newItemsAbove - 1, limit: pageSize });
    else if (missing) void this.read({ kind: "first", limit: pageSize, offset: place?.index ?? this.shown.from }, place);
    else this.patch({ loading: null, error: sentenceOf(error) });
  }

  private receive(event: ServerEvent): void {
    if (event.type === "reset") this.refresh();
    else {
      if (event.type === "asset") this.pendingRequest?.missed.set(event.asset.id, event);
      if (event.type === "deleted" || event.type === "purged") this.pendingRequest?.missed.set(event.id, event);
      this.set(withEvent(this.value, event, this.shown));
      if (this.value.totalIsStale) this.countSoon();
      if (event.type === "tag" || (event.type === "collection" && event.id === this.value.query.collection)) this.readAgainSoon();
    }
    for (const listener of [...this.eventListeners]) listener(event);
  }

  // Events between the answer and the connection are lost.
  private connectedChanged(connected: boolean): void {
    if (connected && !this.wasConnected && this.value.loaded) this.refresh();
    this.wasConnected ||= connected;
    this.patch({ connected });
  }

  private readAgainSoon(): void {
    if (this.readAgainTimer !== 0 || !(this.value.loaded || this.value.loading)) return;
    this.readAgainTimer = window.setTimeout(() => {
      this.readAgainTimer = 0;
      // A page on its way may be older than the event, and knows a place that is lost if it is stopped.
      if (this.pendingRequest) this.readAgainSoon();
      else this.refresh();
    }, readAgainPauseMs);
  }

  private countSoon(): void {
    if (this.countTimer !== 0) return;
    this.countTimer = window.setTimeout(() => {
      this.countTimer = 0;
      void this.count();
    }, countPauseMs);
  }

  private async count(): Promise<void> {
    const { query } = this.value;
    try {
      const page = await api.listAssets(queryToApi(query, 1, {}, true));
      const { newItemsAbove, start, items, query: current } = this.value;
      if (current !== query || page.total === undefined) return;
      this.patch({ total: Math.max(page.total - newItemsAbove, start + items.length), totalIsStale: false });
      this.plan();
    } catch {
      // The next event counts again.
    }
  }
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.status === 0 ? t.errors.unreachable : error.message;
  return t.errors.unknown;
}

export const library = new LibraryStore();
