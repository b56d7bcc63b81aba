// Compares the vertices of one file in both programs.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

// Both ends of a clip, and times between keys.
const shares = [0, 0.13, 0.37, 0.71, 1];

// -> the largest distance from a vertex of one to the nearest of the other, at any time, as a fraction of the model's size. clip:
// an index, or null for the static pose.
export async function distance(studio, program, file, { clip, clips }) {
  const times = clip === null ? [0] : shares.map((share) => clips[clip].startTime + share * clips[clip].duration);
  const theirs = await studio.vertices(file, { clip, times });
  const folder = mkdtempSync(join(tmpdir(), "vitrine-vertices-"));
  try {
    let largest = 0;
    for (const [index, time] of times.entries()) {
      const output = join(folder, "ours.obj");
      const moment = clip === null ? [] : ["--clip", `${clip}`, "--file-time", `${time}`];
      await run(program, ["bake", file, "-o", output, ...moment]);
      const ours = readVertices(output);
      const size = Math.max(sizeOf(ours), 1e-30);
      largest = Math.max(largest, farthest(ours, theirs[index]) / size, farthest(theirs[index], ours) / size);
    }
    return largest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readVertices(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Float64Array(lines.filter((line) => line.startsWith("v ")).flatMap((line) => line.split(" ").slice(1, 4).map(Number)));
}

function sizeOf(places) {
  const sides = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let at = axis; at < places.length; at += 3) [low, high] = [Math.min(low, places[at]), Math.max(high, places[at])];
    return high - low;
  });
  return Math.max(...sides);
}

// Returns the largest distance of up to a thousand evenly selected `these` to the nearest of `those`. A search begins at the same
// share of `those`, because both programs keep the order of most vertices, and ends at one that is as near as that of another.
function farthest(these, those) {
  const count = these.length / 3;
  const others = those.length / 3;
  const step = Math.max(1, Math.floor(count / 1000));
  let largest = 0; // squared, like `nearest`
  for (let a = 0; a < count; a += step) {
    let nearest = Infinity;
    let b = Math.floor((a / count) * others);
    for (let tried = 0; tried < others && nearest > largest; tried++) {
      const x = those[3 * b] - these[3 * a];
      const y = those[3 * b + 1] - these[3 * a + 1];
      const z = those[3 * b + 2] - these[3 * a + 2];
      nearest = Math.min(nearest, x * x + y * y + z * z);
      b = b + 1 === others ? 0 : b + 1;
    }
    largest = Math.max(largest, nearest);
  }
  return Math.sqrt(largest);
}
