// Places of notes: in the image, and between the times at which the server has evaluated them.
import { expect, it } from "vitest";

import type { Note } from "../src/api/notes";
import { project } from "../src/preview/camera";
import { positionAt } from "../src/state/note_places";

const boxes = { bounds: { min: [-1, -1, -1], max: [1, 1, 1] }, fit: { min: [-1, -1, -1], max: [1, 1, 1] } } as Parameters<typeof project>[2];
const front = { yaw: 0, pitch: 0, distance: 10, target: [0, 0, 0] as [number, number, number] };
const half = 10 * Math.tan(Math.PI / 8);

it("projects points as the server draws them", () => {
  expect(project([0, 0, 0], front, boxes, 2)).toEqual({ x: 0.5, y: 0.5 });
  const edge = project([half * 2, half, 0], front, boxes, 2)!;
  expect(edge.x).toBeCloseTo(1, 9);
  expect(edge.y).toBeCloseTo(0, 9);
  expect(project([0, 0, 11], front, boxes, 2)).toBeNull(); // behind the camera
  const right = project([0, 0, -1], { ...front, yaw: 90 }, boxes, 1)!; // from +x, -z is to the right
  expect(right.x).toBeGreaterThan(0.5);
  expect(right.y).toBeCloseTo(0.5, 9);
  const above = project([0, 1, 0], { ...front, pitch: 89 }, boxes, 1)!;
  expect(above.y).toBeLessThan(0.5);
});

it("takes positions between the evaluated times", () => {
  const note = { position: [9, 9, 9], positions: [[0, 0, 0], [3, 0, 0], [6, 6, 0]] } as unknown as Note;
  const clip = { id: "c0", duration: 2 / 30 };
  expect(positionAt(note, clip, 1 / 60)).toEqual([1.5, 0, 0]);
  expect(positionAt(note, clip, 5)).toEqual([6, 6, 0]);
  expect(positionAt(note, null, 0)).toEqual([9, 9, 9]);
  expect(positionAt({ ...note, positions: undefined, position: null }, clip, 0)).toBeNull();
});
