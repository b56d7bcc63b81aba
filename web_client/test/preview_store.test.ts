import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Bounds } from "../src/api/types";
import { fitDistance } from "../src/preview/camera";
import { PreviewStore } from "../src/preview/preview_store";

const box = (top: number): Bounds => ({ min: [-1, -1, -1], max: [1, top, 1] });
let model: PreviewStore;

const sendFraming = (bounds: Bounds, fit: Bounds) => model.message({ type: "framing", clip: null, bounds, fit });

beforeEach(() => {
  vi.stubGlobal("document", { hidden: false, addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal("window", { setTimeout: () => 0, setInterval: () => 0 });
  vi.stubGlobal("requestAnimationFrame", () => 0);
  model = new PreviewStore("as_1", { width: 100, height: 100 }, [], box(1), 0);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("layers", () => {
  const layer = { clip: "c1", weight: 0.5, joint: 3, additive: false };
  const lent = { asset: "as_2", assetName: "Walks", clip: { id: "c0", name: "Walk", duration: 2, frameRate: 30 } };
  beforeEach(() => vi.stubGlobal("matchMedia", () => ({ matches: false })));

  it("are over a clip of another asset, which is the clip that plays", () => {
    model.setLayers([layer]);
    expect(model.view.layers).toEqual(["c1*0.5~3"]);
    model.playLent(lent);
    expect(model.view).toMatchObject({ clip: "as_2:c0", playing: true, layers: ["c1*0.5~3"] });
    expect(model.clip?.duration).toBe(2);
    model.chooseClip(null);
    expect(model.view).toMatchObject({ clip: null, playing: false, layers: ["c1*0.5~3"] });
    expect(model.clip).toBe(null);
    expect(model.value.known).toEqual([lent]);
  });

  it("follow the server when a clip of another asset cannot be shown", () => {
    model.playLent(lent);
    model.playLent({ ...lent, asset: "as_3" });
    model.message({ type: "state", clip: "as_2:c0", time: 0.5, playing: true });
    expect(model.value.lent).toEqual(lent);
    expect(model.view).toMatchObject({ clip: "as_2:c0", playing: true });
    model.message({ type: "state", clip: null, time: 0, playing: false });
    expect(model.value.lent).toBe(null);
    expect(model.view.clip).toBe(null);
  });

  it("change their weights at once", () => {
    model.setLayers([layer]);
    expect(model.view.fade).toBe(0.3);
    model.setLayers([{ ...layer, weight: 0.7 }]);
    expect(model.view).toMatchObject({ layers: ["c1*0.7~3"], fade: 0 });
  });

  it("blend with a fade unless motion is reduced", () => {
    model.playLent(lent);
    expect(model.view.fade).toBe(0.3);
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    model.chooseClip(null);
    expect(model.view.fade).toBe(0);
  });
});

describe("framing of the camera", () => {
  it("uses the static bounds before the first frame", () => {
    model.zoom(0.5);
    expect(model.view.camera.distance).toBeCloseTo(0.5 * fitDistance(box(1), 1));
    model.fit();
    model.message({ type: "hello", device: { name: "", software: true }, clips: [], bounds: box(9) });
    model.zoom(0.5);
    expect(model.view.camera.distance).toBeCloseTo(0.5 * fitDistance(box(9), 1));
  });

  it("uses the framing of the server", () => {
    sendFraming(box(1), box(5));
    model.zoom(0.5);
    expect(model.view.camera).toMatchObject({ distance: 0.5 * fitDistance(box(5), 1), target: [0, 2, 0] });
    model.fit();
    sendFraming(box(1), box(1));
    model.zoom(0.5);
    expect(model.view.camera).toMatchObject({ distance: 0.5 * fitDistance(box(1), 1), target: null });
  });

  it("starts at the view of the thumbnail and knows the front", () => {
    const first = { yaw: 145, pitch: 20, frontYaw: 90 };
    model.message({ type: "hello", device: { name: "", software: true }, clips: [], camera: first });
    expect(model.view.camera).toMatchObject({ yaw: 145, pitch: 20 });
    model.preset("front");
    expect(model.view.camera).toMatchObject({ yaw: 90, pitch: 0 });
  });

  it("does not move the camera by itself", () => {
    model.orbit(10, 0);
    const before = model.view.camera;
    model.toggleOverlay("skeleton");
    sendFraming(box(1), box(5));
    expect(model.view.camera).toBe(before);
    model.orbit(10, 0);
    expect(model.view.camera).toMatchObject({ distance: null, target: null });
  });
});

describe("material variants", () => {
  const hello = (variants?: string[]) => model.message({ type: "hello", device: { name: "", software: true }, clips: [], variants });

  it("keeps a selected variant that the server has", () => {
    hello(["Red", "Green"]);
    expect(model.value.variants).toEqual(["Red", "Green"]);
    model.chooseLook({ variant: "Green" });
    hello(["Red", "Green"]); // reconnected
    expect(model.view.variant).toBe("Green");
  });

  it("deselects a level of detail that the server does not have", () => {
    const levels = (count?: number) => model.message({ type: "hello", device: { name: "", software: true }, clips: [], levels: count });
    model.chooseLook({ lod: 2 });
    levels(3);
    expect(model.view.lod).toBe(2);
    expect(model.value.levels).toBe(3);
    levels();
    expect(model.view.lod).toBeNull();
  });

  it("deselects a variant that the server does not have", () => {
    model.chooseLook({ variant: "Blue" });
    hello(["Red", "Green"]);
    expect(model.view.variant).toBeNull();
    model.chooseLook({ variant: "Green" });
    hello(); // a server without variants
    expect(model.value.variants).toEqual([]);
    expect(model.view.variant).toBeNull();
  });
});
