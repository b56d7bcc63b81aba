import type { Asset } from "../api/types";

// Imported, and without anything that could be drawn. A rig without a mesh has a picture of its bones.
export function isBlank(asset: Asset): boolean {
  return asset.status === "ready" && asset.counts?.triangles === 0 && !asset.bounds && !asset.hasThumbnail;
}
