// A browser and a server that requires its token: sign-in page, link, cookie, and a session that ends.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser } from "../lib/browser.mjs";
import { openVitrineWithToken } from "../lib/servers.mjs";

let server, browser;
before(async () => {
  server = await openVitrineWithToken(process.env.VITRINE_PROGRAM);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const library = () => browser.page.locator("vt-app");

test("without the token there is a sign-in page and nothing else", async () => {
  const answer = await browser.page.goto(`${server.url}/assets/nobody?t=1`);
  assert.equal(answer.status(), 401);
  await browser.page.getByLabel("Token").fill("not-the-token-of-it");
  await browser.page.getByRole("button", { name: "Use the token" }).click();
  await browser.page.getByRole("alert").waitFor();
  assert.equal(await library().count(), 0);
});

test("the form leads to the page, without the token in its address", async () => {
  await browser.page.getByLabel("Token").fill(new URL(server.link).searchParams.get("token"));
  await browser.page.getByRole("button", { name: "Use the token" }).click();
  await library().waitFor();
  assert.equal(new URL(browser.page.url()).pathname, "/assets/nobody");
  assert.equal(new URL(browser.page.url()).searchParams.get("token"), null);
});

test("the page's requests and event streams send the cookie", async () => {
  await browser.page.goto(server.url);
  const statuses = await browser.page.evaluate(async () => {
    const of = async (path) => (await fetch(path)).status;
    return [await of("/v1/assets"), await of("/openapi.json")];
  });
  assert.deepEqual(statuses, [200, 200]);
  const opened = await browser.page.evaluate(
    () =>
      new Promise((resolve) => {
        const stream = new EventSource("/v1/events");
        stream.onopen = () => (stream.close(), resolve("opened"));
        stream.onerror = () => (stream.close(), resolve("rejected"));
      }),
  );
  assert.equal(opened, "opened");
  const cookies = await browser.context.cookies();
  assert.ok(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === "Lax"), JSON.stringify(cookies));
});

test("the sign-in page returns when the session ends, and the printed link leads back", async () => {
  await browser.context.clearCookies();
  // Ends no session by itself; a request of the page's own may have been rejected first, and it has reloaded then.
  await browser.page.evaluate(() => fetch("/v1/assets")).catch(() => {});
  await browser.page.goto(server.url).catch(() => {}); // interrupted by such a reload
  await browser.page.getByLabel("Token").waitFor();
  await browser.page.goto(server.link);
  await library().waitFor();
  assert.equal(browser.page.url(), `${server.url}/`);
});

test("a request of the page that is rejected shows the sign-in page", async () => {
  const field = browser.page.getByRole("searchbox");
  const answered = browser.page.waitForResponse((answer) => answer.url().includes("q=vase"));
  await field.fill("vase");
  await answered;
  await browser.context.clearCookies();
  await field.fill("robot", { timeout: 5000 }).catch(() => {}); // absent if a request of the page's own came first
  await browser.page.getByLabel("Token").waitFor();
});

test("a user signs in with a password, and out again", async () => {
  const token = new URL(server.link).searchParams.get("token");
  const made = await fetch(`${server.url}/v1/users`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "maya", displayName: "Maya Lopez", role: "viewer", password: "a long sentence" }),
  });
  assert.equal(made.status, 201);
  const { page } = browser;
  const signIn = async (password) => {
    await page.getByLabel("Name").fill("maya");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await page.goto(`${server.url}/assets/nobody`);
  await signIn("another sentence");
  await page.getByRole("alert").waitFor();
  await signIn("a long sentence");
  await library().waitFor();
  assert.equal(new URL(page.url()).pathname, "/assets/nobody");
  const cookies = await browser.context.cookies();
  assert.ok(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === "Lax"), JSON.stringify(cookies));
  await page.getByRole("button", { name: "Sign out Maya Lopez" }).click();
  await page.getByLabel("Password").waitFor();
  assert.equal(await library().count(), 0);
  assert.deepEqual(await browser.context.cookies(), []);
});
