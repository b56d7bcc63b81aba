// The cover of a model from the view of its preview.
import type { Cover } from "../api/types";
import { formatView } from "./camera";
import type { ViewState } from "./protocol";

// Returns null if a thumbnail cannot show the view: layers, turned joints, and clips of other models are not part of a cover.
export function coverOf(view: ViewState, time: number): Cover | null {
  const { clip, camera, layers, turn, background, variant } = view;
  if (typeof clip === "string" || layers.length > 0 || turn.length > 0) return null;
  return {
    view: formatView(camera),
    ...(camera.target && { target: [...camera.target] }),
    clip: clip === null ? "none" : `c${clip}`,
    ...(clip !== null && { time: Number(time.toFixed(4)) }),
    ...(background !== null && { background }),
    ...(variant !== null && { variant }),
  };
}
