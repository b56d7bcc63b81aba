// New images that an API process has drawn by a worker, beside those of one process that does all, in turn: what the way through the
// database and the object store costs.
// usage: script/with-stores node tests/bench/whole/remote.mjs [--images N] [--rounds N]
//
// One client asks for one image of the sample `koi` after the other, each with a view of its own, so that each is drawn.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { json, median, startVitrine, upload } from "./vitrine.mjs";
import { until } from "../../e2e/lib/until.mjs";

const { values: flags } = parseArgs({
  options: {
    images: { type: "string", default: "100" },
    rounds: { type: "string", default: "5" },
    program: { type: "string", default: "build/release/bin/vitrine" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "vitrine-remote-"));
const running = new Set();
const secret = join(folder, "secret");

async function start(name, options) {
  const env = { ...process.env, VITRINE_S3_ENDPOINT: process.env.VITRINE_TEST_OBJECT_STORE };
  const server = await startVitrine(flags.program, join(folder, name), ["--log", "warn", ...options], { env, stdio: ["ignore", "pipe", "inherit"] });
  running.add(server);
  return server;
}

function startRole(role) {
  return start(role, ["--role", role, "--database", process.env.VITRINE_TEST_DATABASE, "--blobs", "s3://vitrine/remote", "--s3-addressing", "path",
    "--link-secret-file", secret]);
}

async function stop(server) {
  const ended = once(server.child, "exit");
  server.child.kill("SIGTERM");
  await ended;
  running.delete(server);
}

let views = 0; // asked for

// -> the median time of an image in ms
async function timeOfImages({ url, model }, size, images) {
  const times = [];
  for (let i = 0; i < images; ++i) {
    const begin = performance.now();
    const response = await fetch(`${url}/v1/assets/${model}/render?w=${size}&h=${size}&view=${(++views / 100).toFixed(2)},20`);
    const bytes = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.status} ${Buffer.from(bytes).toString()}`);
    times.push(performance.now() - begin);
  }
  return median(times);
}

async function withModel(server, bytes) {
  const model = await upload(server.url, [{ name: "koi.glb", bytes }]);
  const filled = { ...server, model };
  for (const size of [64, 256]) await timeOfImages(filled, size, 20); // the scene is loaded
  return filled;
}

try {
  writeFileSync(secret, "the secret of this measurement\n");
  const samples = join(folder, "samples");
  spawnSync(resolve(flags.program), ["samples", samples]);
  const koi = readFileSync(join(samples, "koi-glb", "koi.glb"));
  const worker = await startRole("worker");
  const api = await startRole("api");
  await until(async () => (await json(`${api.url}/v1/workers`)).items.some(({ devices }) => devices.length > 0), "a worker with a device");
  const apart = await withModel(api, koi);
  const single = await withModel(await start("all", []), koi);
  console.log("| new images of koi, p50 | API process and worker | one process | ratio |\n|---|---|---|---|");
  for (const size of [64, 256]) {
    const [ours, theirs] = [[], []];
    for (let round = 0; round < Number(flags.rounds); ++round) {
      ours.push(await timeOfImages(apart, size, Number(flags.images)));
      theirs.push(await timeOfImages(single, size, Number(flags.images)));
    }
    console.log(`| ${size} x ${size}, ${flags.rounds} rounds of ${flags.images} in turn | ${median(ours).toFixed(1)} ms | ${median(theirs).toFixed(1)} ms | ${(median(theirs) / median(ours)).toFixed(2)} |`);
  }
  for (const server of [api, worker, single]) await stop([...running].find(({ pid }) => pid === server.pid));
} finally {
  for (const { child } of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
