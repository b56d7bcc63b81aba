// The grid with thousands of models: bounded number of elements, place, keyboard, live changes.
import assert from "node:assert/strict";
import { it } from "node:test";

import { openBrowser, until } from "./browser.mjs";
import { card, firstFrame } from "./page.mjs";
import { upload } from "./tabs.mjs";

const count = 5000;
const word = "000"; // in the names of a fifth of them

// `scenario()`: {server, browser, page}; the library has at least `count` models.
export function gridScenarios(scenario) {
  it("keeps few elements while it is scrolled over thousands of models", () => scrollOver(scenario()));
  it("shows every model at its position", () => comparePositions(scenario()));
  it("keeps its place over reload, Back and a change of the width", () => keepPlace(scenario()));
  it("keeps the place in a search, in the order of relevance", () => keepPlaceInSearch(scenario()));
  it("moves the focus through the whole list by keys", () => moveFocus(scenario()));
  it("shows new models at the top, and offers them further down", () => showNewModels(scenario()));
  it("says that an answer is late", () => showLateAnswers(scenario()));
}

const openGrid = async ({ server, page }, query = "") => {
  await page.goto("about:blank");
  await page.goto(`${server.url}/${query}`);
  await page.locator("vt-card img.ready").first().waitFor();
};

// The cards inside the window: position, asset's id, top and left; null while one of them is a placeholder.
function displayed(page) {
  return page.locator("vt-card").evaluateAll((cards) => {
    const shown = cards
      .map((card) => ({ position: card.position, id: card.asset?.id, box: card.getBoundingClientRect(), link: card.shadowRoot.querySelector("a") }))
      .filter(({ box }) => box.bottom > 0 && box.top < innerHeight);
    if (shown.length === 0 || shown.some(({ link }) => !link)) return null;
    return shown.map(({ position, id, box }) => ({ position, id, top: Math.round(box.top), left: Math.round(box.left) }));
  });
}
const whenDisplayed = (page) => until(() => displayed(page), "the cards of the window");
const scrollTo = (page, y) => page.evaluate((at) => window.scrollTo(0, at), y);
const height = (page) => page.evaluate(() => document.documentElement.scrollHeight);

// Nodes that are in use, of the whole process.
async function nodesOf(page, context) {
  const protocol = await context.newCDPSession(page);
  await protocol.send("HeapProfiler.collectGarbage");
  await protocol.send("Performance.enable");
  const { metrics } = await protocol.send("Performance.getMetrics");
  await protocol.detach();
  return metrics.find(({ name }) => name === "Nodes").value;
}

async function scrollOver({ server, browser, page }) {
  await openGrid({ server, page });
  const steps = 100;
  const end = await height(page);
  let [nodes, cards] = [0, 0];
  for (let step = 1; step <= steps; step += 1) {
    await scrollTo(page, (end * step) / steps);
    cards = Math.max(cards, await page.locator("vt-card").count());
    if (step % 20 === 0) nodes = Math.max(nodes, await nodesOf(page, browser.context));
  }
  await until(async () => (await displayed(page))?.at(-1).position >= count - 1, "the end of the list");
  assert.ok(cards < 80, `${cards} cards`);
  assert.ok(nodes < 5000, `${nodes} nodes`);
}

async function comparePositions({ server, page }) {
  await openGrid({ server, page }, "?sort=name");
  const total = (await (await fetch(`${server.url}/v1/assets?limit=1&total=true`)).json()).total;
  assert.ok(total >= count);
  await page.getByText(`${total.toLocaleString("en")} models`).waitFor();
  for (const share of [0.31, 0.97, 0, 0.5, 0.502, 0.498, 0.1, 0.498]) {
    await scrollTo(page, share * (await height(page)));
    await until(() => page.locator("vt-card").evaluateAll((cards) => cards.every((one) => one.shadowRoot.querySelector("img.ready"))), "all images");
    for (const { position, id } of await whenDisplayed(page)) {
      const { items } = await (await fetch(`${server.url}/v1/assets?limit=1&sort=name&offset=${position}`)).json();
      assert.equal(id, items[0].id, `position ${position}`);
    }
  }
  const element = page.locator("vt-card").first();
  assert.equal(await element.getAttribute("aria-setsize"), String(total));
  const position = await element.evaluate((one) => one.position);
  assert.equal(await element.getAttribute("aria-posinset"), String(position + 1));
}

async function keepPlace({ server, page }) {
  const { before, opened } = await returnToPlace({ server, page });
  await opened.click();
  await firstFrame(page);
  await page.getByRole("link", { name: "Library", exact: true }).click();
  await until(async () => JSON.stringify(await displayed(page)) === JSON.stringify(before), "the same cards after the link to the library");
  await page.setViewportSize({ width: 390, height: 800 });
  await until(async () => (await displayed(page))?.some(({ id }) => id === before[0].id), "the first card in a narrow window");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${server.url}/?sort=name`);
  await whenDisplayed(page);
  assert.equal(await page.evaluate(() => scrollY), 0, "another list begins at its top");
}

// Scrolls down, reloads, opens a model and goes back. Returns the cards that are displayed each time, and the link of the model.
async function returnToPlace({ server, page }, query = "") {
  await openGrid({ server, page }, query);
  await scrollTo(page, 0.6 * (await height(page)) + 77);
  const before = await whenDisplayed(page);
  await until(() => page.evaluate((index) => history.state?.place?.index === index, before[0].position), "the place in the history entry");
  await page.reload();
  assert.deepEqual(await whenDisplayed(page), before, "after a reload");
  const whole = before.find(({ top }) => top > 80 && top < 420); // a click scrolls to others
  const opened = page.locator(`a[href="/assets/${whole.id}"]`);
  await opened.click();
  await firstFrame(page);
  await page.goBack();
  await until(async () => JSON.stringify(await displayed(page)) === JSON.stringify(before), "the same cards after Back");
  return { before, opened };
}

async function keepPlaceInSearch({ server, page }) {
  const { before } = await returnToPlace({ server, page }, `?q=${word}`);
  assert.equal(await page.getByLabel("Sort").inputValue(), "relevance");
  for (const { position, id } of before) {
    const { items } = await (await fetch(`${server.url}/v1/assets?q=${word}&sort=relevance&limit=1&offset=${position}`)).json();
    assert.equal(id, items[0].id, `position ${position}`);
  }
  const other = server.url + "/v1/assets/" + before[0].id;
  const { name } = await (await fetch(other)).json();
  const rename = (to) => fetch(other, { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: to }) });
  await rename("without any of the words");
  await page.reload();
  const after = await whenDisplayed(page);
  assert.equal(after[0].position, before[0].position, "the position, where the first of its models is not found any more");
  await rename(name);
}

async function moveFocus({ server, page }) {
  await openGrid({ server, page });
  const focused = () => page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement && at.tagName !== "VT-CARD") at = at.shadowRoot.activeElement;
    return at?.position ?? -1;
  });
  const reaches = (position, what) => until(async () => (await focused()) === position, what);
  await page.locator("vt-card a").first().focus();
  const total = Number(await page.locator("vt-card").first().getAttribute("aria-setsize"));
  await page.keyboard.press("End");
  await reaches(total - 1, "the last card");
  await page.keyboard.press("ArrowLeft");
  await reaches(total - 2, "the card before");
  await page.keyboard.press("Home");
  await reaches(0, "the first card");
  const columns = (await displayed(page)).filter(({ top }, _, all) => top === all[0].top).length;
  for (let row = 1; row <= 12; row += 1) await page.keyboard.press("ArrowDown");
  await reaches(12 * columns, "twelve rows down");
  assert.ok((await whenDisplayed(page)).some(({ position }) => position === 12 * columns), "the focused card is in the window");
  await page.keyboard.press("Tab");
  await reaches(12 * columns + 1, "the next card by Tab");
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 90_000);
  await until(async () => (await page.evaluate(() => scrollY)) > 50_000, "scrolled far away");
  await whenDisplayed(page);
  assert.equal(await focused(), 12 * columns + 1, "the focus stays at its card");
  await page.keyboard.press("ArrowRight");
  await reaches(12 * columns + 2, "the card after the focused one");
  assert.ok((await whenDisplayed(page)).some(({ position }) => position === 12 * columns + 2), "and the window is there");
}

async function showNewModels({ server, page }) {
  await openGrid({ server, page });
  const first = await upload(server, "new-at-the-top");
  await card(page, "new-at-the-top").first().locator("img.ready").waitFor();
  assert.equal((await whenDisplayed(page)).find(({ position }) => position === 0).id, first);
  await scrollTo(page, 20_000);
  const before = await whenDisplayed(page);
  const second = await upload(server, "new-while-reading");
  const offer = page.getByRole("button", { name: /^1 new model/ });
  await offer.waitFor();
  const after = await whenDisplayed(page);
  assert.deepEqual(after, before, "no card moves");
  await keepScreenshot(page, "new-models");
  await offer.click();
  await card(page, "new-while-reading").first().waitFor();
  assert.equal((await whenDisplayed(page)).find(({ position }) => position === 0).id, second);
  for (const id of [first, second]) await fetch(`${server.url}/v1/assets/${id}`, { method: "DELETE" });
  await card(page, "new-while-reading").waitFor({ state: "detached" });
}

// In a browser of its own, whose requests are held back.
async function showLateAnswers({ server }) {
  const browser = await openBrowser();
  const { page } = browser;
  try {
    await openGrid({ server, page });
    let release;
    const released = new Promise((resolve) => (release = resolve));
    await page.route(/\/v1\/assets\?/, async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    await page.getByRole("searchbox", { name: /Search/ }).fill("a");
    await page.getByRole("status").getByText("Loading models").waitFor();
    await page.locator("vt-header .search .spinner").waitFor();
    await keepScreenshot(page, "late-search");
    await page.getByRole("status").getByText("The server is slow to answer").waitFor();
    release();
    await page.getByText("The server is slow to answer").waitFor({ state: "detached" });
    await page.locator("vt-header .search .spinner").waitFor({ state: "detached" });
  } finally {
    await browser.close();
  }
}

async function keepScreenshot(page, name) {
  const folder = process.env.VITRINE_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
