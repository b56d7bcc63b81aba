// Sign-in by an identity provider in a browser, and the page that approves devices; both pages by axe-core.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser } from "../lib/browser.mjs";
import { openIdentityProvider } from "../lib/identity_provider.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const people = { maya: { name: "Maya Lopez", preferred_username: "maya", email: "maya@id.example", groups: ["artists"] } };

let provider, server, browser;
before(async () => {
  provider = await openIdentityProvider(people);
  const flags = ["--oidc-issuer", provider.url, "--oidc-client-id", "vitrine", "--oidc-scopes", "openid profile email groups"];
  server = await openVitrineWithToken(process.env.VITRINE_PROGRAM, [...flags, "--oidc-name", "Studio ID", "--oidc-role", "artists=editor"]);
  provider.serve(server.url, { isPublic: true });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
  provider?.close();
});

const library = () => browser.page.locator("vt-app");

test("the link of the sign-in page leads by the provider to the page that was wanted", async () => {
  const { page } = browser;
  await page.goto(`${server.url}/assets/nobody`);
  const link = page.getByRole("link", { name: "Sign in with Studio ID" });
  await link.waitFor();
  await checkAccessibility(page);
  await link.focus();
  await page.keyboard.press("Enter");
  await page.locator("input[name=login]").fill("maya");
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await library().waitFor();
  assert.equal(page.url(), `${server.url}/assets/nobody`);
  const cookies = await browser.context.cookies(server.url);
  const own = cookies.filter((cookie) => cookie.name.startsWith("vitrine_"));
  assert.ok(own.length === 1 && own[0].httpOnly && own[0].sameSite === "Lax", JSON.stringify(own));
});

test("a program is approved on the page of its code", async () => {
  const { page } = browser;
  const form = (members) => ({ method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(members).toString() });
  const codes = await (await fetch(`${server.url}/v1/device/authorization`, form({ client_id: "Blender", scope: "editor" }))).json();
  await page.goto(`${server.url}/device`);
  await checkAccessibility(page);
  await page.getByLabel("Code").fill("zzzz-zzzz");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Code").fill(codes.user_code.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Blender", { exact: true }).waitFor();
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("status").waitFor();
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: codes.device_code };
  const token = await (await fetch(`${server.url}/v1/device/token`, form(grant))).json();
  assert.equal(token.scope, "editor");
});

test("a group of the provider gets a role for a collection, by keyboard", async () => {
  const { page } = browser;
  const admin = { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" };
  const { id } = await (await fetch(`${server.url}/v1/collections`, { method: "POST", headers: admin, body: JSON.stringify({ name: "Harbor" }) })).json();
  const grants = async () => (await (await fetch(`${server.url}/v1/collections/${id}/grants`, { headers: admin })).json()).groups;
  const user = (await (await fetch(`${server.url}/v1/users`, { headers: admin })).json()).items[0];
  const grant = (role) => fetch(`${server.url}/v1/collections/${id}/grants/${user.id}`, { method: "PUT", headers: admin, body: JSON.stringify({ role }) });
  assert.equal((await grant("admin")).status, 200);
  await page.goto(`${server.url}/?collection=${id}`);
  await page.getByRole("button", { name: "Actions for the collection Harbor" }).first().press("Enter");
  await page.getByRole("menuitem", { name: "Members" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Members of Harbor" });
  await dialog.getByLabel("Give the role to").selectOption("group");
  await dialog.getByLabel("Name of the group at Studio ID").fill("team/a & b");
  await dialog.getByRole("combobox", { name: "Role", exact: true }).selectOption("editor");
  await checkAccessibility(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
  const role = dialog.getByLabel("Role of team/a & b for the collection");
  await role.waitFor();
  assert.deepEqual((await grants()).map((one) => [one.group, one.issuer, one.role]), [["team/a & b", provider.url, "editor"]]);
  await role.selectOption("viewer");
  await until(async () => (await grants())[0].role === "viewer", "the other role");
  await dialog.getByRole("button", { name: "Remove team/a & b" }).press("Enter");
  await role.waitFor({ state: "detached" });
  assert.deepEqual(await grants(), []);
  await page.keyboard.press("Escape");
});

test("signing out ends both sessions and leads back to the sign-in page", async () => {
  const { page } = browser;
  await page.goto(server.url);
  await page.route("**/v1/oidc/sign-out", async (route) => {
    const answer = await route.fetch();
    const rejected = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole("searchbox").fill("robot"); // a request of the ended session does not reload the page
    await rejected;
    await route.fulfill({ response: answer });
  });
  await page.getByRole("button", { name: "Sign out Maya Lopez" }).click();
  await page.waitForURL(`${provider.url}/**`, { waitUntil: "commit" });
  await page.getByRole("button", { name: /^Yes/ }).click();
  await page.getByRole("link", { name: "Sign in with Studio ID" }).waitFor();
  assert.equal(page.url(), `${server.url}/`);
  await page.getByRole("link", { name: "Sign in with Studio ID" }).click();
  await page.locator("input[name=login]").waitFor();
});
