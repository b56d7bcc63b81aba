// Requests of others while clients attack the whole program: latency without and with each attack, and memory of the server.
// usage: node tests/bench/whole/hostile.mjs [--seconds S] [--program PATH]
//
// The measured client sends 200 requests a second, in turn for an asset, a list of 50, a thumbnail and a pose at a new time, and
// apart from them 10 a second for a picture of 256 x 256 from a new angle. Attacks run in processes of their own at the lowest priority, because real ones would not use the server's processor:
//   carriage returns  4 clients upload 20 MB of them in a multipart body, again and again
//   slow readers      60 clients request a mesh of 80 MB and do not read it
//   dense poses       16 clients request 2,001 poses of 41 joints and read one answer after the other
//   turntables        12 clients request turntables of new sizes, one after the other
//   leaving clients   32 clients request dense poses and new pictures and disconnect after 20 ms
//   stalled log       the log is a pipe that nobody reads; 20,000 requests have filled it
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { chainGlb } from "./rigs.mjs";
import { startVitrine, sumOfProcesses, upload } from "./vitrine.mjs";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    program: { type: "string", default: "build/release/bin/vitrine" },
    attack: { type: "string" }, // this process attacks
    url: { type: "string" },
    chain: { type: "string" },
    mesh: { type: "string" },
  },
});

const attacks = {
  "carriage returns": ({ url }) => repeatedly(4, () => exchange(new URL("/v1/assets", url), "POST", carriageReturns())),
  "slow readers": ({ url, mesh }) => openAndWait(60, url, `/v1/assets/${mesh}/mesh`),
  "dense poses": ({ url, chain }) => repeatedly(16, () => exchange(new URL(`/v1/assets/${chain}/clips/c0/pose?t=0/1/0.0005`, url))),
  turntables: ({ url, chain }) => repeatedly(12, () => exchange(new URL(`/v1/assets/${chain}/turntable?frames=24&size=${newNumber(64, 512)}`, url))),
  "leaving clients": ({ url, chain }) => repeatedly(32, () => leave(new URL(Math.random() < 0.5
    ? `/v1/assets/${chain}/clips/c0/pose?t=0/1/0.0005` : `/v1/assets/${chain}/render?view=${newNumber(0, 360)},${newNumber(-80, 80)}`, url), 20)),
};
if (flags.attack) await attacks[flags.attack](flags);

function carriageReturns() {
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.obj"\r\n\r\n');
  return { type: "multipart/form-data; boundary=b", bytes: Buffer.concat([head, Buffer.alloc(20e6, "\r"), Buffer.from("\r\n--b--\r\n")]) };
}

// Sends one request and reads the answer. -> milliseconds; failures of the connection count too
function exchange(url, method = "GET", body = null, agent = undefined) {
  const start = performance.now();
  return new Promise((done) => {
    const headers = body ? { "content-type": body.type, "content-length": body.bytes.length } : {};
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.on("close", () => done({ milliseconds: performance.now() - start, status: response.statusCode }));
    });
    sent.on("error", () => done({ milliseconds: performance.now() - start, status: 0 }));
    sent.end(body?.bytes);
  });
}

function newNumber(from, to) {
  return Math.floor(from + Math.random() * (to - from));
}

// Sends a request and closes the connection after some milliseconds.
function leave({ hostname, port, pathname, search }, milliseconds) {
  return new Promise((done) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      setTimeout(() => socket.destroy(), milliseconds);
    });
    socket.on("error", () => {});
    socket.on("close", () => setTimeout(done, 5));
  });
}

async function repeatedly(clients, send) {
  await Promise.all(Array.from({ length: clients }, async () => {
    for (;;) await send();
  }));
}

async function openAndWait(clients, url, path) {
  const { hostname, port } = new URL(url);
  const open = () => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`));
    socket.pause();
    socket.on("error", () => {});
    socket.on("close", () => setTimeout(open, 100));
  };
  for (let i = 0; i < clients; ++i) open();
  await new Promise(() => {});
}

// Anonymous and shared memory of the process and its children in MB; pages of files are the kernel's.
function memory(pid) {
  return sumOfProcesses(pid, (id) => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return (kilobytes("RssAnon") + kilobytes("RssShmem")) / 1e3;
  });
}

// -> { p50, p99 } in milliseconds, the same of new pictures in { pictures }, { failed } requests, { peak } memory in MB
async function measure({ url, pid }, { chain, model }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const paths = [() => `/v1/assets/${model}`, () => "/v1/assets?limit=50", () => `/v1/assets/${model}/thumbnail`,
    () => `/v1/assets/${chain}/clips/c0/pose?t=${Math.random()}`];
  const [results, pictures] = [[], []];
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, memory(pid))), 250);
  const end = performance.now() + 1000 * Number(flags.seconds);
  for (let number = 0; performance.now() < end; ++number) {
    results.push(exchange(new URL(paths[number % paths.length](), url), "GET", null, agent));
    if (number % 20 === 0)
      pictures.push(exchange(new URL(`/v1/assets/${model}/render?w=256&h=256&view=${(360 * Math.random()).toFixed(3)},15`, url)));
    await new Promise((later) => setTimeout(later, 5));
  }
  const [all, drawn] = await Promise.all([Promise.all(results), Promise.all(pictures)]);
  clearInterval(watch);
  agent.destroy();
  const failed = [...all, ...drawn].filter(({ status }) => status !== 200).length;
  return { ...quantiles(all), pictures: quantiles(drawn), failed, peak };
}

function quantiles(answers) {
  const times = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  return { p50: at(0.5), p99: at(0.99) };
}

// A mesh of 80 MB as the server sends it: an indexed grid.
function gridObj(side) {
  const lines = [];
  for (let y = 0; y < side; ++y) for (let x = 0; x < side; ++x) lines.push(`v ${x} ${y} ${(x * y) % 7}`);
  for (let y = 0; y + 1 < side; ++y)
    for (let x = 0; x + 1 < side; ++x) {
      const a = y * side + x + 1;
      lines.push(`f ${a} ${a + 1} ${a + side + 1} ${a + side}`);
    }
  return Buffer.from(lines.join("\n"));
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-hostile-"));
const started = [];
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(1));

async function open(name, log) {
  const server = await startVitrine(flags.program, join(folder, name), ["--log", "info"], { stdio: ["ignore", "pipe", log] });
  started.push(server.child);
  return server;
}

async function fill({ url }) {
  const chain = await upload(url, Array.from({ length: 60 }, (_, i) => ({ name: `chain-${i}.glb`, bytes: chainGlb(41) })));
  return { chain, model: chain };
}

async function underAttack(name, server, ids, mesh) {
  const args = ["-n", "19", process.execPath, fileURLToPath(import.meta.url), "--attack", name, "--url", server.url, "--chain", ids.chain, "--mesh", mesh];
  const attacker = spawn("nice", args, { stdio: ["ignore", "ignore", "inherit"] });
  started.push(attacker);
  await new Promise((later) => setTimeout(later, 1000));
  const result = await measure(server, ids);
  attacker.kill("SIGKILL");
  await new Promise((later) => setTimeout(later, 1000)); // connections end
  return result;
}

function print(name, { p50, p99, pictures, failed, peak }, quiet) {
  const ratio = quiet ? (p99 / quiet.p99).toFixed(2) : "";
  const drawn = `${pictures.p50.toFixed(0)} | ${pictures.p99.toFixed(0)}`;
  console.log(`| ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${ratio} | ${drawn} | ${failed} | ${peak.toFixed(0)} |`);
}

const server = await open("data", openSync(join(folder, "log"), "w"));
const ids = await fill(server);
const mesh = await upload(server.url, [{ name: "grid.obj", bytes: gridObj(560) }]);
await measure(server, ids); // answers are stored, connections open
console.log("| others' requests while | p50, ms | p99, ms | p99 in times of nothing else | new pictures p50, ms | p99, ms | failed | memory of the server, MB |\n|---|---|---|---|---|---|---|---|");
const quiet = await measure(server, ids);
print("nothing else happens", quiet);
for (const name of Object.keys(attacks)) print(name, await underAttack(name, server, ids, mesh), quiet);
print("nothing else, afterwards", await measure(server, ids), quiet);
server.child.kill("SIGTERM");

const stalled = await open("stalled", "pipe");
stalled.child.stderr.pause();
const others = await fill(stalled);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
for (let i = 0; i < 20_000; i += 8)
  await Promise.all(Array.from({ length: 8 }, () => exchange(new URL(`/v1/assets/${others.model}`, stalled.url), "GET", null, agent)));
agent.destroy();
print("stalled log", await measure(stalled, others), quiet);
const from = performance.now();
stalled.child.kill("SIGTERM");
await new Promise((ended) => stalled.child.on("exit", ended));
console.log(`\nWith the stalled log, SIGTERM ends the server in ${(performance.now() - from).toFixed(0)} ms.`);
process.exit(0);
