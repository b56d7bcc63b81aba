import { describe, expect, it } from "vitest";

import type { Bounds } from "../src/api/types";
import type { Boxes } from "../src/preview/camera";
import { centerOf, fit, fitDistance, formatTarget, formatView, initialCamera, orbit, pan, parseTarget, parseView, presetView, zoom } from "../src/preview/camera";

const around = (box: Bounds): Boxes => ({ bounds: box, fit: box });
const bounds = { min: [-1, 0, -1] as [number, number, number], max: [1, 2, 1] as [number, number, number] };

describe("camera", () => {
  it("rotates half a turn over the height and never past the pole", () => {
    const turned = orbit({ ...initialCamera, yaw: 0, pitch: 0 }, 100, 0, 200);
    expect(turned.yaw).toBeCloseTo(-90);
    expect(orbit(initialCamera, 0, 10000, 200).pitch).toBe(89);
    expect(orbit(initialCamera, 0, -10000, 200).pitch).toBe(-89);
    expect(Math.abs(orbit({ ...initialCamera, yaw: 170 }, -100, 0, 200).yaw)).toBeLessThanOrEqual(180);
  });

  it("starts at the model's own front", () => {
    const home = { ...initialCamera, yaw: 120, pitch: 15 };
    const near = { yaw: 1, pitch: 2, distance: 3, target: null };
    expect(presetView(near, "front", home, 90)).toEqual({ yaw: 90, pitch: 0, distance: 3, target: null });
    expect(presetView(near, "side", home, 90).yaw).toBe(-180);
    expect(presetView(near, "top", home, 40)).toMatchObject({ yaw: 40, pitch: 89 });
    expect(presetView(near, "threeQuarter", home, 40)).toMatchObject({ yaw: 120, pitch: 15 });
    expect(presetView(near, "front", { ...home, yaw: 145 }, 90).yaw).toBe(90);
  });

  it("fits the bounding sphere with a margin of 5 %, also in tall images", () => {
    const radius = Math.sqrt(3);
    expect(fitDistance(bounds, 1)).toBeCloseTo((1.05 * radius) / Math.sin((22.5 * Math.PI) / 180));
    expect(fitDistance(bounds, 2)).toBeCloseTo(fitDistance(bounds, 1));
    expect(fitDistance(bounds, 0.5)).toBeGreaterThan(fitDistance(bounds, 1));
  });

  it("pans so that the point under the pointer follows", () => {
    const front = { yaw: 0, pitch: 0, distance: 10, target: centerOf(bounds) };
    const moved = pan(front, 0, 50, 100, around(bounds), 1);
    // Half the height is d tan(22.5°) meters.
    expect(moved.target?.[1]).toBeCloseTo(1 + 10 * Math.tan((22.5 * Math.PI) / 180));
    const right = pan(front, 50, 0, 100, around(bounds), 1);
    expect(right.target?.[0]).toBeLessThan(0);
    expect(right.target?.[2]).toBeCloseTo(0);
  });

  it("zooms from the fitted view within limits, and fit resets both", () => {
    const near = zoom(initialCamera, 0.5, around(bounds), 1);
    expect(near.target).toBeNull();
    expect(near.distance).toBeCloseTo(0.5 * fitDistance(bounds, 1));
    expect(zoom(near, 1e-9, around(bounds), 1).distance).toBeGreaterThan(0);
    expect(zoom(near, 1e9, around(bounds), 1).distance).toBeLessThanOrEqual(100 * Math.sqrt(3));
    expect(fit(near)).toMatchObject({ distance: null, target: null });
  });

  describe("with visible joints above the model", () => {
    const fitted: Bounds = { min: bounds.min, max: [1, 6, 1] };
    const boxes = { bounds, fit: fitted };

    it("zooms from the fit of both and keeps its center as the target", () => {
      const near = zoom(initialCamera, 0.5, boxes, 1);
      expect(near.distance).toBeCloseTo(0.5 * fitDistance(fitted, 1));
      expect(near.target).toEqual([0, 3, 0]);
      expect(zoom(near, 0.5, boxes, 1)).toMatchObject({ distance: 0.25 * fitDistance(fitted, 1), target: [0, 3, 0] });
      expect(zoom(zoom(near, 0.5, boxes, 1), 2, around(bounds), 1)).toEqual(near);
    });

    it("pans from the center of both", () => {
      const moved = pan({ ...initialCamera, yaw: 0, pitch: 0 }, 0, 50, 100, boxes, 1);
      expect(moved.distance).toBeCloseTo(fitDistance(fitted, 1));
      expect(moved.target?.[1]).toBeCloseTo(3 + fitDistance(fitted, 1) * Math.tan((22.5 * Math.PI) / 180));
    });

    it("does not move the view after a distance or a target was set", () => {
      const near = { ...initialCamera, distance: 4 };
      expect(zoom(near, 0.5, boxes, 1)).toEqual({ ...near, distance: 2 });
      expect(pan({ ...near, yaw: 0, pitch: 0 }, 0, 0, 100, boxes, 1).target).toEqual(centerOf(bounds));
      expect(zoom({ ...initialCamera, target: [0, 0, 0] }, 1, boxes, 1).distance).toBeCloseTo(fitDistance(bounds, 1));
    });

    it("sends no target if both have the same center", () => {
      const wide: Bounds = { min: [-4, 0, -1], max: [4, 2, 1] };
      expect(zoom(initialCamera, 0.5, { bounds, fit: wide }, 1)).toEqual({ ...initialCamera, distance: 0.5 * fitDistance(wide, 1) });
    });
  });

  it("is restored from the URL", () => {
    expect(formatView({ yaw: 35, pitch: 20.123456, distance: null, target: null })).toBe("35,20.12");
    expect(parseView("35,20.12")).toMatchObject({ yaw: 35, pitch: 20.12, distance: null });
    expect(parseView("0,0,3.5")).toMatchObject({ distance: 3.5 });
    expect(parseView("0,0,-1")).toMatchObject({ distance: null });
    expect(parseView("north")).toBeNull();
    expect(parseView(null)).toBeNull();
    expect(parseTarget(formatTarget([1, -2.5, 0.123456789]))).toEqual([1, -2.5, 0.123457]);
    expect(parseTarget("1,2")).toBeNull();
  });
});
