import { describe, expect, it } from "vitest";

import { addressOf, layerText, layerTexts, readLayers } from "../src/preview/layers";

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

  it("are above a clip of another asset", () => {
    const lent = { asset: "as_2", assetName: "Walks", clip: walk };
    expect(addressOf(lent)).toBe("as_2:c1");
    expect(layerTexts(lent, [{ clip: "c2", weight: 0.5, joint: null, additive: false }])).toEqual(["as_2:c1", "c2*0.5"]);
    expect(layerTexts(null, [])).toEqual([]);
  });

  it("keep the clip that they are relative to", () => {
    const texts = ["c2*0.5!add=c1", "c0*1~7!add=c1@0.25", "c0*1!add=as_2:c3@1"];
    const { layers } = readLayers(texts);
    expect(layers.map(({ reference }) => reference)).toEqual(["c1", "c1@0.25", "as_2:c3@1"]);
    expect(layerTexts(null, layers)).toEqual(texts);
    expect(readLayers(["c2*0.5=c1", "c2*0.5!add=", "c2*0.5!add=c1@x", "c2*0.5!add=c1~7"]).layers).toEqual([]);
  });

  it("are read back from their texts", () => {
    const texts = ["as_2:c1", "c2*0.5", "c0*0.35~7!add"];
    const { lent, layers } = readLayers(texts);
    expect(lent).toMatchObject({ asset: "as_2", clip: { id: "c1" } });
    expect(layers).toEqual([
      { clip: "c2", weight: 0.5, joint: null, additive: false },
      { clip: "c0", weight: 0.35, joint: 7, additive: true },
    ]);
    expect(layerTexts(lent, layers)).toEqual(texts);
    expect(readLayers(["x", "a*b", "c1*9~arm", "c1*3", "as_2:c1"])).toEqual({ lent: null, layers: [{ clip: "c1", weight: 1, joint: null, additive: false }] });
    expect(readLayers(Array.from({ length: 99 }, () => "c1*1")).layers.length).toBe(8);
  });
});
