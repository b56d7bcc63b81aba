import { describe, expect, it } from "vitest";

import { matchCount, visibleRows } from "../src/state/tree";
import { wholeJoint as joint } from "./shapes";

const joints = [joint(0, "root", null), joint(1, "spine", 0), joint(2, "head", 1), joint(3, "leg.L", 0), joint(4, "leg.R", 0)];
const names = (collapsed: number[] = [], search = "") => visibleRows(joints, new Set(collapsed), search).map((row) => row.joint.name);

describe("skeleton rows", () => {
  it("lists depth first with levels and positions", () => {
    const rows = visibleRows(joints, new Set(), "");
    expect(rows.map((row) => row.level)).toEqual([1, 2, 3, 2, 2]);
    expect(rows[4]).toMatchObject({ position: 3, siblings: 3, children: 0 });
  });

  it("omits collapsed rows", () => {
    expect(names([1])).toEqual(["root", "spine", "leg.L", "leg.R"]);
    expect(names([0])).toEqual(["root"]);
  });

  it("shows the ancestors of matches even if they are collapsed", () => {
    expect(names([0, 1], "HEAD")).toEqual(["root", "spine", "head"]);
    expect(matchCount(joints, "leg")).toBe(2);
    expect(names([], "tail")).toEqual([]);
  });

  it("accepts missing parents and joints that are their own parent", () => {
    const rows = visibleRows([joint(0, "a", 7), joint(1, "b", 1), joint(2, "c", -1)], new Set(), "");
    expect(rows.map((row) => row.level)).toEqual([1, 1, 1]);
  });
});
