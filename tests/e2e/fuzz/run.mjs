// Sends requests that are valid or nearly so for every operation of the contract as every role, and checks the responses against it:
// a 500, an undeclared status, a body of another shape, or the end of the server is a failure.
import { openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";
import { loadContract } from "./contract.mjs";
import { makeRandom, makeValues } from "./random.mjs";
import { makeRequests } from "./requests.mjs";

const requestTimeoutMs = 60_000;
const json = { "Content-Type": "application/json" };
const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
// A rig of two joints with a clip of four frames.
const motion = ["HIERARCHY", "ROOT hips", "{", "OFFSET 0 0 0", "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation", "JOINT knee", "{",
  "OFFSET 0 1 0", "CHANNELS 3 Zrotation Xrotation Yrotation", "End Site", "{", "OFFSET 0 1 0", "}", "}", "}", "MOTION", "Frames: 4", "Frame Time: 0.1",
  ...[0, 1, 2, 3].map((frame) => `0 0 0 ${frame * 10} 0 0 ${frame * 5} 0 0`), ""].join("\n");

async function importModels(ask) {
  const assets = [];
  for (const [name, text] of [["tetrahedron.obj", tetrahedron], ["walk.bvh", motion]]) {
    const form = new FormData();
    form.append("file", new Blob([text]), name);
    const made = await (await ask("POST", "/v1/assets", { body: form })).json();
    assets.push(made.items[0].asset.id);
    await until(async () => (await (await ask("GET", `/v1/jobs/${made.items[0].job.id}`)).json()).state === "succeeded", `the import of ${name}`, 120_000);
  }
  return assets;
}

// Things that exist, by the path that names them. What a request removes is 404 from then on; lists are read again now and then.
async function readKnown(ask, assets) {
  const ids = async (path, member = "id") => {
    const { items = [] } = await (await ask("GET", path)).json();
    return [...items.map((item) => item[member]), "none"];
  };
  const list = { "/v1/assets/": [...assets, "none"], clip: ["0", "c0", "walk", "9"], image: ["0"], n: ["1", "2"], path: ["tetrahedron.obj", "walk.bvh"], tag: ["a", "fuzz"] };
  for (const name of ["jobs", "uploads", "collections", "users", "tokens", "webhooks", "sessions"]) list[`/v1/${name}/`] = name === "uploads" ? ["none"] : await ids(`/v1/${name}`);
  list["?asset"] = assets;
  list["?clip"] = ["0", "none", "c0"];
  list["?w"] = list["?h"] = list["?size"] = ["32", "64"];
  list["?frames"] = ["1", "4", "frames"];
  list["?view"] = ["front", "0,0", "three-quarter"];
  return list;
}

// The server's own token is for `admin`; tokens that requests have revoked are made again.
async function makeRoles(ask, token) {
  const roles = { none: null, admin: token };
  for (const role of ["viewer", "editor"])
    roles[role] = (await (await ask("POST", "/v1/tokens", { headers: json, body: JSON.stringify({ name: role, role }) })).json()).token;
  return roles;
}

// Runs for `seconds`, at least one request of every operation and role. Returns { requests, faults, statuses }.
export async function fuzzApi(program, { seed, seconds, log = () => {} }) {
  const server = await openVitrineWithToken(program, ["--gpu", "software", "--address-rate-limit", "reads=0,writes=0,renders=0", "--answer-seconds", "20"]);
  const ask = (method, path, init = {}, token = server.token) =>
    fetch(server.url + path, { method, redirect: "manual", signal: AbortSignal.timeout(requestTimeoutMs), ...init,
      headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...init.headers } });
  const contract = loadContract();
  const random = makeRandom(seed);
  const values = makeValues(random, contract.resolve);
  const faults = new Map();
  const statuses = new Map();
  let requests = 0;

  async function send(operation, role, token, made) {
    let outcome;
    try {
      const response = await ask(made.method, made.target, { headers: made.fields, body: made.method === "GET" ? undefined : made.body }, token);
      outcome = { status: response.status, type: response.headers.get("content-type") ?? "", body: Buffer.from(await response.arrayBuffer()) };
    } catch (error) {
      return `no response: ${error.cause ?? error}`;
    }
    const key = `${operation.id} ${outcome.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    return contract.fault(operation, outcome);
  }

  try {
    let assets = await importModels(ask);
    let roles = await makeRoles(ask, server.token);
    for (const until = Date.now() + seconds * 1000, round = { number: 0 }; round.number === 0 || Date.now() < until; ++round.number) {
      const makeRequest = makeRequests(random, values, await readKnown(ask, assets));
      for (const operation of contract.operations)
        for (const [role, token] of Object.entries(roles)) {
          if (round.number > 0 && Date.now() >= until) break;
          const made = makeRequest(operation);
          const fault = await send(operation, role, token, made);
          ++requests;
          if (!fault) continue;
          const key = `${operation.id}: ${fault.slice(0, 80)}`;
          if (!faults.has(key)) log(`${key}\n  as ${role}: ${made.method} ${made.target} ${JSON.stringify(made.fields)} ${typeof made.body === "string" ? made.body : ""}\n  ${fault}`);
          faults.set(key, fault);
        }
      assets = await importModels(ask); // the same files: those that requests have removed come back
      roles = await makeRoles(ask, server.token);
    }
  } finally {
    await server.close();
  }
  return { requests, faults: [...faults.entries()], statuses };
}

// node fuzz/run.mjs SECONDS [SEED]
if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [seconds = "30", seed = "1"] = process.argv.slice(2);
  const result = await fuzzApi(process.env.VITRINE_PROGRAM, { seconds: Number(seconds), seed: Number(seed), log: console.log });
  console.log(`${result.requests} requests with the seed ${seed}, ${result.faults.length} faults`);
  process.exit(result.faults.length === 0 ? 0 : 1);
}
