// How long an event of one server takes to a client of another on the same database (VITRINE_TEST_DATABASE, script/with-postgres).
// usage: node tests/bench/whole/events.mjs [--changes N] [--pause MS] [--program PATH]
//
// A client of server B reads /v1/events; another renames an asset at server A again and again. Measured from before the request until
// the client has the event, and from the response. Returns 1 if that takes too long.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb } from "./rigs.mjs";
import { json, startVitrine, upload } from "./vitrine.mjs";

const { values: flags } = parseArgs({
  options: {
    changes: { type: "string", default: "1000" },
    pause: { type: "string", default: "10" },
    program: { type: "string", default: "build/release/bin/vitrine" },
  },
});

// Calls on_event(type, data) for each event, until the signal aborts.
async function readEvents(url, signal, on_event) {
  const response = await fetch(`${url}/v1/events`, { signal });
  let text = "";
  try {
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = Object.fromEntries(text.slice(0, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
        text = text.slice(end + 2);
        if (lines.event) on_event(lines.event, JSON.parse(lines.data));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const limit = 200; // ms, of the 99th percentile

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

function report(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, most, longest] = [0.5, 0.99, 1].map((part) => percentile(sorted, part));
  console.log(`${name}: p50 ${median.toFixed(1)} ms, p99 ${most.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`);
  if (most > limit) throw new Error(`p99 is more than ${limit} ms`);
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-events-"));
const options = { stdio: ["ignore", "pipe", "ignore"] };
const catalog = ["--database", process.env.VITRINE_TEST_DATABASE];
const servers = [];
for (const name of ["a", "b"]) servers.push(await startVitrine(flags.program, join(folder, name), catalog, options));
const [a, b] = servers;
try {
  const asset = await upload(a.url, [{ name: "chain.glb", bytes: chainGlb(41) }]);
  const arrived = new Map();
  const stop = new AbortController();
  const reading = readEvents(b.url, stop.signal, (type, data) => type === "asset.updated" && arrived.set(data.asset.name, performance.now()));
  await new Promise((later) => setTimeout(later, 500));
  const sent = [];
  for (let i = 0; i < Number(flags.changes); ++i) {
    const name = `name ${i}`;
    const start = performance.now();
    await json(`${a.url}/v1/assets/${asset}`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) });
    sent.push({ name, start, end: performance.now() });
    await new Promise((later) => setTimeout(later, Number(flags.pause)));
  }
  await new Promise((later) => setTimeout(later, 1000));
  stop.abort();
  await reading;
  const missing = sent.filter(({ name }) => !arrived.has(name)).length;
  if (missing) throw new Error(`${missing} events did not arrive`);
  console.log(`${sent.length} changes at server A, events at a client of server B`);
  report("from the request", sent.map(({ name, start }) => arrived.get(name) - start));
  report("from the response", sent.map(({ name, end }) => arrived.get(name) - end));
} finally {
  for (const { child } of servers) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
