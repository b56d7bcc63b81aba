// posted.mjs [--rounds 30] [FILE]: a model in the body of POST /v1/render, as 256x256 WebP, from outside, beside f3d with one process
// per image if it is installed (it needs a display: script/bench). Alternating; prints medians, and what the requests left on the disk.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

import { median, startVitrine, stopVitrine } from "./vitrine.mjs";

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: "string", default: "30" } } });
const folder = mkdtempSync(join(tmpdir(), "vitrine-posted-"));
const program = "build/release/bin/vitrine";
execFileSync(program, ["samples", join(folder, "samples")]);
const file = positionals[0] ?? join(folder, "samples", "tentacle-glb", "tentacle.glb");
const body = readFileSync(file);
const data = join(folder, "data");

async function milliseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

// All files of the data folder but those of the catalog and of the caches of shaders, with their sizes.
function stored() {
  const names = readdirSync(data, { recursive: true }).filter((name) => !/^(catalog|shaders|pipelines)/.test(name));
  return names.map((name) => `${name} ${statSync(join(data, name)).size}`).sort().join("\n");
}

// Milliseconds of processor time of the process and of the children that have ended.
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

const server = await startVitrine(program, data, ["--log", "warn"], { stdio: ["ignore", "pipe", "ignore"] });
const { url, pid } = server;
try {
  const post = async (query) => {
    const response = await fetch(`${url}/v1/${query}&name=${basename(file)}`, { method: "POST", body });
    if (response.status !== 200) throw new Error(await response.text());
    return response.arrayBuffer();
  };
  const theirs = () => spawnSync("f3d", [`--output=${join(folder, "f3d.png")}`, "--resolution=256,256", file], { stdio: "ignore" });
  const hasPeer = theirs().status === 0;
  await post("render?w=256&h=256&format=webp");
  const before = stored();
  const times = { render: [], inspect: [], f3d: [] };
  let processor = 0; // of the images
  for (let round = 0; round < Number(flags.rounds); ++round) {
    // Another view each time: nothing is kept, so that this makes no difference.
    const start = processorMs(pid);
    times.render.push(await milliseconds(() => post(`render?w=256&h=256&format=webp&view=${round},10`)));
    processor += processorMs(pid) - start;
    times.inspect.push(await milliseconds(() => post("inspect?")));
    if (hasPeer) times.f3d.push(await milliseconds(theirs));
  }
  const kilobytes = Math.round(body.length / 1000);
  console.log("| request | Vitrine, median ms | f3d, median ms |\n|---|---|---|");
  console.log(`| POST /v1/render, ${basename(file)} of ${kilobytes} kB, 256x256 WebP | ${median(times.render).toFixed(1)} | ${hasPeer ? median(times.f3d).toFixed(1) : "not installed"} |`);
  console.log(`| POST /v1/inspect, the same | ${median(times.inspect).toFixed(1)} | |`);
  console.log(`processor time of an image: ${(processor / times.render.length).toFixed(0)} ms`);
  console.log(`files of the data folder: ${stored() === before ? "unchanged" : "changed"}`);
} finally {
  await stopVitrine(server);
  rmSync(folder, { recursive: true, force: true });
}
