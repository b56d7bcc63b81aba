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
  const map = new Float64Array(a.size * a.size);
  for (let channel = 0; channel < 3; channel++)
    similarityMap(plane(a, channel), plane(b, channel), a.size).forEach((value, at) => (map[at] += value / 3));
  const model = Float64Array.from(map, (_, at) => (covered.some(({ rgba }) => rgba[4 * at + 3] > 0) ? 1 : 0));
  const area = summedArea(model, a.size);
  const sum = summedArea(map.map((value, at) => value * model[at]), a.size);
  const all = area(0, 0, a.size);
  let window = 1;
  for (let y = 0; y + windowSize <= a.size; y += 4)
    for (let x = 0; x + windowSize <= a.size; x += 4) {
      const inside = area(x, y, windowSize);
      if (2 * inside >= windowSize ** 2) window = Math.min(window, sum(x, y, windowSize) / inside);
    }
  return { mean: all === 0 ? 1 : sum(0, 0, a.size) / all, window };
}

const windowSize = 16;

// The largest difference (0..1) of a channel's mean in a square of 8 x 8 pixels. SSIM hardly detects another color of an even
// surface.
export function squareColor(a, b) {
  let largest = 0;
  for (let channel = 0; channel < 3; channel++) {
    const [x, y] = [plane(a, channel), plane(b, channel)];
    const sum = summedArea(x.map((value, at) => value - y[at]), a.size);
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
  for (let at = 3; at < a.rgba.length; at += 4) {
    const [inA, inB] = covered.map(({ rgba }) => rgba[at]);
    if (inA > 0 && inB > 0 && Math.abs(inA - inB) <= coverageRounding)
      [a, b].forEach(({ rgba }, which) => (sums[which] += luminance(rgba, at - 3)));
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
  return Float64Array.from({ length: rgba.length / 4 }, (_, at) => rgba[4 * at + channel] / 255);
}

function similarityMap(x, y, size) {
  const product = (p, q) => blur(p.map((value, at) => value * q[at]), size);
  const [mx, my, xx, yy, xy] = [blur(x, size), blur(y, size), product(x, x), product(y, y), product(x, y)];
  const [c1, c2] = [0.01 ** 2, 0.03 ** 2];
  return x.map((_, at) => {
    const means = mx[at] * my[at];
    const squares = mx[at] ** 2 + my[at] ** 2;
    const variances = xx[at] + yy[at] - squares;
    return ((2 * means + c1) * (2 * (xy[at] - means) + c2)) / ((squares + c1) * (variances + c2));
  });
}

const reach = 5;
const weights = Float64Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * 1.5 ** 2)));
const whole = weights.reduce((sum, weight) => sum + weight);

// Separable, with clamped borders.
function blur(plane, size) {
  return pass(pass(plane, size, 1, size), size, size, 1);
}

function pass(plane, size, step, stride) {
  const out = new Float64Array(plane.length);
  for (let line = 0; line < size; line++)
    for (let at = 0; at < size; at++) {
      const center = line * stride + at * step;
      const isInside = at >= reach && at + reach < size; // all taps: the loop without clamping takes a third of the time
      let sum = 0;
      if (isInside) for (let tap = -reach; tap <= reach; tap++) sum += weights[tap + reach] * plane[center + tap * step];
      else
        for (let tap = -reach; tap <= reach; tap++)
          sum += weights[tap + reach] * plane[line * stride + Math.min(size - 1, Math.max(0, at + tap)) * step];
      out[center] = sum / whole;
    }
  return out;
}

// Linear, premultiplied floats, bottom row first -> an image.
export function fromLinear(floats, size) {
  const rgba = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = 4 * ((size - 1 - y) * size + x);
      const to = 4 * (y * size + x);
      const alpha = Math.min(1, floats[from + 3]);
      for (let channel = 0; channel < 3; channel++) rgba[to + channel] = encode(alpha > 0 ? floats[from + channel] / alpha : 0);
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
