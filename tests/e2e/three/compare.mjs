// node three/compare.mjs [--out DIR] [--all] FILE...: renders files with `vitrine render --light reference` and with three.js;
// prints one line each with the silhouettes' IoU, the colors' SSIM over the model and in its worst window, the color of
// the worst square, and the change of brightness. DIR gets the pairs that differ, side by side with their difference; --all: every pair. VITRINE_PROGRAM is the path
// of the program.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { areAlike, compare, inspect } from "./compare_pair.mjs";
import { openStudio } from "./studio.mjs";

const options = { out: { type: "string", default: "/tmp/vitrine-three" }, all: { type: "boolean", default: false } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const program = process.env.VITRINE_PROGRAM ?? "build/release/bin/vitrine";
mkdirSync(values.out, { recursive: true });
const studio = await openStudio();
const tally = { agree: 0, disagree: 0, rejected: 0 };
try {
  for (const file of positionals) await look(file);
} finally {
  await studio.close();
}
console.log(JSON.stringify(tally));

async function look(file) {
  let report;
  try {
    report = await inspect(program, file);
  } catch {
    return;
  }
  const moves = report.clips.length > 0 && /\.(gl(tf|b)|fbx|dae)$/i.test(file);
  for (const clip of moves ? [null, 0] : [null]) {
    const name = clip === null ? file : `${file} clip ${clip}`;
    try {
      const { iou, ssim, square, brightness, picture } = await compare(studio, program, file, { clip, clips: report.clips, yaw: 30, pitch: 15 });
      const agrees = areAlike({ iou, ssim, square, brightness }, name);
      tally[agrees ? "agree" : "disagree"]++;
      console.log(`${agrees ? "     " : "DIFF "} ${iou.toFixed(4)} ${ssim.mean.toFixed(4)} ${ssim.window.toFixed(4)} ${square.toFixed(4)} ${brightness.toFixed(4)} ${name}`);
      if (!agrees || values.all) writeFileSync(join(values.out, `${name.replaceAll(/[^\w.-]+/g, "_").slice(-120)}.png`), await studio.encode(picture));
    } catch (error) {
      tally.rejected++;
      console.log(`error ${name}: ${String(error.message ?? error).split("\n").slice(0,3).join(" | ").slice(0, 400)}`);
    }
  }
}
