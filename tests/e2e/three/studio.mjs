// A browser with three.js that renders the reference images, and a local server that serves the models to it.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { openBrowser } from "../lib/browser.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const three = fileURLToPath(new URL("../node_modules/three/", import.meta.url));
const pixiv = fileURLToPath(new URL("../node_modules/@pixiv/", import.meta.url));
const types = { html: "text/html", mjs: "text/javascript", js: "text/javascript", wasm: "application/wasm" };

// SwiftShader: the same WebGL implementation on every machine.
const webgl = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

// draw(file, { clip, time, yaw, pitch, size }) -> picture; vertices(file, { clip, times }) -> Float32Array for each time; decode(png) -> picture; encode(picture) -> png.
export async function openStudio() {
  let folder = here;
  let motionFolder = here;
  const server = createServer(async (request, response) => {
    const [, root, path] = /^\/(page|three|pixiv|model|motion)\/(.*)$/.exec(decodeURIComponent(request.url.split("?")[0])) ?? [];
    const base = { page: here, three, pixiv, model: folder, motion: motionFolder }[root];
    try {
      const bytes = await readFile(join(base, normalize(`/${path}`)));
      response.writeHead(200, { "content-type": types[path.split(".").pop()] ?? "application/octet-stream", "cache-control": "no-store" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const browser = await openBrowser(webgl);
  const { page } = browser;

  const open = async () => {
    await page.goto(`${url}/page/page.html`);
    await page.waitForFunction(() => window.ready, null, { timeout: 60_000 });
  };
  await open();

  // The page and the served folder are of one model at a time.
  let previous = Promise.resolve();
  const inTurn = (use) => {
    const turn = previous.then(use);
    previous = turn.catch(() => {});
    return turn;
  };

  return {
    draw: (file, options) => inTurn(async () => {
      folder = dirname(file);
      const address = `${url}/model/${encodeURIComponent(file.slice(folder.length + 1))}`;
      const drawing = page.evaluate((request) => window.drawModel(request), { url: address, ...options });
      const { pixels, clips } = await limited(drawing, 60_000, open);
      return { clips, size: options.size, rgba: Buffer.from(pixels, "base64") };
    }),
    vertices: (file, options) => inTurn(async () => {
      folder = dirname(file);
      const address = `${url}/model/${encodeURIComponent(file.slice(folder.length + 1))}`;
      const posing = page.evaluate((request) => window.verticesOf(request), { url: address, ...options });
      return (await limited(posing, 60_000, open)).map((text) => {
        const bytes = new Uint8Array(Buffer.from(text, "base64"));
        return new Float32Array(bytes.buffer, 0, bytes.length / 4);
      });
    }),
    // Calls a function of vrm.mjs. `motion`: a second file.
    vrm: (file, action, { motion = file, ...options } = {}) => inTurn(() => {
      [folder, motionFolder] = [dirname(file), dirname(motion)];
      const request = { url: `${url}/model/${basename(file)}`, motionUrl: `${url}/motion/${basename(motion)}`, ...options };
      const posing = page.evaluate(async ([name, args]) => (await import("/page/vrm.mjs"))[name](args), [action, request]);
      return limited(posing, 60_000, open);
    }),
    async decode(png) {
      const rgba = Buffer.from(await page.evaluate((text) => window.decodePicture(text), png.toString("base64")), "base64");
      return { size: Math.sqrt(rgba.length / 4), rgba };
    },
    async encode({ width, height, rgba }) {
      const request = [Buffer.from(rgba).toString("base64"), width, height];
      return Buffer.from(await page.evaluate((args) => window.encodePicture(...args), request), "base64");
    },
    async close() {
      await browser.close();
      server.closeAllConnections?.();
      server.close();
    },
  };
}

// For some files three.js never finishes: then the page is reopened.
async function limited(promise, milliseconds, recover) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds)));
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    promise.catch(() => {});
    await recover();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
