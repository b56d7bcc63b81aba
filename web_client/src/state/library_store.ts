// Reads the library from the server and listens to its events.
import { api, ApiError } from "../api/client";
import { EventStream } from "../api/events";
import type { ServerEvent } from "../api/events";
import { t } from "../i18n";
import { initialLibrary, withEvent, withPage } from "./library";
import type { LibraryState } from "./library";
import { emptyQuery, queryToApi } from "./query";
import type { LibraryQuery } from "./query";
import { Store } from "./store";

const pageSize = 60;

export class LibraryStore extends Store<LibraryState> {
  private abort: AbortController | null = null;
  private readonly eventListeners = new Set<(event: ServerEvent) => void>();
  private readonly events = new EventStream(
    (event) => this.receive(event),
    (connected) => this.patch({ connected }),
  );

  constructor() {
    super(initialLibrary(emptyQuery));
  }

  start(): void {
    this.events.open();
    // Closes the stream before a reload, so that the browser reports no aborted request.
    addEventListener("pagehide", () => this.events.close());
    addEventListener("pageshow", (event) => event.persisted && this.events.open());
  }

  onEvent(listener: (event: ServerEvent) => void): () => void {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  load(query: LibraryQuery): void {
    const same = JSON.stringify(query) === JSON.stringify(this.value.query);
    if (same && (this.value.loaded || this.value.loading)) return;
    this.patch({ query });
    void this.read(true);
  }

  refresh(): void {
    void this.read(true);
  }

  more(): void {
    if (this.value.next !== null && !this.value.loading && !this.value.error) void this.read(false);
  }

  retry(): void {
    void this.read(this.value.items.length === 0);
  }

  forget(id: string): void {
    this.set(withEvent(this.value, { type: "deleted", id }));
  }

  private async read(first: boolean): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.patch({ loading: first ? "first" : "more", error: null });
    try {
      const cursor = first ? null : this.value.next;
      const page = await api.listAssets(queryToApi(this.value.query, pageSize, cursor), abort.signal);
      if (abort === this.abort) this.set(withPage(this.value, page, first));
    } catch (error) {
      if (abort !== this.abort || abort.signal.aborted) return;
      this.patch({ loading: null, error: sentenceOf(error) });
    }
  }

  private receive(event: ServerEvent): void {
    if (event.type === "reset") this.refresh();
    else this.set(withEvent(this.value, event));
    for (const listener of [...this.eventListeners]) listener(event);
  }
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.status === 0 ? t.errors.unreachable : error.message;
  return t.errors.unknown;
}

export const library = new LibraryStore();
