// The processes of a cluster on loopback: servers under a supervisor, connections that can be cut, the object store, PostgreSQL.
import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";

export const sleep = (ms) => new Promise((later) => setTimeout(later, ms));

// A relay of TCP connections to `target` (options of net.connect). While it is cut no byte passes and no connection ends, as when a
// cable is pulled; afterwards what was sent meanwhile arrives. -> { port, cut(), heal(), close() }
export async function relay(target, address = "127.0.0.1") {
  const pairs = new Set();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(target);
    const pair = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]]) {
      from.on("data", (bytes) => to.write(bytes) || from.pause());
      to.on("drain", () => isCut || from.resume());
      from.on("end", () => whenHealed(() => to.end()));
      from.on("error", () => {});
      from.on("close", () => whenHealed(() => { to.destroy(); pairs.delete(pair); }));
      if (isCut) from.pause();
    }
  });
  const waiting = [];
  const whenHealed = (work) => (isCut ? waiting.push(work) : work());
  await new Promise((listening) => server.listen(0, address, listening));
  return {
    port: server.address().port,
    cut() {
      isCut = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    heal() {
      isCut = false;
      for (const work of waiting.splice(0)) work();
      for (const socket of [...pairs].flat()) socket.resume();
    },
    close() {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
}

export async function freePort() {
  const probe = createServer();
  await new Promise((listening) => probe.listen(0, "127.0.0.1", listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

// `vitrine serve` with a fixed port, started again one second after its end, as a supervisor does.
export class Server {
  deaths = []; // times (ms, Date.now) at which kill() was called
  unexpected = []; // ends that nobody asked for

  // ways: what is cut, and what is closed at the end.
  constructor(name, role, url, ways, startProcess) {
    Object.assign(this, { name, role, url, ways, startProcess, stopping: false });
  }

  start() {
    this.child = this.startProcess();
    this.child.on("exit", (code, signal) => {
      if (this.stopping) return;
      if (!this.killed) this.unexpected.push({ at: new Date().toISOString(), code, signal });
      this.killed = false;
      this.restart = setTimeout(() => this.start(), 1000);
    });
  }

  kill() {
    this.killed = true;
    this.deaths.push(Date.now());
    this.child.kill("SIGKILL");
  }

  // Whether a connection may break in this time because the process was killed.
  diedWithin(from, to) {
    return this.deaths.some((death) => death >= from - 8000 && death <= to);
  }

  async stop() {
    this.stopping = true;
    clearTimeout(this.restart);
    const ended = new Promise((end) => this.child.once("exit", end));
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGTERM");
    const late = setTimeout(() => this.child.kill("SIGKILL"), 15_000);
    await ended;
    clearTimeout(late);
  }
}

const environment = (endpoint) => ({ ...process.env, AWS_ACCESS_KEY_ID: "test:tester", AWS_SECRET_ACCESS_KEY: "kept-out-of-logs",
  no_proxy: "*", VITRINE_S3_ENDPOINT: endpoint, VITRINE_BLOBS: "s3://vitrine/soak", VITRINE_S3_ADDRESSING: "path" });

// Where a server listens, and how others reach it. In a namespace an API process has a Unix socket, so that its clients are not cut.
async function addressesOf(folder, name, role, namespace) {
  if (!namespace) {
    const port = await freePort();
    const links = await relay({ port, host: "127.0.0.1" }); // from API processes to a worker
    return { flags: ["--open", "--listen", `127.0.0.1:${port}`, "--advertise", `http://127.0.0.1:${links.port}`], url: `http://127.0.0.1:${port}`, relays: [links] };
  }
  if (role === "worker") return { flags: ["--token", "a token of workers", "--listen", `${namespace.address}:8080`], url: `http://${namespace.address}:8080`, relays: [] };
  const path = join(folder, `${name}.sock`);
  const clients = await relay({ path });
  return { flags: ["--open", "--listen", `unix:${path}`], url: `http://127.0.0.1:${clients.port}`, relays: [], clients };
}

// A server whose ways to PostgreSQL (a folder with its Unix socket), to the store (a port) and, of a worker, from the API
// processes can be cut: by its namespace, or else by relays of its own.
export async function makeServer({ folder, logs, program, secret, postgres, store, name, role, namespace, host = "127.0.0.1" }) {
  const { flags, url, relays, clients } = await addressesOf(folder, name, role, namespace);
  const [database, objects] = [await relay({ path: join(postgres, ".s.PGSQL.5432") }, host), await relay({ port: store, host: "127.0.0.1" }, host)];
  const [command, ...words] = [...(namespace?.enter ?? []), resolve(program), "serve", ...flags, "--role", role, "--data", join(folder, name), "--gpu", "software",
    "--no-samples", "--link-secret-file", secret, "--database", `postgres://vitrine@${host}:${database.port}/postgres?sslmode=disable&gssencmode=disable`];
  mkdirSync(join(folder, name));
  const log = createWriteStream(join(logs, `${name}.log`));
  const start = () => {
    const child = spawn(command, words, { env: environment(`http://${host}:${objects.port}`), stdio: ["ignore", "pipe", "pipe"] });
    for (const output of [child.stdout, child.stderr]) output.pipe(log, { end: false });
    return child;
  };
  const open = [...relays, database, objects];
  return new Server(name, role, url, { cuts: namespace ? [namespace] : open, closed: [...open, clients, namespace].filter(Boolean) }, start);
}

// The object store of tests/support/object_store.py. -> { port, command(word), close() }
export async function startStore(folder) {
  const child = spawn("/usr/bin/python3", [resolve("tests/support/object_store.py"), folder, "vitrine"], { stdio: ["pipe", "pipe", "inherit"] });
  let lines = [], take;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    lines.push(...text.split("\n").filter(Boolean));
    take?.();
  });
  const next = async () => {
    while (!lines.length) await new Promise((wake) => { take = wake; });
    return lines.shift();
  };
  const port = Number(/:(\d+)$/.exec(await next())[1]);
  return {
    port,
    async command(word) {
      child.stdin.write(`${word}\n`);
      await next();
    },
    async close() {
      child.stdin.end();
      await new Promise((end) => child.once("exit", end));
    },
  };
}

// Restarts the PostgreSQL of script/with-postgres in `folder`; mode: fast or immediate.
export function restartPostgres(folder, mode) {
  const [bin] = execFileSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"], { encoding: "utf8" }).split("\n");
  const user = process.getuid() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const [program, ...words] = [...user, `${bin}/pg_ctl`, "-D", `${folder}/data`, "-l", `${folder}/server.log`, "-m", mode, "-w", "restart"];
  return new Promise((done, failed) => {
    spawn(program, words, { stdio: "ignore", cwd: "/" }).on("exit", (code) => (code ? failed(new Error(`pg_ctl: ${code}`)) : done()));
  });
}
