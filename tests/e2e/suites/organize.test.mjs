// Tags, collections, changes of a selection, and the trash on the page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
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

// As another client does it.
async function send(method, path, body, status = 200) {
  const response = await fetch(new URL(path, server.url), { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(response.status, status);
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
  await checkAccessibility(page);
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
  await expectShown("anchor", "barrel"); // with the tag
  await sideBar().getByRole("link", { name: "wood, 2 models" }).click();
  await expectShown(...names);
});

test("facts filter the library", async () => {
  const [{ id: barrel }] = await items("/v1/assets?q=barrel");
  await send("PATCH", `/v1/assets/${barrel}`, { license: "CC0-1.0" });
  await page.getByRole("button", { name: "More filters" }).press("Enter");
  await page.getByLabel("Size, meters, at least").fill("1.5");
  await page.keyboard.press("Enter");
  await expectShown("barrel", "crate");
  await checkAccessibility(page);
  await screenshot("fact-filters");
  await page.getByLabel("License").selectOption({ label: "CC0-1.0 (1)" });
  await expectShown("barrel");
  await page.reload();
  await expectShown("barrel");
  assert.equal(await page.getByLabel("Size, meters, at least").inputValue(), "1.5");
  await page.getByRole("button", { name: "Clear filters" }).click();
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
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).click();
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
  await checkAccessibility(page);
  await screenshot("facts");
  await page.getByRole("button", { name: "Remove the tag cargo" }).click();
  await until(async () => (await items("/v1/assets?tag=cargo")).length === 0, "the tag is removed");
  await page.goBack();
  await expectShown(...names);
});

test("the view of a model becomes its cover, and is reset", async () => {
  const [{ id }] = await items("/v1/assets?q=barrel");
  const thumbnail = async () => Buffer.from(await (await fetch(new URL(`/v1/assets/${id}/thumbnail?size=128`, server.url))).arrayBuffer());
  const first = await thumbnail();
  await card(page, "barrel").first().locator("a").first().click();
  await firstFrame(page);
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitem", { name: "Top" }).click();
  const actions = page.locator("vt-asset-page").getByRole("button", { name: "More actions" });
  await actions.focus();
  await page.keyboard.press("Enter");
  await checkAccessibility(page);
  await page.getByRole("menuitem", { name: "Use this view as cover" }).press("Enter");
  await until(async () => !(await thumbnail()).equals(first), "another thumbnail");
  const [{ coverKey }] = await items("/v1/assets?q=barrel");
  await page.goBack();
  await page.locator(`vt-card img.ready[src*="cover=${coverKey}"]`).waitFor();
  await card(page, "barrel").first().locator("a").first().click();
  await firstFrame(page);
  await actions.click();
  await page.getByRole("menuitem", { name: "Reset the cover" }).click();
  await until(async () => (await thumbnail()).equals(first), "the first thumbnail");
  await page.goBack();
  await expectShown(...names);
});

test("favorites are marked on cards and listed", async () => {
  const star = card(page, "crate").first().getByRole("button", { name: "Favorite: crate" });
  await card(page, "crate").first().locator("a").first().focus();
  await page.keyboard.press("f");
  await until(async () => (await items("/v1/me/favorites")).length === 1, "the favorite is stored");
  assert.equal(await star.getAttribute("aria-pressed"), "true");
  await sideBar().getByRole("link", { name: "Favorites" }).click();
  await expectShown("crate");
  await checkAccessibility(page);
  await screenshot("favorites");
  await page.reload();
  await expectShown("crate");
  await star.click();
  await expectShown();
  await sideBar().getByRole("link", { name: "Favorites" }).click();
  await expectShown(...names);
});

test("a collection is renamed and moved by keyboard", async () => {
  await send("POST", "/v1/collections", { name: "Port" }, 201);
  await sideBar().getByRole("link", { name: "Port, 0 models" }).waitFor();
  await sideBar().getByRole("button", { name: "Actions for the collection Harbor" }).press("Enter");
  await page.keyboard.press("Enter"); // the first action
  const dialog = page.getByRole("dialog", { name: "Edit the collection" });
  await dialog.getByLabel("Name").fill("Quay");
  await checkAccessibility(page);
  await screenshot("collection");
  await dialog.getByLabel("Inside").focus();
  await page.keyboard.type("Port");
  await dialog.getByLabel("Name").press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const [harbor, port] = (await items("/v1/collections")).sort((a, b) => b.name.localeCompare(a.name));
  assert.deepEqual([harbor.name, harbor.parent, port.name], ["Quay", port.id, "Port"]);
  await sideBar().getByRole("link", { name: "Quay, 1 model" }).waitFor();
  await sideBar().getByRole("button", { name: "Actions for the collection Port" }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
  assert.deepEqual(await dialog.getByLabel("Inside").locator("option").allTextContents(), ["No other collection"]);
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
});

test("a selection is downloaded as an archive that other programs read", async () => {
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select crate" }).check();
  await page.getByRole("checkbox", { name: "Select anchor" }).check();
  const downloadBy = async (name) => (await Promise.all([page.waitForEvent("download"), bar().getByRole("button", { name }).click()]))[0];
  const download = await downloadBy("Download");
  assert.equal(download.suggestedFilename(), "models.zip");
  const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), sorted(z.namelist()), *[z.read(n)[:4] for n in z.namelist() if n.endswith('.glb')])";
  const contentOf = async (file) => execFileSync("python3", ["-c", script, await file.path()], { encoding: "utf8" }).trim();
  assert.equal(await contentOf(download), "None ['anchor/anchor.obj', 'crate/crate.obj']");
  assert.equal(await contentOf(await downloadBy("Export GLB")), "None ['anchor/anchor.glb', 'crate/crate.glb'] b'glTF' b'glTF'");
  await bar().getByRole("button", { name: "Done" }).click();
});

test("a download that the server rejects leaves the page as it is", async () => {
  const address = page.url();
  const problem = { code: "too_many_requests", title: "Too Many Requests", detail: "too many downloads; try again later", status: 429 };
  await page.route("**/v1/assets:download", (route) => route.fulfill({ status: 429, contentType: "application/problem+json", body: JSON.stringify(problem) }));
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select crate" }).check();
  await bar().getByRole("button", { name: "Download" }).click();
  await page.getByText("Too many downloads; try again later").first().waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.locator("iframe").count(), 2); // of the downloads before
  await page.unroute("**/v1/assets:download");
  await bar().getByRole("button", { name: "Done" }).click();
});

test("a model is turned upright on its page", async () => {
  const [{ id }] = await items("/v1/assets?q=barrel");
  const height = async () => {
    const { max, min } = (await (await fetch(new URL(`/v1/assets/${id}/bounds`, server.url))).json()).static;
    return max[1] - min[1];
  };
  assert.equal(await height(), 2);
  await card(page, "barrel").first().locator("a").first().click();
  await firstFrame(page);
  await page.getByRole("tab", { name: "Properties" }).click();
  await page.getByLabel("Axis that points up").selectOption("z");
  await until(async () => (await height()) === 1, "the turned model");
  await page.getByText("1 m × 1 m × 2 m").waitFor();
  await checkAccessibility(page);
  await page.getByLabel("Axis that points up").selectOption("");
  await until(async () => (await height()) === 2, "the model as it was");
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
  await checkAccessibility(page);
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
