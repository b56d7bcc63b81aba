// Timeline arithmetic. Times in seconds from the clip's start.
import type { Clip } from "../api/types";

export const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2] as const;
const defaultFrameRate = 30;

export function rateOf(clip: Clip | null): number {
  return clip?.frameRate && clip.frameRate > 0 ? clip.frameRate : defaultFrameRate;
}

// Returns the last frame's number: a clip of 1 s at 30 frames per second has frames 0 to 30.
export function lastFrame(clip: Clip | null): number {
  return clip ? Math.max(0, Math.round(clip.duration * rateOf(clip))) : 0;
}

// Returns the last frame at which a clip can be cut, as on the server: whole frames, with a tolerance for rounded times.
export function lastCutFrame(clip: Clip): number {
  return Math.max(0, Math.floor(clip.duration * rateOf(clip) + 1e-4));
}

export function frameAt(clip: Clip | null, time: number): number {
  return Math.min(lastFrame(clip), Math.max(0, Math.round(time * rateOf(clip))));
}

export function clampTime(clip: Clip | null, time: number): number {
  return clip ? Math.min(clip.duration, Math.max(0, time)) : 0;
}

// Steps to the neighbor of the displayed frame number, so that every step is visible: after a pause, the next whole frame may be
// a fraction of a millisecond ahead. Wraps at the ends.
export function stepFrame(clip: Clip | null, time: number, direction: 1 | -1): number {
  if (!clip || clip.duration <= 0) return 0;
  const last = lastFrame(clip);
  const next = frameAt(clip, time) + direction;
  const frame = next > last ? 0 : next < 0 ? last : next;
  return clampTime(clip, frame / rateOf(clip));
}

// Returns the time at a position on the track.
export function timeAtFraction(clip: Clip | null, fraction: number): number {
  return clip ? Math.min(1, Math.max(0, fraction)) * clip.duration : 0;
}

export function fractionAt(clip: Clip | null, time: number): number {
  return clip && clip.duration > 0 ? clampTime(clip, time) / clip.duration : 0;
}

// Returns the spacing of the ruler's marks in seconds: 1, 2 or 5 of a decade, about `wanted` of them.
export function tickSpacing(duration: number, wanted = 8): number {
  if (!(duration > 0)) return 1;
  const rough = duration / wanted;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((candidate) => candidate * decade >= rough - 1e-12) ?? 10;
  return step * decade;
}

// Returns the sprite frame at a position, and the frame at a time.
export function spriteFrameAtFraction(frames: number, fraction: number): number {
  return Math.min(frames - 1, Math.max(0, Math.floor(fraction * frames)));
}

export function spriteFrameAtTime(frames: number, duration: number, seconds: number): number {
  const length = duration > 0 ? duration : frames / 12;
  return Math.floor((((seconds / length) % 1) + 1) * frames) % frames;
}
