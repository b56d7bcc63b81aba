// One connection to /v1/events. A new one continues after the last event that was received, or reports `reset`.
import { backoffMs } from "../util/backoff";

// An event as received; `id` identifies it to the server.
export interface RawEvent {
  name: string;
  data: string;
  id: string;
}

export const eventNames = [
  "asset.created", "asset.metadata", "asset.bounds", "asset.thumbnail", "asset.failed", "asset.updated", "asset.deleted", "asset.purged", "tag.changed",
  "collection.created", "collection.updated", "collection.deleted", "note.created", "note.updated", "note.deleted", "job", "reset",
];

export interface EventListenerOf {
  event(event: RawEvent): void;
  connected(connected: boolean): void;
}

export type MakeSource = (url: string) => EventSource;

export class EventConnection {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  // `lastId`: id of the last event that is known; empty: none.
  constructor(
    private readonly listener: EventListenerOf,
    private readonly make: MakeSource = (url) => new EventSource(url),
    public lastId = "",
    public openedBefore = false, // by this connection or, for the same listener, by another one
  ) {}

  get isOpen(): boolean {
    return this.source !== null;
  }

  open(): void {
    if (this.source) return;
    clearTimeout(this.timer);
    const resumed = this.lastId !== "";
    const source = this.make(resumed ? `/v1/events?lastEventId=${encodeURIComponent(this.lastId)}` : "/v1/events");
    this.source = source;
    source.onopen = () => {
      // Without an id the server cannot repeat what happened while the connection was closed.
      if (this.openedBefore && !resumed && this.lastId === "") this.listener.event({ name: "reset", data: "{}", id: "" });
      this.openedBefore = true;
      this.failures = 0;
      this.listener.connected(true);
    };
    source.onerror = () => this.failed(source);
    for (const name of eventNames) source.addEventListener(name, (event) => this.receive(name, event as MessageEvent<string>));
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private receive(name: string, message: MessageEvent<string>): void {
    if (message.lastEventId) this.lastId = message.lastEventId;
    this.listener.event({ name, data: message.data, id: message.lastEventId });
  }

  // The browser repeats the connection by itself, except after an error response.
  private failed(source: EventSource): void {
    if (source !== this.source) return;
    this.listener.connected(false);
    if (source.readyState !== 2) return; // EventSource.CLOSED
    this.source = null;
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), backoffMs(this.failures, Math.random, 500, 15_000));
  }
}
