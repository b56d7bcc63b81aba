// A small server that implements api/ for the page and its tests. Not part of the bundle.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { joints, Library, materials } from "./library.mjs";
import { sheet, still } from "./image.mjs";
import { preview } from "./preview.mjs";
import { accept } from "./websocket.mjs";

const dist = fileURLToPath(new URL("../../../web_client/dist/", import.meta.url));
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

// Returns {url, library, close()}; port 0 selects a free port. `limits.viewers`: live previews at a time.
export async function startMock({ count = 12, port = 0, library = new Library(count), limits = { viewers: 32 } } = {}) {
  const sockets = new Set();
  library.limits = limits;
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://mock");
    Promise.resolve(answer(library, request, response, url)).catch((error) => problem(response, 500, "mock", String(error)));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket) => {
    const asset = library.assets.get(/^\/v1\/assets\/([^/]+)\/preview$/.exec(request.url)?.[1]);
    if (!asset) return socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    if (library.viewers >= limits.viewers) return socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    library.viewers += 1;
    socket.on("close", () => (library.viewers -= 1));
    preview(accept(request, socket, "vitrine.preview.v1"), asset);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    port: server.address().port,
    library,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function json(response, status, body, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function problem(response, status, code, detail, errors = []) {
  response.writeHead(status, { "Content-Type": "application/problem+json" });
  response.end(JSON.stringify({ type: "about:blank", title: code, status, code, detail, errors }));
}

function sendImage(response, bytes) {
  response.writeHead(200, { "Content-Type": "image/png", "Cache-Control": "no-cache" });
  response.end(bytes);
}

function answer(library, request, response, url) {
  const { pathname } = url;
  if (pathname !== "/metrics" && !pathname.startsWith("/v1/")) return file(response, pathname);
  if (pathname === "/v1/events") return events(library, request, response, url.searchParams.get("lastEventId"));
  if (pathname === "/metrics") return response.end(`vitrine_event_streams ${library.subscribers.size}\nvitrine_previews ${library.viewers}\n`);
  if (pathname === "/v1/me/favorites") return json(response, 200, { items: [], next: null });
  if (pathname === "/v1/me") return json(response, 200, { kind: "open", id: null, name: null, displayName: null, email: null, provider: null, role: "editor", collections: [], expiresAt: null, shared: null, address: "127.0.0.1" });
  if (pathname === "/v1/assets") return request.method === "POST" ? upload(library, request, response) : list(library, response, url.searchParams);
  const match = /^\/v1\/assets\/([^/]+)(\/.*)?$/.exec(pathname);
  const asset = match && library.assets.get(match[1]);
  if (match?.[2] === "/restore" && library.restore(match[1])) return json(response, 200, library.assets.get(match[1]));
  if (!asset) return problem(response, 404, "not_found", "There is no such thing.");
  return one(library, request, response, url, asset, match[2] ?? "");
}

const clipFacts = { root: null, loops: true, loopRange: [0, 1], loopSeam: 0, endSeam: 0, seamSpeed: 0, inPlace: true, rootDistance: 0, rootPath: 0, rootSpeed: 0, rootTurn: 0, footContacts: [], footSlide: 0, keys: 900, frozen: false, size: 1.8 };

function list(library, response, params) {
  const page = library.list(params);
  return page ? json(response, 200, page) : problem(response, 404, "no_asset", "There is no such asset.");
}

async function one(library, request, response, url, asset, rest) {
  const size = Number(url.searchParams.get("size") ?? 256);
  const frames = Number(url.searchParams.get("frames") ?? 16);
  const duration = asset.clips[0]?.duration ?? 1;
  switch (rest) {
    case "":
      return resource(library, request, response, asset);
    case "/thumbnail":
      return sendImage(response, still(asset.seed, Math.min(size, 256)));
    case "/sprite":
      return sendImage(response, sheet(asset.seed, frames, 128, duration).bytes);
    case "/sprite/manifest": {
      const columns = Math.ceil(Math.sqrt(frames));
      return json(response, 200, { url: `/v1/assets/${asset.id}/sprite?frames=${frames}&size=${size}`, frames, columns, rows: Math.ceil(frames / columns), frameWidth: 128, frameHeight: 128, duration });
    }
    case "/render":
      return sendImage(response, still(asset.seed, 256));
    case "/preview":
      if (library.viewers < library.limits.viewers) return problem(response, 426, "websocket_required", "The live preview requires a WebSocket upgrade.");
      return problem(response, 503, "too_many_viewers", "Too many live previews are open; try again later.");
    case "/reimport":
      return json(response, 202, library.importAgain(asset));
    case "/skeleton":
      return json(response, 200, { joints: asset.counts.joints ? joints : [] });
    case "/clips":
      if (request.method === "PATCH") return cutClip(library, request, response, asset);
      return json(response, 200, { items: asset.clips, next: null });
    case "/materials":
      return json(response, 200, { items: materials, next: null, variants: asset.variants });
    case "/warnings":
      return json(response, 200, { items: [{ code: "missing_texture", message: "The texture rust.png is not among the files; the color alone is shown.", where: "material 2" }], next: null });
    case "/files":
      return json(response, 200, { items: [{ name: asset.mainFile, sizeBytes: asset.sizeBytes, main: true }, { name: "textures/skin.png", sizeBytes: 48211, main: false }], next: null });
    case "/checks":
      return json(response, 200, { profile: "default", counts: { error: 0, warning: 1, note: 0 }, items: [{ rule: "file.warning", severity: "warning", path: "", value: "missing_texture", limit: null, message: "the texture rust.png is not among the files" }] });
    case "/fitting-clips":
    case "/fitting-characters":
      return json(response, 200, { items: [], next: null });
    default:
      if (/^\/clips\/[^/]+\/facts$/.test(rest)) return json(response, 200, clipFacts);
      if (rest.startsWith("/clips/") && request.method === "DELETE") return removeClip(library, response, asset, decodeURIComponent(rest.slice("/clips/".length)));
      if (rest.startsWith("/files/")) return response.writeHead(200, { "Content-Type": "application/octet-stream" }).end("bytes");
      return problem(response, 404, "not_found", "There is no such thing.");
  }
}

async function resource(library, request, response, asset) {
  if (request.method === "DELETE") {
    library.discard(asset);
    return response.writeHead(204).end();
  }
  if (request.method === "PATCH") {
    if (request.headers["if-match"] !== asset.etag) return problem(response, 412, "precondition_failed", "The asset has changed.");
    library.change(asset, JSON.parse((await body(request)).toString()), "asset.updated");
  }
  return json(response, 200, asset, { ETag: asset.etag });
}

function setClips(library, response, asset, clips) {
  const numbered = clips.map((clip, index) => ({ ...clip, id: `c${index}`, index }));
  library.change(asset, { clips: numbered, counts: { ...asset.counts, clips: clips.length } }, "asset.updated");
  return json(response, 200, { items: numbered });
}

async function cutClip(library, request, response, asset) {
  const { name, clip, firstFrame, lastFrame, frameRate } = JSON.parse((await body(request)).toString());
  if (asset.clips.some((other) => other.name === name))
    return problem(response, 422, "bad_clip", "The clips are not valid.", [{ pointer: "/name", detail: "name is the name of another clip" }]);
  const frames = lastFrame - firstFrame + 1;
  const made = { name, startTime: 0, duration: (frames - 1) / frameRate, frameRate, frames, channels: 40, keys: 900, cutFrom: { clip, firstFrame, lastFrame } };
  return setClips(library, response, asset, [...asset.clips, made]);
}

function removeClip(library, response, asset, id) {
  return setClips(library, response, asset, asset.clips.filter((clip) => clip.id !== id));
}

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

// One asset per model file among the parts.
async function upload(library, request, response) {
  const bytes = await body(request);
  const names = [...bytes.toString("latin1").matchAll(/filename="([^"]+)"/g)].map((match) => match[1]);
  const models = names.filter((name) => /\.(glb|gltf|obj|md5mesh)$/i.test(name));
  if (models.length === 0) return problem(response, 422, "no_model", "None of these files is a model that Vitrine reads.");
  return json(response, 201, { items: models.map((name) => library.add(name.split("/").pop(), bytes.length)), ignored: [] });
}

function events(library, request, response, after) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(": hello\n\n");
  const send = (event) => response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
  const since = Number(request.headers["last-event-id"] ?? after ?? library.log.length);
  library.log.filter((event) => event.id > since).forEach(send);
  library.subscribers.add(send);
  request.on("close", () => library.subscribers.delete(send));
}

function file(response, pathname) {
  const wanted = normalize(join(dist, pathname));
  const known = wanted.startsWith(dist) && extname(wanted) && existsSync(wanted);
  const path = known ? wanted : join(dist, "index.html");
  response.writeHead(200, {
    "Content-Type": types[extname(path)] ?? "application/octet-stream",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  });
  createReadStream(path).pipe(response);
}
