import { describe, expect, it } from "vitest";

import { addressOf, layerText, layerTexts, readLayers, readLent } from "../src/preview/layers";

const walk = { id: "c1", name: "Walk", duration: 1, frameRate: 30 };

describe("layers", () => {
  it("are texts of the API", () => {
    const layer = { clip: "c2", weight: 1, joint: null, additive: false };
    expect(layerText(layer)).toBe("c2*1");
    expect(layerText({ ...layer, weight: 0.35000000000000003, joint: 7 })).toBe("c2*0.35~7");
    expect(layerText({ ...layer, joint: 0, additive: true })).toBe("c2*1~0!add");
    expect(layerText({ ...layer, additive: true, reference: "c1@0.5" })).toBe("c2*1!add=c1@0.5");
    expect(layerText({ ...layer, reference: "c1" })).toBe("c2*1");
  });

  it("play clips of other assets by their addresses", () => {
    const lent = { asset: "as_2", assetName: "Walks", clip: walk };
    expect(addressOf(lent)).toBe("as_2:c1");
    expect(readLent("as_2:c1")).toMatchObject({ asset: "as_2", clip: { id: "c1" } });
    for (const text of ["c1", 3, null, undefined, "frames:1-9", "a:b*2", ":c1"]) expect(readLent(text)).toBe(null);
    const layer = { clip: addressOf(lent), weight: 0.5, joint: null, additive: false };
    expect(layerTexts([layer])).toEqual(["as_2:c1*0.5"]);
    expect(readLayers(["as_2:c1*0.5"])).toEqual([layer]);
  });

  it("keep the clip that they are relative to", () => {
    const texts = ["c2*0.5!add=c1", "c0*1~7!add=c1@0.25", "c0*1!add=as_2:c3@1"];
    const layers = readLayers(texts);
    expect(layers.map(({ reference }) => reference)).toEqual(["c1", "c1@0.25", "as_2:c3@1"]);
    expect(layerTexts(layers)).toEqual(texts);
    expect(readLayers(["c2*0.5=c1", "c2*0.5!add=", "c2*0.5!add=c1@x", "c2*0.5!add=c1~7"])).toEqual([]);
  });

  it("are read back from their texts", () => {
    const texts = ["c2*0.5", "c0*0.35~7!add"];
    const layers = readLayers(texts);
    expect(layers).toEqual([
      { clip: "c2", weight: 0.5, joint: null, additive: false },
      { clip: "c0", weight: 0.35, joint: 7, additive: true },
    ]);
    expect(layerTexts(layers)).toEqual(texts);
    expect(readLayers(["x", "a*b", "c1*9~arm", "c1*3", "as_2:c1", "a:b:c*1"])).toEqual([{ clip: "c1", weight: 1, joint: null, additive: false }]);
    expect(readLayers(Array.from({ length: 99 }, () => "c1*1")).length).toBe(8);
  });
});
