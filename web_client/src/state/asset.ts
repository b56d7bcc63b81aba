import type { AssetRow } from "../api/types";

// Returns whether an imported asset has nothing to render. A rig without a mesh is rendered as bones.
export function isBlank(asset: AssetRow): boolean {
  return asset.status === "ready" && asset.counts?.triangles === 0 && !asset.bounds && !asset.hasThumbnail;
}
