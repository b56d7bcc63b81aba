// Camera arithmetic with the server's conventions (api/websocket.md). The camera is at target + distance * (sin yaw cos pitch,
// sin pitch, cos yaw cos pitch); angles in degrees, lengths in meters.
import type { Bounds } from "../api/types";
import type { CameraView, Framing } from "./protocol";

export type Boxes = Pick<Framing, "bounds" | "fit">;

export const verticalFov = 45;
const degree = Math.PI / 180;
const maxPitch = 89;

// Yaw relative to the front of the model.
const presets = {
  front: { yaw: 0, pitch: 0 },
  side: { yaw: 90, pitch: 0 },
  top: { yaw: 0, pitch: 89 },
  threeQuarter: { yaw: 30, pitch: 15 },
} as const;
export type Preset = keyof typeof presets;

// Used until the server sends the view of the thumbnail or the user selects a view.
export const initialCamera: CameraView = { ...presets.threeQuarter, distance: null, target: null };

// Returns `camera` turned to the preset. `home`: the view of the thumbnail; `frontYaw`: the yaw from which the model's front is seen.
export function presetView(camera: CameraView, preset: Preset, home: CameraView, frontYaw: number): CameraView {
  if (preset === "threeQuarter") return { ...camera, yaw: home.yaw, pitch: home.pitch };
  const { yaw, pitch } = presets[preset];
  return { ...camera, yaw: wrapped(frontYaw + yaw), pitch };
}

export function centerOf(bounds: Bounds): [number, number, number] {
  return [0, 1, 2].map((axis) => ((bounds.min[axis] ?? 0) + (bounds.max[axis] ?? 0)) / 2) as [number, number, number];
}

export function radiusOf(bounds: Bounds): number {
  const half = [0, 1, 2].map((axis) => ((bounds.max[axis] ?? 0) - (bounds.min[axis] ?? 0)) / 2);
  return Math.max(1e-6, Math.hypot(...half));
}

// Returns the distance at which the bounding sphere fits width and height with a margin of 5 %.
export function fitDistance(bounds: Bounds, aspect: number): number {
  const vertical = (verticalFov / 2) * degree;
  const horizontal = Math.atan(Math.tan(vertical) * aspect);
  return (1.05 * radiusOf(bounds)) / Math.sin(Math.min(vertical, horizontal));
}

function wrapped(angle: number): number {
  return ((((angle + 180) % 360) + 360) % 360) - 180;
}

// A drag over the full height rotates by half a turn.
export function orbit(camera: CameraView, dx: number, dy: number, height: number): CameraView {
  const turn = 180 / Math.max(1, height);
  const pitch = Math.min(maxPitch, Math.max(-maxPitch, camera.pitch + dy * turn));
  return { ...camera, yaw: wrapped(camera.yaw - dx * turn), pitch };
}

type ResolvedView = { distance: number; target: [number, number, number] };

// Returns the camera that the server computes.
function resolveView(camera: CameraView, { bounds, fit }: Boxes, aspect: number): ResolvedView {
  const box = camera.distance === null && camera.target === null ? fit : bounds;
  return { distance: camera.distance ?? fitDistance(box, aspect), target: camera.target ?? centerOf(box) };
}

// The point under the pointer follows it: one pixel is 2 d tan(fov / 2) / height meters at the target.
export function pan(camera: CameraView, dx: number, dy: number, height: number, boxes: Boxes, aspect: number): CameraView {
  const { distance, target } = resolveView(camera, boxes, aspect);
  const meters = (2 * distance * Math.tan((verticalFov / 2) * degree)) / Math.max(1, height);
  const [sinYaw, cosYaw] = [Math.sin(camera.yaw * degree), Math.cos(camera.yaw * degree)];
  const [sinPitch, cosPitch] = [Math.sin(camera.pitch * degree), Math.cos(camera.pitch * degree)];
  const right = [cosYaw, 0, -sinYaw];
  const up = [-sinYaw * sinPitch, cosPitch, -cosYaw * sinPitch];
  const moved = target.map((value, axis) => value + meters * (dy * (up[axis] ?? 0) - dx * (right[axis] ?? 0)));
  return { ...camera, distance, target: moved as [number, number, number] };
}

// factor > 1 moves away. The distance stays between 0.02 and 100 radii of `bounds`. The target is set only if the server would use
// another one, so that the center of another clip stays centered.
export function zoom(camera: CameraView, factor: number, boxes: Boxes, aspect: number): CameraView {
  const radius = radiusOf(boxes.bounds);
  const { distance, target } = resolveView(camera, boxes, aspect);
  const nearer = { ...camera, distance: Math.min(100 * radius, Math.max(0.02 * radius, distance * factor)) };
  const stays = resolveView(nearer, boxes, aspect).target.every((value, axis) => value === target[axis]);
  return stays ? nearer : { ...nearer, target };
}

export function fit(camera: CameraView): CameraView {
  return { ...camera, distance: null, target: null };
}

// Returns "yaw,pitch[,distance]" for /render.
export function formatView(camera: CameraView): string {
  const parts = [camera.yaw, camera.pitch];
  if (camera.distance !== null) parts.push(camera.distance);
  return parts.map((value) => Number(value.toFixed(2))).join(",");
}

export function parseView(text: string | null): CameraView | null {
  if (!text) return null;
  const [yaw, pitch, distance] = text.split(",").map(Number);
  if (yaw === undefined || pitch === undefined || !Number.isFinite(yaw) || !Number.isFinite(pitch)) return null;
  const valid = distance !== undefined && Number.isFinite(distance) && distance > 0;
  return { yaw: wrapped(yaw), pitch: Math.min(maxPitch, Math.max(-maxPitch, pitch)), distance: valid ? distance : null, target: null };
}

export function formatTarget(target: [number, number, number]): string {
  return target.map((value) => Number(value.toPrecision(6))).join(",");
}

export function parseTarget(text: string | null): [number, number, number] | null {
  const values = text?.split(",").map(Number) ?? [];
  return values.length === 3 && values.every(Number.isFinite) ? (values as [number, number, number]) : null;
}

// Where a point of the scene is in the image: 0 .. 1 from its left and top edge; null: behind the camera.
export function project(position: readonly number[], camera: CameraView, boxes: Boxes, aspect: number): { x: number; y: number } | null {
  const { distance, target } = resolveView(camera, boxes, aspect);
  const [sinYaw, cosYaw] = [Math.sin(camera.yaw * degree), Math.cos(camera.yaw * degree)];
  const [sinPitch, cosPitch] = [Math.sin(camera.pitch * degree), Math.cos(camera.pitch * degree)];
  const offset = target.map((value, axis) => (position[axis] ?? 0) - value);
  const along = (x: number, y: number, z: number) => (offset[0] ?? 0) * x + (offset[1] ?? 0) * y + (offset[2] ?? 0) * z;
  const depth = distance - along(sinYaw * cosPitch, sinPitch, cosYaw * cosPitch);
  if (depth <= 0) return null;
  const half = depth * Math.tan((verticalFov / 2) * degree);
  const right = along(cosYaw, 0, -sinYaw) / (half * aspect);
  const up = along(-sinYaw * sinPitch, cosPitch, -cosYaw * sinPitch) / half;
  return { x: (1 + right) / 2, y: (1 - up) / 2 };
}
