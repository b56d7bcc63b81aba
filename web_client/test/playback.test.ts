import { describe, expect, it } from "vitest";

import { t } from "../src/i18n";
import { KeyStepper } from "../src/preview/key_stepper";
import * as playback from "../src/preview/playback";
import type { KeyPlace } from "../src/preview/protocol";

const clip = { id: "c0", name: "Walk", duration: 2, frameRate: 10 };

describe("timeline", () => {
  it("counts frames from 0 to the last", () => {
    expect(playback.lastFrame(clip)).toBe(20);
    expect(playback.frameAt(clip, 0)).toBe(0);
    expect(playback.frameAt(clip, 0.96)).toBe(10);
    expect(playback.frameAt(clip, 99)).toBe(20);
    expect(playback.lastFrame(null)).toBe(0);
  });

  it("cuts at whole frames inside the clip, as the server counts", () => {
    expect(playback.lastCutFrame(clip)).toBe(20);
    expect(playback.lastCutFrame({ ...clip, duration: 1.99999999 })).toBe(20);
    expect(playback.lastCutFrame({ ...clip, duration: 1.96 })).toBe(19);
    expect(playback.lastCutFrame({ ...clip, frameRate: 0 })).toBe(60);
    expect(playback.lastCutFrame({ ...clip, duration: 0 })).toBe(0);
  });

  it("steps to whole frames and wraps at the ends", () => {
    expect(playback.stepFrame(clip, 0.04, 1)).toBeCloseTo(0.1);
    expect(playback.stepFrame(clip, 0.06, -1)).toBeCloseTo(0);
    expect(playback.stepFrame(clip, 0.1, 1)).toBeCloseTo(0.2);
    expect(playback.stepFrame(clip, 0.30000001, -1)).toBeCloseTo(0.2);
    expect(playback.stepFrame(clip, 0.0996, 1)).toBeCloseTo(0.2);
    expect(playback.stepFrame(clip, 2, 1)).toBe(0);
    expect(playback.stepFrame(clip, 0, -1)).toBe(2);
    expect(playback.stepFrame(null, 1, 1)).toBe(0);
  });

  it("steps the displayed frame number by one after any pause", () => {
    const odd = { ...clip, duration: 1.22, frameRate: 30 };
    for (const moving of [clip, odd]) {
      const last = playback.lastFrame(moving);
      for (let time = 0; time <= moving.duration; time += 0.0037) {
        const shown = playback.frameAt(moving, time);
        const next = playback.stepFrame(moving, time, 1);
        expect(playback.frameAt(moving, next)).toBe(shown === last ? 0 : shown + 1);
        expect(playback.frameAt(moving, playback.stepFrame(moving, time, -1))).toBe(shown === 0 ? last : shown - 1);
        expect(next.toFixed(3)).not.toBe(time.toFixed(3));
      }
    }
  });

  it("maps the track to times and back", () => {
    expect(playback.timeAtFraction(clip, 0.25)).toBe(0.5);
    expect(playback.timeAtFraction(clip, 7)).toBe(2);
    expect(playback.timeAtFraction(clip, -1)).toBe(0);
    expect(playback.fractionAt(clip, 0.5)).toBe(0.25);
    expect(playback.fractionAt({ ...clip, duration: 0 }, 1)).toBe(0);
  });

  it("marks the ruler in 1, 2, 5", () => {
    expect(playback.tickSpacing(1)).toBeCloseTo(0.2);
    expect(playback.tickSpacing(8)).toBeCloseTo(1);
    expect(playback.tickSpacing(30)).toBeCloseTo(5);
    expect(playback.tickSpacing(0)).toBe(1);
    expect(playback.tickSpacing(Number.NaN)).toBe(1);
  });
});

describe("sprite", () => {
  it("follows the pointer", () => {
    expect(playback.spriteFrameAtFraction(24, 0)).toBe(0);
    expect(playback.spriteFrameAtFraction(24, 0.5)).toBe(12);
    expect(playback.spriteFrameAtFraction(24, 1)).toBe(23);
    expect(playback.spriteFrameAtFraction(24, -3)).toBe(0);
  });

  it("plays at the clip's speed and loops", () => {
    expect(playback.spriteFrameAtTime(24, 2, 1)).toBe(12);
    expect(playback.spriteFrameAtTime(24, 2, 2)).toBe(0);
    expect(playback.spriteFrameAtTime(24, 0, 1)).toBe(12);
    expect(playback.spriteFrameAtTime(24, 2, -0.1)).toBe(22);
  });
});

describe("steps to keys", () => {
  const place: KeyPlace = { time: 0.5, from: { key: 3, time: 0.5 }, to: { key: 3, time: 0.5 }, blend: 0, previous: 0.25, next: 0.75, interpolation: "linear" };

  it("asks the server and shows the place while its pose is displayed", () => {
    const sent: number[] = [];
    const keys = new KeyStepper((steps) => sent.push(steps) > 0);
    keys.step(1);
    keys.step(-1);
    expect(sent).toEqual([1, -1]);
    expect(keys.at(0, 0.5)).toBeNull();
    keys.stepped({ type: "stepped", clip: 0, time: 0.5, at: place });
    expect(keys.at(0, 0.5)).toBe(place);
    expect(keys.at(0, 0.6)).toBeNull();
    expect(keys.at(1, 0.5)).toBeNull();
    keys.stepped({ type: "stepped", clip: 0, time: 0.5, at: null });
    expect(keys.at(0, 0.5)).toBeNull();
  });

  it("is told in words", () => {
    expect(t.timeline.keyPlace(3, 3, 0, "linear")).toBe("key 3");
    expect(t.timeline.keyPlace(3, 4, 0.25, "linear")).toBe("key 3 → 4, 0.25, linear");
    expect(t.timeline.keyPlace(3, 4, 1 / 3, null)).toBe("key 3 → 4, 0.33, mixed");
  });
});
