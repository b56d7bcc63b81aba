// A server of the real program, certificates made by openssl, and clients of Node.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";

export const program = process.env.VITRINE_PROGRAM;
export const timeoutMs = 60_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Waits until `condition` holds.
export async function eventually(condition, what) {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(20)) if (await condition()) return;
  assert.fail(`${what} did not happen in time`);
}

const stops = []; // of the servers of the test

// A folder that is removed after the test, when its servers have ended.
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "vitrine-transport-"));
  t.after(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  });
  return path;
}

// Writes NAME.pem and NAME.key: a certificate that signs itself for localhost and 127.0.0.1.
export function makeCertificate(at, name, { days = 30, key = "ec" } = {}) {
  const algorithm = key === "ec" ? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : ["-newkey", "rsa:2048"];
  execFileSync("openssl", ["req", "-x509", "-nodes", ...algorithm, "-keyout", join(at, `${name}.key`), "-out", join(at, `${name}.pem`), "-days", `${days}`,
    "-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], { stdio: "ignore" });
  return { cert: join(at, `${name}.pem`), key: join(at, `${name}.key`) };
}

// `vitrine serve` with these options, ended after the test, which has a folder(). Resolves when it listens or has ended:
// { urls, port (of the first address), log(), signal(name), ended (a promise of the exit code), memory() in MiB }.
export async function serve(data, options, { open = true } = {}) {
  const child = spawn(program, ["serve", "--data", data, "--no-samples", "--gpu", "software", ...(open ? ["--open"] : []), ...options]);
  let out = "";
  let log = "";
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)));
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (log += text));
  stops.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    return ended;
  });
  const addresses = options.filter((option) => option === "--listen").length || 1;
  const lines = () => out.split("\n").slice(0, -1);
  await Promise.race([ended, eventually(() => lines().length >= addresses, "the start")]);
  const urls = lines().map((line) => /listening on (\S+)/.exec(line)?.[1]);
  const port = urls.length > 0 ? Number(/:(\d+)$/.exec(urls[0])?.[1]) : 0;
  const memory = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  return { urls, lines, port, ended, memory, log: () => log, signal: (name) => child.kill(name) };
}

// Sends a request and resolves to { status, headers, body (a buffer), socket facts }. `options`: of http(s).request, with
// `secure`, and `body`.
export function ask({ secure = false, body, ...options }) {
  return new Promise((resolve, reject) => {
    const module = secure ? https : http;
    const request = module.request({ host: "127.0.0.1", agent: false, rejectUnauthorized: false, ...options }, (response) => {
      const pieces = [];
      const facts = secure ? { version: response.socket.getProtocol(), cipher: response.socket.getCipher().standardName, alpn: response.socket.alpnProtocol,
        resumed: response.socket.isSessionReused(), subject: response.socket.getPeerCertificate().subject?.CN } : {};
      response.on("data", (piece) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces), ...facts }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

// Opens the live preview and resolves to { status, accept, first (the first bytes after the head) }.
export function upgrade({ secure = false, origin, ...options }) {
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request({ host: "127.0.0.1", agent: false, rejectUnauthorized: false, ...options, headers: { Host: "localhost",
      Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...(origin ? { Origin: origin } : {}), ...options.headers } });
    request.on("upgrade", (response, socket, head) => {
      const done = (first) => {
        socket.destroy();
        resolve({ status: response.statusCode, accept: response.headers["sec-websocket-accept"], first });
      };
      if (head.length > 0) done(head);
      else socket.once("data", done);
      socket.on("error", () => {});
    });
    request.on("response", (response) => { response.resume(); resolve({ status: response.statusCode }); });
    request.on("error", reject);
    request.end();
  });
}

// Resolves to the text that arrives on an event stream up to `wanted`.
export function eventsUntil(wanted, { secure = false, ...options }) {
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).get({ host: "127.0.0.1", path: "/v1/events", agent: false, rejectUnauthorized: false, ...options }, (response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
        if (!text.includes(wanted)) return;
        request.destroy();
        resolve(text);
      });
    });
    request.on("error", reject);
  });
}

// A connection without TLS that collects what arrives: { socket, received(), closed (a promise) }.
export function raw(where) {
  const socket = net.connect({ host: "127.0.0.1", allowHalfOpen: true, ...where });
  const pieces = [];
  socket.on("data", (piece) => pieces.push(piece));
  socket.on("error", () => {});
  const closed = new Promise((resolve) => {
    socket.on("end", resolve);
    socket.on("close", resolve);
  });
  return { socket, received: () => Buffer.concat(pieces), closed };
}

// A finished handshake.
export function connectTls(port, options = {}) {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options }, () => resolve(socket));
    socket.on("error", reject);
  });
}

// A multipart upload of one file: { headers, body }.
export function form(name, bytes) {
  const head = `--B\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return { method: "POST", path: "/v1/assets", headers: { Host: "localhost", "Content-Type": "multipart/form-data; boundary=B" },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--B--\r\n")]) };
}

export const triangle = Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
