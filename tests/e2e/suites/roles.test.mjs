// What the page offers follows the role of the person: a viewer, and an editor of one collection.
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, test } from "node:test";

import { openBrowser, until } from "../lib/browser.mjs";
import { card } from "../lib/page.mjs";
import { inspectPage } from "../lib/pictures_of_page.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";

let server, browser, page, authorization;
const ids = {};
const password = "a long sentence";

before(async () => {
  server = await openVitrineWithToken(process.env.VITRINE_PROGRAM);
  authorization = { Authorization: `Bearer ${server.token}` };
  for (const name of ["anchor", "barrel"]) ids[name] = await importModel(name);
  ids.harbor = (await send("POST", "/v1/collections", { name: "Harbor" })).id;
  ids.vault = (await send("POST", "/v1/collections", { name: "Vault" })).id;
  await send("POST", `/v1/collections/${ids.harbor}/assets`, { assets: [ids.anchor] });
  await send("POST", `/v1/collections/${ids.vault}/assets`, { assets: [ids.barrel] });
  await send("POST", "/v1/users", { name: "vera", role: "viewer", password });
  await send("POST", "/v1/users", { name: "edgar", role: "viewer", password });
  await send("PUT", `/v1/collections/${ids.harbor}/grants/edgar`, { role: "editor" });
  browser = await openBrowser();
  ({ page } = browser);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function importModel(name) {
  const body = new FormData();
  body.append("file", new Blob([`v 0 0 0\nv 1 0 0\nv 0 ${name.length} 0\nv 0 0 ${name === "anchor" ? 1 : 2}\nf 1 2 3\nf 1 2 4\n`]), `${name}.obj`);
  const response = await fetch(`${server.url}/v1/assets`, { method: "POST", headers: authorization, body });
  assert.equal(response.status, 201);
  const { asset, job } = (await response.json()).items[0];
  await until(async () => (await (await fetch(`${server.url}/v1/jobs/${job.id}`, { headers: authorization })).json()).state === "succeeded", `import of ${name}`);
  return asset.id;
}

async function send(method, path, body) {
  const headers = { ...authorization, "Content-Type": "application/json" };
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

async function signIn(name) {
  await page.context().clearCookies();
  const response = await page.request.post(`${server.url}/v1/sessions`, { data: { name, password }, headers: { Origin: server.url } });
  assert.ok(response.ok(), await response.text());
  await page.goto(server.url);
  await card(page, "anchor").first().waitFor();
}

const sideBar = () => page.getByRole("navigation", { name: "Collections and tags" });
const bar = () => page.getByRole("region", { name: "Selection" });

async function menuOf(button) {
  await button.press("Enter");
  const labels = await page.getByRole("menuitem").allTextContents();
  await page.keyboard.press("Escape");
  return labels.map((label) => label.trim());
}

const actionsOf = (name) => menuOf(sideBar().getByRole("button", { name: `Actions for the collection ${name}` }));

test("a viewer of the library is offered nothing that changes it", async () => {
  await signIn("vera");
  assert.equal(await page.getByRole("button", { name: "Upload", exact: true }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Upload a folder" }).count(), 0);
  await page.getByRole("button", { name: "Collections and tags" }).press("Enter");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).waitFor();
  assert.equal(await sideBar().getByRole("button", { name: "New collection" }).count(), 0);
  assert.deepEqual(await actionsOf("Harbor"), ["Download as zip", "Export as GLB"]);
  await page.getByRole("button", { name: "Select", exact: true }).press("Enter");
  await page.getByRole("checkbox", { name: "Select anchor" }).press("Space");
  assert.deepEqual(await bar().getByRole("button").allTextContents(), ["Select all loaded", "Download", "Export GLB", "Done"]);
  assert.equal(await bar().getByRole("combobox").count(), 0);
  await inspectPage(page, "viewer_library");
  await bar().getByRole("button", { name: "Done" }).press("Enter");
});

test("nor on the page of a model", async () => {
  await page.goto(`${server.url}/assets/${ids.anchor}`);
  await page.getByRole("heading", { level: 1, name: "anchor" }).waitFor();
  assert.deepEqual(await menuOf(page.locator("vt-asset-page").getByRole("button", { name: "More actions" })), ["Add to the comparison"]);
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByText("Version 1").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Upload new version" }).count(), 0);
  await page.getByRole("tab", { name: "Notes" }).click();
  await page.getByText("No notes yet.").first().waitFor();
  assert.equal(await page.locator("vt-notes textarea").count(), 0);
  await page.getByRole("tab", { name: "Properties" }).click();
  await page.locator("vt-properties").waitFor();
  assert.equal(await page.getByLabel("New tag").count(), 0);
  assert.equal(await page.getByLabel("Axis that points up").count(), 0);
  await inspectPage(page, "viewer_model");
});

test("an editor of a collection is offered the changes of what is in it", async () => {
  await signIn("edgar");
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Upload", exact: true }).count(), 0);
  assert.deepEqual(await actionsOf("Vault"), ["Download as zip", "Export as GLB"]);
  assert.deepEqual((await actionsOf("Harbor")).slice(0, 2), ["Edit", "Move down"]);
  await sideBar().getByRole("link", { name: "Harbor, 1 model" }).press("Enter");
  await page.getByRole("button", { name: "Upload", exact: true }).waitFor();
  const actions = page.locator("vt-asset-page").getByRole("button", { name: "More actions" });
  for (const [name, may] of [["anchor", true], ["barrel", false]]) {
    await page.goto(`${server.url}/assets/${ids[name]}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.equal((await menuOf(actions)).includes("Rename"), may, name);
  }
});

test("uploads of an editor of a collection go into it", async () => {
  await page.goto(`${server.url}/?collection=${ids.harbor}`);
  await card(page, "anchor").first().waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload", exact: true }).press("Enter");
  await (await chooser).setFiles({ name: "crate.obj", mimeType: "model/obj", buffer: Buffer.from("v 0 0 0\nv 3 0 0\nv 0 1 0\nv 0 0 4\nf 1 2 3\nf 1 2 4\n") });
  await card(page, "crate").first().locator("img.ready").waitFor();
  const members = await (await fetch(`${server.url}/v1/collections/${ids.harbor}/assets`, { headers: authorization })).json();
  assert.deepEqual(members.items.map(({ asset }) => asset.name), ["anchor", "crate"]);
});
