// TLS: what a client gets, reload of the certificate, and clients that misbehave.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import crypto from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, connectTls, eventsUntil, eventually, folder, form, makeCertificate, program, raw, serve, triangle, upgrade } from "./support.mjs";

const health = { secure: true, path: "/healthz" };
const secureGet = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function start(t, options = [], access = {}) {
  const at = folder(t);
  const files = makeCertificate(at, "first");
  const server = await serve(join(at, "data"), ["--listen", "127.0.0.1:0", "--tls-cert", files.cert, "--tls-key", files.key, ...options], access);
  assert.ok(server.port > 0, server.log());
  return { at, files, ...server };
}

// A client that is cut at `bytes` bytes of what a real one sends in a handshake.
const clientHello = await (async () => {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const hello = new Promise((resolve) => server.once("connection", (socket) => socket.on("error", () => {}).once("data", (bytes) => { resolve(bytes); socket.destroy(); })));
  await connectTls(server.address().port).catch(() => {});
  server.close();
  return hello;
})();

test("modern versions and ciphers, HTTP/1.1 by ALPN, resumed sessions", async (t) => {
  const { port, urls, log } = await start(t);
  assert.deepEqual(urls, [`https://127.0.0.1:${port}`]);
  const newest = await ask({ ...health, port, ALPNProtocols: ["h2", "http/1.1"] });
  assert.equal(newest.status, 200);
  assert.equal(newest.version, "TLSv1.3");
  assert.equal(newest.alpn, "http/1.1");
  await eventually(() => /peer=127.0.0.1 tls=TLSv1.3 principal=open/.test(log()), "the log line");
  const older = await ask({ ...health, port, maxVersion: "TLSv1.2" });
  assert.match(older.cipher, /^TLS_ECDHE_ECDSA_WITH_(AES_.*_GCM|CHACHA20)/);
  await assert.rejects(ask({ ...health, port, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" }));
  await assert.rejects(ask({ ...health, port, maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA:AES128-SHA" }), "no CBC");
  await assert.rejects(connectTls(port, { ALPNProtocols: ["h2"] }), "no common protocol");
  for (const maxVersion of ["TLSv1.2", "TLSv1.3"]) {
    let session;
    const first = await connectTls(port, { maxVersion });
    session = maxVersion === "TLSv1.2" ? first.getSession() : undefined; // TLS 1.3 sends it later
    first.on("session", (ticket) => (session = ticket));
    first.write(secureGet);
    await eventually(() => session, "a ticket");
    first.destroy();
    const second = await connectTls(port, { maxVersion, session });
    assert.equal(second.isSessionReused(), true, maxVersion);
    second.destroy();
  }
});

test("cookies, origins and HSTS know that it is https", async (t) => {
  const { port } = await start(t, ["--token", "sesame-sesame-sesame", "--hsts-seconds", "3600"], { open: false });
  const signIn = await ask({ secure: true, port, path: "/?token=sesame-sesame-sesame", headers: { Accept: "text/html" } });
  assert.equal(signIn.status, 303);
  assert.match(signIn.headers["set-cookie"][0], /; Secure$/);
  assert.equal(signIn.headers["strict-transport-security"], "max-age=3600");
  const write = (origin) => ask({ secure: true, port, method: "DELETE", path: "/v1/assets/nothing", headers: { Host: `localhost:${port}`, Origin: origin, Authorization: "Bearer sesame-sesame-sesame" } });
  assert.equal((await write(`https://localhost:${port}`)).status, 404);
  assert.equal((await write(`http://localhost:${port}`)).status, 403, "a page without TLS is another origin");
  const plain = await start(t);
  assert.equal((await ask({ ...health, port: plain.port })).headers["strict-transport-security"], undefined, "only if chosen");
});

test("uploads, files, events and the preview over TLS", async (t) => {
  const { port } = await start(t);
  const large = Buffer.concat([Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n#"), crypto.randomBytes(5 << 20)]);
  const events = eventsUntil("asset.", { secure: true, port });
  const uploaded = await ask({ secure: true, port, ...form("large.obj", large) });
  assert.equal(uploaded.status, 201, uploaded.body.toString());
  assert.match(await events, /asset\./);
  const { id } = JSON.parse(uploaded.body).items[0].asset;
  const path = `/v1/assets/${id}/files/large.obj`;
  const file = await ask({ secure: true, port, path });
  assert.equal(file.status, 200);
  assert.ok(file.body.equals(large), "the same bytes");
  const range = await ask({ secure: true, port, path, headers: { Range: "bytes=16380-70000" } });
  assert.ok(range.body.equals(large.subarray(16380, 70001)));
  for (let i = 0; i < 3; ++i) assert.ok((await ask({ secure: true, port, path: `/v1/assets/${id}` })).body.length > 100, "also from the cache");
  await eventually(async () => JSON.parse((await ask({ secure: true, port, path: `/v1/assets/${id}` })).body).status !== "importing", "the import");
  const preview = await upgrade({ secure: true, port, path: `/v1/assets/${id}/preview`, origin: `https://localhost`, headers: { "Sec-WebSocket-Protocol": "vitrine.preview.v1" } });
  assert.equal(preview.status, 101);
  assert.equal(preview.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  assert.equal(preview.first[0], 0x81, "a text message");
});

test("a new certificate is used for new connections, under load, and a bad one is rejected", async (t) => {
  const server = await start(t);
  const { port, at, files } = server;
  const old = await connectTls(port);
  let failures = 0;
  let stop = false;
  const subjects = new Set();
  const load = Array.from({ length: 4 }, async () => {
    while (!stop) await ask({ ...health, port }).then(({ subject }) => subjects.add(subject), () => ++failures);
  });
  for (const name of ["second", "third"]) {
    const next = makeCertificate(at, name, { key: name === "third" ? "rsa" : "ec" });
    const { subject } = await ask({ ...health, port });
    copyFileSync(next.cert, files.cert); // before its key, as a tool that writes one after the other
    for (let i = 0; i < 3; ++i) assert.equal((await ask({ ...health, port })).subject, subject, "used until its successor is complete");
    copyFileSync(next.key, files.key);
    if (name === "third") server.signal("SIGHUP");
    await eventually(async () => (await ask({ ...health, port })).subject === name, name);
  }
  writeFileSync(files.cert, "no certificate");
  await eventually(() => server.log().includes("contains no PEM certificate"), "the refusal");
  for (let i = 0; i < 3; ++i) { // the same mistake is not reported again
    server.signal("SIGHUP");
    await ask({ ...health, port });
  }
  writeFileSync(files.cert, readFileSync(join(at, "third.pem"), "utf8") + readFileSync(join(at, "second.pem"), "utf8").slice(0, 200));
  server.signal("SIGHUP");
  await eventually(() => server.log().includes("contains a damaged certificate"), "the second refusal");
  stop = true;
  await Promise.all(load);
  assert.equal(failures, 0);
  assert.deepEqual([...subjects].sort(), ["first", "second", "third"]);
  assert.equal(server.log().split("contains no PEM certificate").length, 2, "one line");
  assert.equal((await ask({ ...health, port })).subject, "third", "the old one stays");
  old.write(secureGet);
  assert.match((await new Promise((resolve) => old.once("data", resolve))).toString(), /^HTTP\/1.1 200/);
  assert.equal(old.getPeerCertificate().subject.CN, "first");
  old.destroy();
});

test("a stop ends idle connections, event streams and previews", async (t) => {
  const { port, ended, signal } = await start(t);
  const idle = await connectTls(port);
  idle.write(secureGet);
  await new Promise((resolve) => idle.once("data", resolve));
  const stream = await connectTls(port);
  stream.write("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let events = "";
  stream.on("data", (piece) => (events += piece));
  await eventually(() => events.includes("\r\n\r\n"), "the stream");
  const silent = raw({ port });
  const closed = [idle, stream].map((socket) => new Promise((resolve) => socket.on("end", resolve).resume()));
  const began = Date.now();
  signal("SIGTERM");
  await Promise.all([...closed, silent.closed]); // with close_notify, or Node reports an error
  assert.equal(await ended, 0);
  assert.ok(Date.now() - began < 8_000, "before the time limit of a stop");
  assert.ok(events.endsWith("0\r\n\r\n"), "the stream was ended");
});

test("silent handshakes end and keep nobody out", async (t) => {
  const { port, log } = await start(t, ["--handshakes", "8", "--handshake-seconds", "2"]);
  const silent = Array.from({ length: 60 }, (_, i) => {
    const connection = raw({ port });
    if (i % 2) connection.socket.write(clientHello.subarray(0, 1 + i));
    return connection;
  });
  for (let i = 0; i < 10; ++i) assert.equal((await ask({ ...health, port })).status, 200, "others are served meanwhile");
  const began = Date.now();
  await Promise.all(silent.map(({ closed }) => closed));
  assert.ok(Date.now() - began < 30_000);
  assert.match(log(), /a TLS handshake has failed.*too many began after it/);
  assert.equal((await ask({ ...health, port })).status, 200);
});

test("HTTP without TLS gets 400 and one line in the log", async (t) => {
  const { port, log } = await start(t);
  for (let i = 0; i < 20; ++i) {
    const { socket, received, closed } = raw({ port });
    socket.write(secureGet);
    await closed;
    socket.destroy();
    assert.match(received().toString(), /^HTTP\/1.1 400 Bad Request\r\n[^]*This port speaks HTTPS/);
  }
  await eventually(() => log().includes("without TLS"), "the line");
  assert.equal(log().split("a TLS handshake has failed").length, 2, log());
});

test("random, cut and damaged bytes end one connection", async (t) => {
  const { port, ended, signal } = await start(t);
  const attempts = [];
  for (let i = 0; i < 200; ++i) {
    const bytes = i % 4 === 0 ? crypto.randomBytes(1 + i * 7) : Buffer.from(clientHello);
    if (i % 4 === 1) bytes[crypto.randomInt(bytes.length)] ^= 1 << crypto.randomInt(8);
    const { socket, closed } = raw({ port });
    socket.end(i % 4 === 2 ? bytes.subarray(0, i) : bytes);
    attempts.push(closed.then(() => socket.destroy()));
  }
  await Promise.all(attempts);
  assert.equal((await ask({ ...health, port })).status, 200);
  signal("SIGTERM");
  assert.equal(await ended, 0);
});

test("a half-closed connection gets its response, and a broken record ends it", async (t) => {
  const { port } = await start(t);
  const half = await connectTls(port, { allowHalfOpen: true });
  const pieces = [];
  half.on("data", (piece) => pieces.push(piece));
  half.end(secureGet); // the request, then close_notify
  await new Promise((resolve) => half.on("end", resolve));
  assert.match(Buffer.concat(pieces).toString(), /^HTTP\/1.1 200[^]*$/);
  // The bytes of the client pass through here, where one of them is changed.
  const net = await import("node:net");
  const between = net.createServer((client) => {
    const server = net.connect(port, "127.0.0.1");
    client.on("data", (bytes) => {
      if (between.changesRecords) bytes[bytes.length - 1] ^= 1;
      server.write(bytes);
    });
    server.on("data", (bytes) => client.write(bytes));
    for (const [from, to] of [[client, server], [server, client]]) from.on("error", () => {}).on("close", () => to.destroy());
  }).listen(0, "127.0.0.1");
  t.after(() => between.close());
  await new Promise((resolve) => between.once("listening", resolve));
  const victim = await connectTls(between.address().port);
  const closed = new Promise((resolve) => victim.on("error", () => {}).on("close", resolve));
  victim.write(secureGet);
  const [answer] = await once(victim, "data");
  assert.match(answer.toString(), /^HTTP\/1.1 200/);
  between.changesRecords = true;
  victim.write(secureGet);
  await closed;
  assert.equal((await ask({ ...health, port })).status, 200);
});

test("two thousand handshakes, fifty at once", async (t) => {
  const { port, memory } = await start(t);
  await ask({ ...health, port });
  const before = memory();
  let left = 2000;
  await Promise.all(Array.from({ length: 50 }, async () => {
    while (left-- > 0) {
      const socket = await connectTls(port);
      if (left % 2) socket.destroy();
      else socket.end();
    }
  }));
  assert.equal((await ask({ ...health, port })).status, 200);
  assert.ok(memory() - before < 60, `${memory() - before} MiB`);
});

test("what is wrong with the files is one sentence", (t) => {
  const at = folder(t);
  const good = makeCertificate(at, "good");
  const other = makeCertificate(at, "other");
  const write = (name, text) => {
    writeFileSync(join(at, name), text);
    return join(at, name);
  };
  const locked = join(at, "locked.key");
  spawnSync("openssl", ["pkey", "-in", good.key, "-aes256", "-passout", "pass:x", "-out", locked]);
  assert.ok(existsSync(locked));
  mkdirSync(join(at, "folder"));
  const cut = write("cut.pem", readFileSync(good.cert, "utf8") + readFileSync(other.cert, "utf8").slice(0, 200));
  for (const [cert, key, words] of [
    [join(at, "none.pem"), good.key, "--tls-cert .*none.pem does not exist"],
    [good.cert, join(at, "none.key"), "--tls-key .*none.key does not exist"],
    [join(at, "folder"), good.key, "is not a PEM file"],
    [write("empty.pem", ""), good.key, "contains no PEM certificate"],
    [good.key, good.key, "contains no PEM certificate"],
    [good.cert, good.cert, "contains no PEM private key"],
    [cut, good.key, "contains a damaged certificate"],
    [good.cert, other.key, "is not the key of the first certificate"],
    [good.cert, locked, "is encrypted with a passphrase"],
    [good.cert, "", "--tls-cert needs --tls-key"],
    ["", good.key, "--tls-key needs --tls-cert"],
  ]) {
    const options = [...(cert ? ["--tls-cert", cert] : []), ...(key ? ["--tls-key", key] : [])];
    const { status, stderr, stdout } = spawnSync(program, ["serve", "--data", join(at, "data"), "--listen", "127.0.0.1:0", "--gpu", "software", ...options], { encoding: "utf8" });
    assert.equal(status, 2, stderr);
    assert.match(stderr, new RegExp(`^vitrine: .*${words}.*\n$`));
    assert.equal(stdout, "");
  }
});

test("import and doctor know TLS", async (t) => {
  const { at, files, port } = await start(t);
  writeFileSync(join(at, "triangle.obj"), triangle);
  const run = (...words) => spawnSync(program, words, { encoding: "utf8" });
  const server = ["--server", `https://localhost:${port}`];
  assert.notEqual(run("import", ...server, join(at, "triangle.obj")).status, 0, "nobody vouches for the certificate");
  const imported = run("import", ...server, "--ca-file", files.cert, join(at, "triangle.obj"));
  assert.equal(imported.status, 0, imported.stderr);
  assert.match(run("doctor", "--tls-cert", files.cert, "--tls-key", files.key).stdout, /ok +certificate +.*first expires on \d{4}-\d\d-\d\d, in 29 days/);
  const short = makeCertificate(at, "short", { days: 3 });
  const reached = run("doctor", "--url", `https://localhost:${port}`, "--ca-file", files.cert);
  assert.match(reached.stdout, /ok +address +https:\/\/localhost:\d+ leads to the server/);
  assert.match(run("doctor", "--url", `https://localhost:${port}`).stdout, /WRONG address .*\n +fix: correct --url/);
  assert.match(run("doctor", "--tls-cert", short.cert, "--tls-key", short.key).stdout, /WRONG certificate .*in 2 days\n +fix: renew/);
});
