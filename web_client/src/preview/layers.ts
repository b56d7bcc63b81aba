// Layers of the live preview, and their texts of the parameter `layer` of the API: CLIP*WEIGHT[~JOINT][!add[=REFERENCE[@SECONDS]]].
import type { Clip } from "../api/types";

export interface Layer {
  clip: string; // id, or ASSET:ID of another asset
  weight: number; // 0..1
  joint: number | null; // node: limits the layer to it and all below
  additive: boolean;
  reference?: string; // of an additive layer: the clip that it is relative to, with "@SECONDS" if at a time; absent: its own start
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

export function layerText({ clip, weight, joint, additive, reference }: Layer): string {
  const mode = additive ? `!add${reference === undefined ? "" : `=${reference}`}` : "";
  return `${clip}*${Number(weight.toFixed(2))}${joint === null ? "" : `~${joint}`}${mode}`;
}

// Reads the address of a clip of another asset, for instance from a URL; null for another text. It has no name and no duration yet.
export function readLent(text: unknown): LentClip | null {
  const [, asset, id] = /^([^:@*~!]+):([^:@*~!]+)$/.exec(typeof text === "string" ? text : "") ?? [];
  return asset && id && asset !== "frames" ? { asset, assetName: "", clip: { id, name: "", duration: 0, frameRate: 0 } } : null;
}

// Reads the texts that layerTexts() writes; others are left out.
export function readLayers(texts: readonly string[]): Layer[] {
  const layers: Layer[] = [];
  for (const text of texts.slice(0, maxLayers)) {
    const match = /^([^:@*~!]+(?::[^:@*~!]+)?)\*([\d.]+)(?:~(\d+))?(!add(?:=([^@*~!]+(?:@[\d.]+)?))?)?$/.exec(text);
    if (!match) continue;
    const [, clip, weight, joint, add, reference] = match;
    layers.push({
      clip: clip!,
      weight: Math.min(1, Number(weight) || 0),
      joint: joint === undefined ? null : Number(joint),
      additive: add !== undefined,
      ...(reference === undefined ? {} : { reference }),
    });
  }
  return layers;
}

export function layerTexts(layers: readonly Layer[]): string[] {
  return layers.map(layerText);
}
