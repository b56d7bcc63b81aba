// VRM and VRMA beside three.js and three-vrm: the joints of characters of VRM 0.x and 1.0 in their static pose, the nodes of motions, and
// a character that performs a motion, within 1e-4 of the model's size. VITRINE_PROGRAM is the path of the program, VITRINE_CORPUS the
// folder of real files; without it only samples are compared.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, it } from "node:test";

import { corpus, describeBesideThree, needsCorpus, program } from "../three/comparison_suite.mjs";

const tolerance = 1e-4;

// {name: [x, y, z]} of `vitrine pose`.
function positions(file, options = []) {
  const { nodes } = JSON.parse(execFileSync(program, ["pose", file, ...options], { maxBuffer: 1 << 28 }));
  return Object.fromEntries(nodes.map(({ name, model }) => [name, model.slice(12, 15)]));
}

const poseAt = (file, time) => positions(file, ["--clip", "0", "--time", `${time}`]);

// The largest deviation of a suite, as a share of the model's size.
let worst = 0;

function expectEqual(actual, expected, what) {
  const names = Object.keys(expected);
  assert.ok(names.length > 20, what);
  const size = Math.max(...Object.values(expected).map((position) => Math.hypot(...position)));
  for (const name of names) {
    assert.ok(actual[name], `${what}: ${name} is missing`);
    const apart = Math.hypot(...actual[name].map((value, axis) => value - expected[name][axis])) / size;
    worst = Math.max(worst, apart);
    assert.ok(apart <= tolerance, `${what}: ${name} is off by ${apart}`);
  }
}

describeBesideThree("VRM beside three-vrm", ({ samples, studio }) => {
  const characters = ["avatar", "avatar0"].map((name) => join(samples, `${name}-vrm`, `${name}.vrm`));
  const motion = join(samples, "bow-vrma", "bow.vrma");
  const times = [0, 0.31, 1, 1.7, 2];

  it("agrees with three-vrm on characters of VRM 1.0 and 0.x", async () => {
    for (const file of characters) expectEqual(positions(file), await studio().vrm(file, "restPose"), file);
  });

  // The sample's joints have the names of VRM 1.0, and its motion has the joints of its character.
  it("agrees with three-vrm on a character that performs a motion", async () => {
    for (const file of characters) {
      const expected = await studio().vrm(file, "performedPoses", { motion, times });
      expected.forEach((pose, i) => expectEqual(poseAt(motion, times[i]), pose, `${file} at ${times[i]} s`));
      const moved = Math.hypot(...expected[0].head.map((value, axis) => value - expected[2].head[axis]));
      assert.ok(moved > 0.1, "the motion moves the head");
    }
  });

  async function expectSameMotion(file, all) {
    const expected = await studio().vrm(file, "motionPoses", { times: all });
    expected.forEach((pose, i) => expectEqual(poseAt(file, all[i]), pose, `${file} at ${all[i]} s`));
  }

  it("agrees with three.js on the motion of a sample", () => expectSameMotion(motion, times));
  it("agrees with three.js on three-vrm's test motion", needsCorpus, () => {
    const file = join(samples, "test.vrma");
    copyFileSync(join(corpus, "three-vrm/test.vrma"), file);
    return expectSameMotion(file, [0, 0.4, 1.25, 2.9, 3]);
  });
  after(() => console.log(`joints off by at most ${worst.toExponential(1)} of the model's size`));
});
