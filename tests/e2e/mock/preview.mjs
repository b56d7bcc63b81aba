// The mock's side of vitrine.preview.v1: newest view first, two credits, no frames without a change.
import { draw, png } from "./image.mjs";

const bounds = [-1, -1, -1, 1, 1.4, 1];

export function preview(peer, asset) {
  const view = { camera: { yaw: 35, pitch: 20, distance: null, target: null }, clip: null, variant: null, time: 0, playing: false, speed: 1, loop: "repeat", width: 0, height: 0, overlays: [], background: null, moving: false };
  let [credits, sequence, input, dirty, last] = [2, 0, 0, false, Date.now()];
  peer.text({
    type: "hello",
    protocol: "vitrine.preview.v1",
    asset: asset.id,
    device: { name: "mock rasterizer (node)", software: true },
    codecs: ["png"],
    limits: { width: 4096, height: 4096, unacknowledged: 2 },
    clips: asset.clips,
    variants: asset.variants,
    bounds: asset.bounds,
    camera: { yaw: 120, pitch: 15, frontYaw: 90 },
  });
  peer.onText = (text) => {
    const message = JSON.parse(text);
    if (message.type === "ack") credits += 1;
    if (message.type === "pick") peer.text({ type: "picked", id: message.id, hit: pick(message) });
    if (message.type === "step") step(message.steps);
    if (message.type !== "view") return;
    if (message.variant && !asset.variants.includes(message.variant)) return peer.text({ type: "problem", code: "bad_value", detail: "variant is not a material variant of this asset" });
    if (message.clip !== undefined && message.clip !== view.clip) {
      view.time = 0;
      peer.text({ type: "framing", clip: message.clip, bounds: asset.bounds, fit: asset.bounds });
    }
    Object.assign(view, message);
    input = message.input ?? input;
    dirty = true;
  };
  const timer = setInterval(() => {
    const now = Date.now();
    advance((now - last) / 1000);
    last = now;
    if (dirty && credits > 0 && view.width > 0) send();
  }, 33);
  peer.onClose = () => clearInterval(timer);

  // Keys are a quarter of a second apart.
  function step(steps) {
    const clip = asset.clips[view.clip];
    if (!clip) return peer.text({ type: "problem", code: "cannot_step", detail: "no clip is shown" });
    const [spacing, last] = [0.25, Math.floor(clip.duration / 0.25)];
    const at = steps > 0 ? Math.floor(view.time / spacing + 1e-6) : Math.ceil(view.time / spacing - 1e-6);
    const key = (((at + steps) % (last + 1)) + last + 1) % (last + 1);
    Object.assign(view, { time: key * spacing, playing: false });
    dirty = true;
    const here = { key, time: view.time };
    peer.text({ type: "state", clip: view.clip, time: view.time, playing: false });
    const neighbors = { previous: key > 0 ? view.time - spacing : null, next: key < last ? view.time + spacing : null };
    peer.text({ type: "stepped", clip: view.clip, time: view.time, at: { time: view.time, from: here, to: here, blend: 0, interpolation: "linear", ...neighbors } });
  }

  // The model covers the middle of the image.
  function pick({ x, y }) {
    if (Math.hypot(x - 0.5, y - 0.5) > 0.1) return null;
    const rigged = asset.counts.joints > 0;
    return { node: { index: 0, name: "body" }, mesh: { index: 0, name: "body" }, material: null, joint: rigged ? { node: 1, name: "hips", weight: 0.75 } : null, triangle: 5 };
  }

  function advance(seconds) {
    const clip = asset.clips[view.clip];
    if (!view.playing || !clip) return;
    view.time = (((view.time + seconds * view.speed) % clip.duration) + clip.duration) % clip.duration;
    dirty = true;
  }

  // Small images keep the mock fast; the page scales them.
  function send() {
    const scale = Math.min(1, 420 / Math.max(view.width, view.height));
    const [width, height] = [Math.max(1, Math.round(view.width * scale)), Math.max(1, Math.round(view.height * scale))];
    const began = process.hrtime.bigint();
    const image = draw(asset.seed, { ...view, variant: view.variant ?? asset.variants[0] }, width, height);
    const drawn = process.hrtime.bigint();
    const payload = png(width, height, image);
    const done = process.hrtime.bigint();
    peer.binary(Buffer.concat([header(width, height, Number(drawn - began) / 1000, Number(done - drawn) / 1000), payload]));
    credits -= 1;
    dirty = false;
  }

  function header(width, height, renderMicros, encodeMicros) {
    const bytes = Buffer.alloc(64);
    bytes.write("VTRF", 0, "latin1");
    bytes.writeUInt16LE(1, 4);
    bytes.writeUInt16LE(64, 6);
    bytes[8] = 4;
    bytes[9] = view.moving ? 1 : 3;
    bytes.writeUInt32LE(++sequence, 12);
    bytes.writeUInt32LE(input, 16);
    bytes.writeUInt16LE(width, 20);
    bytes.writeUInt16LE(height, 22);
    bytes.writeDoubleLE(view.time, 24);
    bounds.forEach((value, index) => bytes.writeFloatLE(value, 32 + 4 * index));
    bytes.writeUInt32LE(Math.round(renderMicros), 56);
    bytes.writeUInt32LE(Math.round(encodeMicros), 60);
    return bytes;
  }
}
