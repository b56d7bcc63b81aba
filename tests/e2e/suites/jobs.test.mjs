// The list of jobs on the page: states as they change, cancel and retry. The loader waits for a file of the test.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser, until } from "../lib/browser.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

const folder = mkdtempSync(join(tmpdir(), "vitrine-e2e-jobs-"));
const open = join(folder, "open");
let server, browser, page;

before(async () => {
  const loader = join(folder, "loader");
  const real = join(dirname(process.env.VITRINE_PROGRAM), "vitrine-loader");
  writeFileSync(loader, `#!/bin/sh\nwhile [ ! -e '${open}' ]; do sleep 0.1; done\nexec '${real}' "$@"\n`);
  chmodSync(loader, 0o755);
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, ["--loader", loader, "--import-workers", "1"]);
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.url);
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

// A triangle of this size.
function triangleGlb(size) {
  const positions = Buffer.from(new Float32Array([0, 0, 0, size, 0, 0, 0, size, 0]).buffer);
  const document = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [size, size, 0] }],
    bufferViews: [{ buffer: 0, byteLength: positions.length }],
    buffers: [{ byteLength: positions.length }],
  };
  const json = Buffer.from(JSON.stringify(document));
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, " ")]);
  const chunk = (type, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  const chunks = Buffer.concat([chunk("JSON", padded), chunk("BIN\0", positions)]);
  const head = Buffer.from([0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

async function upload(name, size) {
  const form = new FormData();
  form.append("file", new Blob([triangleGlb(size)]), `${name}.glb`);
  const answer = await fetch(`${server.url}/v1/assets`, { method: "POST", body: form });
  assert.equal(answer.status, 201);
}

const dialog = () => page.getByRole("dialog", { name: "Jobs" });
const row = (name) => dialog().getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
const shows = (name, text) => until(async () => (await row(name).innerText()).includes(text), `${name}: ${text}`);

test("jobs are listed as they change", async () => {
  await page.getByRole("button", { name: "Jobs", exact: true }).click();
  await until(async () => (await dialog().innerText()).includes("No jobs yet"), "an empty list");
  await upload("first", 1);
  await shows("first", "Running");
  await upload("second", 2);
  await shows("second", "Waiting");
  assert.equal(await dialog().getByRole("progressbar").count(), 1);
  await checkAccessibility(page);
});

test("a waiting job is cancelled and begun again", async () => {
  await dialog().getByRole("button", { name: "Cancel the job of second" }).click();
  await shows("second", "Cancelled");
  await dialog().getByLabel("State").selectOption("cancelled");
  await until(async () => (await dialog().getByRole("listitem").count()) === 1, "only cancelled jobs");
  await dialog().getByLabel("State").selectOption("");
  await until(async () => (await dialog().getByRole("listitem").count()) === 2, "all jobs");
  writeFileSync(open, "");
  await shows("first", "Succeeded");
  await dialog().getByRole("button", { name: "Retry the job of second" }).click();
  await shows("second", "Succeeded");
  const { items } = await (await fetch(`${server.url}/v1/assets`)).json();
  assert.deepEqual(items.map(({ status }) => status), ["ready", "ready"]);
});

test("the list is left by the keyboard", async () => {
  await page.keyboard.press("Escape");
  await until(async () => (await dialog().count()) === 0, "the dialog is closed");
  await page.getByRole("button", { name: "Jobs", exact: true }).click();
  await row("first").getByRole("link").click();
  await page.waitForURL(/\/assets\//);
  assert.equal(await dialog().count(), 0);
});
