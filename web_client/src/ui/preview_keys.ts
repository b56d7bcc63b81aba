// Keyboard shortcuts of the model page. Controls that use a key themselves have precedence.
import { t } from "../i18n";
import type { PreviewStore } from "../preview/preview_store";
import { overlayNames } from "../preview/protocol";
import { announce } from "../state/announce";
import { isTyping } from "../util/keys";
import type { Preset } from "../preview/camera";

const presetKeys: Record<string, Preset> = { "1": "front", "3": "side", "7": "top", "0": "threeQuarter" };
const orbitSteps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const orbitPixels = 24;

// Returns true if the key was handled.
export function previewKey(event: KeyboardEvent, model: PreviewStore, help: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isOpenDialog(event)) return false;
  if (event.key === "?") return done(help());
  if (event.key === "Escape" && model.value.picked) return done(model.forgetPicked());
  const orbit = orbitSteps[event.key];
  if (event.shiftKey && orbit) return done(model.orbit(orbit[0] * orbitPixels, orbit[1] * orbitPixels));
  if (event.key === "+" || event.key === "=") return done(model.zoom(0.88));
  if (event.key === "-" || event.key === "_") return done(model.zoom(1 / 0.88));
  return !event.shiftKey && (cameraKey(event.key, model) || playbackKey(event, model) || overlayKey(event.key, model));
}

function done(_: void): true {
  return true;
}

function cameraKey(key: string, model: PreviewStore): boolean {
  const preset = presetKeys[key];
  if (preset) {
    announce(t.viewport.announceView(t.viewport.presets[preset]));
    return done(model.preset(preset));
  }
  return key.toLowerCase() === "f" && done(model.fit());
}

function overlayKey(key: string, model: PreviewStore): boolean {
  const overlay = overlayNames.find((name) => t.viewport.overlays[name].key === key.toLowerCase());
  if (!overlay) return false;
  announce(t.viewport.announceOverlay(t.viewport.overlays[overlay].label, model.toggleOverlay(overlay)));
  return true;
}

function playbackKey(event: KeyboardEvent, model: PreviewStore): boolean {
  const { clip } = model;
  switch (event.key) {
    case " ":
      return !isInteractiveTarget(event) && done(model.togglePlay());
    case "ArrowLeft":
      return done(model.step(-1));
    case "ArrowRight":
      return done(model.step(1));
    case ",":
      return done(model.keys.step(-1));
    case ".":
      return done(model.keys.step(1));
    case "Home":
      return done(model.seek(0));
    case "End":
      return done(model.seek(clip?.duration ?? 0));
    case "[":
    case "]":
      return done(neighbor(model, event.key === "]" ? 1 : -1));
    default:
      return false;
  }
}

function neighbor(model: PreviewStore, direction: 1 | -1): void {
  const count = model.value.clips.length;
  if (count === 0) return;
  const clip = ((model.ownClip ?? (direction > 0 ? -1 : 0)) + direction + count) % count;
  model.chooseClip(clip);
  announce(model.clip?.name || t.clips.unnamed(clip));
}

// Space belongs to a focused button, link or item.
function isInteractiveTarget(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches("button, a, select, summary, [role=treeitem], [role=tab]");
}

function isOpenDialog(event: KeyboardEvent): boolean {
  return event.composedPath().some((node) => node instanceof HTMLDialogElement && node.open);
}
