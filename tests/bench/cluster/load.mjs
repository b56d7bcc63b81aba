// The load on a cluster, and what was acknowledged: each asset has one writer, so that the order of its changes is known.
import { createHash } from "node:crypto";

import { sleep } from "./processes.mjs";

const longest = 60_000; // milliseconds that a response may take
const retryTimeoutMs = 180_000; // for which a request is repeated
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

// A small model of its own content.
function model(number, seed) {
  return `# ${seed} ${number}\nv 0 0 0\nv 1 0 0\nv 0 ${1 + (number % 7) / 10} 0\nv 0 0 ${number + 1}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n`;
}

// Whether 404 is right for a request that begins now.
export function mayBeInTrash(asset) {
  const started = Date.now();
  return (status) => status === 404 && (asset.deleted.includes(true) || asset.inTrash >= started);
}

export class Load {
  assets = []; // { number, id, job, file, hash, name, names and deleted: possible values, imported, inTrash: time at which it last was }
  violations = []; // responses that are neither a success nor 503 with Retry-After
  unavailable = []; // times of 503 and of broken connections
  counts = {};
  slowest = 0; // milliseconds of the longest request of a round
  stopped = false;

  constructor(servers, seed, random) {
    Object.assign(this, { servers, seed, random, number: 0 });
  }

  // Records the outcome of a request that has not succeeded. `allowed(status)`: whether it is right here.
  report({ kind, server, started, status, retry, body = "", error, allowed = () => false }) {
    const now = Date.now();
    const violation = (what) => this.wrong({ at: new Date(started).toISOString(), ms: now - started, server: server.name, kind, what, body: body.slice(0, 600) });
    if (status && allowed(status)) return;
    this.unavailable.push(now);
    if (status === 503 && retry) return this.count("503");
    if (status) return violation(`status ${status}${status === 503 ? " without Retry-After" : ""}`);
    if (now - started < longest && server.diedWithin(started, now)) return this.count("broken");
    violation(now - started >= longest ? "no response in 60 s" : `connection: ${error.cause?.message ?? error.message} (${error.cause?.code ?? error.name})`);
  }

  wrong(response) {
    this.violations.push(response);
    console.log(`wrong: ${JSON.stringify(response)}`);
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  // -> { status, value, bytes, error }; `status` is undefined when there was no response.
  async call(kind, server, path, options = {}, allowed = undefined) {
    const started = Date.now();
    try {
      const response = await fetch(server.url + path, { signal: AbortSignal.timeout(longest), ...options });
      const bytes = Buffer.from(await response.arrayBuffer());
      const ok = response.ok;
      this.slowest = Math.max(this.slowest, Date.now() - started);
      if (ok) this.count(kind);
      else this.report({ kind: `${options.method ?? "GET"} ${path}`, server, started, status: response.status, retry: response.headers.get("retry-after"), body: bytes.toString(), allowed });
      const isJson = response.headers.get("content-type")?.includes("json");
      return { ok, status: response.status, bytes, value: isJson ? JSON.parse(bytes) : undefined };
    } catch (error) {
      this.report({ kind: `${options.method ?? "GET"} ${path}`, server, started, error });
      return { ok: false, error };
    }
  }

  // Repeats at the servers in turn until one acknowledges.
  async insist(kind, path, options, first = 0, before = () => {}) {
    const until = Date.now() + retryTimeoutMs;
    for (let at = first; Date.now() < until; ++at) {
      before();
      const answer = await this.call(kind, this.servers[at % this.servers.length], path, options);
      if (answer.ok) return answer;
      await sleep(300);
    }
    throw new Error(`${kind} ${path} was not acknowledged in 3 minutes`);
  }

  async upload(first) {
    const number = this.number++;
    const file = `a-${number}.obj`;
    const text = model(number, this.seed);
    const form = () => {
      const body = new FormData();
      body.append("file", new Blob([text]), file);
      return body;
    };
    const options = { method: "POST", headers: { "idempotency-key": `${this.seed}-${number}` }, get body() { return form(); } };
    const { value } = await this.insist("upload", "/v1/assets", options, first);
    const { asset, job } = value.items[0];
    const made = { number, id: asset.id, job: job.id, file, hash: sha256(text), names: [asset.name], deleted: [false], imported: false };
    this.assets.push(made);
    return made;
  }

  // Uploads at the same time. They are waited for at the end.
  burst(count) {
    for (let at = 0; at < count; ++at) this.running.push(this.upload(at));
  }

  // A change whose request fails may have happened: until the next one is acknowledged, both values are possible.
  async change(asset, member, value, kind, path, options, first) {
    await this.insist(kind, path, options, first, () => asset[member].includes(value) || asset[member].push(value));
    asset[member] = [value];
  }

  rename(asset, first) {
    const name = `a-${asset.number} named ${(asset.renames = (asset.renames ?? 0) + 1)}`;
    const options = { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) };
    return this.change(asset, "names", name, "rename", `/v1/assets/${asset.id}`, options, first);
  }

  async write(first) {
    const own = [];
    for (let turn = 0; !this.stopped; ++turn) {
      if (this.assets.filter(({ imported }) => !imported).length < 20) own.push(await this.upload(first));
      const asset = own[Math.floor(this.random() * own.length)];
      if (asset && !asset.deleted.includes(true)) await this.rename(asset, first + turn);
      if (asset && turn % 4 === 1 && asset.imported) await this.trash(asset, first + turn, turn % 12 !== 1);
      await sleep(600);
    }
  }

  // DELETE of what is in the trash already, by a request whose response was lost, is 404.
  async trash(asset, first, back) {
    asset.deleted = [false, true];
    const path = `/v1/assets/${asset.id}`;
    for (let at = first, until = Date.now() + retryTimeoutMs; ; ++at) {
      if (Date.now() > until) throw new Error(`DELETE ${path} was not acknowledged in 3 minutes`);
      const { ok, status } = await this.call("delete", this.servers[at % this.servers.length], path, { method: "DELETE" }, (code) => code === 404 && at > first);
      if (ok || status === 404) break;
      await sleep(300);
    }
    asset.deleted = [true];
    if (back) await this.change(asset, "deleted", false, "restore", `${path}/restore`, { method: "POST" }, first);
    asset.inTrash = Date.now();
  }

  // Each reader stays at one server, so that a server that does not answer delays only its own.
  async read(server) {
    for (let turn = 0; !this.stopped; ++turn) {
      await sleep(300);
      const asset = this.assets[Math.floor(this.random() * this.assets.length)];
      if (!asset || asset.deleted.includes(true)) continue;
      const path = `/v1/assets/${asset.id}`;
      if (!asset.imported) {
        const { value } = await this.call("job", server, `/v1/jobs/${asset.job}`);
        if (value?.state === "succeeded") asset.imported = true;
        if (["failed", "cancelled"].includes(value?.state)) asset.imported = true; // found at the end
        continue;
      }
      const wanted = [["thumbnail", "/thumbnail"], ["render", `/render?w=96&h=96&view=${(this.random() * 360).toFixed(3)},20`],
        ["asset", ""], ["file", `/files/${asset.file}`]][turn % 4];
      const { bytes, ok } = await this.call(wanted[0], server, path + wanted[1], {}, mayBeInTrash(asset));
      if (ok && wanted[0] === "file" && sha256(bytes) !== asset.hash)
        this.wrong({ at: new Date().toISOString(), server: server.name, kind: `GET ${path}${wanted[1]}`, what: "other bytes", body: "" });
    }
  }

  start() {
    this.running = [this.write(0), this.write(1), ...this.servers.flatMap((server) => [this.read(server), this.read(server)])];
    for (const one of this.running) one.catch((error) => this.wrong({ at: new Date().toISOString(), server: "-", kind: "load", what: error.message, body: "" }));
  }

  async stop() {
    this.stopped = true;
    await Promise.allSettled(this.running);
  }
}
