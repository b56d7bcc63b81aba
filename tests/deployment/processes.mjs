// The services of docker/compose.scale.yaml as processes of this machine: the same environment files, with other addresses.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { basename, join } from "node:path";

import { read, readCompose, readEnvironment, replaceVariables } from "./files.mjs";

export const token = "token-of-the-test";
const variables = { VITRINE_TOKEN: token, VITRINE_HOST: "localhost", POSTGRES_PASSWORD: "unused", S3_SECRET_KEY: process.env.AWS_SECRET_ACCESS_KEY };

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

// A schema of its own in the database of script/with-postgres. -> its URL
export function makeSchema() {
  const schema = `deployment_${process.pid}`;
  execFileSync("psql", ["-q", "-c", `CREATE SCHEMA ${schema}`, process.env.VITRINE_TEST_DATABASE]);
  return `${process.env.VITRINE_TEST_DATABASE}&options=-csearch_path%3D${schema},public`;
}

// The environment of a service: its files, its variables, and what differs on this machine.
function environmentOf(service, folder, port, catalog) {
  const files = service.env_file.map((file) => readEnvironment(file));
  const own = Object.entries(service.environment).map(([name, value]) => [name, replaceVariables(value, variables)]);
  return { ...process.env, ...Object.assign({}, ...files), ...Object.fromEntries(own),
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID,
    VITRINE_DATABASE: catalog, VITRINE_S3_ENDPOINT: process.env.VITRINE_TEST_OBJECT_STORE,
    VITRINE_LISTEN: `127.0.0.1:${port}`, VITRINE_DATA: folder, VITRINE_GPU: "software", VITRINE_LOG: "error" };
}

// Starts the Vitrine processes of the compose file. -> { NAME: { port, child } }
export async function startServices(program, folder, catalog) {
  const started = {};
  for (const [name, service] of Object.entries(readCompose("compose.scale.yaml").services)) {
    if (service.command?.[0] !== "vitrine") continue;
    const port = await freePort();
    const environment = environmentOf(service, join(folder, name), port, catalog);
    const child = spawn(program, service.command.slice(1), { env: environment, stdio: ["ignore", "ignore", "inherit"] });
    started[name] = { port, child };
    await isReady(port);
  }
  return started;
}

async function isReady(port) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((later) => setTimeout(later, 100)))
    if (await fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok, () => false)) return;
  throw new Error(`the process on port ${port} is not ready`);
}

// nginx with docker/scale/nginx.conf.template. -> { port, certificate, child }
export async function startProxy(folder, [first, second]) {
  mkdirSync(folder);
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.crt")], { stdio: "ignore" });
  const port = await freePort();
  const site = replaceVariables(read("scale/nginx.conf.template"), { VITRINE_HOST: "localhost", VITRINE_TLS_LISTEN: `127.0.0.1:${port}`,
    VITRINE_API_1: `127.0.0.1:${first}`, VITRINE_API_2: `127.0.0.1:${second}`, VITRINE_CERTIFICATES: folder });
  writeFileSync(join(folder, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  writeFileSync(join(folder, "nginx.conf"), `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; worker_processes 1; events {}\n` +
    `http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }\n`);
  const child = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], { stdio: ["ignore", "ignore", "inherit"] });
  return { port, certificate: join(folder, "tls.crt"), child };
}

// One request through the proxy. -> { status, headers, body }
export function ask({ port, ca }, method, path, { headers = {}, body } = {}) {
  return new Promise((done, fail) => {
    const sent = request({ host: "127.0.0.1", servername: "localhost", port, ca, method, path,
      headers: { host: "localhost", authorization: `Bearer ${token}`, ...headers } }, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
      response.on("error", fail);
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

// A multipart body with one file.
export function formOf(name, bytes) {
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${basename(name)}"\r\n\r\n`;
  return { headers: { "content-type": "multipart/form-data; boundary=b" }, body: Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--b--\r\n")]) };
}
