// Renders one file with both programs and compares the images.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { brightnessChange, overWhite, sideBySide, silhouettes, similarity } from "./metrics.mjs";

const run = promisify(execFile);
export const size = 512;

// Time at which a clip is compared, as a fraction: between keys, away from the start.
const share = 0.37;

// The material colors of these formats are not those of three.js (measured: mean similarity 0.776 and more, brightness up to
// 0.86 apart); only shapes and patterns are compared.
const formatsOfOtherColors = /\.(3ds|fbx|dae)$/i;

// Thresholds for two renderings of the same scene.
export function areAlike({ iou, ssim, brightness }, file = "") {
  if (formatsOfOtherColors.test(file)) return iou > 0.99 && ssim.mean > 0.75 && ssim.window > 0.35;
  return iou > 0.99 && ssim.mean > 0.93 && ssim.window > 0.35 && brightness < 0.03;
}

// Returns the output of `vitrine inspect`. Throws if it fails.
export async function inspect(program, file) {
  const { stdout } = await run(program, ["inspect", file], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

// view: { yaw, pitch }; clip: an index or null for the static pose. -> { iou, ssim: { mean, window }, brightness, picture };
// `picture` shows both images and their difference.
export async function compare(studio, program, file, { clip, clips, yaw, pitch }) {
  const time = clip === null ? 0 : clips[clip].startTime + share * clips[clip].duration;
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pair-"));
  try {
    const output = join(folder, "ours.png");
    const moment = clip === null ? ["--clip", "none"] : ["--clip", `${clip}`, "--file-time", `${time}`];
    const look = ["--light", "reference", "--background", "transparent", "--gpu", "software", `--view=${yaw},${pitch}`];
    await run(program, ["render", file, "-o", output, "--size", `${size}x${size}`, ...look, ...moment]);
    const ours = await studio.decode(readFileSync(output));
    const theirs = await studio.draw(file, { clip, time, yaw, pitch, size });
    const [a, b] = [overWhite(ours), overWhite(theirs)];
    const alike = {
      iou: silhouettes(ours, theirs),
      ssim: similarity(a, b, [ours, theirs]),
      brightness: brightnessChange(a, b, [ours, theirs]),
    };
    return { ...alike, picture: sideBySide(a, b), theirClips: theirs.clips };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
