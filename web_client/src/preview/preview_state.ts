// What a live preview shows, and the part of it that changes with every frame.
import type { Rejection } from "../api/client";
import type { Bounds, Clip } from "../api/types";
import type { MeterReading } from "./frame_meter";
import { layerTexts, readLayers, readLent } from "./layers";
import type { Layer, LentClip } from "./layers";
import { initialView } from "./protocol";
import type { Codec, Hit, ViewState } from "./protocol";
import type { Connection } from "./session";

export interface PreviewState {
  connection: Connection;
  rejection: Rejection | null; // while the connection is `rejected`
  device: { name: string; software: boolean } | null;
  clips: Clip[];
  variants: string[]; // names of the material variants or skins
  levels: number; // of detail
  frames: number; // of the file, from which clips can be cut; 0: none
  hasFrame: boolean;
  problem: string | null;
  picked: Hit | null; // result of the last pick
  view: ViewState;
  lent: LentClip | null; // plays in place of a clip of this asset: `view.clip` is its address
  known: LentClip[]; // clips of other assets that have played, the last one first
  layers: Layer[]; // over the clip
}

export interface LiveState {
  time: number;
  bounds: Bounds | null;
  reading: MeterReading | null;
  codec: Codec | null;
  scale: number;
  serverMs: number;
}

// Of a new preview; `view` may have layers.
export function initialState(view: Partial<ViewState>, clips: Clip[]): PreviewState {
  const layers = readLayers(view.layers ?? []);
  const lent = readLent(view.clip);
  const complete = { ...initialView(), ...view, layers: layerTexts(layers) };
  return { connection: "connecting", rejection: null, device: null, clips, variants: [], levels: 1, frames: 0, hasFrame: false, problem: null, picked: null, lent, known: lent ? [lent] : [], layers, view: complete };
}
