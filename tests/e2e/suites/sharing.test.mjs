// Share links: the dialog that makes them, and the page that they open.
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser, until } from "../lib/browser.mjs";
import { card } from "../lib/page.mjs";
import { inspectPage } from "../lib/pictures_of_page.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";

let server, browser, page, authorization, collection;
const assets = {};

before(async () => {
  server = await openVitrineWithToken(process.env.VITRINE_PROGRAM);
  authorization = { Authorization: `Bearer ${server.token}` };
  for (const name of ["anchor", "barrel"]) assets[name] = await importTriangle(name);
  collection = (await send("POST", "/v1/collections", { name: "Harbor" })).id;
  await send("POST", `/v1/collections/${collection}/assets`, { assets: [assets.anchor] });
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.link);
  await card(page, "anchor").first().waitFor();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function importTriangle(name) {
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
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

const dialog = () => page.getByRole("dialog", { name: /^Share / });
const heading = (name) => page.getByRole("heading", { level: 1, name });
const statusOf = (path) => page.evaluate(async (url) => (await fetch(url)).status, path);

async function openDialog() {
  await page.goto(`${server.url}/assets/${assets.anchor}`);
  await heading("anchor").waitFor();
  await page.getByRole("button", { name: "More actions" }).press("Enter");
  await page.getByRole("menuitem", { name: "Share…" }).press("Enter");
  await dialog().waitFor();
}

// As somebody else, who has only the link.
async function follow(url) {
  await browser.context.clearCookies();
  return page.goto(url);
}

let link;
const personal = []; // requests of the shared page for what only users have

test("a link is made and listed by keyboard", async () => {
  await openDialog();
  await checkAccessibility(page);
  await dialog().getByLabel("Name of the link").focus();
  await page.keyboard.type("client");
  await page.keyboard.press("Enter");
  const field = dialog().getByLabel("The link, which is shown only now");
  await field.waitFor();
  link = await field.inputValue();
  assert.match(link, new RegExp(`^${server.url}/s/share_`));
  await dialog().getByText("client: opened 0 times").waitFor();
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
});

test("the link opens the asset and nothing else", async () => {
  browser.log.errors.length = 0;
  page.on("request", (request) => {
    if (/\/(favorites|notes)\b/.test(new URL(request.url()).pathname)) personal.push(request.url());
  });
  await follow(link);
  await heading("anchor").waitFor();
  await page.getByRole("img").or(page.locator("canvas")).first().waitFor();
  await until(async () => (await page.getByRole("button", { name: "Upload" }).count()) === 0, "no upload");
  assert.equal(new URL(page.url()).pathname, `/assets/${assets.anchor}`);
  assert.equal(await page.getByRole("button", { name: "More actions" }).count(), 0);
  assert.equal(await page.getByRole("tab", { name: "Files" }).count(), 0);
  await checkAccessibility(page);
  assert.deepEqual(
    [await statusOf(`/v1/assets/${assets.anchor}`), await statusOf(`/v1/assets/${assets.barrel}`), await statusOf("/v1/assets"), await statusOf(`/v1/assets/${assets.anchor}/files`)],
    [200, 404, 401, 401],
  );
});

test("the library leads back to what is shared", async () => {
  await page.goto(server.url);
  await page.waitForURL(`${server.url}/assets/${assets.anchor}`);
  await heading("anchor").waitFor();
});

test("a link of a collection shows its assets, after the password", async () => {
  const made = await send("POST", "/v1/share-links", { name: "harbor", collection, password: "a long sentence" });
  await follow(server.url + made.path);
  await checkAccessibility(page);
  await page.getByLabel("Password").fill("a wrong sentence");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill("a long sentence");
  await page.getByRole("button", { name: "Open" }).click();
  await card(page, "anchor").first().waitFor();
  assert.equal(await card(page, "barrel").count(), 0);
  await until(async () => (await page.getByRole("button", { name: "Upload" }).count()) === 0, "no upload");
  assert.equal(await page.getByRole("region", { name: "Selection" }).count(), 0);
  await page.locator("vt-card a").first().focus();
  await page.keyboard.press("f");
  assert.equal(await page.locator("vt-favorite").count(), 0);
  assert.deepEqual(personal, []);
  await checkAccessibility(page);
});

test("a revoked link ends at once", async () => {
  await follow(server.link);
  await openDialog();
  await dialog().getByRole("button", { name: "Revoke the link client" }).press("Enter");
  await dialog().getByText("No links yet.").waitFor();
  const answer = await follow(link);
  assert.equal(answer.status(), 404);
  await page.getByText("This link does not exist, was revoked or has expired.").waitFor();
});

test("the address of the picture works for everybody", async () => {
  await page.goto(server.link);
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDialog();
  await dialog().getByRole("button", { name: "Copy picture address" }).press("Enter");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await until(async () => (await copied()).includes("&sig="), "the address in the clipboard");
  const picture = await fetch(await copied());
  assert.equal(picture.status, 200);
  assert.match(picture.headers.get("cache-control"), /^public, max-age=/);
});

test("an admin revokes all picture addresses beside the links", async () => {
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal((await fetch(address)).status, 200);
  await dialog().getByRole("button", { name: "Revoke all picture addresses" }).press("Enter");
  const question = dialog().getByRole("group", { name: "Revoke all picture addresses?" });
  await question.waitFor();
  await inspectPage(page, "revoke_addresses");
  await question.getByRole("button", { name: "Cancel" }).press("Enter");
  assert.equal((await fetch(address)).status, 200);
  await dialog().getByRole("button", { name: "Revoke all picture addresses" }).press("Enter");
  await page.keyboard.press("Enter"); // the focus is on the button that agrees
  await page.getByLabel("Notices").getByText("All picture addresses are revoked").waitFor();
  assert.equal((await fetch(address)).status, 401);
});
