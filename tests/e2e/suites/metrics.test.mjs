// The comparison of three/metrics.mjs must detect artificial defects of a model, however empty the rest of the image is. No
// browser.
import assert from "node:assert/strict";
import { it } from "node:test";

import { areAlike, measure, undetectedDefects } from "../three/compare_pair.mjs";

const size = 256;

// A disc with stripes in a transparent image; shade(x, y) returns 0..255, or null for transparent.
function paint(shade) {
  const rgba = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const value = shade(x, y);
      if (value !== null) rgba.set([value, value, value, 255], 4 * (y * size + x));
    }
  return { size, rgba };
}

const inside = (x, y) => Math.hypot(x - 128, y - 128) < 40;
const stripes = (x, y) => (inside(x, y) ? ((x + y) % 16 < 8 ? 90 : 180) : null);
const within = (x, y, left, top, side) => x >= left && x < left + side && y >= top && y < top + side;

const whole = paint(stripes);

it("finds an image equal to itself", () => {
  assert.deepEqual(measure(whole, whole), { iou: 1, ssim: { mean: 1, window: 1 }, square: 0, brightness: 0 });
});

it("finds two empty images equal", () => {
  assert.ok(areAlike(measure(paint(() => null), paint(() => null))));
});

for (const [name, shade] of Object.entries({
  "a painted square of 16 pixels": (x, y) => (within(x, y, 120, 120, 16) ? 135 : stripes(x, y)),
  "a part shifted by two pixels": (x, y) => (within(x, y, 116, 116, 24) ? stripes(x + 2, y) : stripes(x, y)),
  "a model at 0.9 of its brightness": (x, y) => (inside(x, y) ? Math.round(0.95 * stripes(x, y)) : null), // 0.95 ** 2.2 = 0.89
}))
  it(`detects ${name}`, () => assert.ok(!areAlike(measure(whole, paint(shade)))));

it("does not take a wider border for another brightness", () => {
  const disc = (radius) => paint((x, y) => (Math.hypot(x - 128, y - 128) < radius ? 40 : null));
  const { iou, brightness } = measure(disc(100), disc(100.5));
  assert.ok(iou < 1 && brightness === 0);
});

it("detects every planted defect", () => {
  assert.deepEqual(undetectedDefects(whole, whole, measure(whole, whole), ""), []);
});

it("names defects that pass", () => {
  const lax = measure(whole, whole);
  // Compared with itself, an image that has the defect is alike.
  assert.ok(areAlike(lax) && undetectedDefects(whole, whole, lax, "effect_blinn_ambient_param.dae").includes("darker"));
});
