// Similarity of two images. An image: { size, rgba } with bytes, sRGB, straight alpha, top row first.

// Intersection over union of the pixels covered by two samples of four or more. 1 if both are empty.
const enough = 0.4 * 255;

export function silhouettes(a, b) {
  let both = 0;
  let either = 0;
  for (let at = 3; at < a.rgba.length; at += 4) {
    const [inA, inB] = [a.rgba[at] >= enough, b.rgba[at] >= enough];
    both += inA && inB;
    either += inA || inB;
  }
  return either === 0 ? 1 : both / either;
}

// Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity" (2004): Gaussian window of sigma 1.5,
// three channels. `covered`: images whose alpha is the model's coverage; the empty background, where all images are equal, does
// not count. -> { mean, window }: the mean over the pixels covered by the model in either image, and the lowest mean over the
// covered pixels of a window of 16 x 16 pixels, at every fourth pixel, of which the model covers at least half. 1 if both are
// empty.
export function similarity(a, b, covered) {
  const around = squareAround(modelOf(covered), a.size);
  if (around === null) return { mean: 1, window: 1 };
  const [left, right, ...alphas] = [a, b, ...covered].map((image) => crop(image, around.left, around.top, around.side));
  const { side } = around;
  const model = modelOf(alphas);
  const values = new Float64Array(side * side);
  for (let channel = 0; channel < 3; channel++) addSimilarity(plane(left, channel), plane(right, channel), side, model, values);
  const area = summedArea(model, side);
  const sum = summedArea(values, side);
  let window = 1;
  for (let y = 0; y + windowSize <= side; y += 4)
    for (let x = 0; x + windowSize <= side; x += 4) {
      const inside = area(x, y, windowSize);
      if (2 * inside >= windowSize ** 2) window = Math.min(window, sum(x, y, windowSize) / (3 * inside));
    }
  return { mean: sum(0, 0, side) / (3 * area(0, 0, side)), window };
}

const windowSize = 16;

// -> for each pixel, 1 if the model covers it in one of the images, else 0
function modelOf(covered) {
  const model = new Float64Array(covered[0].rgba.length / 4);
  for (const { rgba } of covered) for (let at = 0; at < model.length; at++) if (rgba[4 * at + 3] > 0) model[at] = 1;
  return model;
}

// The smallest square of the image that holds the model with a window's width around it and begins at multiples of four pixels,
// or null without a model.
function squareAround(model, size) {
  let [left, top, right, bottom] = [size, size, -1, -1];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (model[y * size + x] === 1) {
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), y];
      }
  if (right < 0) return null;
  const extent = Math.max(right - left, bottom - top) + 1 + 2 * windowSize + 3;
  const side = size - (Math.max(0, size - extent) & ~3);
  const begin = (at) => Math.max(0, Math.min(size - side, at - windowSize)) & ~3;
  return { left: begin(left), top: begin(top), side };
}

// The largest difference (0..1) of a channel's mean in a square of 8 x 8 pixels. SSIM hardly detects another color of an even
// surface.
export function squareColor(a, b) {
  let largest = 0;
  for (let channel = 0; channel < 3; channel++) {
    const differences = new Float64Array(a.size * a.size);
    for (let at = 0; at < differences.length; at++) differences[at] = (a.rgba[4 * at + channel] - b.rgba[4 * at + channel]) / 255;
    const sum = summedArea(differences, a.size);
    for (let top = 0; top + squareSize <= a.size; top += 2)
      for (let left = 0; left + squareSize <= a.size; left += 2) largest = Math.max(largest, Math.abs(sum(left, top, squareSize)));
  }
  return largest / squareSize ** 2;
}

const squareSize = 8;

// The part of an image with this upper left corner, which lies in it.
export function crop({ size, rgba }, left, top, side) {
  const part = new Uint8Array(4 * side * side);
  for (let y = 0; y < side; y++) part.set(rgba.subarray(4 * ((top + y) * size + left), 4 * ((top + y) * size + left + side)), 4 * side * y);
  return { size: side, rgba: part };
}

// For opaque images: relative difference of the luminance of the model's pixels in b to that in a. SSIM hardly detects a model
// that is uniformly darker. Only pixels that the model covers equally count: at the border of a dark model the white background
// would outweigh it.
export function brightnessChange(a, b, covered) {
  const sums = [0, 0];
  const [ofA, ofB] = covered.map(({ rgba }) => rgba);
  for (let at = 3; at < a.rgba.length; at += 4) {
    if (ofA[at] === 0 || ofB[at] === 0 || Math.abs(ofA[at] - ofB[at]) > coverageRounding) continue;
    sums[0] += luminance(a.rgba, at - 3);
    sums[1] += luminance(b.rgba, at - 3);
  }
  return Math.abs(sums[1] - sums[0]) / Math.max(sums[0], 1e-9);
}

const coverageRounding = 8; // of 255; less than a sample of eight

function luminance(rgba, at) {
  return 0.2126 * linearOf[rgba[at]] + 0.7152 * linearOf[rgba[at + 1]] + 0.0722 * linearOf[rgba[at + 2]];
}

// -> a function of a rectangle's upper left corner, width and height (its width if absent) that returns its sum
export function summedArea(values, size) {
  const stride = size + 1;
  const sums = new Float64Array(stride * stride);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = (y + 1) * stride + x + 1;
      sums[at] = values[y * size + x] + sums[at - 1] + sums[at - stride] - sums[at - stride - 1];
    }
  return (x, y, width, height = width) => {
    const [top, bottom] = [y * stride, (y + height) * stride];
    return sums[bottom + x + width] - sums[bottom + x] - sums[top + x + width] + sums[top + x];
  };
}

function plane({ rgba }, channel) {
  const out = new Float64Array(rgba.length / 4);
  for (let at = 0; at < out.length; at++) out[at] = rgba[4 * at + channel] / 255;
  return out;
}

// Adds the similarity of each pixel of the model to `values`.
function addSimilarity(x, y, size, model, values) {
  const [mx, my, xx, yy, xy] = [x, y, product(x, x), product(y, y), product(x, y)].map((values) => blur(values, size));
  const [c1, c2] = [0.01 ** 2, 0.03 ** 2];
  for (let at = 0; at < values.length; at++) {
    if (model[at] === 0) continue;
    const means = mx[at] * my[at];
    const squares = mx[at] * mx[at] + my[at] * my[at];
    const variances = xx[at] + yy[at] - squares;
    values[at] += ((2 * means + c1) * (2 * (xy[at] - means) + c2)) / ((squares + c1) * (variances + c2));
  }
}

function product(p, q) {
  const out = new Float64Array(p.length);
  for (let at = 0; at < out.length; at++) out[at] = p[at] * q[at];
  return out;
}

const reach = 5;
const gauss = Float64Array.from({ length: reach + 1 }, (_, distance) => Math.exp(-(distance ** 2) / (2 * 1.5 ** 2)));
const total = gauss.reduce((sum, one) => sum + 2 * one); // the center counts once
const weights = gauss.map((weight) => weight / total); // by distance

// Separable, with clamped borders.
function blur(plane, size) {
  return blurRows(blurRows(plane, size), size);
}

// -> the transposed plane
function blurRows(plane, size) {
  const out = new Float64Array(plane.length);
  const line = new Float64Array(size + 2 * reach); // with its first and last value repeated
  for (let y = 0; y < size; y++) {
    for (let at = 0; at < line.length; at++) line[at] = plane[y * size + clamped(at - reach, size)];
    for (let x = 0; x < size; x++) {
      const center = x + reach;
      let sum = weights[0] * line[center];
      for (let apart = 1; apart <= reach; apart++) sum += weights[apart] * (line[center - apart] + line[center + apart]);
      out[x * size + y] = sum;
    }
  }
  return out;
}

function clamped(at, size) {
  return Math.min(size - 1, Math.max(0, at));
}

// Linear, premultiplied floats, bottom row first -> an image. Called in the page, which so transfers a byte instead of a float.
export function fromLinear(floats, size) {
  const rgba = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = 4 * ((size - 1 - y) * size + x);
      const to = 4 * (y * size + x);
      const alpha = Math.min(1, floats[from + 3]);
      if (!(alpha > 0)) continue; // transparent black
      for (let channel = 0; channel < 3; channel++) rgba[to + channel] = encode(floats[from + channel] / alpha);
      rgba[to + 3] = Math.round(alpha * 255);
    }
  return { size, rgba };
}

// Blends over white in linear light.
export function overWhite({ size, rgba }) {
  const out = new Uint8Array(rgba.length).fill(255);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] / 255;
    for (let channel = 0; alpha > 0 && channel < 3; channel++) {
      const byte = rgba[at + channel];
      out[at + channel] = alpha === 1 ? byte : encode(linearOf[byte] * alpha + 1 - alpha);
    }
  }
  return { size, rgba: out };
}

function encode(linear) {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}

function decode(value) {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const linearOf = Float64Array.from({ length: 256 }, (_, byte) => decode(byte / 255)); // by sRGB byte

// Side by side: a, b, and their difference (white: equal).
export function sideBySide(a, b) {
  const { size } = a;
  const rgba = new Uint8Array(3 * a.rgba.length).fill(255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < 4 * size; x++) {
      const at = 4 * size * y + x;
      const to = 12 * size * y + x;
      rgba[to] = a.rgba[at];
      rgba[to + 4 * size] = b.rgba[at];
      rgba[to + 8 * size] = x % 4 === 3 ? 255 : 255 - Math.min(255, 3 * Math.abs(a.rgba[at] - b.rgba[at]));
    }
  return { width: 3 * size, height: size, rgba };
}
