// The server end to end on one device, for script/gpu-check: `vitrine serve` with the sample models and clients that ask for
// images which nobody has asked for before. Adds the part "server" to the report and a table to its page of text.
//   node tests/bench/gpu/server.mjs --gpu DEVICE --json REPORT.json --text REPORT.txt [--seconds S] [--render-process MODE]
// With --render-process (always, never: as of `vitrine serve`) the part is called "server, render process MODE".
// Each client waits for its image before it asks for the next.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { fileURLToPath } from "node:url";

import { openVitrine } from "../../e2e/lib/servers.mjs";
import { sumOfProcesses } from "../whole/vitrine.mjs";

const option = (name, value) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : value);
const seconds = Number(option("--seconds", "12"));
const mode = option("--render-process", "auto");
const part = mode === "auto" ? "server" : `server, render process ${mode}`;
const vitrine = fileURLToPath(new URL("../../../build/release/bin/vitrine", import.meta.url));
// `query`: of the n-th request.
const viewed = (words) => (n) => `render?${words}&view=${((n * 137.508) % 360).toFixed(3)},15`;
const cases = [
  { what: "image, 512 x 512, JPEG", query: viewed("w=512&h=512&format=jpeg"), clients: [1, 4, 16, 64] },
  { what: "image, 256 x 256, WebP", query: viewed("w=256&h=256&format=webp"), clients: [16] },
  { what: "turntable of 24 images, 200 to 300", query: (n) => `turntable?frames=24&size=${200 + (n % 100)}`, clients: [4] },
];

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

// Resolves with the bytes of the body; rejects unless the status is 200.
function fetched(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let bytes = 0;
      response.on("data", (piece) => (bytes += piece.length));
      response.on("end", () => (response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${response.statusCode} for ${url}`))));
      response.on("error", reject);
    }).on("error", reject);
  });
}

// Seconds of processor time of the server and its render processes.
function processorSeconds(server) {
  return sumOfProcesses(server.pid, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" "); // proc(5), from field 3 on
    return (Number(fields[11]) + Number(fields[12])) / 100; // USER_HZ
  });
}

async function deviceSeconds(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/^vitrine_device_work_seconds_total\S* ([\d.e+-]+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

let requests = 0;
async function row(server, assets, { what, query }, clients, duration) {
  const times = [];
  const start = performance.now();
  const before = [processorSeconds(server), await deviceSeconds(server.url)];
  await Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() - start < duration * 1000) {
      const asset = assets[++requests % assets.length];
      const from = performance.now();
      await fetched(`${server.url}/v1/assets/${asset}/${query(requests)}`);
      times.push(performance.now() - from);
    }
  }));
  const passed = (performance.now() - start) / 1000;
  const [processor, device] = [processorSeconds(server) - before[0], (await deviceSeconds(server.url)) - before[1]];
  const sorted = times.sort((a, b) => a - b);
  return {
    what, clients,
    perSecond: times.length / passed,
    p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99),
    processorMsEach: (processor * 1000) / times.length,
    deviceBusyShare: device / passed,
  };
}

async function measured() {
  const server = await openVitrine(vitrine, { flags: ["--gpu", option("--gpu", "gpu"), "--log", "warn", "--render-process", mode] });
  try {
    const { items } = await (await fetch(`${server.url}/v1/assets?limit=100`)).json();
    const assets = items.filter(({ status }) => status === "ready").map(({ id }) => id);
    await row(server, assets, cases[0], 4, 1); // creates the pipelines and uploads the models
    const rows = [];
    const share = seconds / cases.reduce((sum, { clients }) => sum + clients.length, 0);
    for (const each of cases) for (const clients of each.clients) rows.push(await row(server, assets, each, clients, share));
    return { models: assets.length, rows };
  } finally {
    agent.destroy();
    await server.close();
  }
}

function textOf({ models, rows }) {
  const names = Object.keys(rows[0]);
  const cell = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : value);
  const lines = [names, ...rows.map((each) => names.map((name) => cell(each[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const aligned = lines.map((line) => line.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join("  "));
  return [part, `  models  ${models}`, ...aligned.map((line) => `    ${line}`), ""].join("\n");
}

const json = option("--json");
const result = await measured().catch((error) => ({ error: error.message }));
writeFileSync(json, `${JSON.stringify({ ...JSON.parse(readFileSync(json, "utf8")), [part]: result }, null, 2)}\n`);
if (result.error) {
  console.error(result.error);
  process.exit(1);
}
appendFileSync(option("--text"), textOf(result));
console.log(textOf(result));
