// Renders one file with both programs and compares the images.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { darker, localDefects } from "./defects.mjs";
import { brightnessChange, crop, overWhite, sideBySide, silhouettes, similarity, squareColor } from "./metrics.mjs";

const run = promisify(execFile);
export const size = 512;

// Time at which a clip is compared, as a fraction: between keys, away from the start.
const share = 0.37;

// Limits for two renderings of the same scene. Those without limits of their own reach 0.841 in the worst window and 0.093 in the
// worst square.
const limits = { iou: 0.99, mean: 0.93, window: 0.82, square: 0.11, brightness: 0.03 };

// Limits of files whose pictures differ more, with the measured values; the other limits apply to them too.
const otherLimits = [
  // three.js 0.187 does not shade these as declared:
  // it morphs positions without normals: the cloth stays uniformly lit (0.032 and 0.100)
  { title: /flag\.fbx clip/, brightness: 0.04, square: 0.13 },
  // it smooths all faces; the file has them in no smoothing group (0.928, 0.610 and 0.125)
  { title: /osprey\.3ds/, mean: 0.91, window: 0.58, square: 0.14 },
  // Without <diffuse> its material is white; Vitrine's is the neutral gray of undeclared colors (0.455 and 0.199).
  { title: /effect_blinn_ambient_param\.dae/, brightness: 0.47, square: 0.22 },
  // Windows where detail or edges of a pixel's width fall differently:
  { title: /vase\./, window: 0.42 }, // 0.448
  { title: /pins\.glb/, window: 0.61 }, // 0.641
  { title: /robot\.fbx clip/, window: 0.72 }, // 0.755
  { title: /sausage_7500_binary_wiggle\.fbx clip/, window: 0.71 }, // 0.745
  { title: /BoxTextured\.glb/, window: 0.75 }, // 0.786
  { title: /CameraRollAnim\.3ds/, square: 0.155 }, // 0.141
];

// `title`: the file's path, followed by " clip" for an animated pose.
export function areAlike({ iou, ssim, square, brightness }, title = "") {
  const limit = { ...limits, ...otherLimits.find((row) => row.title.test(title)) };
  const { mean, window } = ssim;
  return iou > limit.iou && mean > limit.mean && window > limit.window && square < limit.square && brightness < limit.brightness;
}

// -> { iou, ssim: { mean, window }, square, brightness } of two images with transparent backgrounds
export function measure(ours, theirs) {
  const [a, b] = [overWhite(ours), overWhite(theirs)];
  return {
    iou: silhouettes(ours, theirs),
    ssim: similarity(a, b, [ours, theirs]),
    square: squareColor(a, b),
    brightness: brightnessChange(a, b, [ours, theirs]),
  };
}

// Plants defects into our image. -> the names of those that the comparison does not detect. `alike`: what measure() returned
// without a defect. Local defects are searched in their surroundings only, which takes a sixteenth of the time.
export function undetectedDefects(ours, theirs, alike, title) {
  const dark = darker(ours);
  const brightness = brightnessChange(overWhite(dark), overWhite(theirs), [dark, theirs]);
  const undetected = areAlike({ ...alike, brightness }, title) ? ["darker"] : [];
  for (const { name, picture, x, y } of localDefects(ours, overWhite(ours))) {
    const [left, top] = [x, y].map((at) => Math.max(0, Math.min(ours.size - surroundings, at - surroundings / 2)) & ~3);
    const [near, other] = [picture, theirs].map((whole) => crop(whole, left, top, surroundings));
    const { ssim, square } = measure(near, other);
    if (areAlike({ ...alike, ssim: { mean: alike.ssim.mean, window: ssim.window }, square }, title)) undetected.push(name);
  }
  return undetected;
}

const surroundings = 128; // pixels

// Returns the output of `vitrine inspect`. Throws if it fails.
export async function inspect(program, file) {
  const { stdout } = await run(program, ["inspect", file], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

// view: { yaw, pitch }; clip: an index or null for the static pose. -> what measure() returns, and { picture, undetected }:
// `picture` shows both images and their difference; undetected() returns the names of planted defects that pass.
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
    const alike = measure(ours, theirs);
    const undetected = () => undetectedDefects(ours, theirs, alike, clip === null ? file : `${file} clip`);
    return { ...alike, undetected, picture: sideBySide(overWhite(ours), overWhite(theirs)), theirClips: theirs.clips };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
