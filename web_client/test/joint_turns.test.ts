import { describe, expect, it } from "vitest";

import { turnOf, turnedBy } from "../src/preview/joint_turns";

describe("joints turned by hand", () => {
  it("adds drags to the turns of their joint", () => {
    const once = turnedBy([], 4, 20, -10, false);
    expect(once).toEqual(["4:-5,10,0"]);
    const both = turnedBy(turnedBy(once, 40, 0, 2, false), 4, 6, 99, true);
    expect(both).toEqual(["40:1,0,0", "4:-5,10,3"]);
    expect(turnOf(both, 4)).toEqual([-5, 10, 3]);
    expect(turnOf(both, 7)).toEqual([0, 0, 0]);
  });

  it("keeps angles within half a turn and drops joints that are back", () => {
    expect(turnedBy(["1:0,179,0"], 1, 4, 0, false)).toEqual(["1:0,-179,0"]);
    expect(turnedBy(["1:0,10,0"], 1, -20, 0, false)).toEqual([]);
  });
});
