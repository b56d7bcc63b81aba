// Faults in a cluster of 2 API and 2 worker processes on PostgreSQL and an object store, under load (script/soak cluster).
// usage: script/with-postgres node tests/bench/cluster/main.mjs [--rounds N] [--seed S] [--long] [--namespaces] [--only FAULT] [--program PATH] [--logs FOLDER]
//
// Each round has one fault at random (by the seed), waits until all requests succeed again, and prints a line. At the end what was
// acknowledged is compared with the catalog. Returns 1 if a check failed. Logs of the servers and failures.json are in --logs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb } from "../whole/rigs.mjs";
import { upload } from "../whole/vitrine.mjs";
import { checkAll } from "./checks.mjs";
import { Load, mayBeInTrash } from "./load.mjs";
import { bridgeAddress, makeBridge, makeNamespace } from "./namespaces.mjs";
import { makeServer, restartPostgres, sleep, startStore } from "./processes.mjs";
import { EventClient, Viewer } from "./viewer.mjs";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    long: { type: "boolean", default: false }, // outages of 30 s, not of 8
    namespaces: { type: "boolean", default: false }, // cuts are those of network namespaces: run in `unshare --net`
    only: { type: "string" }, // the faults whose names begin so
    program: { type: "string", default: "build/release/bin/vitrine" },
    logs: { type: "string", default: "build/soak/cluster" },
  },
});

const outage = flags.long ? 30_000 : 8_000;
const recoveryLimit = 60; // seconds
const previewLimit = 5; // seconds

// A generator of numbers in [0, 1): mulberry32, public domain (Tommy Ettinger).
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Each returns after the end of the fault. `limited`: previews must move within the limit.
function faultsOf({ apis, workers, store, postgres, load, random }) {
  const cut = async (server) => {
    for (const one of server.ways.cuts) one.cut();
    await sleep(outage);
    for (const one of server.ways.cuts) one.heal();
  };
  const kill = async (server) => {
    load.burst(8); // so that requests and imports are under way
    await sleep(random() * 300);
    server.kill();
  };
  const faults = [];
  for (const server of [...workers, ...apis]) faults.push({ name: `kill -9 of ${server.name}`, limited: true, run: () => kill(server) });
  for (const server of [...workers, ...apis]) faults.push({ name: `cut of ${server.name}`, limited: true, run: () => cut(server) });
  for (const mode of ["immediate", "fast"]) faults.push({ name: `postgres restart ${mode}`, limited: true, run: () => restartPostgres(postgres, mode) });
  const gone = { name: "store gone", limited: true, run: async () => {
    await store.command("stop");
    await sleep(outage);
    await store.command("start");
  } };
  return [...faults, gone, gone];
}

// One request of each kind at each API process. -> whether all succeeded
async function probe(load, random) {
  for (const [at, server] of load.servers.entries()) {
    const asset = load.assets.findLast(({ imported, deleted }) => imported && !deleted.includes(true));
    if (!asset) return false;
    const path = `/v1/assets/${asset.id}`;
    for (const part of ["", `/files/${asset.file}`, "/thumbnail", `/render?w=96&h=96&view=${(random() * 360).toFixed(3)},20`])
      if (!(await load.call("probe", server, path + part, {}, mayBeInTrash(asset))).ok) return false;
    if (!(await load.call("probe", server, "/readyz", {}, (code) => code === 503)).ok) return false; // says no Retry-After
    const before = load.unavailable.length;
    const made = await load.upload(at);
    for (let state = ""; state !== "succeeded"; await sleep(200)) {
      const { ok, value } = await load.call("job", server, `/v1/jobs/${made.job}`);
      if (!ok || !["queued", "running", "succeeded"].includes(value.state)) return false;
      state = value.state;
    }
    made.imported = true;
    if (load.unavailable.length !== before) return false;
  }
  return true;
}

// Seconds until all requests succeeded, or undefined after the limit.
async function recovery(load, random) {
  const start = Date.now();
  while (Date.now() - start < recoveryLimit * 1000) {
    const begun = Date.now();
    const ok = await Promise.race([probe(load, random), sleep(start + recoveryLimit * 1000 - begun).then(() => false)]);
    if (ok) return (begun - start) / 1000;
    await sleep(250);
  }
  return undefined;
}

async function round(number, fault, cluster) {
  const { load, viewers } = cluster;
  const [violations, unavailable, from] = [load.violations.length, load.unavailable.length, Date.now()];
  load.slowest = 0;
  await fault.run();
  const over = Date.now();
  const recovered = await recovery(load, cluster.random);
  await sleep(Math.max(0, from + 12_000 - Date.now()));
  const pause = Math.max(...viewers.map((viewer) => viewer.longestPause(from)));
  const failed = [];
  if (recovered === undefined) failed.push("not recovered");
  if (fault.limited && pause > previewLimit) failed.push("preview");
  if (load.violations.length > violations) failed.push(`${load.violations.length - violations} wrong responses`);
  const row = { number, fault: fault.name, at: new Date(from).toISOString(), seconds: (over - from) / 1000, recovered, pause, slowest: load.slowest / 1000,
    unavailable: load.unavailable.length - unavailable, load: loadavg()[0], failed };
  const sessions = viewers.map((viewer) => viewer.sessions.splice(0));
  cluster.rows.push({ ...row, sessions });
  console.log(`${String(number).padStart(2)} ${row.at.slice(11, 23)} ${fault.name.padEnd(26)} ${row.seconds.toFixed(1)} s; recovered after ` +
    `${recovered?.toFixed(1) ?? `> ${recoveryLimit}`} s; previews paused ${pause.toFixed(1)} s; slowest request ${row.slowest.toFixed(1)} s; ${row.unavailable} unavailable; load ${row.load.toFixed(1)}; ${failed.join(", ") || "ok"}`);
}

const longestOf = (rows, member) => Math.max(...rows.map((row) => row[member] ?? Infinity)).toFixed(1);

function printTable({ rows, load, servers }, failures) {
  console.log(`\n${rows.length} rounds, seed ${flags.seed}, ${load.assets.length} uploads, requests: ${JSON.stringify(load.counts)}`);
  console.log("| fault | rounds | recovered after, longest | previews paused, longest | slowest request | failed rounds |\n|---|---|---|---|---|---|");
  const names = [...new Set(rows.map(({ fault }) => fault.replace(/-\d$/, "")))].sort();
  for (const name of names) {
    const own = rows.filter(({ fault }) => fault.replace(/-\d$/, "") === name);
    console.log(`| ${name} | ${own.length} | ${longestOf(own, "recovered")} s | ${longestOf(own, "pause")} s | ${longestOf(own, "slowest")} s | ${own.filter(({ failed }) => failed.length).length} |`);
  }
  const count = (check) => failures.filter((failure) => failure.check === check).length;
  const ended = servers.flatMap(({ name, unexpected }) => unexpected.map((end) => `${name} ${JSON.stringify(end)}`));
  console.log(`acknowledged and lost: ${count("lost")}; two effects: ${count("twice")}; events missing: ${count("event")}; ` +
    `wrong responses: ${load.violations.length}; processes that ended by themselves: ${ended.length}`);
  for (const line of failures.slice(0, 40)) console.log(JSON.stringify(line));
  for (const line of ended) console.log(line);
  return failures.length + load.violations.length + ended.length + rows.filter(({ failed }) => failed.length).length === 0;
}

async function startServers(folder, postgres, store) {
  const secret = join(folder, "secret");
  writeFileSync(secret, "the secret of this cluster\n");
  const options = { folder, logs: flags.logs, program: flags.program, secret, postgres, store: store.port };
  const servers = [];
  for (const [role, name] of ["worker-1", "worker-2", "api-1", "api-2"].map((each) => [each.slice(0, -2), each])) {
    const namespace = flags.namespaces ? await makeNamespace(servers.length + 2) : undefined;
    const server = await makeServer({ ...options, name, role, namespace, host: namespace && bridgeAddress });
    servers.push(server);
    server.start();
    for (let tries = 0; !(await fetch(`${server.url}/readyz`).then(({ ok }) => ok, () => false)); ++tries) {
      if (tries > 600) throw new Error(`${name} does not start, see ${flags.logs}`);
      await sleep(100);
    }
  }
  return servers;
}

async function run(cluster, previewed) {
  const { load, random, apis } = cluster;
  const report = (outcome) => load.report(outcome);
  cluster.viewers = previewed.map((asset, at) => new Viewer(`viewer ${at}`, asset, at ? apis.toReversed() : apis, report));
  const events = new EventClient(apis, report);
  events.run();
  await sleep(500);
  for (const viewer of cluster.viewers) viewer.run();
  load.start();
  await sleep(5000);
  if ((await recovery(load, random)) === undefined) throw new Error(`no round begins, because requests fail: ${JSON.stringify(load.violations.slice(0, 5))}`);
  load.violations.splice(0); // from here on
  const faults = faultsOf(cluster).filter(({ name }) => name.startsWith(flags.only ?? ""));
  for (let number = 1; number <= Number(flags.rounds) && !cluster.interrupted; ++number) await round(number, faults[Math.floor(random() * faults.length)], cluster);
  await load.stop();
  await sleep(2000);
  const failures = await checkAll(load, events);
  events.stopped.abort();
  for (const viewer of cluster.viewers) viewer.stop();
  const ok = printTable(cluster, failures);
  writeFileSync(join(flags.logs, "failures.json"), JSON.stringify({ rounds: cluster.rows, failures, responses: load.violations }, null, 1));
  return ok;
}

const postgres = new URL(process.env.VITRINE_TEST_DATABASE.replace("@/", "@local/")).searchParams.get("host");
const folder = mkdtempSync(join(tmpdir(), "vitrine-cluster-"));
mkdirSync(flags.logs, { recursive: true });
if (flags.namespaces) makeBridge();
const store = await startStore(join(folder, "swift"));
const cluster = { rows: [], store, postgres, random: generator(Number(flags.seed)), servers: [] };
process.on("SIGINT", () => { cluster.interrupted = true; });
let passed = false;
try {
  cluster.servers = await startServers(folder, postgres, store);
  cluster.apis = cluster.servers.filter(({ role }) => role === "api");
  cluster.workers = cluster.servers.filter(({ role }) => role === "worker");
  cluster.load = new Load(cluster.apis, flags.seed, generator(Number(flags.seed) + 1));
  const previewed = [];
  for (const joints of [5, 9]) previewed.push(await upload(cluster.apis[0].url, [{ name: `chain-${joints}.glb`, bytes: chainGlb(joints) }]));
  passed = await run(cluster, previewed);
} finally {
  await Promise.all(cluster.servers.map((server) => server.stop()));
  for (const one of cluster.servers.flatMap(({ ways }) => ways.closed)) one.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(passed ? 0 : 1);
