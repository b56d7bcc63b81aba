// The preview's state in the page's URL, and the REST URLs of the same view.
import { assetUrl } from "../api/client";
import type { Clip } from "../api/types";
import { formatTarget, formatView, initialCamera, parseTarget, parseView } from "./camera";
import { ghostsText, readCrowd, readGhosts } from "./instances";
import { layerTexts, readLayers, readLent } from "./layers";
import { isOverlay, withOverlay } from "./protocol";
import type { CameraView, Overlay, ViewState } from "./protocol";

export interface UrlState {
  view: Partial<ViewState>;
  // Set if the URL has a time: then playback is paused there.
  time: number | null;
}

// Returns the initial clip of a page: that of the thumbnail, otherwise the first animated one; -1: none.
export function defaultClip(clips: Clip[], shown: string | null | undefined): number {
  const known = clips.findIndex((clip) => clip.id === shown);
  return known >= 0 ? known : clips.findIndex((clip) => clip.duration > 0);
}

export function stateFromUrl(params: URLSearchParams, clips: Clip[], first: number, still: boolean): UrlState {
  const named = params.get("clip");
  const ownName = named?.startsWith(":") ? clips.findIndex((clip) => clip.name === named.slice(1)) : -1; // :NAME
  const wanted = named === "none" ? null : named === null ? first : ownName >= 0 ? ownName : Number(named);
  const own = wanted !== null && Number.isInteger(wanted) && wanted >= 0 && wanted < clips.length ? wanted : null;
  const clip = readLent(named) ? named : own;
  const moment = params.get("t");
  const time = moment !== null && Number.isFinite(Number(moment)) ? Number(moment) : null;
  return {
    view: {
      clip,
      variant: params.get("variant") ?? params.get("skin"),
      lod: wholeNumbers(params.get("lod"))?.[0] ?? null,
      surface: params.get("surface") === "clay" ? "clay" : null,
      hide: wholeNumbers(params.get("hide")),
      only: wholeNumbers(params.get("only")),
      playing: clip !== null && time === null && !still,
      camera: cameraOf(params),
      overlays: (params.get("overlay") ?? "").split(",").filter(isOverlay).reduce<Overlay[]>(withOverlay, []),
      background: backgroundOf(params.get("bg")),
      layers: layerTexts(readLayers(params.getAll("layer"))),
      crowd: readCrowd(params.get("crowd")),
      ghosts: ghostsText(readGhosts(params.get("ghosts"))),
    },
    time,
  };
}

function cameraOf(params: URLSearchParams): CameraView {
  const view = parseView(params.get("view"));
  return view ? { ...view, target: parseTarget(params.get("target")) } : initialCamera;
}

// Returns the numbers of "1,2"; null for another text.
function wholeNumbers(text: string | null): number[] | null {
  return text !== null && /^\d{1,9}(,\d{1,9})*$/.test(text) ? text.split(",").map(Number) : null;
}

// What a picture shows of the model, for the page's URL and for images.
function setLook(params: URLSearchParams, view: ViewState): void {
  if (view.variant !== null) params.set("variant", view.variant);
  if (view.lod !== null) params.set("lod", String(view.lod));
  if (view.hide !== null) params.set("hide", view.hide.join(","));
  if (view.only !== null) params.set("only", view.only.join(","));
  if (view.surface !== null) params.set("surface", view.surface);
  if (view.crowd > 1) params.set("crowd", String(view.crowd));
  if (view.ghosts !== null) params.set("ghosts", view.ghosts);
}

function backgroundOf(text: string | null): string | null {
  return text === "transparent" || /^#[0-9a-f]{6}$/i.test(text ?? "") ? text : null;
}

// `home` and `first`: the initial view and clip of the page.
export function stateToUrl(view: ViewState, time: number, clips: Clip[], home: CameraView, first: number): URLSearchParams {
  const params = new URLSearchParams();
  if (view.clip === null ? clips.length > 0 : view.clip !== first) params.set("clip", view.clip === null ? "none" : String(view.clip));
  setLook(params, view);
  if ((view.clip !== null || view.layers.length > 0) && !view.playing) params.set("t", String(Number(time.toFixed(4))));
  if (formatView(view.camera) !== formatView(home)) params.set("view", formatView(view.camera));
  if (view.camera.target) params.set("target", formatTarget(view.camera.target));
  if (view.overlays.length) params.set("overlay", view.overlays.join(","));
  if (view.background) params.set("bg", view.background);
  for (const layer of view.layers) params.append("layer", layer);
  return params;
}

export interface PictureOptions {
  format: "png" | "webp";
  width: number; // pixels
  // Until the user or the preview has selected a camera, the server does.
  automatic?: boolean;
  variant?: string | null; // in place of that of the view
}

// Returns the parameters of an image of this view.
export function pictureQuery(view: ViewState, time: number, { format, width, automatic }: PictureOptions): string {
  const params = new URLSearchParams();
  const isRow = view.clip === "row"; // whose query names the clips
  if (view.clip !== null && !isRow) params.set("clip", String(view.clip));
  for (const layer of view.layers) params.append("layer", layer);
  for (const turn of view.turn) params.append("turn", turn);
  if (view.clip !== null || view.layers.length) params.set("t", String(Number(time.toFixed(4))));
  setLook(params, view);
  params.set("view", automatic && view.camera === initialCamera ? "auto" : formatView(view.camera));
  if (view.camera.target) params.set("target", formatTarget(view.camera.target));
  params.set("w", String(width));
  params.set("h", String(Math.max(1, Math.round((width * Math.max(1, view.height)) / Math.max(1, view.width)))));
  if (view.overlays.length) params.set("overlay", view.overlays.join(","));
  if (view.background) params.set("background", view.background);
  params.set("format", format);
  return params.toString().replace(/%2C/g, ",");
}

// Returns the /thumbnail URL with the materials of a variant.
export function thumbnailUrl(asset: string, variant: string | null): string {
  const params = new URLSearchParams({ size: "512" });
  if (variant !== null) params.set("variant", variant);
  return assetUrl(asset, `/thumbnail?${params}`);
}
