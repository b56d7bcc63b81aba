import { describe, expect, it } from "vitest";

import { ghostsText, readCrowd, readGhosts } from "../src/preview/instances";

describe("ghosts", () => {
  it("are texts of the API", () => {
    expect(ghostsText({ before: 3, after: 0, seconds: 0.1 })).toBe("3,0@0.1");
    expect(ghostsText({ before: 0, after: 16, seconds: 0.30000000000000004 })).toBe("0,16@0.3");
    expect(ghostsText({ before: 0, after: 0, seconds: 2 })).toBe(null);
  });

  it("are read back", () => {
    expect(readGhosts("3")).toEqual({ before: 3, after: 3, seconds: 0.1 });
    expect(readGhosts("0,2")).toEqual({ before: 0, after: 2, seconds: 0.1 });
    expect(readGhosts("4@1.5")).toEqual({ before: 4, after: 4, seconds: 1.5 });
    for (const wrong of [null, "", "x", "17", "1,17", "1@0", "1@61", "-1", "1,2,3", "1.5"])
      expect(readGhosts(wrong)).toEqual({ before: 0, after: 0, seconds: 0.1 });
  });
});

describe("crowds", () => {
  it("have a size that the API takes", () => {
    expect([null, "1", "10000"].map(readCrowd)).toEqual([1, 1, 10000]);
    expect(["", "0", "-3", "2.5", "10001", "x"].map(readCrowd)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
