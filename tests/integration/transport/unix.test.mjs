// Unix sockets: what a client gets, the file of the socket, and limits of each user.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, eventsUntil, eventually, folder, form, program, raw, serve, triangle, upgrade } from "./support.mjs";

const local = { Host: "localhost" };

test("requests, uploads, events and the preview over a Unix socket, beside TCP", async (t) => {
  const at = folder(t);
  const socketPath = join(at, "vitrine.sock");
  const server = await serve(join(at, "data"), ["--listen", "127.0.0.1:0", "--listen", `unix:${socketPath}`]);
  assert.deepEqual(server.urls, [`http://127.0.0.1:${server.port}`, `unix:${socketPath}`]);
  assert.equal((await ask({ port: server.port, path: "/healthz" })).status, 200);
  assert.equal(statSync(socketPath).mode & 0o777, 0o660);
  const events = eventsUntil("asset.", { socketPath, headers: local });
  const uploaded = await ask({ socketPath, ...form("triangle.obj", triangle) });
  assert.equal(uploaded.status, 201);
  assert.match(await events, /asset\./);
  const { id } = JSON.parse(uploaded.body).items[0].asset;
  assert.ok((await ask({ socketPath, path: `/v1/assets/${id}/files/triangle.obj`, headers: local })).body.equals(triangle));
  await eventually(async () => JSON.parse((await ask({ socketPath, path: `/v1/assets/${id}`, headers: local })).body).status !== "importing", "the import");
  const preview = await upgrade({ socketPath, path: `/v1/assets/${id}/preview`, headers: { "Sec-WebSocket-Protocol": "vitrine.preview.v1" } });
  assert.equal(preview.status, 101);
  assert.match(server.log(), new RegExp(`path=/v1/assets .* peer=unix:${process.getuid()} tls=none principal=open`));
  assert.match(server.log(), /path=\/healthz .* peer=127.0.0.1 tls=none principal=open/);
  server.signal("SIGTERM");
  assert.equal(await server.ended, 0);
  assert.ok(!existsSync(socketPath), "removed at the stop");
});

test("the socket is no way around the token", async (t) => {
  const at = folder(t);
  const socketPath = join(at, "vitrine.sock");
  const token = "sesame-sesame-sesame";
  const closed = await serve(join(at, "data"), ["--listen", `unix:${socketPath}`, "--token", token], { open: false });
  assert.equal((await ask({ socketPath, path: "/v1/assets", headers: local })).status, 401);
  assert.equal((await ask({ socketPath, path: "/v1/assets", headers: { ...local, Authorization: `Bearer ${token}` } })).status, 200);
  await eventually(() => /principal=token:server/.test(closed.log()) && /principal=anonymous/.test(closed.log()), "the log");
  closed.signal("SIGTERM");
  await closed.ended;
  await serve(join(at, "data"), ["--listen", `unix:${socketPath}`]);
  const forwarded = await ask({ socketPath, path: "/v1/assets", headers: { ...local, "X-Forwarded-For": "192.0.2.1" } });
  assert.equal(forwarded.status, 403, "--open is not for proxies");
  assert.equal((await ask({ socketPath, path: "/v1/assets", headers: { Host: "models.example.com" } })).status, 421);
});

test("the file of the socket", async (t) => {
  const at = folder(t);
  const socketPath = join(at, "vitrine.sock");
  const first = await serve(join(at, "one"), ["--listen", `unix:${socketPath}`, "--socket-mode", "0600"]);
  assert.equal(statSync(socketPath).mode & 0o777, 0o600);
  const run = (...options) => spawnSync(program, ["serve", "--data", join(at, "two"), "--gpu", "software", "--open", ...options], { encoding: "utf8" });
  const second = run("--listen", `unix:${socketPath}`);
  assert.equal(second.status, 1);
  assert.match(second.stderr, /vitrine: cannot listen on unix:.*: another process listens there\n$/);
  assert.equal((await ask({ socketPath, path: "/healthz", headers: local })).status, 200, "the first goes on");
  first.signal("SIGKILL");
  await first.ended;
  assert.ok(existsSync(socketPath), "stale");
  const third = await serve(join(at, "one"), ["--listen", `unix:${socketPath}`]);
  assert.equal((await ask({ socketPath, path: "/healthz", headers: local })).status, 200, third.log());
  const plain = join(at, "plain");
  writeFileSync(plain, "text");
  assert.match(run("--listen", `unix:${plain}`).stderr, /the file exists and is no socket/);
  for (const [wrong, words] of [[["--listen", "unix:"], "--listen must be"], [["--listen", `unix:/${"x".repeat(120)}`], "--listen must be"],
    [["--socket-mode", "9"], "--socket-mode must be"], [["--socket-mode", "7777"], "--socket-mode must be"]]) {
    const { status, stderr } = run(...wrong);
    assert.equal(status, 2, stderr);
    assert.ok(stderr.includes(words), stderr);
  }
});

test("connections have no limit for a user, but one for all, and import takes the socket", async (t) => {
  const at = folder(t);
  const socketPath = join(at, "vitrine.sock");
  await serve(join(at, "data"), ["--listen", `unix:${socketPath}`, "--connections-per-address", "1", "--connections", "3"]);
  const idle = Array.from({ length: 3 }, () => raw({ host: undefined, path: socketPath }));
  const answers = await Promise.all(idle.map(({ socket }) => new Promise((resolve) => { socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); socket.once("data", resolve); })));
  for (const text of answers) assert.match(String(text), /^HTTP\/1.1 200/);
  assert.equal((await ask({ socketPath, path: "/healthz", headers: local })).status, 503);
  for (const { socket } of idle) socket.destroy();
  await eventually(async () => (await ask({ socketPath, path: "/healthz", headers: local })).status === 200, "room");
  writeFileSync(join(at, "triangle.obj"), triangle);
  const imported = spawnSync(program, ["import", "--server", `unix:${socketPath}`, join(at, "triangle.obj")], { encoding: "utf8" });
  assert.equal(imported.status, 0, imported.stderr);
});
