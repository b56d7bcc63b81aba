// Images for the mock server: a chain of shaded balls that bends with time, rendered in JavaScript and encoded as PNG.
import * as zlib from "node:zlib";

const degree = Math.PI / 180;

// Node 18 has no zlib.crc32.
const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const checksum =
  zlib.crc32 ??
  ((bytes) => {
    let c = 0xffffffff;
    for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  });

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(checksum(body), body.length + 4);
  return out;
}

export function png(width, height, rgba) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", zlib.deflateSync(rows, { level: 1 })), chunk("IEND", Buffer.alloc(0))]);
}

// Returns the balls of the figure at a time, in meters.
function figure(seed, clip, time) {
  const balls = [];
  let [x, y, z] = [0, -0.8, 0];
  for (let index = 0; index < 12; index += 1) {
    balls.push({ x, y, z, r: 0.3 - index * 0.015 });
    const bend = 0.5 * Math.sin(time * Math.PI * (clip + 1) + index * 0.4 + seed);
    x += 0.17 * Math.sin(bend);
    y += 0.17 * Math.cos(bend);
    z += 0.06 * Math.sin(seed * 3 + index);
  }
  return balls;
}

function backdrop(rgba, width, height, background) {
  const named = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(background ?? "");
  for (let y = 0; y < height; y += 1) {
    const shade = 232 - (46 * y) / height;
    const color = named ? named.slice(1).map((part) => parseInt(part, 16)) : [shade, shade + 2, shade];
    const alpha = background === "transparent" ? 0 : 255;
    for (let x = 0; x < width; x += 1) rgba.set([...color, alpha], (y * width + x) * 4);
  }
}

function ball(rgba, width, height, cx, cy, radius, color) {
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y += 1) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x += 1) {
      const [u, v] = [(x - cx) / radius, (y - cy) / radius];
      const inside = 1 - u * u - v * v;
      if (inside <= 0) continue;
      const light = 0.35 + 0.65 * Math.max(0, 0.6 * Math.sqrt(inside) - 0.45 * u - 0.6 * v);
      rgba.set([color[0] * light, color[1] * light, color[2] * light, 255], (y * width + x) * 4);
    }
  }
}

const colors = [[236, 138, 92], [92, 158, 214], [128, 190, 122], [214, 178, 84]];
const variantColors = { Red: [214, 40, 40], Green: [40, 180, 40] };

// Renders into `rgba` of width x height; `view` has the members of the preview protocol.
export function draw(seed, view, width, height) {
  const rgba = new Uint8ClampedArray(width * height * 4);
  backdrop(rgba, width, height, view.background);
  const { yaw, pitch, distance } = view.camera;
  const [sy, cy, sp, cp] = [Math.sin(yaw * degree), Math.cos(yaw * degree), Math.sin(pitch * degree), Math.cos(pitch * degree)];
  const scale = ((0.5 * height) / Math.tan(22.5 * degree)) / (distance ?? 4);
  const [tx, ty, tz] = view.camera.target ?? [0, 0.1, 0];
  const projected = figure(seed, view.clip ?? 0, view.clip === null ? 0 : view.time).map((b) => {
    const [x, y, z] = [b.x - tx, b.y - ty, b.z - tz];
    return { x: cy * x - sy * z, y: -sy * sp * x + cp * y - cy * sp * z, depth: sy * cp * x + sp * y + cy * cp * z, r: b.r };
  });
  const color = view.surface === "clay" ? [160, 150, 140] : (variantColors[view.variant] ?? colors[seed % 4]);
  projected.sort((a, b) => a.depth - b.depth);
  for (const p of projected) ball(rgba, width, height, width / 2 + p.x * scale, height / 2 - p.y * scale, p.r * scale, color);
  if (view.overlays?.includes("skeleton")) for (const p of projected) ball(rgba, width, height, width / 2 + p.x * scale, height / 2 - p.y * scale, 6, [30, 220, 255]);
  if (view.overlays?.includes("wireframe")) stripes(rgba, width, height);
  return rgba;
}

function stripes(rgba, width, height) {
  for (let y = 0; y < height; y += 8) for (let x = 0; x < width; x += 1) rgba.set([20, 20, 20, 255], (y * width + x) * 4);
}

export const stillView = { camera: { yaw: 35, pitch: 20, distance: null, target: null }, clip: 0, time: 0.2, overlays: [], background: null };

export function still(seed, size, time = 0.2) {
  return png(size, size, draw(seed, { ...stillView, time }, size, size));
}

export function sheet(seed, frames, size, duration) {
  const columns = Math.ceil(Math.sqrt(frames));
  const rows = Math.ceil(frames / columns);
  const rgba = new Uint8ClampedArray(columns * rows * size * size * 4);
  for (let frame = 0; frame < frames; frame += 1) {
    const tile = draw(seed, { ...stillView, time: (frame / frames) * duration }, size, size);
    const [left, top] = [(frame % columns) * size, Math.floor(frame / columns) * size];
    for (let y = 0; y < size; y += 1) rgba.set(tile.subarray(y * size * 4, (y + 1) * size * 4), ((top + y) * columns * size + left) * 4);
  }
  return { bytes: png(columns * size, rows * size, rgba), columns, rows };
}
