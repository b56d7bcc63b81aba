// Places of notes between the times at which the server has evaluated them.
import type { Note } from "../api/notes";

export interface NotedClip {
  id: string;
  duration: number; // seconds
}

const maxSamples = 250; // of a clip: for 200 notes what the server evaluates at most
const samplesPerSecond = 30;

// Seconds between the positions of a clip.
export function sampleStep(duration: number): number {
  return Math.max(1 / samplesPerSecond, duration / (maxSamples - 1));
}

// Where the note is at a time of the clip, in meters; null: it has no point on this version.
export function positionAt(note: Note, clip: NotedClip | null, time: number): readonly number[] | null {
  const { positions } = note;
  if (!clip || !positions || positions.length === 0) return note.position;
  const at = Math.min(positions.length - 1, Math.max(0, time / sampleStep(clip.duration)));
  const before = positions[Math.floor(at)]!;
  const after = positions[Math.ceil(at)]!;
  return before.map((value, axis) => value + (after[axis]! - value) * (at - Math.floor(at)));
}
