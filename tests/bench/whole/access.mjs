// What access control costs a request: the same library behind --open, and behind an API token and a session of a user with rate
// limits on. The servers are asked in turn by wrk: cached thumbnail, asset, 304, list of 50, skeleton.
// usage: node tests/bench/whole/access.mjs [--seconds S] [--rounds N] [--connections C]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb } from "./rigs.mjs";
import { json, median, startVitrine, stopVitrine, upload } from "./vitrine.mjs";
import { wrk } from "./wrk.mjs";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "7" },
    connections: { type: "string", default: "32" },
    program: { type: "string", default: "build/release/bin/vitrine" },
  },
});

const floor = 0.9; // of the requests of the open server, by processor time
const secret = "a token of the measured server";
const password = "a long sentence of the measured server";
const measures = [
  { name: "cached thumbnail", path: (id) => `/v1/assets/${id}/thumbnail` },
  { name: "asset JSON", path: (id) => `/v1/assets/${id}` },
  { name: "304 of asset JSON", path: (id) => `/v1/assets/${id}`, conditional: true },
  { name: "list of 50", path: () => "/v1/assets?limit=50" },
  { name: "skeleton of 41 joints", path: (id) => `/v1/assets/${id}/skeleton` },
];

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-access-"));
const running = new Set();
process.on("exit", () => {
  for (const { child } of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(1));

async function start(name, access) {
  const server = await startVitrine(flags.program, join(folder, name), ["--log", "warn"], { stdio: ["ignore", "pipe", "inherit"] }, access);
  running.add(server);
  return server;
}

// A server over 60 models that were uploaded to an open one; `asset` is the first.
async function serverWithModels(name, access) {
  const filling = await start(name, ["--open"]);
  const chain = chainGlb(41);
  const asset = await upload(filling.url, Array.from({ length: 60 }, (_, i) => ({ name: `chain-${String(i).padStart(2, "0")}.glb`, bytes: chain })));
  await stopVitrine(filling);
  running.delete(filling);
  return { ...(await start(name, access)), asset };
}

function post(server, path, body, authorization) {
  const headers = { "Content-Type": "application/json", ...authorization };
  return fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

// The header fields of an API token and of a session of a user of the server.
async function principals(server) {
  const admin = { Authorization: `Bearer ${secret}` };
  const token = await (await post(server, "/v1/tokens", { name: "bench", role: "viewer" }, admin)).json();
  await post(server, "/v1/users", { name: "bench", role: "viewer", password }, admin);
  const signedIn = await post(server, "/v1/sessions", { name: "bench", password });
  if (signedIn.status !== 201) throw new Error(`sign-in: ${signedIn.status} ${await signedIn.text()}`);
  return { token: `Authorization: Bearer ${token.token}`, session: `Cookie: ${signedIn.headers.get("set-cookie").split(";")[0]}` };
}

async function etagOf(url, header) {
  const [name, value] = header ? header.split(/: (.*)/s) : [];
  const response = await fetch(url, { headers: name ? { [name]: value } : {} });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  await response.arrayBuffer();
  return response.headers.get("etag");
}

const open = await serverWithModels("open", ["--open"]);
const closed = await serverWithModels("closed", ["--token", secret, "--rate-limit", "reads=1000000000/s"]);
await json(`${open.url}/v1/assets?limit=1`);
const headers = await principals(closed);
const sides = [
  { name: "open", server: open },
  { name: "token", server: closed, header: headers.token },
  { name: "session", server: closed, header: headers.session },
];

console.log(`Access control, wrk -t1 -c${flags.connections}, ${flags.rounds} rounds of ${flags.seconds} s in turn, median processor time of a request`);
console.log("| measure | open | token | session | open by token; by session | wanted |\n|---|---|---|---|---|---|");
for (const measure of measures) {
  const rounds = { open: [], token: [], session: [] };
  for (let round = 0; round < Number(flags.rounds); ++round)
    for (const { name, server, header } of sides) {
      const url = server.url + measure.path(server.asset);
      const etag = await etagOf(url, header);
      const sent = [...(header ? [header] : []), ...(measure.conditional ? [`If-None-Match: ${etag}`] : [])];
      rounds[name].push(wrk(server, url, { ...flags, headers: sent }).microseconds);
    }
  const [none, token, session] = sides.map(({ name }) => median(rounds[name]));
  const ratios = [none / token, none / session];
  console.log(`| ${measure.name} | ${none.toFixed(1)} us | ${token.toFixed(1)} us | ${session.toFixed(1)} us | ` +
    `${ratios.map((ratio) => ratio.toFixed(2)).join("; ")} | ${floor}: ${Math.min(...ratios) >= floor ? "reached" : "not reached"} |`);
}
process.exit(0);
