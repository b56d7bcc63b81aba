// BVH beside three.js' BVHLoader, in Node: position and orientation of every joint and end site within 1e-4 of the figure's size, once
// three.js' positions are multiplied by the unit that Vitrine chooses and reports. Joints are compared in the order of the file, because
// three.js calls every end site ENDSITE. VITRINE_PROGRAM is the path of the program, VITRINE_BVH_FILES that of one
// that writes BVH files of rigs of the tests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const program = process.env.VITRINE_PROGRAM;
const captured = "/usr/share/assimp/models/BVH";
const tolerance = 1e-4;
const frameTimes = ["0.0083333", "0.0416667", "0.1", "0.5", "1", "0.033333333"];

const three = await import("../three/bvh.mjs").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
});

const vitrine = (...words) => JSON.parse(execFileSync(program, words, { maxBuffer: 1 << 28 }));
const unitOf = (file) => vitrine("inspect", file).fileSpace.unitMetres;
const warningsOf = (file) => vitrine("inspect", file).warnings.map(({ code }) => code);
const vitrinePose = (file, time) => vitrine("pose", file, "--clip", "0", "--time", `${time}`).nodes.map(({ model }) => model);
const positionOf = (matrix) => matrix.slice(12, 15);

// Of the box of all joints.
function sizeOf(pose) {
  const sides = [12, 13, 14].map((element) => {
    const values = pose.map((matrix) => matrix[element]);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(...sides);
}

// Key times, times between keys, and both ends.
const timesOf = (duration) => (duration === 0 ? [0] : [0, 0.137, 0.5, 0.81, 1].map((share) => share * duration));

// The largest deviations of what agrees: of positions as shares of the figure's size, of elements of rotation matrices.
const worst = { position: 0, rotation: 0 };

function expectEqual(actual, expected, unit, what) {
  assert.equal(actual.length, expected.length, `${what}: number of joints`);
  const size = sizeOf(expected);
  assert.ok(size > 0, what);
  expected.forEach((matrix, joint) => {
    const apart = Math.hypot(...positionOf(actual[joint]).map((value, axis) => value / unit - matrix[12 + axis])) / size;
    const turned = Math.max(...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((element) => Math.abs(actual[joint][element] - matrix[element])));
    assert.ok(apart <= tolerance && turned <= tolerance, `${what}: joint ${joint} is off by ${apart}, its axes by ${turned}`);
    worst.position = Math.max(worst.position, apart);
    worst.rotation = Math.max(worst.rotation, turned);
  });
}

const distance = (a, b) => Math.hypot(...positionOf(a).map((value, axis) => value - b[12 + axis]));

// `references`: texts of one root each, whose joints are those of the file together.
function expectSamePoses(file, references) {
  const all = references.map((text) => three.threePoses(text, timesOf));
  const times = timesOf(all[0].duration);
  const unit = unitOf(file);
  const expected = times.map((_, i) => all.flatMap(({ poses }) => poses[i]));
  times.forEach((time, i) => expectEqual(vitrinePose(file, time), expected[i], unit, `${file} at ${time} s`));
  const moved = Math.max(...expected[0].map((matrix, joint) => distance(matrix, expected[Math.min(2, times.length - 1)][joint])));
  assert.ok(times.length === 1 || moved > 10 * tolerance * sizeOf(expected[0]), `${file} moves`);
}

describe("BVH beside three.js", { skip: three ? false : "no three.js: script/web installs it" }, () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-bvh-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    const [position, rotation] = [worst.position, worst.rotation].map((value) => value.toExponential(1));
    console.log(`joints off by at most ${position} of the figure's size, elements of their rotation matrices by ${rotation}`);
  });

  const write = (name, text) => {
    const file = join(folder, `${name}.bvh`);
    writeFileSync(file, text);
    return file;
  };
  const isSame = (name, text, references = [text]) => {
    const file = write(name, text);
    expectSamePoses(file, references);
    return file;
  };
  // Calls use(random, name) for figures that differ; `frames` and `frameTime` too.
  const forFigures = (count, kind, use) => {
    for (let i = 0; i < count; ++i) {
      const shape = { frames: 1 + ((i * 3) % 8), frameTime: frameTimes[i % frameTimes.length] };
      use(three.randomNumbers(100 * kind.length + i), `${kind}${i}`, shape);
    }
  };

  it("agrees on motion capture", { skip: existsSync(captured) ? false : "no assimp-testmodels" }, () => {
    const files = readdirSync(captured).filter((name) => name.endsWith(".bvh"));
    assert.ok(files.length >= 3);
    files.forEach((name) => expectSamePoses(join(captured, name), [readFileSync(join(captured, name), "utf8")]));
  });

  // Also of joints that move along their bones: no position is added to an OFFSET.
  it("agrees on the files that Vitrine writes", () => {
    const samples = join(folder, "samples");
    execFileSync(program, ["samples", samples], { stdio: "ignore" });
    execFileSync(process.env.VITRINE_BVH_FILES, [samples]);
    const files = readdirSync(samples, { recursive: true }).filter((name) => name.endsWith(".bvh"));
    assert.ok(files.length >= 2);
    files.forEach((name) => {
      const file = join(samples, name);
      expectSamePoses(file, [readFileSync(file, "utf8")]);
      assert.ok(!warningsOf(file).includes("bvh_relative_positions"), file);
    });
  });

  // The format's description (University of Wisconsin, CS 838) adds the translation of a root to its OFFSET, as three.js does; files that
  // follow it have positions near zero, to which Vitrine adds the OFFSET, too.
  it("agrees on channels in any order whose positions are added to OFFSET", () =>
    forFigures(12, "relative", (random, name, { frames, frameTime }) => {
      const file = isSame(name, three.bvhText([three.randomFigure(random, { frames, relative: true })], frameTime));
      assert.ok(warningsOf(file).includes("bvh_relative_positions"), file);
    }));

  // MotionBuilder, Blender and others write positions that contain the OFFSET, and read them so. By the letter of the description three.js is
  // right to add it, but then these figures stand at twice their height: Vitrine is right about what their writers mean. Both agree if
  // three.js has no OFFSET to add.
  it("takes positions near OFFSET for positions, where three.js adds them", () =>
    forFigures(12, "absolute", (random, name, { frames, frameTime }) => {
      const figure = three.randomFigure(random, { frames, relative: false });
      const text = three.bvhText([figure], frameTime);
      const file = isSame(name, text, [three.bvhText([three.withoutReplacedOffsets(figure)], frameTime)]);
      assert.ok(!warningsOf(file).includes("bvh_relative_positions"), file);
      assert.throws(() => expectSamePoses(file, [text]), /is off by/, "three.js adds OFFSET");
    }));

  // three.js reads one root.
  it("agrees on each root of a file with several", () =>
    forFigures(4, "several", (random, name, { frames, frameTime }) => {
      const figures = ["a", "b", "c"].map((prefix) => three.randomFigure(random, { prefix, frames, relative: true }));
      isSame(name, three.bvhText(figures, frameTime), figures.map((figure) => three.bvhText([figure], frameTime)));
    }));

  it("agrees on line ends, blanks and exponents of other writers", () => {
    const figure = three.randomFigure(three.randomNumbers(5), { frames: 4, relative: true });
    const text = three.bvhText([figure], "4.1667e-2");
    isSame("crlf", text.replaceAll("\n", "\r\n"));
    isSame("blanks", text.replaceAll("\n", "\t\n  \n\t"));
    isSame("numbers", text.replace(/(\d+\.\d+)(?=\s)/g, "$1e+0"));
  });
});
