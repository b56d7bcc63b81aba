// Plants local defects into an image of a model, which the comparison must detect.
import { summedArea } from "./metrics.mjs";

const side = 10; // of a hole
const [limbWidth, limbHeight] = [16, 40];

// Least mean change over a defect's pixels, of the channel that changes most (0..1).
export const visible = 0.15;

// -> [{ name, picture, x, y, width, height }], with the rectangle that changes:
//   hole     10 x 10 pixels inside the model are transparent
//   painted  16 x 40 pixels inside the model have the mean color of the pixels around them
// Each is where it changes the image least, but by at least `visible`; without such a place it is left out. `over`: the image over
// white.
export function localDefects(picture, over) {
  const white = () => [255, 255, 255, 0];
  const around = (x, y) => meanAround(over, x, y, limbWidth, limbHeight);
  return [
    plant("hole", picture, over, side, side, white),
    plant("painted", picture, over, limbWidth, limbHeight, around),
  ].filter((defect) => defect !== null);
}

// The model at 0.9 of its brightness.
export function darker(picture) {
  const factor = 0.9 ** (1 / 2.2);
  const rgba = Uint8Array.from(picture.rgba);
  for (let at = 0; at < rgba.length; at++) if (at % 4 !== 3) rgba[at] = Math.round(rgba[at] * factor);
  return { size: picture.size, rgba };
}

function plant(name, picture, over, width, height, colorAt) {
  const { size } = picture;
  const opaque = new Float64Array(size * size);
  for (let at = 0; at < opaque.length; at++) opaque[at] = picture.rgba[4 * at + 3] === 255 ? 1 : 0;
  const solid = summedArea(opaque, size);
  let chosen = null;
  for (let y = 0; y + height <= size; y += 4)
    for (let x = 0; x + width <= size; x += 4) {
      if (solid(x, y, width, height) < width * height) continue;
      const color = colorAt(x, y);
      const change = meanChange(over, x, y, width, height, color);
      if (change >= visible && (chosen === null || change < chosen.change)) chosen = { x, y, color, change };
    }
  if (chosen === null) return null;
  const rgba = Uint8Array.from(picture.rgba);
  for (let y = chosen.y; y < chosen.y + height; y++)
    for (let x = chosen.x; x < chosen.x + width; x++) rgba.set(chosen.color, 4 * (y * size + x));
  return { name, picture: { size, rgba }, x: chosen.x, y: chosen.y, width, height };
}

function meanChange({ size, rgba }, left, top, width, height, color) {
  const sums = [0, 0, 0];
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++)
      for (let channel = 0; channel < 3; channel++) sums[channel] += Math.abs(rgba[4 * (y * size + x) + channel] - color[channel]);
  return Math.max(...sums) / (255 * width * height);
}

// Of the pixels that border on a rectangle.
function meanAround({ size, rgba }, left, top, width, height) {
  const sums = [0, 0, 0];
  let count = 0;
  for (let y = Math.max(0, top - 1); y <= Math.min(size - 1, top + height); y++)
    for (let x = Math.max(0, left - 1); x <= Math.min(size - 1, left + width); x++) {
      if (x >= left && x < left + width && y >= top && y < top + height) continue;
      for (let channel = 0; channel < 3; channel++) sums[channel] += rgba[4 * (y * size + x) + channel];
      count++;
    }
  return [...sums.map((sum) => Math.round(sum / count)), 255];
}
