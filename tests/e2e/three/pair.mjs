// One file drawn by both, and how alike the pictures are.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { brightnessChange, overWhite, sideBySide, silhouettes, similarity } from "./metrics.mjs";

const run = promisify(execFile);
export const size = 512;

// The moment at which a clip is compared: between keys, where it has moved.
const share = 0.37;

// What two renderers of one scene agree in.
export function areAlike({ iou, ssim, brightness }) {
  return iou > 0.99 && ssim.mean > 0.93 && ssim.window > 0.35 && brightness < 0.03;
}

// What `vitrine inspect` says. Throws where it refuses.
export async function inspect(program, file) {
  const { stdout } = await run(program, ["inspect", file], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

// view: { yaw, pitch }; clip: an index or null for the static pose. -> { iou, ssim: { mean, window }, brightness, picture }, `picture` the two and their difference.
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
