// Layers of the live preview, and their texts of the parameter `layer` of the API: CLIP*WEIGHT[~JOINT][!add].
import type { Clip } from "../api/types";

export interface Layer {
  clip: string; // id, or ASSET:ID of another asset
  weight: number; // 0..1
  joint: number | null; // node: limits the layer to it and all below
  additive: boolean;
}

// A clip of another asset that is played on this one.
export interface LentClip {
  asset: string;
  assetName: string;
  clip: Clip;
}

export const maxLayers = 8;

export function addressOf({ asset, clip }: LentClip): string {
  return `${asset}:${clip.id}`;
}

export function layerText({ clip, weight, joint, additive }: Layer): string {
  return `${clip}*${Number(weight.toFixed(2))}${joint === null ? "" : `~${joint}`}${additive ? "!add" : ""}`;
}

// Returns the texts of all layers; a clip of another asset is below them.
export function layerTexts(lent: LentClip | null, layers: readonly Layer[]): string[] {
  return [...(lent ? [addressOf(lent)] : []), ...layers.map(layerText)];
}
