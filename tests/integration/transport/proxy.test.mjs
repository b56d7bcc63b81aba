// What `vitrine doctor --url` finds in a reverse proxy.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import http from "node:http";
import test from "node:test";

import { folder, program, serve } from "./support.mjs";

const token = "sesame-sesame-sesame";

// A proxy in front of the port. `change(fields)` changes what it sends; Connection is its own, with `upgrade` that of the client.
function startProxy(t, port, { upgrade = true, change = () => {} } = {}) {
  const pass = (request, response) => {
    const headers = { ...request.headers };
    if (!upgrade) delete headers.upgrade;
    headers.connection = upgrade && headers.upgrade ? "upgrade" : "close";
    headers["x-forwarded-for"] = "203.0.113.9";
    change(headers);
    const forwarded = http.request({ host: "127.0.0.1", port, agent: false, method: request.method, path: request.url, headers }, (from) => {
      response.writeHead(from.statusCode, from.headers);
      from.pipe(response);
    });
    request.pipe(forwarded);
  };
  const proxy = http.createServer(pass);
  // A handshake that the server rejects is an ordinary response.
  proxy.on("upgrade", (request, socket) => {
    const response = new http.ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => socket.end());
    pass(request, response);
  });
  t.after(() => proxy.close());
  return new Promise((resolve) => proxy.listen(0, "127.0.0.1", () => resolve(proxy.address().port)));
}

// Not spawnSync: the proxy is in this process.
function doctor(url, ...words) {
  return new Promise((resolve) => {
    const child = spawn(program, ["doctor", "--url", url, ...words]);
    let out = "";
    child.stdout.on("data", (text) => (out += text));
    child.on("close", () => resolve(/^(ok|WRONG) +address .*(\n +fix: .*)?/m.exec(out)?.[0] ?? out));
  });
}

async function start(t, ...options) {
  return serve(folder(t), ["--listen", "127.0.0.1:0", "--token", token, ...options], { open: false });
}

test("a proxy that passes what the server needs", async (t) => {
  const { port } = await start(t, "--trusted-proxy", "loopback");
  const url = `http://127.0.0.1:${await startProxy(t, port)}`;
  assert.match(await doctor(url, "--token", token), /^ok .*WebSockets pass, this client is 203\.0\.113\.9$/);
  assert.match(await doctor(url), /^ok .*--token checks/);
});

test("no proxy", async (t) => {
  const { port } = await start(t);
  assert.match(await doctor(`http://127.0.0.1:${port}`, "--token", token), /^ok .*WebSockets pass, this client is 127\.0\.0\.1$/);
});

test("a proxy that drops Upgrade", async (t) => {
  const { port } = await start(t, "--trusted-proxy", "loopback");
  const url = `http://127.0.0.1:${await startProxy(t, port, { upgrade: false })}`;
  assert.match(await doctor(url, "--token", token), /^WRONG .*drops Upgrade.*\n +fix: let the proxy send Upgrade/);
});

test("a proxy that sends its own Host", async (t) => {
  const { port } = await start(t, "--trusted-proxy", "loopback");
  const change = (headers) => (headers.host = `127.0.0.1:${port}`);
  const url = `http://127.0.0.1:${await startProxy(t, port, { change })}`;
  assert.match(await doctor(url, "--token", token), /^WRONG .*foreign to the server.*\n +fix: let the proxy send Host/);
});

// 127.1 is a name of this machine that doctor does not take for one; curl may send it as 127.0.0.1.
test("a proxy that names no client, or that the server does not trust", async (t) => {
  const untrusted = await start(t, "--host", "127.1");
  const trusted = await start(t, "--host", "127.1", "--trusted-proxy", "loopback");
  const named = (headers) => (headers.host = headers.host.replace("127.0.0.1", "127.1"));
  const silent = (headers) => named(headers) && delete headers["x-forwarded-for"];
  for (const port of [await startProxy(t, untrusted.port, { change: named }), await startProxy(t, trusted.port, { change: silent })])
    assert.match(await doctor(`http://127.1:${port}`, "--token", token), /^WRONG .*all clients have the address 127\.0\.0\.1\n +fix: let the proxy send X-Forwarded-For/);
});
