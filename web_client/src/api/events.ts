// One EventSource per page. The browser replays with Last-Event-ID when it reconnects by itself; after it has given up (the
// server responded with an error) we open a new one after a delay and make the listeners read again.
import type { Asset, Job } from "./types";

export type ServerEvent =
  | { type: "asset"; asset: Asset; created: boolean }
  | { type: "deleted"; id: string }
  | { type: "job"; job: Job }
  | { type: "reset" };

const assetEvents = ["asset.created", "asset.metadata", "asset.bounds", "asset.thumbnail", "asset.failed", "asset.updated"];

export function parseEvent(name: string, data: string): ServerEvent | null {
  if (name === "reset") return { type: "reset" };
  let body: { asset?: Asset; job?: Job };
  try {
    body = JSON.parse(data) as { asset?: Asset; job?: Job };
  } catch {
    return null;
  }
  if (name === "job") return body.job ? { type: "job", job: body.job } : null;
  if (!body.asset?.id) return null;
  if (name === "asset.deleted") return { type: "deleted", id: body.asset.id };
  if (assetEvents.includes(name)) return { type: "asset", asset: body.asset, created: name === "asset.created" };
  return null;
}

export class EventStream {
  private source: EventSource | null = null;
  private timer = 0;
  private failures = 0;

  constructor(
    private readonly onEvent: (event: ServerEvent) => void,
    private readonly onConnected: (connected: boolean) => void,
  ) {}

  open(): void {
    const source = new EventSource("/v1/events");
    this.source = source;
    source.onopen = () => {
      // A new EventSource sends no Last-Event-ID: events may be lost.
      if (this.failures > 0) this.onEvent({ type: "reset" });
      this.failures = 0;
      this.onConnected(true);
    };
    source.onerror = () => this.failed(source);
    for (const name of [...assetEvents, "asset.deleted", "job", "reset"]) {
      source.addEventListener(name, (event) => this.receive(name, event as MessageEvent<string>));
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private receive(name: string, message: MessageEvent<string>): void {
    const event = parseEvent(name, message.data);
    if (event) this.onEvent(event);
  }

  private failed(source: EventSource): void {
    this.onConnected(false);
    if (source.readyState !== EventSource.CLOSED || source !== this.source) return;
    this.failures += 1;
    this.timer = window.setTimeout(() => this.open(), Math.min(15000, 500 * 2 ** this.failures));
  }
}
