// Many tabs of one browser: HTTP/1.1 allows them six connections to the server together.
import assert from "node:assert/strict";
import { it } from "node:test";

import { openBrowser, until } from "./browser.mjs";
import { card, freshCube } from "./page.mjs";

const tabs = 10;

// `server()`: the server under test.
export function tabScenarios(server) {
  it("serves ten tabs with one event stream", () => withTabs(server(), [], serveTenTabs));
  it("serves ten tabs with one event stream where no SharedWorker exists", () => withTabs(server(), ["delete window.SharedWorker"], serveTenTabs));
  it("closes the stream while all tabs are hidden, and misses nothing", () => withTabs(server(), [], hideAndShow));
  it("passes the stream on, and misses nothing, where no SharedWorker exists", () => withTabs(server(), ["delete window.SharedWorker"], passOn));
}

async function withTabs(server, scripts, work) {
  const browser = await openBrowser();
  try {
    for (const script of scripts) await browser.context.addInitScript(script);
    const pages = [browser.page];
    while (pages.length < tabs) pages.push(await browser.context.newPage());
    for (const page of pages) page.setDefaultTimeout(120_000);
    const all = (action) => Promise.all(pages.map(action));
    await all((page) => page.goto(`${server.url}/`));
    await all((page) => page.locator("vt-card img.ready").first().waitFor());
    await until(async () => (await streams(server)) === 1, "one event stream");
    await work({ server, pages, all });
    const errors = browser.log.errors.filter((text) => !/404 .*\/thumbnail/.test(text)); // of models that were deleted at once
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
  await until(async () => (await streams(server)) === 0, "no event stream without a page");
}

async function streams(server) {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^vitrine_event_streams (\d+)/m.exec(text)[1]);
}

export async function upload(server, name) {
  const form = new FormData();
  for (const file of freshCube(name)) form.append("file", new Blob([file.bytes]), file.name);
  const { items } = await (await fetch(`${server.url}/v1/assets`, { method: "POST", body: form })).json();
  return items[0].asset.id;
}

async function remove(server, id) {
  assert.equal((await fetch(`${server.url}/v1/assets/${id}`, { method: "DELETE" })).status, 204);
}

async function serveTenTabs({ server, pages, all }) {
  const field = (page) => page.getByRole("searchbox", { name: /Search/ });
  const [{ name }] = (await (await fetch(`${server.url}/v1/assets?limit=1&sort=name`)).json()).items;
  await all((page) => field(page).fill(name));
  await all((page) => until(() => page.locator("vt-card").evaluateAll((cards, text) => cards.length > 0 && cards.every((one) => one.asset?.name.includes(text)), name), "the answer to the search"));
  await all((page) => field(page).fill(""));
  await all((page) => until(async () => (await page.locator("vt-card").count()) > 5, "all cards"));
  const id = await upload(server, "for-all-tabs");
  await all((page) => card(page, "for-all-tabs").locator("img.ready").waitFor());
  assert.equal(await streams(server), 1);
  await remove(server, id);
  await all((page) => card(page, "for-all-tabs").waitFor({ state: "detached" }));
  await pages[0].close();
  const again = await upload(server, "for-nine-tabs");
  await Promise.all(pages.slice(1).map((page) => card(page, "for-nine-tabs").first().waitFor()));
  await until(async () => (await streams(server)) === 1, "one event stream");
  await remove(server, again);
}

// Headless Chromium shows all its tabs: their visibility is simulated.
function setHidden(page, hidden) {
  return page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

async function hideAndShow({ server, pages, all }) {
  await all((page) => setHidden(page, true));
  await until(async () => (await streams(server)) === 0, "no event stream while all tabs are hidden");
  const id = await upload(server, "while-hidden");
  assert.equal(await card(pages[4], "while-hidden").count(), 0);
  await setHidden(pages[4], false);
  await all((page) => card(page, "while-hidden").first().waitFor());
  assert.equal(await streams(server), 1);
  await remove(server, id);
}

// The tab with the stream ends, or is hidden: another visible one continues.
async function passOn({ server, pages }) {
  const others = pages.slice(2);
  await Promise.all(others.map((page) => setHidden(page, true)));
  await setHidden(pages[0], true);
  await until(async () => {
    const id = await upload(server, "passed-on");
    await card(pages[1], "passed-on").first().waitFor();
    await remove(server, id);
    return (await streams(server)) === 1;
  }, "the stream in the visible tab");
  await pages[1].close();
  await until(async () => (await streams(server)) === 0, "no event stream while all tabs are hidden");
  const id = await upload(server, "between");
  await setHidden(pages[5], false);
  await Promise.all(others.map((page) => card(page, "between").first().waitFor()));
  await remove(server, id);
}
