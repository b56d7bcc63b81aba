// What models are compared by.
import type { KnownAsset, SimilarBy } from "../api/types";

// What a model without surface, skeleton or clips cannot be compared by is not offered.
export function kindsOf({ counts, hasThumbnail }: Pick<KnownAsset, "counts" | "hasThumbnail">): SimilarBy[] {
  const kinds: SimilarBy[] = [];
  if (counts?.triangles !== 0) kinds.push("mesh");
  if (counts?.joints) kinds.push("rig");
  if (counts?.clips) kinds.push("motion");
  if (hasThumbnail) kinds.push("picture");
  return [...kinds, "bytes"];
}
