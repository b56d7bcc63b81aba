import type { Asset } from "../api/types";

// Imported, and without anything that could be drawn.
export function isBlank(asset: Asset): boolean {
  return asset.status === "ready" && asset.counts?.triangles === 0 && !asset.bounds;
}
