// The pages below /docs: their links, headings and tables, by axe-core, on screens of two sizes.
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, test } from "node:test";

import { checkAccessibility } from "../lib/accessibility.mjs";
import { openBrowser } from "../lib/browser.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";

let server, browser, page, pages;
before(async () => {
  server = await openEmptyVitrine(process.env.VITRINE_PROGRAM);
  browser = await openBrowser();
  ({ page } = browser);
  await page.goto(`${server.url}/docs`);
  pages = await page.locator("nav.side a").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
  pages.push("/docs/api");
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("every link of every page leads to a page, and to a place of it", async () => {
  const found = new Map(); // address -> ids of the page there
  const idsOf = async (path) => {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 200, path);
    const text = await response.text();
    return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  };
  assert.ok(pages.length > 15, pages.join(" "));
  for (const path of pages) {
    const text = await (await fetch(server.url + path)).text();
    for (const [, href] of text.matchAll(/href="([^"]+)"/g)) {
      const to = new URL(href, server.url + path);
      if (to.origin !== server.url) continue;
      if (!found.has(to.pathname)) found.set(to.pathname, await idsOf(to.pathname));
      if (to.hash) assert.ok(found.get(to.pathname).has(to.hash.slice(1)), `${path}: ${href}`);
    }
  }
  for (const other of ["/docs/guide/none", "/docs/guide/api", "/docs/guide"]) assert.equal((await fetch(server.url + other)).status, 404, other);
});

test("the library leads to the guide, and back", async () => {
  await page.goto(server.url);
  await page.getByRole("link", { name: "Guide and API reference" }).click();
  await page.getByRole("heading", { name: "Guide", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Library", exact: true }).click();
  await page.getByRole("searchbox").waitFor();
});

test("pages have no violation of axe-core and do not scroll sideways", async () => {
  for (const path of ["/docs", "/docs/guide/operations", "/docs/guide/websocket", "/docs/api"]) {
    await page.goto(server.url + path);
    await checkAccessibility(page, path);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

test("the reference has every operation of the API document, with parameters, roles and examples", async () => {
  const document = await (await fetch(`${server.url}/openapi.json`)).json();
  await page.goto(`${server.url}/docs/api`);
  const ids = new Set(await page.locator("details > div").evaluateAll((parts) => parts.map((part) => part.id)));
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of Object.values(item)) {
      const { operationId } = operation ?? {};
      if (operationId && !operationId.endsWith("OfVersion") && !path.startsWith("/internal")) assert.ok(ids.has(operationId), operationId);
    }
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "List the library, page by page" }).click();
  const operation = page.locator("#listAssets");
  await operation.getByText("Role: viewer").waitFor(); // the link opens the part that it leads to
  await operation.getByRole("cell", { name: "triangles.min", exact: true }).waitFor();
  await operation.getByRole("link", { name: "Problem", exact: true }).first().click();
  await page.locator("#schema-Problem").getByRole("cell", { name: /^requestId/ }).waitFor();
});
