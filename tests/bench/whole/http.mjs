// HTTP of the whole program beside nginx with the same bytes: cached thumbnail, asset, 304, list of 50, skeleton.
// usage: node tests/bench/whole/http.mjs [--seconds S] [--rounds N] [--connections C] [--only NAME] [--quiet-logs] [--markdown]
//
// Both servers run at the same time on loopback and are asked in turn by wrk (one thread), so that other load of the machine
// reaches both; a row has the medians of the rounds. nginx runs with the settings of Debian's package (worker_processes auto,
// sendfile, tcp_nopush, no open_file_cache), from its own folder, without the limit of 1000 requests a connection. Both write an
// access log into a file, or neither does (--quiet-logs).
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    only: { type: "string" },
    program: { type: "string", default: "build/release/bin/vitrine" },
    "quiet-logs": { type: "boolean", default: false },
    flag: { type: "string", multiple: true, default: [] }, // further flags of `vitrine serve`
  },
});

const models = 60; // of the library; a list has 50
const joints = 41;

// Requests of the table; `peer`: the file that nginx serves for it; `floor`: what issue 28 asks for.
const measures = [
  { name: "cached thumbnail", path: ({ model }) => `/v1/assets/${model}/thumbnail`, floor: { ratio: 0.7 } },
  { name: "asset JSON", path: ({ model }) => `/v1/assets/${model}`, floor: { ratio: 0.7 } },
  { name: "304 of asset JSON", path: ({ model }) => `/v1/assets/${model}`, conditional: true, floor: { ratio: 0.7 } },
  { name: "list of 50", path: () => "/v1/assets?limit=50", floor: { rate: 10_000 } },
  { name: `skeleton of ${joints} joints`, path: ({ chain }) => `/v1/assets/${chain}/skeleton`, floor: { rate: 15_000 } },
];

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-http-"));
const children = [];

function cleanUp() {
  for (const child of children) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

function freePort() {
  return new Promise((found) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}

// A GLB with a triangle skinned to a chain of joints.
function chainGlb(count) {
  const floats = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const weights = new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const influences = new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, count - 1, 0, 0, 0]);
  const times = new Float32Array([0, 1]);
  const turns = new Float32Array([0, 0, 0, 1, 0, 0, 0.7071068, 0.7071068]);
  const parts = [floats, weights, influences, times, turns].map((array) => Buffer.from(array.buffer));
  const bufferViews = [];
  let offset = 0;
  for (const part of parts) {
    bufferViews.push({ buffer: 0, byteOffset: offset, byteLength: part.length });
    offset += part.length;
  }
  const nodes = [{ name: "body", mesh: 0, skin: 0 }];
  for (let i = 0; i < count; ++i)
    nodes.push({ name: `joint ${i}`, translation: [0, i ? 0.1 : 0, 0], children: i + 1 < count ? [i + 2] : undefined });
  const document = {
    asset: { version: "2.0", generator: "script/bench http" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }],
    skins: [{ joints: nodes.slice(1).map((_, i) => i + 1) }],
    animations: [{ name: "wave", channels: [{ sampler: 0, target: { node: 2, path: "rotation" } }],
      samplers: [{ input: 3, output: 4 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: "VEC4" },
      { bufferView: 2, componentType: 5121, count: 3, type: "VEC4" },
      { bufferView: 3, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: 4, componentType: 5126, count: 2, type: "VEC4" },
    ],
    bufferViews,
    buffers: [{ byteLength: offset }],
  };
  const chunk = (type, bytes, fill) => {
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, padded]);
  };
  const chunks = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(document)), " "), chunk("BIN\0", Buffer.concat(parts), 0)]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

// Returns the URL of the running program.
async function startVitrine() {
  const log = openSync(join(folder, "vitrine.log"), "w");
  const level = flags["quiet-logs"] ? "warn" : "info";
  const child = spawn(resolve(flags.program), ["serve", "--open", "--listen", "127.0.0.1:0", "--data", join(folder, "data"), "--gpu", "software",
    "--no-samples", "--log", level, ...flags.flag], { stdio: ["ignore", "pipe", log] });
  children.push(child);
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
    if (url) return { url: url[0], pid: child.pid };
  }
  throw new Error(`vitrine did not start: ${readFileSync(join(folder, "vitrine.log"), "utf8")}`);
}

async function startNginx() {
  const port = await freePort();
  const home = join(folder, "nginx");
  mkdirSync(join(home, "root"), { recursive: true });
  writeFileSync(join(home, "nginx.conf"), `
daemon off; ${process.getuid() === 0 ? "user root;" : ""} worker_processes auto; pid ${home}/pid; error_log ${home}/error.log;
events { worker_connections 768; }
http {
  sendfile on; tcp_nopush on; types_hash_max_size 2048; default_type application/json; types { image/webp webp; }
  access_log ${flags["quiet-logs"] ? "off" : `${home}/access.log`};
  gzip on; keepalive_requests 1000000000;
  client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi;
  server { listen 127.0.0.1:${port}; root ${home}/root; }
}`);
  const child = spawn("nginx", ["-p", home, "-c", join(home, "nginx.conf")], { stdio: "inherit" });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; ++tries) {
    const up = await fetch(url).then(() => true, () => false);
    if (up) return { url, pid: child.pid, root: join(home, "root") };
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error("nginx did not start");
}

async function json(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

// Uploads the files and waits until every model has its thumbnail. Returns the id of the first.
async function upload(url, files) {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new Blob([bytes]), name);
  const created = await json(`${url}/v1/assets`, { method: "POST", body: form });
  for (const { job } of created.items) {
    for (;;) {
      const { state, problem } = await json(`${url}/v1/jobs/${job.id}`);
      if (state === "succeeded") break;
      if (state !== "queued" && state !== "running") throw new Error(`import: ${JSON.stringify(problem)}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  }
  return created.items[0].asset.id;
}

async function fillLibrary(url) {
  const chain = chainGlb(joints);
  const chains = Array.from({ length: models }, (_, i) => ({ name: `chain-${String(i).padStart(2, "0")}.glb`, bytes: chain }));
  const samples = join(folder, "samples");
  spawnSync(resolve(flags.program), ["samples", samples]);
  const robot = { name: "robot.glb", bytes: readFileSync(join(samples, "robot-glb", "robot.glb")) };
  return { chain: await upload(url, chains), model: await upload(url, [robot]) };
}

// Processor time of the process and its children in seconds.
function processorTime(pid) {
  const of = (id) => {
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ");
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
  };
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((id) => {
    try {
      return of(id);
    } catch {
      return { parent: 0, seconds: 0 }; // has just ended
    }
  });
  return children.filter(({ parent }) => parent === pid).reduce((sum, { seconds }) => sum + seconds, of(pid).seconds);
}

function wrk(server, url, headers) {
  const before = processorTime(server.pid);
  const result = spawnSync("wrk", ["-t1", `-c${flags.connections}`, `-d${flags.seconds}s`, "--latency",
    ...headers.flatMap((header) => ["-H", header]), url], { encoding: "utf8" });
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(result.stdout)?.[1]);
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(result.stdout) ?? [];
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(result.stdout);
  if (!rate || failed) throw new Error(`${url}: ${result.stdout}${result.stderr}`);
  const requests = Number(/(\d+) requests in/.exec(result.stdout)[1]);
  return { rate, p99: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit],
    microseconds: (1e6 * (processorTime(server.pid) - before)) / requests };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// Returns the row of one measure; both servers are asked in turn.
async function compare(measure, ids, vitrine, nginx) {
  const ours = vitrine.url + measure.path(ids);
  const reply = await fetch(ours, { headers: { "Accept-Encoding": "identity" } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (reply.status !== 200) throw new Error(`${ours}: ${reply.status}`);
  const image = reply.headers.get("content-type").startsWith("image/");
  const file = `${measures.indexOf(measure)}${image ? ".webp" : ".json"}`;
  writeFileSync(join(nginx.root, file), bytes);
  const theirs = `${nginx.url}/${file}`;
  const peer = await fetch(theirs, { headers: { "Accept-Encoding": "identity" } });
  if (Buffer.compare(Buffer.from(await peer.arrayBuffer()), bytes) !== 0) throw new Error(`${theirs}: other bytes`);
  const header = (response) => (measure.conditional ? [`If-None-Match: ${response.headers.get("etag")}`] : []);
  const rounds = { ours: [], theirs: [] };
  for (let round = 0; round < Number(flags.rounds); ++round) {
    rounds.ours.push(wrk(vitrine, ours, header(reply)));
    rounds.theirs.push(wrk(nginx, theirs, header(peer)));
  }
  const side = (name) => Object.fromEntries(
    ["rate", "p99", "microseconds"].map((value) => [value, median(rounds[name].map((round) => round[value]))]));
  const ratio = median(rounds.ours.map((round, i) => round.rate / rounds.theirs[i].rate));
  return { ...measure, bytes: measure.conditional ? 0 : bytes.length, ours: side("ours"), theirs: side("theirs"), ratio };
}

function print(row) {
  const wanted = row.floor.ratio ? `ratio ${row.floor.ratio}` : `${row.floor.rate} requests/s`;
  const reached = row.floor.ratio ? row.ratio >= row.floor.ratio : row.ours.rate >= row.floor.rate;
  const text = ({ rate, p99, microseconds }) =>
    `${rate.toFixed(0)} requests/s, p99 ${p99.toFixed(2)} ms, ${microseconds.toFixed(1)} us of processor time each`;
  console.log(`| ${row.name}, ${row.bytes} bytes | ${text(row.ours)} | nginx: ${text(row.theirs)} | ${row.ratio.toFixed(2)} | ` +
    `${wanted}: ${reached ? "reached" : "not reached"} |`);
}

process.on("exit", cleanUp);
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(1));
const nginx = await startNginx();
const vitrine = await startVitrine();
const ids = await fillLibrary(vitrine.url);
console.log(`HTTP, wrk -t1 -c${flags.connections}, ${availableParallelism()} cores, ${flags.rounds} rounds of ${flags.seconds} s, ` +
  `access logs ${flags["quiet-logs"] ? "off" : "on"}`);
console.log("| measure | Vitrine | peer | ratio | wanted |\n|---|---|---|---|---|");
for (const measure of measures.filter(({ name }) => !flags.only || name.includes(flags.only)))
  print(await compare(measure, ids, vitrine, nginx));
process.exit(0);
