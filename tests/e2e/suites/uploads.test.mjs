// Uploads in pieces and versions on the page: a reload in the middle, pause, a full library, a new version, an older one restored.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser, until } from "../lib/browser.mjs";
import { card, firstFrame } from "../lib/page.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

const pieceBytes = 8 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "vitrine-e2e-files-"));
let server, browser, page;

before(async () => {
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, ["--quota-bytes", "60000000"]);
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.url);
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

// A box of this height, and comments up to the size; every file has other bytes.
function objFile(name, height, bytes = 0) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1 ? height : 0} ${i >> 2}`);
  const faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((face) => `f ${face}`);
  let text = [`# ${name}`, ...corners, ...faces, ""].join("\n");
  if (bytes > text.length) text += `#${"x".repeat(126)}\n`.repeat(Math.ceil((bytes - text.length) / 128));
  const path = join(folder, name);
  writeFileSync(path, text);
  return { path, size: text.length };
}

// With VITRINE_SCREENSHOTS, a folder.
async function screenshot(name) {
  if (process.env.VITRINE_SCREENSHOTS) await page.screenshot({ path: join(process.env.VITRINE_SCREENSHOTS, `${name}.png`) });
}

async function choose(button, path) {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  await (await chooser).setFiles(path);
}

// Holds the requests for pieces from the `first` one on, until the returned function is called; lists their offsets.
async function holdPieces(first) {
  const offsets = [];
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route("**/v1/uploads/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    offsets.push(Number(route.request().headers()["upload-offset"]));
    if (offsets.length > first) await released;
    await route.continue().catch(() => {}); // the page was left
  });
  return { offsets, release: () => (release(), page.unroute("**/v1/uploads/*")) };
}

const panel = () => page.getByRole("region", { name: "Uploads" });
const upload = () => page.getByRole("button", { name: "Upload", exact: true });

test("an upload goes on after the page was reloaded", async () => {
  const { path, size } = objFile("reloaded.obj", 1, 3 * pieceBytes);
  const held = await holdPieces(1);
  await choose(upload(), path);
  await until(() => held.offsets.length === 2, "the second piece");
  await page.reload();
  await held.release();
  await panel().getByText(/arrived before the page was left/).waitFor();
  await screenshot("interrupted");
  assert.match(await panel().textContent(), /8\.4 MB of 25\.2 MB arrived/);
  const again = panel().getByRole("button", { name: "Choose files: reloaded.obj" });
  await choose(again, objFile("other.obj", 2, 1000).path);
  await panel().getByText(/These are not the files/).waitFor();
  const rest = await holdPieces(Infinity);
  await choose(again, path);
  await card(page, "reloaded").first().locator("img.ready").waitFor();
  assert.deepEqual(rest.offsets, [pieceBytes, 2 * pieceBytes].concat(size > 3 * pieceBytes ? [3 * pieceBytes] : []), "what had arrived is not sent again");
  await rest.release();
  await panel().getByRole("heading", { name: "Uploads finished" }).waitFor();
  await page.reload();
  await card(page, "reloaded").first().waitFor();
  assert.equal(await panel().count(), 0, "nothing is left to resume");
});

test("an upload is paused and resumed by keyboard", async () => {
  const { path } = objFile("paused.obj", 3, 2 * pieceBytes);
  const held = await holdPieces(1);
  await choose(upload(), path);
  await until(() => held.offsets.length === 2, "the second piece");
  await panel().getByRole("button", { name: "Pause: paused.obj" }).focus();
  await page.keyboard.press("Enter");
  await panel().getByText(/Paused at/).waitFor();
  await screenshot("paused");
  await checkAccessibility(page);
  await held.release();
  const resume = panel().getByRole("button", { name: "Resume: paused.obj" });
  await resume.focus();
  await page.keyboard.press("Enter");
  await card(page, "paused").first().locator("img.ready").waitFor();
});

test("a full library is told plainly", async () => {
  const { path } = objFile("huge.obj", 4, 40_000_000);
  await choose(upload(), path);
  await panel().getByText(/The library may have 60000000 bytes/).waitFor();
  await screenshot("full");
  assert.equal(await card(page, "huge").count(), 0);
  await panel().getByRole("button", { name: "Clear finished" }).click();
});

test("a new version is uploaded, an older one is shown and restored", async () => {
  await choose(upload(), objFile("tower.obj", 5).path);
  await card(page, "tower").first().locator("img.ready").waitFor();
  await card(page, "tower").first().locator("a").first().click();
  await firstFrame(page);
  const address = new URL(page.url()).pathname;
  await page.getByRole("tab", { name: "Versions" }).click();
  const list = page.locator("vt-versions");
  await list.getByRole("link", { name: "Version 1" }).waitFor();
  await choose(list.getByRole("button", { name: "Upload new version" }), objFile("taller.obj", 9).path);
  const second = list.locator("li").filter({ hasText: "Version 2" });
  await second.getByText("newest").waitFor();
  await page.getByRole("heading", { name: "tower" }).waitFor();
  await firstFrame(page);
  await screenshot("versions");
  await checkAccessibility(page);

  await list.getByRole("link", { name: "Version 1" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Show the newest" }).waitFor();
  assert.equal(new URL(page.url()).pathname, `${address}/versions/1`);
  await firstFrame(page);
  assert.equal(await page.getByRole("button", { name: "More actions" }).count(), 0, "an older version is not renamed");
  const height = async (id) => (await (await fetch(`${server.url}/v1${id}`)).json()).bounds.max[1];
  assert.deepEqual([await height(address), await height(`${address}/versions/1`)], [9, 5]);
  await page.reload();
  await page.getByRole("link", { name: "Show the newest" }).waitFor();
  await firstFrame(page);
  await screenshot("version");

  await list.getByRole("button", { name: "Restore version 1" }).focus();
  await page.keyboard.press("Enter");
  const third = list.locator("li").filter({ hasText: "Version 3" });
  await third.getByText("newest").waitFor();
  await third.getByText(/from version 1/).waitFor();
  assert.equal(await height(address), 5);
  await page.getByRole("link", { name: "Show the newest" }).click();
  await firstFrame(page);
});

test("a version that cannot be read replaces nothing", async () => {
  await page.getByRole("tab", { name: "Versions" }).click();
  const list = page.locator("vt-versions");
  const broken = join(folder, "broken.glb");
  writeFileSync(broken, Buffer.from("glTF\u0002\u0000\u0000\u0000\u00ff\u00ff\u0000\u0000", "latin1"));
  utimesSync(broken, 1, 1);
  await choose(list.getByRole("button", { name: "Upload new version" }), broken);
  const failed = list.locator("li").filter({ hasText: "Version 4" });
  await failed.locator(".problem").waitFor();
  await list.locator("li").filter({ hasText: "Version 3" }).getByText("newest").waitFor();
  await screenshot("failed");
  assert.equal(await page.locator("vt-viewport canvas").count(), 1);
  await page.getByRole("link", { name: "Library", exact: true }).click();
  const image = card(page, "tower").first().locator("img.ready");
  await image.waitFor();
  assert.match(await image.getAttribute("src"), /\/versions\/3\//, "the card has the image of the newest");
});
