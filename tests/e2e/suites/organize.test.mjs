// Tags, collections, changes of a selection, and the trash on the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { openBrowser, until } from "../lib/browser.mjs";
import { card, firstFrame } from "../lib/page.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

const names = ["anchor", "barrel", "crate"];
let server, browser, page;

before(async () => {
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, []);
  for (const [index, name] of names.entries()) await importBox(name, index + 1);
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.url);
  for (const name of names) await card(page, name).first().locator("img.ready").waitFor();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function importBox(name, height) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1 ? height : 0} ${i >> 2}`);
  const faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((face) => `f ${face}`);
  const body = new FormData();
  body.append("file", new Blob([[...corners, ...faces, ""].join("\n")]), `${name}.obj`);
  assert.equal((await fetch(new URL("/v1/assets", server.url), { method: "POST", body })).status, 201);
}

async function items(path) {
  return (await (await fetch(new URL(path, server.url))).json()).items;
}

// With VITRINE_SCREENSHOTS, a folder.
async function screenshot(name) {
  if (process.env.VITRINE_SCREENSHOTS) await page.screenshot({ path: join(process.env.VITRINE_SCREENSHOTS, `${name}.png`) });
}

async function checkAccessibility() {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, nodes }) => [id, nodes[0].html]));
  assert.deepEqual(found, []);
}

// As another client does it.
async function send(method, path, body) {
  const response = await fetch(new URL(path, server.url), { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(response.status, 200);
}

const sideBar = () => page.getByRole("navigation", { name: "Collections and tags" });
const bar = () => page.getByRole("region", { name: "Selection" });
const shown = async () => (await page.locator("vt-card h2").allTextContents()).sort();

async function expectShown(...expected) {
  await until(async () => (await shown()).join() === expected.join(), `cards of ${expected.join()}`);
}

test("a selection is tagged and put into a collection by keyboard", async () => {
  await page.getByRole("button", { name: "Collections and tags" }).focus();
  await page.keyboard.press("Enter");
  await sideBar().getByRole("button", { name: "New collection" }).press("Enter");
  await page.keyboard.type("Harbor");
  await page.keyboard.press("Enter");
  await sideBar().getByRole("link", { name: "Harbor, 0 models" }).waitFor();
  await page.getByRole("button", { name: "Select", exact: true }).press("Enter");
  await page.getByRole("checkbox", { name: "Select anchor" }).press("Space");
  await page.getByRole("checkbox", { name: "Select barrel" }).press("Space");
  await bar().getByText("2 selected").waitFor();
  await checkAccessibility();
  await screenshot("selection");
  await bar().getByLabel("Tag for the selection").fill("wood");
  await page.keyboard.press("Enter");
  await sideBar().getByRole("link", { name: "wood, 2 models" }).waitFor();
  await page.getByRole("checkbox", { name: "Select anchor" }).check();
  await bar().getByLabel("Add to collection").selectOption("Harbor");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).waitFor();
  await bar().getByRole("button", { name: "Done" }).click();
  assert.deepEqual((await items("/v1/assets?tag=wood&sort=name")).map(({ name }) => name), ["anchor", "barrel"]);
});

test("collections and tags filter the library", async () => {
  await sideBar().getByRole("link", { name: "wood, 2 models" }).click();
  await expectShown("anchor", "barrel");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).click();
  await expectShown("anchor");
  await page.reload();
  await expectShown("anchor");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).click();
  await expectShown(...names);
});

test("a filtered library follows what others change", async () => {
  const [{ id: collection }] = await items("/v1/collections");
  const [{ id: crate }] = await items("/v1/assets?q=crate");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).click();
  await expectShown("anchor");
  await send("POST", "/v1/assets:batch", { assets: [crate], operations: [{ op: "addToCollection", collection }] });
  await expectShown("anchor", "crate");
  await sideBar().getByRole("link", { name: "Harbor, 2 models" }).waitFor(); // within the pause between two readings
  await send("POST", "/v1/assets:batch", { assets: [crate], operations: [{ op: "removeFromCollection", collection }] });
  await expectShown("anchor");
  await sideBar().getByRole("link", { name: "wood, 2 models" }).click();
  await expectShown("anchor", "barrel");
  await send("PATCH", "/v1/tags/wood", { name: "timber" });
  await expectShown();
  await send("PATCH", "/v1/tags/timber", { name: "wood" });
  await expectShown("anchor", "barrel");
  await sideBar().getByRole("link", { name: "wood, 2 models" }).click();
  await expectShown(...names);
});

test("tags and facts of a model are changed on its page", async () => {
  await card(page, "crate").first().locator("a").first().click();
  await firstFrame(page);
  await page.getByRole("tab", { name: "Properties" }).click();
  await page.getByLabel("New tag").fill("cargo");
  await page.keyboard.press("Enter");
  await page.getByLabel("New tag").fill("oak");
  await page.keyboard.press("Enter"); // before the first was answered
  await page.getByRole("button", { name: "Remove the tag cargo" }).waitFor();
  await page.getByRole("button", { name: "Remove the tag oak" }).waitFor();
  assert.deepEqual((await items("/v1/assets?tag=cargo"))[0]?.tags.toSorted(), ["cargo", "oak"]);
  await send("PATCH", "/v1/tags/oak", { name: "birch" });
  await page.getByRole("button", { name: "Remove the tag birch" }).waitFor();
  await page.getByLabel("License").fill("CC0-1.0");
  await page.getByLabel("Source").fill("https://example.org/crate");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await until(async () => (await items("/v1/assets?tag=cargo"))[0]?.license === "CC0-1.0", "the license");
  await checkAccessibility();
  await screenshot("facts");
  await page.getByRole("button", { name: "Remove the tag cargo" }).click();
  await until(async () => (await items("/v1/assets?tag=cargo")).length === 0, "the tag is removed");
  await page.goBack();
  await expectShown(...names);
});

test("models are moved to the trash, restored, and deleted for good", async () => {
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select crate" }).check();
  await page.getByRole("checkbox", { name: "Select barrel" }).check();
  await bar().getByRole("button", { name: "Move to trash" }).click();
  await expectShown("anchor");
  await bar().getByRole("button", { name: "Done" }).click();
  await sideBar().getByRole("link", { name: "Trash" }).click();
  await expectShown("barrel", "crate");
  await checkAccessibility();
  await screenshot("trash");
  await page.getByRole("checkbox", { name: "Select barrel" }).check();
  await bar().getByRole("button", { name: "Restore" }).click();
  await expectShown("crate");
  await page.getByRole("checkbox", { name: "Select crate" }).check();
  await bar().getByRole("button", { name: "Delete for good" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 1 model for good?" });
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await sideBar().getByRole("link", { name: "Trash" }).click();
  await expectShown("anchor", "barrel");
  assert.deepEqual(await items("/v1/assets?trash=true"), []);
});
