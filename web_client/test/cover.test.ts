import { expect, test } from "vitest";

import { coverOf } from "../src/preview/cover";
import { initialView } from "../src/preview/protocol";

const camera = { yaw: 12.5, pitch: -3, distance: 2, target: null };

test("a cover has what the view shows", () => {
  const view = { ...initialView(), camera: { ...camera, target: [1, 2, 3] as [number, number, number] }, clip: 2, background: "#1c1e1d", variant: "red" };
  expect(coverOf(view, 0.123456)).toEqual({ view: "12.5,-3,2", target: [1, 2, 3], clip: "c2", time: 0.1235, background: "#1c1e1d", variant: "red" });
  expect(coverOf({ ...initialView(), camera }, 3)).toEqual({ view: "12.5,-3,2", clip: "none" });
});

test("what is not part of a cover makes none", () => {
  expect(coverOf({ ...initialView(), clip: "asset_1:c0" }, 0)).toBeNull();
  expect(coverOf({ ...initialView(), clip: 0, layers: ["c1"] }, 0)).toBeNull();
  expect(coverOf({ ...initialView(), clip: 0, turn: ["3:0,90,0"] }, 0)).toBeNull();
});
