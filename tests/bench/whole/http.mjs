// HTTP of the whole program beside nginx with the same bytes: cached thumbnail, asset, 304, list of 50, skeleton. Then poses of two
// layers, and poses of a clip of another humanoid rig, each of another time, one request after the other: no answer was given before.
// usage: node tests/bench/whole/http.mjs [--seconds S] [--rounds N] [--connections C] [--only NAME] [--quiet-logs] [--markdown]
//
// Both servers run at the same time on loopback and are asked in turn by wrk (one thread), so that other load of the machine
// reaches both; a row has the medians of the rounds. nginx runs with the settings of Debian's package (worker_processes auto,
// sendfile, tcp_nopush, no open_file_cache), from its own folder, without the limit of 1000 requests a connection. Both write an
// access log into a file, or neither does (--quiet-logs).
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb, humanoidGlb } from "./rigs.mjs";
import { json, median, processorTime, startVitrine, upload } from "./vitrine.mjs";
import { wrk } from "./wrk.mjs";

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

// Requests of the table; `peer`: the file that nginx serves for it; `floor`: what must be reached.
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

async function fillLibrary(url) {
  const chain = chainGlb(joints);
  const chains = Array.from({ length: models }, (_, i) => ({ name: `chain-${String(i).padStart(2, "0")}.glb`, bytes: chain }));
  const samples = join(folder, "samples");
  spawnSync(resolve(flags.program), ["samples", samples]);
  const robot = { name: "robot.glb", bytes: readFileSync(join(samples, "robot-glb", "robot.glb")) };
  return { chain: await upload(url, chains), model: await upload(url, [robot]) };
}

let asked = 0; // poses, each at a time of its own

// Processor time of a pose of all joints at one time of a clip, in microseconds; the first hundred requests warm up.
async function timeOfPoses(vitrine, path, clipSeconds, requests) {
  const pose = async () => {
    const reply = await fetch(`${vitrine.url}${path}t=${(clipSeconds * ((++asked * 0.6180339887) % 1)).toFixed(6)}`);
    const { poses } = await reply.json();
    if (poses?.length !== 1) throw new Error(`pose: ${reply.status}`);
  };
  for (let i = 0; i < 100; ++i) await pose();
  const before = processorTime(vitrine.pid);
  for (let i = 0; i < requests; ++i) await pose();
  return (1e6 * (processorTime(vitrine.pid) - before)) / requests;
}

async function measureLayers(vitrine) {
  const rig = await upload(vitrine.url, [{ name: "rig.glb", bytes: chainGlb(100) }]);
  const microseconds = await timeOfPoses(vitrine, `/v1/assets/${rig}/clips/wave/pose?layer=wave*0.5&layer=wave@0.25*0.5~joint%2050&`, 1, 2_000);
  console.log(`| pose of 100 joints, two layers, one time | ${microseconds.toFixed(0)} us of processor time each | | | ` +
    `1000 us: ${microseconds < 1000 ? "reached" : "not reached"} |`);
}

// The same clip on its own rig is the peer: what retargeting adds.
async function measureRetargeted(vitrine) {
  const vrm = await upload(vitrine.url, [{ name: "vrm.glb", bytes: humanoidGlb("vrm") }]);
  const mixamo = await upload(vitrine.url, [{ name: "mixamo.glb", bytes: humanoidGlb("mixamo") }]);
  const [other, own] = [`/v1/assets/${mixamo}/clips/${vrm}:wave/pose?`, `/v1/assets/${vrm}/clips/wave/pose?`];
  const [others, owns] = [[], []];
  for (let round = 0; round < Number(flags.rounds); ++round) {
    others.push(await timeOfPoses(vitrine, other, 10, 300));
    owns.push(await timeOfPoses(vitrine, own, 10, 300));
  }
  console.log(`| pose of a clip of another rig, 22 joints, 10 s, ${flags.rounds} rounds of 300 requests | ${median(others).toFixed(0)} us of processor time each | ` +
    `the clip on its own rig: ${median(owns).toFixed(0)} us | ${(median(owns) / median(others)).toFixed(2)} | |`);
}

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
    rounds.ours.push(wrk(vitrine, ours, { ...flags, headers: header(reply) }));
    rounds.theirs.push(wrk(nginx, theirs, { ...flags, headers: header(peer) }));
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
const log = ["--log", flags["quiet-logs"] ? "warn" : "info"];
const vitrine = await startVitrine(flags.program, join(folder, "data"), [...log, ...flags.flag],
  { stdio: ["ignore", "pipe", openSync(join(folder, "vitrine.log"), "w")] });
children.push(vitrine.child);
const ids = await fillLibrary(vitrine.url);
console.log(`HTTP, wrk -t1 -c${flags.connections}, ${availableParallelism()} cores, ${flags.rounds} rounds of ${flags.seconds} s, ` +
  `access logs ${flags["quiet-logs"] ? "off" : "on"}`);
console.log("| measure | Vitrine | peer | ratio | wanted |\n|---|---|---|---|---|");
for (const measure of measures.filter(({ name }) => !flags.only || name.includes(flags.only)))
  print(await compare(measure, ids, vitrine, nginx));
if (!flags.only || "poses of layers".includes(flags.only)) await measureLayers(vitrine);
if (!flags.only || "poses of retargeted clips".includes(flags.only)) await measureRetargeted(vitrine);
process.exit(0);
