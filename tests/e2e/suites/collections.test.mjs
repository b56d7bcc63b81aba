// Collections on the page: their heading, their order, what is uploaded into them; facets, and models that are similar.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { openBrowser, until } from "../lib/browser.mjs";
import { card } from "../lib/page.mjs";
import { inspectPage } from "../lib/pictures_of_page.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

const names = ["anchor", "barrel", "crate"];
const folder = mkdtempSync(join(tmpdir(), "vitrine-e2e-folder-"));
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
  rmSync(folder, { recursive: true, force: true });
});

function box(height, width = 1) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${(i & 1) * width} ${(i >> 1) & 1 ? height : 0} ${i >> 2}`);
  return [...corners, ...["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((face) => `f ${face}`), ""].join("\n");
}

async function importBox(name, height) {
  const body = new FormData();
  body.append("file", new Blob([box(height)]), `${name}.obj`);
  assert.equal((await fetch(new URL("/v1/assets", server.url), { method: "POST", body })).status, 201);
}

async function items(path) {
  return (await (await fetch(new URL(path, server.url))).json()).items;
}

// As another client does it.
async function send(method, path, body) {
  const response = await fetch(new URL(path, server.url), { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

const sideBar = () => page.getByRole("navigation", { name: "Collections and tags" });
const bar = () => page.getByRole("region", { name: "Selection" });
const heading = (name) => page.getByRole("region", { name });
const shown = async () => (await page.locator("vt-card h2").allTextContents()).sort();
const idOf = async (name) => (await items(`/v1/assets?q=${name}`))[0].id;
const collection = async (name) => (await items("/v1/collections")).find((one) => one.name === name);
const orderOfCollections = async () => (await items("/v1/collections?parent=")).map(({ name }) => name).join();
const membersOf = async (name) => (await items(`/v1/collections/${(await collection(name)).id}/assets`)).map(({ asset }) => asset.name);

async function expectShown(...expected) {
  await until(async () => (await shown()).join() === expected.join(), `cards of ${expected.join()}`);
}

test("a collection has a heading with its description and cover", async () => {
  const assets = await Promise.all(["anchor", "barrel"].map(idOf));
  const { id: harbor } = await send("POST", "/v1/collections", { name: "Harbor" });
  await send("POST", `/v1/collections/${harbor}/assets`, { assets });
  await send("POST", "/v1/collections", { name: "Quay", parent: harbor });
  await send("POST", "/v1/collections", { name: "Attic" });
  await page.getByRole("button", { name: "Collections and tags" }).click();
  await sideBar().getByRole("link", { name: "Harbor, 2 models" }).press("Enter");
  await heading("Harbor").getByText("2 models · 1 collection inside").waitFor();
  await heading("Harbor").getByRole("button", { name: "Actions for the collection Harbor" }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit the collection" });
  await dialog.getByLabel("Description").fill("What ships and their crews leave at the quay.");
  await dialog.getByRole("radio", { name: "Cover: barrel" }).press("Space");
  await inspectPage(page, "collection_dialog");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await heading("Harbor").getByText("What ships and their crews leave at the quay.").waitFor();
  const { cover, description } = await collection("Harbor");
  assert.deepEqual([cover, description], [assets[1], "What ships and their crews leave at the quay."]);
  await heading("Harbor").locator(`.cover img[src*="${assets[1]}"]`).waitFor();
  await inspectPage(page, "collection");
  await heading("Harbor").getByRole("link", { name: "Quay" }).press("Enter");
  await heading("Quay").getByRole("link", { name: "Harbor" }).press("Enter");
  await expectShown("anchor", "barrel");
});

test("collections are ordered by keyboard and by drag", async () => {
  const link = (name) => sideBar().getByRole("link", { name });
  const before = await orderOfCollections();
  assert.ok(before.indexOf("Harbor") < before.indexOf("Attic"), before);
  await link("Attic, 0 models").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await until(async () => (await orderOfCollections()).indexOf("Attic") === 0, "Attic before Harbor");
  await until(() => page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.includes("Attic");
  }), "the focus stays");
  const isFirst = async () => (await orderOfCollections()).indexOf("Harbor") < (await orderOfCollections()).indexOf("Attic");
  await until(async () => {
    if (await isFirst()) return true;
    await link("Harbor, 2 models").dragTo(link("Attic, 0 models")); // again if the list was drawn anew meanwhile
    return false;
  }, "Harbor before Attic");
});

test("the models of a collection are ordered by keyboard and by drag", async () => {
  assert.deepEqual(await membersOf("Harbor"), ["anchor", "barrel"]);
  await heading("Harbor").getByRole("button", { name: "Actions for the collection Harbor" }).press("Enter");
  await page.getByRole("menuitem", { name: "Arrange models" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Order of the models in Harbor" });
  const row = (name) => dialog.getByRole("listitem", { name });
  await row("anchor, 1 of 2").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await row("anchor, 2 of 2").waitFor();
  await until(async () => (await membersOf("Harbor")).join() === "barrel,anchor", "the order of the keys");
  await inspectPage(page, "arrange");
  await row("anchor, 2 of 2").dragTo(row("barrel, 1 of 2"));
  await until(async () => (await membersOf("Harbor")).join() === "anchor,barrel", "the order of the drag");
  await dialog.getByRole("button", { name: "Move barrel up" }).click();
  await until(async () => (await membersOf("Harbor")).join() === "barrel,anchor", "the order of the button");
  await dialog.getByRole("button", { name: "Done" }).click();
});

test("what is uploaded while a collection is shown goes into it, without files of systems", async () => {
  for (const [path, text] of Object.entries({ "dock/dock.obj": box(4, 3), "dock/.git/HEAD": "ref", "dock/.DS_Store": "x", "dock/Thumbs.db": "x", "dock/desktop.ini": "x" })) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload a folder" }).click();
  await (await chooser).setFiles(join(folder, "dock"));
  await page.getByLabel("Notices").getByText("4 system files were left out").waitFor();
  await page.getByRole("region", { name: "Uploads" }).getByText("into Harbor").waitFor();
  await expectShown("anchor", "barrel", "dock");
  assert.deepEqual(await membersOf("Harbor"), ["barrel", "anchor", "dock"]);
  const files = await items(`/v1/assets/${await idOf("dock")}/files`);
  assert.deepEqual(files.map(({ name }) => name.split("/").pop()), ["dock.obj"]);
  await page.getByRole("button", { name: "Clear finished" }).click();
});

test("a selection is moved to another collection, and loses a tag", async () => {
  await send("POST", "/v1/assets:batch", { assets: [await idOf("dock")], operations: [{ op: "tag", tags: ["wood", "pier"] }] });
  await page.getByRole("button", { name: "Select", exact: true }).press("Enter");
  await page.getByRole("checkbox", { name: "Select dock" }).press("Space");
  await inspectPage(page, "selection");
  await bar().getByLabel("Remove tag").selectOption("pier");
  await until(async () => (await items("/v1/assets?q=dock"))[0].tags.join() === "wood", "one tag less");
  await page.getByRole("checkbox", { name: "Select dock" }).check();
  await bar().getByLabel("Move to collection").selectOption("Attic");
  await expectShown("anchor", "barrel");
  assert.deepEqual([await membersOf("Attic"), (await membersOf("Harbor")).includes("dock")], [["dock"], false]);
  await bar().getByRole("button", { name: "Done" }).click();
});

test("links of the side bar keep the search and the filters", async () => {
  await page.goto(`${server.url}/?q=o&format=obj`);
  await expectShown("anchor", "dock");
  await sideBar().getByRole("link", { name: "Attic, 1 model" }).click();
  await expectShown("dock");
  await sideBar().getByRole("link", { name: "wood, 1 model" }).click();
  await expectShown("dock");
  const params = new URL(page.url()).searchParams;
  assert.deepEqual([params.get("q"), params.get("format"), params.get("tag")], ["o", "obj", "wood"]);
  await sideBar().getByRole("link", { name: "Attic, 1 model" }).click();
  await sideBar().getByRole("link", { name: "wood, 1 model" }).click();
  await expectShown("anchor", "dock");
});

test("all facets are filters, with their counts", async () => {
  await page.goto(server.url);
  await page.getByRole("button", { name: "More filters" }).press("Enter");
  const form = page.getByRole("form", { name: "More filters" });
  for (const [label, option] of Object.entries({ "File format": "OBJ (4)", State: "Ready (4)", Skeleton: "Without a skeleton (4)", Animation: "Without clips (4)", Tag: "wood (1)" }))
    await form.getByRole("combobox", { name: label, exact: true }).locator("option", { hasText: option }).waitFor({ state: "attached" });
  await inspectPage(page, "facets");
  await form.getByRole("combobox", { name: "Tag", exact: true }).selectOption({ label: "wood (1)" });
  await expectShown("dock");
  await form.getByRole("combobox", { name: "Skeleton", exact: true }).locator("option", { hasText: "Without a skeleton (1)" }).waitFor({ state: "attached" });
  await form.getByRole("combobox", { name: "Skeleton", exact: true }).selectOption({ label: "Without a skeleton (1)" });
  assert.equal(new URL(page.url()).searchParams.get("rigged"), "false");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expectShown("anchor", "barrel", "crate", "dock");
});

test("a model's page lists similar models", async () => {
  await importBox("copy of crate", 3.001);
  const id = await idOf("crate");
  await until(async () => (await items(`/v1/assets/${id}/similar?by=mesh`))?.length > 0, "a similar model"); // not while it is imported
  await page.goto(`${server.url}/assets/${id}`);
  await page.getByRole("tab", { name: "Clips" }).or(page.getByRole("tab", { name: "Properties" })).first().focus();
  await page.getByRole("tab", { name: "Similar" }).click();
  const list = page.getByRole("list", { name: "Similar models" });
  await list.getByRole("link").first().waitFor();
  assert.equal(await page.getByRole("radio", { name: "Shape" }).isChecked(), true);
  await inspectPage(page, "similar");
  await page.getByRole("radio", { name: "Same file" }).check();
  await page.getByText("No other model has the same file.").waitFor();
  await inspectPage(page, "similar_none");
  await page.getByRole("radio", { name: "Shape" }).check();
  const first = list.getByRole("link").first();
  const name = await first.locator(".name").textContent();
  await first.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
});
