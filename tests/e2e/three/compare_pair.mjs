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

// Limits for two renderings of the same scene.
const limits = { iou: 0.99, mean: 0.93, window: 0.35, brightness: 0.03 };

// Limits of files that three.js 0.187 does not shade as declared; the other limits apply to them too.
const otherLimits = [
  { title: /flag\.fbx clip/, brightness: 0.04 }, // it morphs positions without normals: the cloth stays uniformly lit (0.032)
  { title: /osprey\.3ds/, mean: 0.91 }, // it smooths all faces; the file has them in no smoothing group (0.928)
  // Without <diffuse> its material is white; Vitrine's is the neutral gray of undeclared colors (0.455).
  { title: /effect_blinn_ambient_param\.dae/, brightness: 0.47 },
];

// `title`: the file's path, followed by " clip" for an animated pose.
export function areAlike({ iou, ssim, brightness }, title = "") {
  const limit = { ...limits, ...otherLimits.find((row) => row.title.test(title)) };
  return iou > limit.iou && ssim.mean > limit.mean && ssim.window > limit.window && brightness < limit.brightness;
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
    const [, theirs] = await Promise.all([
      run(program, ["render", file, "-o", output, "--size", `${size}x${size}`, ...look, ...moment]),
      studio.draw(file, { clip, time, yaw, pitch, size }),
    ]);
    const ours = await studio.decode(readFileSync(output));
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
