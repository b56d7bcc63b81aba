// The settings on the page: members, access tokens, libraries, the audit log, and the own account of a member.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser, until } from "../lib/browser.mjs";
import { inspectPage } from "../lib/pictures_of_page.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";

const root = mkdtempSync(join(tmpdir(), "vitrine-e2e-root-"));
let server, browser, page;
before(async () => {
  server = await openVitrineWithToken(process.env.VITRINE_PROGRAM, ["--library-root", root]);
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(server.link);
  await page.locator("vt-app").waitFor();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

const row = (name) => page.getByRole("row").filter({ hasText: name });
const api = async (path, token, init = {}) => fetch(`${server.url}${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } });
const roleOf = async (token) => (await (await api("/v1/me", token)).json()).role;

async function users() {
  return (await (await api("/v1/users", server.token)).json()).items;
}

test("an admin reaches the settings from the header", async () => {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/settings");
  await page.getByText("the token that the server was started with").waitFor();
  await checkAccessibility(page);
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
});

test("a member is added, and given another role and password", async () => {
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByText("No members yet").waitFor();
  const add = async (name) => {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Display name").fill("Maya Lopez");
    await page.getByLabel("Password", { exact: true }).fill("a long sentence");
    await page.getByRole("button", { name: "Add a member" }).click();
  };
  await add("maya");
  await row("maya").waitFor();
  await add("Maya"); // names differ by more than case
  await page.getByRole("alert").waitFor();
  assert.equal((await users()).length, 1);
  await checkAccessibility(page);

  await page.getByLabel("Role of maya").selectOption("editor");
  await until(async () => (await users())[0].role === "editor", "another role");
  await page.getByRole("button", { name: "Disable maya" }).click();
  await row("disabled").waitFor();
  assert.equal((await users())[0].disabled, true);
  await page.getByRole("button", { name: "Enable maya" }).click();
  await page.getByRole("button", { name: "Disable maya" }).waitFor();
  await page.getByRole("button", { name: "Set the password of maya" }).click();
  await page.getByRole("dialog").getByLabel("New password").fill("another sentence");
  await page.keyboard.press("Enter");
  await page.getByLabel("Notices").getByText("maya has a new password").waitFor();
});

test("a member gets a storage limit, and loses it", async () => {
  const open = async () => {
    await page.getByRole("button", { name: "Set the storage limit of maya" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Storage limit of maya" });
    await dialog.waitFor();
    return dialog;
  };
  const first = await open();
  await page.keyboard.press("ArrowDown"); // from that of the server to the own one
  await first.getByLabel("Amount").fill("1.5");
  await first.getByLabel("Unit").selectOption("GB");
  await inspectPage(page, "quota");
  await first.getByLabel("Amount").press("Enter");
  await until(async () => (await users())[0].quotaBytes === 1_500_000_000, "the limit");
  await row("maya").getByText("0 B of 1.5 GB").first().waitFor();
  await inspectPage(page, "members");
  const second = await open();
  assert.equal(await second.getByLabel("Amount").inputValue(), "1.5");
  await second.getByRole("radio", { name: "As for everybody on this server" }).check();
  await second.getByRole("button", { name: "Save" }).click();
  await until(async () => (await users())[0].quotaBytes === null, "no limit");
});

test("a token is shown once, works, and is revoked", async () => {
  await page.getByRole("link", { name: "Access tokens" }).click();
  await page.getByLabel("What uses it").fill("render farm");
  await page.getByLabel("Valid for").selectOption({ label: "30 days" });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const token = await page.getByLabel("The token render farm").inputValue();
  assert.equal(await roleOf(token), "viewer");
  await row("render farm").waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Done" }).click();
  assert.equal(await page.getByLabel("The token render farm").count(), 0);

  await page.getByRole("button", { name: "Revoke render farm" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No access tokens yet").waitFor();
  assert.equal((await api("/v1/me", token)).status, 401);
});

// Last changed long ago: files that are being written wait.
function writeModel(path, height) {
  writeFileSync(path, `v 0 0 0\nv 1 0 0\nv 0 ${height} 0\nf 1 2 3\n`);
  utimesSync(path, 1e9, 1e9);
}

test("a library is added and scanned with the keyboard", async () => {
  const art = join(root, "art");
  mkdirSync(join(art, "backup"), { recursive: true });
  writeModel(join(art, "door.obj"), 1);
  writeModel(join(art, "backup", "door.obj"), 2);
  await page.getByRole("link", { name: "Libraries" }).press("Enter");
  await page.getByText("No libraries yet").waitFor();
  await page.getByLabel("Folder on the server").fill("/");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("no folder below a --library-root").waitFor();
  await checkAccessibility(page);
  await page.getByLabel("Folder on the server").fill(art);
  for (let field = 0; field < 3; field += 1) await page.keyboard.press("Tab"); // name, models, ignored files
  await page.keyboard.type("backup/\n*.old\n");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const card = page.getByRole("listitem").filter({ hasText: art });
  await card.getByText("up to date").waitFor();
  await card.getByText("1 model · 1 file · scanned").waitFor();
  await page.getByLabel("Notices").getByText("art is up to date: 1 model").waitFor();
  const { items } = await (await api("/v1/libraries", server.token)).json();
  assert.deepEqual(items.map(({ path, name, include, ignore }) => [path, name, include, ignore]), [[art, "art", [], ["backup/", "*.old"]]]);
  await checkAccessibility(page);

  writeModel(join(art, "window.obj"), 3);
  await page.getByRole("button", { name: "Scan art now" }).press("Enter");
  await card.getByText("2 models · 2 files").waitFor();
  renameSync(art, `${art}-unmounted`);
  await page.getByRole("button", { name: "Scan art now" }).press("Enter");
  await card.getByText("unavailable").waitFor();
  await card.locator(".problem").waitFor();
  await checkAccessibility(page);
  renameSync(`${art}-unmounted`, art);
});

test("a library is paused and resumed with the keyboard", async () => {
  const art = join(root, "art");
  const card = page.getByRole("listitem").filter({ hasText: art });
  const library = async () => (await (await api("/v1/libraries", server.token)).json()).items[0];
  await page.getByRole("button", { name: "Pause art" }).press("Enter");
  await card.getByText("paused", { exact: true }).waitFor();
  assert.equal((await library()).state, "paused");
  assert.equal(await page.getByRole("button", { name: "Scan art now" }).count(), 0, "a paused library is not scanned");
  await checkAccessibility(page);
  await page.reload();
  await card.getByText("paused", { exact: true }).waitFor();
  const { models, scannedAt } = await library();
  assert.equal(models, 2, "its assets stay");
  writeModel(join(art, "roof.obj"), 4);

  await page.getByRole("button", { name: "Resume art" }).press("Enter");
  await card.getByText("3 models · 3 files").waitFor();
  await card.getByText("up to date").waitFor();
  await page.getByLabel("Notices").getByText("art is up to date: 3 models").waitFor();
  assert.ok((await library()).scannedAt > scannedAt, "the end of the pause begins a scan");
  await page.getByRole("button", { name: "Pause art" }).waitFor();
  await checkAccessibility(page);
});

test("a library is removed with the keyboard", async () => {
  const art = join(root, "art");
  const card = page.getByRole("listitem").filter({ hasText: art });
  await page.getByRole("button", { name: "Remove art" }).press("Enter");
  await page.getByRole("dialog").getByText("Its assets (3 models) move to the trash").waitFor();
  await page.keyboard.press("Escape");
  await card.waitFor();
  await page.getByRole("button", { name: "Remove art" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByText("No libraries yet").waitFor();
  assert.ok(existsSync(join(art, "door.obj")));
});

test("the audit log tells what was done", async () => {
  await page.getByRole("link", { name: "Audit log" }).click();
  await row("token.revoke").waitFor();
  const shown = async () => (await page.getByRole("row").allInnerTexts()).slice(1);
  assert.ok((await shown()).length >= 5);
  await checkAccessibility(page);
  await page.getByLabel("Action").selectOption("user.create");
  await until(async () => (await shown()).length === 1, "one action only");
  assert.match((await shown())[0], /maya/);
});

test("a member sees the own account only", async () => {
  await page.getByRole("button", { name: /^Sign out/ }).click();
  await page.getByLabel("Name").fill("maya");
  await page.getByLabel("Password").fill("another sentence");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("vt-app").waitFor();
  await page.goto(`${server.url}/settings?tab=members`);
  await page.getByText("Only admins see this page").waitFor();
  assert.equal(await page.getByRole("link", { name: "Members" }).count(), 0);
  await page.goto(`${server.url}/settings`);
  await page.getByText("Signed in as Maya Lopez (Editor)").waitFor();
  await checkAccessibility(page);
});

test("a member sees the own storage, and revokes a token of a program", async () => {
  await page.getByText(/^Your uploads take 0 B/).waitFor();
  const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields) });
  const codes = await (await fetch(`${server.url}/v1/device/authorization`, form({ client_id: "laptop", scope: "viewer" }))).json();
  await page.goto(codes.verification_uri_complete);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("has access now").waitFor();
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: codes.device_code };
  const token = (await (await fetch(`${server.url}/v1/device/token`, form(grant))).json()).access_token;
  assert.equal(await roleOf(token), "viewer");
  const users = await (await api("/v1/users", server.token)).json();
  const maya = users.items.find(({ name }) => name === "maya");
  const limited = await fetch(`${server.url}/v1/users/${maya.id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ quotaBytes: 5_000_000 }),
  });
  assert.equal(limited.status, 200);
  await page.goto(`${server.url}/settings`);
  await page.getByText("Your uploads take 0 B of 5 MB").first().waitFor();
  await page.getByRole("meter", { name: "Storage" }).waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Revoke laptop" }).click();
  await page.getByLabel("Notices").getByText("laptop is revoked").waitFor();
  assert.equal((await api("/v1/me", token)).status, 401);
});

test("a member changes the password, which signs out other browsers", async () => {
  const other = await fetch(`${server.url}/v1/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "maya", password: "another sentence" }),
  });
  assert.equal(other.status, 201);
  const cookie = other.headers.getSetCookie()[0].split(";")[0];
  const change = async (old, password) => {
    await page.getByLabel("Current password").fill(old);
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await page.reload();
  await until(async () => (await page.getByRole("listitem").filter({ hasText: "last used" }).count()) === 2, "two browsers");
  await change("not the password", "the third sentence");
  await page.getByRole("alert").waitFor();
  await change("another sentence", "the third sentence");
  await until(async () => (await page.getByRole("listitem").filter({ hasText: "last used" }).count()) === 1, "this browser only");
  assert.equal((await fetch(`${server.url}/v1/me`, { headers: { Cookie: cookie } })).status, 401);
  await page.getByRole("listitem").filter({ hasText: "this browser" }).getByRole("button").click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});
