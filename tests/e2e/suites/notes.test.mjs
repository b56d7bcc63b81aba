// Notes on a model and saved searches on the page.
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser, until } from "../lib/browser.mjs";
import { canvas, card, firstFrame, pause, stillFrame } from "../lib/page.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

let server, browser, page, asset;

before(async () => {
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, []);
  const body = new FormData();
  body.append("file", new Blob([JSON.stringify(movingBox())]), "box.gltf");
  const response = await fetch(new URL("/v1/assets", server.url), { method: "POST", body });
  asset = (await response.json()).items[0].asset.id;
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.url);
  await card(page, "box").first().locator("img.ready").waitFor();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

// A box whose node moves by 3 m along x within a second.
function movingBox() {
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]).flat();
  const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
  const bytes = Buffer.concat([Buffer.from(new Float32Array([...corners, 0, 1, 0, 0, 0, 3, 0, 0]).buffer), Buffer.from(new Uint16Array(faces).buffer)]);
  const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
  const accessor = (bufferView, componentType, count, type, more = {}) => ({ bufferView, componentType, count, type, ...more });
  return {
    asset: { version: "2.0" },
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
    bufferViews: [view(0, 96), view(96, 8), view(104, 24), view(128, 72)],
    accessors: [
      accessor(0, 5126, 8, "VEC3", { min: [0, 0, 0], max: [1, 1, 1] }),
      accessor(1, 5126, 2, "SCALAR", { min: [0], max: [1] }),
      accessor(2, 5126, 2, "VEC3"),
      accessor(3, 5123, 36, "SCALAR"),
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 3 }] }],
    nodes: [{ name: "box", mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
    animations: [{ name: "slide", samplers: [{ input: 1, output: 2 }], channels: [{ sampler: 0, target: { node: 0, path: "translation" } }] }],
  };
}

async function items(path) {
  return (await (await fetch(new URL(path, server.url))).json()).items;
}

async function screenshot(name) {
  if (process.env.VITRINE_SCREENSHOTS) await page.screenshot({ path: join(process.env.VITRINE_SCREENSHOTS, `${name}.png`) });
}

const marker = () => page.locator("vt-note-markers button");
const panel = () => page.locator("vt-notes");

test("a note is written at a picked point and follows it", async () => {
  await card(page, "box").first().locator("a").first().click();
  await firstFrame(page);
  await pause(page);
  await page.getByRole("slider", { name: "Position" }).press("Home");
  await stillFrame(page);
  await page.getByRole("tab", { name: "Notes" }).click();
  const box = await canvas(page).boundingBox();
  const picked = page.locator("vt-picked");
  const steps = [0.5, 0.4, 0.3, 0.6, 0.25, 0.7, 0.2]; // the box is at one side of what the clip covers
  for (const x of steps) {
    await canvas(page).click({ position: { x: box.width * x, y: box.height * 0.5 } });
    if (await picked.waitFor({ timeout: 1500 }).then(() => true, () => false)) break;
  }
  await picked.waitFor();
  assert.equal(await panel().getByLabel("Place of the note").inputValue(), "point");
  await panel().getByLabel("Write a note").fill("This corner is sharp");
  await panel().getByRole("button", { name: "Add note" }).press("Enter");
  await marker().waitFor();
  await page.locator("vt-picked").getByRole("button").first().click(); // closes what was picked
  const [note] = await items(`/v1/assets/${asset}/notes`);
  assert.equal(note.text, "This corner is sharp");
  assert.equal(note.place.clip, "c0");
  const before = await marker().boundingBox();
  await page.getByRole("slider", { name: "Position" }).press("End");
  const moved = await until(async () => {
    const now = await marker().boundingBox().catch(() => null);
    return now && Math.abs(now.x - before.x) > 20 ? now : null;
  }, "the marker moves with the surface");
  assert.ok(Math.abs(moved.x - before.x) > 20);
  await checkAccessibility(page);
  await screenshot("notes");
});

test("notes are shown, resolved and deleted by keyboard", async () => {
  await panel().getByRole("button", { name: /^Show slide at/ }).press("Enter");
  await panel().getByRole("button", { name: "Resolve" }).press("Enter");
  await until(async () => (await items(`/v1/assets/${asset}/notes?resolved=true`)).length === 1, "the note is resolved");
  await marker().waitFor({ state: "detached" });
  await panel().getByRole("button", { name: "Show resolved notes" }).press("Enter");
  await panel().getByRole("button", { name: "Open again" }).press("Enter");
  await marker().waitFor();
  await panel().getByRole("button", { name: /^Delete the note/ }).press("Enter");
  await panel().getByText("No notes yet.").waitFor();
});

test("notes of others appear, and the search finds them", async () => {
  const response = await fetch(new URL(`/v1/assets/${asset}/notes`, server.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text: "Needs a bevel" }),
  });
  assert.equal(response.status, 201);
  await panel().getByText("Needs a bevel").waitFor();
  await page.goto(new URL("/?q=bevel", server.url).href);
  await card(page, "box").first().getByText("Needs a bevel").waitFor();
});

test("a search is saved, opened and deleted", async () => {
  await page.getByRole("button", { name: "Collections and tags" }).click();
  const sideBar = page.getByRole("navigation", { name: "Collections and tags" });
  await sideBar.getByRole("button", { name: "Save this search" }).press("Enter");
  await page.keyboard.type("Bevels");
  await page.keyboard.press("Enter");
  await sideBar.getByRole("link", { name: "Bevels" }).waitFor();
  await checkAccessibility(page);
  await screenshot("saved-searches");
  assert.deepEqual((await items("/v1/searches")).map(({ name, query, own }) => ({ name, query, own })), [{ name: "Bevels", query: "q=bevel", own: true }]);
  await page.goto(server.url);
  await sideBar.getByRole("link", { name: "Bevels" }).click();
  await until(() => new URL(page.url()).searchParams.get("q") === "bevel", "the URL of the search");
  await sideBar.getByRole("button", { name: "Delete the search Bevels" }).press("Enter");
  await sideBar.getByText("No saved searches yet.").waitFor();
  assert.deepEqual(await items("/v1/searches"), []);
});
