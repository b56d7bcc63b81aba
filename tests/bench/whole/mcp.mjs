// What a model waits for when it looks at an asset by the Model Context Protocol: the tool look with 8 poses in 2 views of the
// samples koi and robot, each sheet with a size of its own, so that each is drawn; beside the same sheet from the cache.
// usage: node tests/bench/whole/mcp.mjs [--sheets N]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { json, median, startVitrine, stopVitrine, upload } from "./vitrine.mjs";

const { values: flags } = parseArgs({
  options: {
    sheets: { type: "string", default: "20" },
    program: { type: "string", default: "build/release/bin/vitrine" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "vitrine-mcp-"));
const server = await startVitrine(flags.program, join(folder, "data"), ["--log", "warn"], { stdio: ["ignore", "pipe", "inherit"] });

// -> milliseconds and bytes of the image
async function look(asset, size) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look", arguments: { asset, poses: 8, view: ["front", "side"], size } } };
  const begin = performance.now();
  const { result } = await json(`${server.url}/mcp`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
  const ms = performance.now() - begin;
  if (result.isError) throw new Error(JSON.stringify(result));
  return { ms, bytes: Buffer.from(result.content[0].data, "base64").length };
}

const spread = (times) => `p50 ${median(times).toFixed(0)}, largest ${Math.max(...times).toFixed(0)} ms`;
try {
  const samples = join(folder, "samples");
  spawnSync(resolve(flags.program), ["samples", samples]);
  for (const name of ["koi", "robot"]) {
    const asset = await upload(server.url, [{ name: `${name}.glb`, bytes: readFileSync(join(samples, `${name}-glb`, `${name}.glb`)) }]);
    await look(asset, 100); // loads the scene
    const drawn = [];
    for (let i = 0; i < Number(flags.sheets); ++i) drawn.push(await look(asset, 180 + i));
    const cached = [];
    for (let i = 0; i < Number(flags.sheets); ++i) cached.push(await look(asset, 180));
    const largest = Math.max(...drawn.map(({ bytes }) => bytes));
    console.log(`${name}: 8 poses x 2 views drawn ${spread(drawn.map(({ ms }) => ms))}, at most ${(largest / 1000).toFixed(0)} kB;` +
      ` cached ${spread(cached.map(({ ms }) => ms))}`);
  }
} finally {
  await stopVitrine(server);
  rmSync(folder, { recursive: true, force: true });
}
