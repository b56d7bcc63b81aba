import { describe, expect, it } from "vitest";

import type { Counts } from "../src/api/types";
import { kindsOf } from "../src/state/similar";

const counts = (changes: Partial<Counts>) => ({ triangles: 10, joints: 0, clips: 0, ...changes }) as Counts;

describe("what models are compared by", () => {
  it("is what the model has", () => {
    expect(kindsOf({ counts: counts({}), hasThumbnail: true })).toEqual(["mesh", "picture", "bytes"]);
    expect(kindsOf({ counts: counts({ joints: 3, clips: 1 }), hasThumbnail: true })).toEqual(["mesh", "rig", "motion", "picture", "bytes"]);
    expect(kindsOf({ counts: counts({ triangles: 0, joints: 3, clips: 1 }), hasThumbnail: false })).toEqual(["rig", "motion", "bytes"]);
  });
});
