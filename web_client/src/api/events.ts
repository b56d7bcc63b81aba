// The server's events as the page uses them. All tabs share one connection (`event_streams`).
import { BestStream } from "./event_streams";
import type { RawEvent } from "./event_connection";
import type { Asset, Job } from "./types";

export type ServerEvent =
  | { type: "asset"; asset: Asset; created: boolean }
  | { type: "deleted"; id: string }
  | { type: "purged"; id: string }
  | { type: "collection"; id: string } // itself, or what it contains
  | { type: "note"; asset: string } // a note of the asset
  | { type: "tag" } // renamed or deleted in all assets, which have no events of their own
  | { type: "job"; job: Job }
  | { type: "reset" };

const assetEvents = ["asset.created", "asset.metadata", "asset.bounds", "asset.thumbnail", "asset.failed", "asset.updated"];
// `asset.version` comes beside `asset.updated`; both have the asset.

export function parseEvent(name: string, data: string): ServerEvent | null {
  if (name === "reset") return { type: "reset" };
  if (name === "tag.changed") return { type: "tag" };
  let body: { asset?: Asset; job?: Job; collection?: { id?: string }; note?: { asset?: string } };
  try {
    body = JSON.parse(data) as typeof body;
  } catch {
    return null;
  }
  if (name === "job") return body.job ? { type: "job", job: body.job } : null;
  if (name.startsWith("collection.")) return body.collection?.id ? { type: "collection", id: body.collection.id } : null;
  if (name.startsWith("note.")) return body.note?.asset ? { type: "note", asset: body.note.asset } : null;
  if (!body.asset?.id) return null;
  if (name === "asset.deleted") return { type: "deleted", id: body.asset.id };
  if (name === "asset.purged") return { type: "purged", id: body.asset.id };
  if (assetEvents.includes(name)) return { type: "asset", asset: body.asset, created: name === "asset.created" };
  return null;
}

export class EventStream {
  private readonly stream: BestStream;

  constructor(onEvent: (event: ServerEvent) => void, onConnected: (connected: boolean) => void) {
    this.stream = new BestStream({
      event: (raw: RawEvent) => {
        const event = parseEvent(raw.name, raw.data);
        if (event) onEvent(event);
      },
      connected: onConnected,
    });
  }

  open(): void {
    this.stream.open();
  }

  close(): void {
    this.stream.close();
  }
}
