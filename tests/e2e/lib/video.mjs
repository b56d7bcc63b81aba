// The live preview's codecs: the bytes on the socket, the displayed image, and the behavior without a decoder.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvas, firstFrame, stillFrame } from "./page.mjs";

const codecs = { 1: "jpeg", 2: "vp8", 3: "vp9", 4: "png" };

// Runs in the page before its scripts: counts decoded frames, and makes the decoder fail after a number of them.
function instrument({ take, breakAfter }) {
  window.counted = { decoded: 0, made: 0, closed: 0 };
  if (take) return void delete window.VideoDecoder;
  const close = VideoFrame.prototype.close;
  VideoFrame.prototype.close = function () {
    window.counted.closed += 1;
    return close.call(this);
  };
  window.VideoDecoder = class extends VideoDecoder {
    constructor(init) {
      super({
        error: init.error,
        output: (frame) => {
          window.counted.made += 1;
          init.output(frame);
        },
      });
    }
    decode(chunk) {
      window.counted.decoded += 1;
      if (breakAfter > 0 && window.counted.decoded > breakAfter) throw new Error("the decoder was made to break");
      super.decode(chunk);
    }
  };
}

// Records every frame and message of the page's sockets.
function listen(page) {
  const seen = { frames: [], sent: [] };
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => seen.sent.push(JSON.parse(payload)));
    socket.on("framereceived", ({ payload }) => {
      if (typeof payload === "string") return;
      seen.frames.push({ codec: codecs[payload[8]], key: (payload[9] & 1) !== 0, full: (payload[9] & 2) !== 0, input: payload.readUInt32LE(16) });
    });
  });
  return seen;
}

// Stores a small copy of every image on the canvas.
function record(page) {
  return canvas(page).evaluate((source) => {
    window.copies = [];
    new MutationObserver(() => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [96, 64];
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(source, 0, 0, 96, 64);
      window.copies.push({ codec: source.dataset.codec, data: context.getImageData(0, 0, 96, 64).data });
    }).observe(source, { attributeFilter: ["data-codec"] });
  });
}

// If the last two images are a video frame and the still after it, returns the mean difference per channel (0..255) and the shift
// of the colored pixels in red, green and blue.
function lastDifference(page) {
  return page.evaluate(() => {
    const [video, still] = window.copies.slice(-2);
    if (still?.codec !== "jpeg" || video?.codec !== "vp8") return null;
    let [sum, colored] = [0, 0];
    const shift = [0, 0, 0];
    for (let at = 0; at < still.data.length; at += 4) {
      const color = still.data.subarray(at, at + 3);
      const off = [0, 1, 2].map((channel) => video.data[at + channel] - color[channel]);
      for (const value of off) sum += Math.abs(value);
      if (Math.max(...color) - Math.min(...color) < 60) continue;
      colored += 1;
      off.forEach((value, channel) => (shift[channel] += value));
    }
    return { mean: (sum * 4) / 3 / still.data.length, colored, shift: shift.map((value) => value / Math.max(1, colored)) };
  });
}

async function turn(page, by) {
  const box = await canvas(page).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y + 6, { steps: 12 });
  await page.mouse.up();
}

// `scene()`: returns {browser, server, asset} after they were started.
export function videoScenarios(scene) {
  const open = async (query, change) => {
    const { browser, server, asset } = scene();
    const page = await browser.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(instrument, { take: false, breakAfter: 0, ...change });
    const seen = listen(page);
    await page.goto(`${server.url}/assets/${asset.id}${query}`);
    await firstFrame(page);
    return { page, seen };
  };
  const decoders = (seen) => seen.sent.filter(({ type }) => type === "decoder").map(({ codecs: names }) => names);
  const codecOnPage = (page) => page.locator("vt-viewport .codec dd").textContent();

  it("sends motion as video, and the same view at rest as a still", async () => {
    const { page, seen } = await open("?t=0");
    await stillFrame(page);
    await until(() => decoders(seen).length > 0, "what the page decodes");
    assert.deepEqual(decoders(seen), [["vp8", "vp9"]]);
    await record(page);
    // The last video frame and the still may show different views, depending on timing. Small images, which the server
    // sends with load, lose color at edges; decoding BT.601 as BT.709 makes pink 13 redder and 21 greener at every size.
    let difference = null;
    const isClose = () => difference && difference.shift.every((value) => Math.abs(value) < 14);
    await until(async () => {
      const before = seen.frames.length;
      await turn(page, 90);
      await until(() => seen.frames.length > before && seen.frames.at(-1).full, "the still");
      await stillFrame(page);
      const [video, still] = seen.frames.slice(-2);
      const between = seen.sent.filter(({ type, input }) => type === "view" && input > video.input && input <= still.input);
      if (between.every((view) => !view.camera)) difference = await lastDifference(page);
      return isClose();
    }, () => `a video frame close to the still of its view, last ${JSON.stringify(difference)}`);
    assert.ok(difference.mean < 4 && difference.colored > 20, JSON.stringify(difference));
    const video = seen.frames.filter(({ codec }) => codec === "vp8");
    assert.equal(video[0].key, true);
    assert.ok(video.some(({ key }) => !key), "frames between key frames");
    assert.ok(video.every(({ full }) => !full));
    const { made, closed } = await page.evaluate(() => window.counted);
    assert.ok(made > 0);
    assert.equal(closed, made, "every frame of the decoder is closed");
    await page.close();
  });

  it("plays as video and shows the codec", async () => {
    const { page, seen } = await open("?view=31,12"); // no other page has this view: viewers of one view get images
    await until(() => seen.frames.filter(({ codec }) => codec === "vp8").length >= 8, "frames of VP8");
    await until(async () => (await codecOnPage(page)) === "VP8", "the codec among the figures");
    await page.close();
  });

  it("falls back to JPEG when the decoder fails", async () => {
    const { page, seen } = await open("?view=32,12", { breakAfter: 5 });
    await until(() => decoders(seen).at(-1)?.length === 0, "the page to give up video");
    const from = seen.frames.length;
    await until(() => seen.frames.length > from + 10, "more frames");
    assert.ok(seen.frames.slice(-5).every(({ codec }) => codec === "jpeg"));
    await until(async () => (await codecOnPage(page)) === "JPEG", "the codec among the figures");
    await firstFrame(page);
    await page.close();
  });

  it("requests no video if the browser has no decoder", async () => {
    const { page, seen } = await open("", { take: true });
    await until(() => seen.frames.length >= 8, "frames");
    assert.ok(seen.frames.every(({ codec }) => codec === "jpeg"));
    assert.deepEqual(decoders(seen), []);
    await page.close();
  });
}
