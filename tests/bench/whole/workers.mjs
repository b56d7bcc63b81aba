// Images a second of an API process with one worker and with two, in turn, with a device whose every submission takes a simulated time.
// usage: script/with-stores node tests/bench/whole/workers.mjs [--submit-ms MS] [--seconds S] [--rounds N] [--clients C] [--models N]
//
// The workers are `vitrine-faulty`, whose Vulkan driver waits in each submission: what limits them is the device, as with a graphics
// card, and not the processor, which all processes share here. Every image has a view of its own, so that each is drawn. A round measures
// one worker, starts the second, lets it upload the scenes, and measures both; a row has the medians of the rounds. Returns 1 if two draw less than
// 1.9 times as much as one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb } from "./rigs.mjs";
import { json, median, startVitrine, stopVitrine, upload } from "./vitrine.mjs";

const { values: flags } = parseArgs({
  options: {
    "submit-ms": { type: "string", default: "200" },
    seconds: { type: "string", default: "12" },
    rounds: { type: "string", default: "3" },
    clients: { type: "string", default: "32" },
    models: { type: "string", default: "6" },
    program: { type: "string", default: "build/release/bin/vitrine" },
    worker: { type: "string", default: "build/release/bin/vitrine-faulty" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "vitrine-workers-"));
const sleep = (ms) => new Promise((later) => setTimeout(later, ms));
const running = new Set();

async function start(name, role, program) {
  const secret = join(folder, "secret");
  writeFileSync(secret, "the secret of this measurement\n");
  const env = { ...process.env, VITRINE_S3_ENDPOINT: process.env.VITRINE_TEST_OBJECT_STORE, VITRINE_FAULTY_SUBMIT_MS: flags["submit-ms"] };
  const server = await startVitrine(program, join(folder, name),
    ["--role", role, "--database", process.env.VITRINE_TEST_DATABASE, "--blobs", "s3://vitrine/workers", "--s3-addressing", "path",
      "--link-secret-file", secret, "--scene-threads", role === "api" ? flags.clients : "4"],
    { env, stdio: ["ignore", "pipe", "ignore"] });
  running.add(server);
  return server;
}

async function stop(server) {
  await stopVitrine(server);
  running.delete(server);
}

async function waitForWorkers(api, count) {
  for (let tries = 0; tries < 200; ++tries, await sleep(100)) {
    const { items } = await json(`${api.url}/v1/workers`);
    if (items.length === count) return;
  }
  throw new Error(`${count} workers were not seen`);
}

let views = 0; // asked for

// Images a second of clients that each ask for one image after the other.
async function measure(api, models) {
  const end = performance.now() + Number(flags.seconds) * 1000;
  let drawn = 0;
  const client = async () => {
    while (performance.now() < end) {
      const view = ++views;
      const response = await fetch(`${api.url}/v1/assets/${models[view % models.length]}/render?w=96&h=96&view=${(view / 100).toFixed(2)},20`);
      const bytes = await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.status} ${Buffer.from(bytes).toString()}`);
      if (performance.now() < end) ++drawn;
    }
  };
  await Promise.all(Array.from({ length: Number(flags.clients) }, client));
  return drawn / Number(flags.seconds);
}

try {
  const api = await start("api", "api", flags.program);
  const first = await start("first", "worker", flags.worker);
  await waitForWorkers(api, 1);
  const models = [];
  for (let i = 0; i < Number(flags.models); ++i) models.push(await upload(api.url, [{ name: `chain ${i}.glb`, bytes: chainGlb(5 + i) }]));
  await measure(api, models); // scenes are loaded
  const [one, two] = [[], []];
  for (let round = 0; round < Number(flags.rounds); ++round) {
    one.push(await measure(api, models));
    const second = await start(`second-${round}`, "worker", flags.worker);
    await waitForWorkers(api, 2);
    await measure(api, models); // scenes are loaded
    two.push(await measure(api, models));
    await stop(second);
    await waitForWorkers(api, 1);
  }
  console.log(`${flags.clients} clients, images of 96 x 96 of ${models.length} models, ${flags["submit-ms"]} ms for each submission to a device; medians of ${one.length} rounds`);
  console.log("| workers | images/s | times one |\n|---|---|---|");
  console.log(`| 1 | ${median(one).toFixed(1)} | 1 |`);
  console.log(`| 2 | ${median(two).toFixed(1)} | ${(median(two) / median(one)).toFixed(2)} |`);
  if (median(two) < 1.9 * median(one)) process.exitCode = 1;
  await stop(first);
} finally {
  for (const { child } of running) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
