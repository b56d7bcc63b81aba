// A standby of PostgreSQL takes over. Run by script/with-postgres, whose server is stopped here.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { openEmptyVitrine } from "../e2e/lib/servers.mjs";
import { until } from "../e2e/lib/until.mjs";

const database = process.env.VITRINE_TEST_DATABASE;
const skip = database ? false : "needs script/with-postgres";
const folder = mkdtempSync(join(tmpdir(), "vitrine-failover-"));
let primary; // the folder of its socket
let standby;
let server;

const ask = (host, statement) => execFileSync("psql", ["-qtA", "-h", host, "-U", "vitrine", "-d", "postgres", "-c", statement], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

function isReady(host) {
  try {
    return ask(host, "SELECT pg_is_in_recovery()") === "t";
  } catch {
    return false;
  }
}

// PostgreSQL does not run as root.
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((what) => Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" })));
  chownSync(folder, uid, gid);
  return { uid, gid };
}

before(async () => {
  if (skip) return;
  primary = new URL(database.replace("@/", "@localhost/")).searchParams.get("host");
  const [version] = readdirSync("/usr/lib/postgresql").sort((a, b) => b - a);
  const program = (name) => `/usr/lib/postgresql/${version}/bin/${name}`;
  const user = { ...unprivileged(), cwd: folder, stdio: "ignore" };
  const data = join(folder, "standby");
  execFileSync(program("pg_basebackup"), ["-h", primary, "-U", "vitrine", "-D", data, "-R", "-c", "fast"], user);
  standby = spawn(program("postgres"), ["-D", data, "-c", `unix_socket_directories=${folder}`], user);
  await until(() => isReady(folder), "the standby");
  const url = `postgres://vitrine@/postgres?host=${primary},${folder}&target_session_attrs=read-write`;
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, ["--database", url]);
});

after(async () => {
  await server?.close();
  standby?.kill("SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
});

async function upload(z) {
  const form = new FormData();
  form.append("file", new Blob([`v 0 0 0\nv 1 0 0\nv 0 1 ${z}\nf 1 2 3\n`]), `triangle-${z}.obj`);
  const response = await fetch(`${server.url}/v1/assets`, { method: "POST", body: form });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
}

const names = async () => (await (await fetch(`${server.url}/v1/assets`)).json()).items.map(({ name }) => name).sort();

test("requests are 503 without a primary, and served by the next one", { skip }, async () => {
  assert.equal((await upload(1)).status, 201);
  const written = ask(primary, "SELECT pg_current_wal_lsn()");
  await until(async () => ask(folder, `SELECT pg_last_wal_replay_lsn() >= '${written}'`) === "t", "the standby has it");
  process.kill(Number(readFileSync(join(primary, "data/postmaster.pid"), "utf8").split("\n")[0]), "SIGQUIT");
  await until(async () => (await upload(2)).status === 503, "the end of the primary");
  const rejected = await upload(3);
  assert.deepEqual([rejected.status, rejected.body.code], [503, "storage_unavailable"]);
  assert.ok(Number(rejected.retryAfter) > 0);
  assert.equal((await fetch(`${server.url}/v1/assets?limit=7`)).status, 503);
  ask(folder, "SELECT pg_promote()");
  await until(async () => (await upload(4)).status === 201, "a write");
  await until(async () => (await fetch(`${server.url}/readyz`)).ok, "readiness");
  const shown = await names();
  assert.ok(["triangle-1", "triangle-4"].every((name) => shown.includes(name)), `${shown}`);
  assert.ok(!shown.includes("triangle-3"), "was rejected");
  await until(async () => (await (await fetch(`${server.url}/v1/assets?status=ready`)).json()).items.length === shown.length, "the imports");
});
