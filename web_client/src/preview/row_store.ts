// State of a live preview of several models side by side (websocket.md, rows): its models, and the size that they have.
import { rowUrl } from "../api/client";
import type { Clip } from "../api/types";
import { Store } from "../state/store";
import { PreviewStore } from "./preview_store";
import type { Row, ServerMessage, ViewState } from "./protocol";
import { pictureQuery } from "./url";
import type { PictureOptions } from "./url";

export const maxRow = 16; // models

export interface RowModel {
  asset: string;
  clip: string | null; // id; null: the static pose
}

export interface RowState {
  models: readonly RowModel[];
  equal: boolean; // all have one size
  shown: Row | null; // sent by the server
  picked: number | null; // the model of the last pick
}

// Reads `asset`, `sizes` and `N.clip`, for instance from the page's URL. A model without a clip has that of `clipOf`.
export function readRow(params: URLSearchParams, clipOf: (asset: string) => string | null): Pick<RowState, "models" | "equal"> {
  const models = params.getAll("asset").slice(0, maxRow).map((asset, at) => {
    const clip = params.get(`${at}.clip`);
    return { asset, clip: clip === null ? clipOf(asset) : clip === "none" ? null : clip };
  });
  return { models, equal: params.get("sizes") === "equal" };
}

// Returns the query of the row.
export function rowQuery({ models, equal }: Pick<RowState, "models" | "equal">): string {
  const params = new URLSearchParams();
  for (const { asset } of models) params.append("asset", asset);
  if (equal) params.set("sizes", "equal");
  models.forEach(({ clip }, at) => params.set(`${at}.clip`, clip ?? "none"));
  return params.toString();
}

export class RowStore extends PreviewStore {
  readonly row: Store<RowState>;

  constructor(row: Pick<RowState, "models" | "equal">, view: Partial<ViewState>, time: number) {
    super("", { ...view, clip: "row", row: rowQuery(row) }, [], null, time);
    this.row = new Store<RowState>({ ...row, shown: null, picked: null });
  }

  // All clips as one.
  override get clip(): Clip | null {
    const duration = this.row.value.shown?.duration ?? 0;
    return duration > 0 ? { id: "row", name: "", duration, frameRate: 0 } : null;
  }

  arrange(changes: Partial<Pick<RowState, "models" | "equal">>): void {
    this.row.patch({ ...changes, picked: null });
    this.change({ row: rowQuery(this.row.value) });
  }

  protected override previewUrl(): string {
    return rowUrl("preview", rowQuery(this.row.value));
  }

  override pictureUrl(options: PictureOptions): string {
    return rowUrl("render", `${rowQuery(this.row.value)}&${pictureQuery(this.view, this.live.value.time, options)}`);
  }

  override thumbnailUrl(): string {
    return this.pictureUrl({ format: "webp", width: 512, automatic: true });
  }

  override message(message: ServerMessage): void {
    if (message.type === "row") {
      this.row.patch({ shown: message });
      this.patch({ problem: null });
    } else if (message.type === "picked") {
      this.row.patch({ picked: message.item ?? null });
    } else {
      super.message(message);
    }
  }
}
