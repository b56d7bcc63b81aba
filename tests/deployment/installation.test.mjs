// The installation of docker/compose.scale.yaml as processes: two API processes, two workers, PostgreSQL, an object store, and nginx
// with TLS in front. No container engine is needed. Run by script/with-stores.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { chainGlb } from "../bench/whole/rigs.mjs";
import { readManifests } from "./files.mjs";
import { firstImage } from "./preview.mjs";
import { ask, formOf, makeSchema, startProxy, startServices } from "./processes.mjs";

const skip = !process.env.VITRINE_TEST_DATABASE || !process.env.VITRINE_TEST_OBJECT_STORE ? "needs script/with-stores"
  : !existsSync("/usr/sbin/nginx") ? "nginx is not installed (script/bootstrap)" : false;
const folder = mkdtempSync(join(tmpdir(), "vitrine-deployment-"));
let services = {};
let catalog; // its URL
let proxy;
let client; // where and how requests are sent

before(async () => {
  if (skip) return;
  catalog = makeSchema();
  services = await startServices(process.env.VITRINE_PROGRAM, folder, catalog);
  proxy = await startProxy(join(folder, "proxy"), [services["api-1"].port, services["api-2"].port]);
  client = { port: proxy.port, ca: readFileSync(proxy.certificate) };
  await eventually(async () => (await workers()).every(({ devices }) => devices.length > 0));
});

after(() => {
  for (const { child } of [...Object.values(services), ...(proxy ? [proxy] : [])]) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function eventually(holds, seconds = 60) {
  let failure = "did not hold in time";
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((later) => setTimeout(later, 100)))
    try {
      if (await holds()) return;
    } catch (error) {
      failure = error;
    }
  assert.fail(failure);
}

const json = (reply) => JSON.parse(reply.body);
const workers = async () => json(await ask(client, "GET", "/v1/workers")).items;

async function uploadModel(name, joints) {
  const reply = await ask(client, "POST", "/v1/assets", formOf(name, chainGlb(joints)));
  assert.equal(reply.status, 201, reply.body.toString());
  return json(reply).items[0];
}

async function importModel(name, joints) {
  const { asset, job } = await uploadModel(name, joints);
  await eventually(async () => json(await ask(client, "GET", `/v1/jobs/${job.id}`)).state === "succeeded");
  return asset.id;
}

test("both workers are registered", { skip }, async () => {
  assert.equal((await workers()).length, 2);
});

test("a model is imported, drawn and shown through the proxy", { skip }, async () => {
  const asset = await importModel("chain.glb", 12);
  for (const path of [`/v1/assets/${asset}/thumbnail`, `/v1/assets/${asset}/render?w=96&h=64&view=30,20`]) {
    const image = await ask(client, "GET", path);
    assert.equal(image.status, 200, `${path}: ${image.body}`);
    assert.match(image.headers["content-type"], /^image\//);
  }
  const image = await firstImage(client, asset);
  assert.equal(image?.subarray(0, 4).toString(), "VTRF");
});

test("the proxy keeps what is between the processes from clients", { skip }, async () => {
  for (const path of ["/internal/link", "/metrics"]) assert.equal((await ask(client, "GET", path)).status, 404);
  assert.equal((await ask(client, "GET", "/v1/assets", { headers: { authorization: "Bearer wrong" } })).status, 401);
});

test("one process of each kind is enough", { skip }, async () => {
  const asset = await importModel("longer.glb", 20);
  for (const name of ["api-1", "worker-1"]) services[name].child.kill("SIGKILL");
  await eventually(async () => (await ask(client, "GET", `/v1/assets/${asset}`)).status === 200, 10);
  await eventually(async () => (await ask(client, "GET", `/v1/assets/${asset}/render?w=64&h=64&view=10,10`)).status === 200);
  await eventually(async () => (await firstImage(client, asset, 5)) !== null);
  await importModel("after.glb", 30);
});

test("KEDA counts what waits for a worker", { skip }, async () => {
  const scaled = readManifests().map(({ object }) => object).find(({ kind }) => kind === "ScaledObject");
  const { query } = scaled.spec.triggers[0].metadata;
  const length = () => execFileSync("psql", ["-qtA", "-c", query, catalog], { encoding: "utf8" }).trim();
  await eventually(() => length() === "0");
  services["worker-2"].child.kill("SIGKILL"); // the last one
  await uploadModel("waiting.glb", 40);
  assert.equal(length(), "1");
});
