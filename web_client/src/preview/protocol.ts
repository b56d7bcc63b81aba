// vitrine.preview.v1 (api/websocket.md): the frame header and the messages, without sockets.
import { t } from "../i18n";
import type { Messages } from "../i18n";
import type { Bounds, Clip } from "../api/types";
import { initialCamera } from "./camera";

export const subProtocol = "vitrine.preview.v1";
export const headerBytes = 64;

export type Codec = "jpeg" | "vp8" | "vp9" | "png";
const codecs: Record<number, Codec> = { 1: "jpeg", 2: "vp8", 3: "vp9", 4: "png" };

export interface PreviewFrame {
  codec: Codec;
  keyFrame: boolean;
  fullQuality: boolean;
  sequence: number;
  input: number;
  width: number;
  height: number;
  time: number;
  bounds: Bounds;
  renderMicros: number;
  encodeMicros: number;
  payload: Uint8Array<ArrayBuffer>;
}

// Returns a frame, or a sentence that describes the error.
export function parseFrame(bytes: ArrayBuffer): PreviewFrame | string {
  if (bytes.byteLength < headerBytes) return "frame is shorter than its header";
  const view = new DataView(bytes);
  if (view.getUint32(0, false) !== 0x56545246) return "frame does not begin with VTRF";
  if (view.getUint16(4, true) !== 1) return `frame version ${view.getUint16(4, true)} is unknown`;
  const payloadAt = view.getUint16(6, true);
  if (payloadAt < headerBytes || payloadAt > bytes.byteLength) return "frame header size is outside the frame";
  const codec = codecs[view.getUint8(8)];
  if (!codec) return `codec ${view.getUint8(8)} is unknown`;
  const flags = view.getUint8(9);
  const float = (at: number) => view.getFloat32(at, true);
  return {
    codec,
    keyFrame: (flags & 1) !== 0,
    fullQuality: (flags & 2) !== 0,
    sequence: view.getUint32(12, true),
    input: view.getUint32(16, true),
    width: view.getUint16(20, true),
    height: view.getUint16(22, true),
    time: view.getFloat64(24, true),
    bounds: { min: [float(32), float(36), float(40)], max: [float(44), float(48), float(52)] },
    renderMicros: view.getUint32(56, true),
    encodeMicros: view.getUint32(60, true),
    payload: new Uint8Array(bytes, payloadAt),
  };
}

export interface Hello {
  type: "hello";
  protocol?: string;
  asset?: string;
  device: { name: string; software: boolean };
  codecs?: string[];
  limits?: { width: number; height: number; unacknowledged: number };
  clips: Clip[];
  variants?: string[]; // names of the material variants or skins
  levels?: number; // of detail
  frames?: number; // of the file, if only whole-mesh frames animate it
  bounds?: Bounds | null;
  // The view of the thumbnail, and the yaw from which the model's front is seen; degrees.
  camera?: { yaw: number; pitch: number; frontYaw?: number };
}

// What plays: the index of a clip of the asset, the address of a clip of another one (ASSET:ID), "row" (all models of a row), or null for
// the static pose.
export type ClipChoice = number | string | null;

// Boxes by which the frames of a clip are framed. `fit` is used by a camera with neither distance nor target: the model, with the
// skeleton's joints if they are shown. A camera with one of the two gets the other from `bounds`.
export interface Framing {
  type: "framing";
  clip: ClipChoice;
  bounds: Bounds;
  fit: Bounds;
}

export interface PlaybackState {
  type: "state";
  clip: ClipChoice;
  time: number;
  playing: boolean;
}

export interface Stats {
  type: "stats";
  framesPerSecond?: number;
  bytesPerSecond?: number;
  renderMs?: number;
  encodeMs?: number;
  latencyMs?: number;
  scale?: number;
}

export interface PreviewProblem {
  type: "problem";
  code: string;
  detail?: string;
}

interface Named {
  index: number;
  name: string;
}

// Result of a pick; names are empty if the file has none.
export interface Hit {
  node: Named;
  mesh: Named;
  material: Named | null;
  joint: { node: number; name: string; weight: number } | null;
  primitive: number;
  triangle: number;
  barycentric: [number, number, number];
}

export interface Picked {
  type: "picked";
  id: number;
  hit: Hit | null;
  item?: number | null; // of a row: the model
}

// The models of a row, and where they are.
export interface Row {
  type: "row";
  query: string;
  duration: number; // seconds; 0: nothing moves
  bounds: Bounds | null;
  items: { asset: { id: string; name: string }; clip: { name: string; duration: number } | null; bounds: Bounds | null }[];
}

interface Key {
  key: number;
  time: number;
}

// Where a time is among the keys of a clip; on a key `from` and `to` are the same.
export interface KeyPlace {
  time: number;
  from: Key;
  to: Key;
  blend: number; // 0 at `from` .. 1 at `to`
  previous: number | null;
  next: number | null;
  interpolation: "step" | "linear" | "cubic" | null; // null: tracks differ
}

export interface Stepped {
  type: "stepped";
  clip: ClipChoice;
  time: number;
  at: KeyPlace | null; // null: the clip has no keys
}

export type ServerMessage = Hello | Framing | PlaybackState | Stats | Picked | Row | Stepped | PreviewProblem;

export function parseMessage(text: string): ServerMessage | null {
  try {
    const body = JSON.parse(text) as { type?: unknown };
    const known = ["hello", "framing", "state", "stats", "picked", "row", "stepped", "problem"];
    return typeof body.type === "string" && known.includes(body.type) ? (body as ServerMessage) : null;
  } catch {
    return null;
  }
}

export type LoopMode = "repeat" | "pingpong" | "once";
// Overlays in the order of the toolbar. Those with `replacesMaterials` are debug views, shown one at a time; `weights` and `trails` may have a joint.
export type OverlayName = keyof Messages["viewport"]["overlays"];
export const overlayNames = Object.keys(t.viewport.overlays) as OverlayName[];
export type Overlay = OverlayName | `weights:${string}` | `trails:${string}`;
const debugViews: readonly OverlayName[] = overlayNames.filter((name) => "replacesMaterials" in t.viewport.overlays[name]);

export function overlayName(overlay: Overlay): OverlayName {
  const joint = /^(weights|trails):/.exec(overlay);
  return (joint?.[1] ?? overlay) as OverlayName;
}

export function isOverlay(word: string): word is Overlay {
  return (overlayNames as readonly string[]).includes(word) || /^(weights|trails):./.test(word);
}

// Returns `list` with this overlay; a debug view replaces another one.
export function withOverlay(list: readonly Overlay[], overlay: Overlay): Overlay[] {
  const name = overlayName(overlay);
  const clashes = (other: OverlayName) => other === name || (debugViews.includes(name) && debugViews.includes(other));
  return [...list.filter((other) => !clashes(overlayName(other))), overlay];
}

export function withoutOverlay(list: readonly Overlay[], name: OverlayName): Overlay[] {
  return list.filter((other) => overlayName(other) !== name);
}

export interface CameraView {
  yaw: number;
  pitch: number;
  distance: number | null;
  target: [number, number, number] | null;
}

// What is shown of the model.
export interface Look {
  variant: string | null; // material variant; null: the default materials of the file
  lod: number | null; // level of detail; null: the most detailed one
  surface: "clay" | null;
  hide: number[] | null; // nodes that are left out, with all below them
  only: number[] | null; // nodes that alone are shown
}

// The complete view state sent to the server. `time` is sent only to seek.
export interface ViewState extends Look {
  camera: CameraView;
  clip: ClipChoice;
  playing: boolean;
  speed: number;
  loop: LoopMode;
  width: number;
  height: number;
  devicePixelRatio: number;
  overlays: Overlay[];
  background: string | null;
  moving: boolean;
  turn: string[]; // joints turned by hand, "NODE:x,y,z" in degrees about their own axes
  layers: string[]; // clips over `clip`, in order
  crowd: number; // copies of the model
  ghosts: string | null; // text of the parameter `ghosts`
  row?: string; // the query of a row of models
  fade: number; // seconds in which a change of `clip` or `layers` is blended; sent with them
}

export function initialView(): ViewState {
  return {
    camera: initialCamera,
    clip: null,
    variant: null,
    lod: null,
    surface: null,
    hide: null,
    only: null,
    playing: false,
    speed: 1,
    loop: "repeat",
    width: 0,
    height: 0,
    devicePixelRatio: 1,
    overlays: [],
    background: null,
    moving: false,
    turn: [],
    layers: [],
    crowd: 1,
    ghosts: null,
    fade: 0.3,
  };
}

// Returns the members of `next` that differ from `last`; all members for a new session.
export function viewDifference(last: ViewState | null, next: ViewState): Partial<ViewState> {
  if (!last) return next;
  const changes: Partial<ViewState> = {};
  const differs = (name: keyof ViewState) => JSON.stringify(last[name]) !== JSON.stringify(next[name]);
  for (const name of Object.keys(next) as (keyof ViewState)[]) {
    if (name === "fade" ? differs("clip") || differs("layers") : differs(name)) Object.assign(changes, { [name]: next[name] });
  }
  return changes;
}

// Members that control playback; they do not change the displayed frame.
const ofPlayback: readonly string[] = ["playing", "speed", "loop", "moving"];

// Returns whether these changes cause a new frame.
export function changesFrame(changes: Partial<ViewState>): boolean {
  return Object.keys(changes).some((name) => !ofPlayback.includes(name));
}
