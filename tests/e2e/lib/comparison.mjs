// Models side by side: chosen on their pages, compared in one live preview.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvas, changedFrame, currentTime, firstFrame, pause, stillFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function comparisonScenarios(scenario) {
  it("compares models side by side", () => compareModels(scenario()));
}

async function chooseModel({ page, server }, { id }) {
  await page.goto(`${server.url}/assets/${id}?t=0`);
  await firstFrame(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Add to the comparison" }).click();
}

async function compareModels(context) {
  const { page, quiet, server, check, keepScreenshot } = context;
  const { items } = await (await fetch(`${server.url}/v1/assets?limit=200&animated=true&rigged=true&sort=name`)).json();
  const models = items.filter(({ counts, status }) => status === "ready" && counts.vertices > 0 && counts.clips > 0);
  const [first, second] = [models[0], models.find(({ name }) => name !== models[0].name)];
  await chooseModel(context, first);
  await page.getByText("1 model to compare").waitFor();
  await chooseModel(context, second);
  await page.getByRole("link", { name: "Compare 2 models" }).click();
  await firstFrame(page);
  const times = new Set();
  await until(async () => times.add(await currentTime(page)).size >= 3, "the row to play");
  await pause(page);
  await page.getByRole("slider", { name: "Position" }).focus();
  await page.keyboard.press("Home");
  const start = await stillFrame(page);
  const list = page.getByRole("list", { name: "Models", exact: true });
  assert.deepEqual(await list.locator("li a").allTextContents(), [first.name, second.name]);
  await until(async () => /[\d.]+ m high/.test(await list.textContent()), "the sizes");
  await check("comparison");
  await keepScreenshot("comparison");

  await page.getByRole("button", { name: "Same size" }).click();
  await changedFrame(page, start, "equal sizes");
  const equal = await stillFrame(page);
  await until(async () => new URL(page.url()).searchParams.get("sizes") === "equal", "the sizes in the URL");
  await page.getByLabel(`Clip of ${second.name}`).selectOption("");
  await until(async () => new URL(page.url()).searchParams.get("1.clip") === "none", "the static pose in the URL");
  await page.getByRole("slider", { name: "Position" }).focus();
  await page.keyboard.press("PageUp");
  await changedFrame(page, equal, "the first model alone in motion");
  await page.locator('vt-toolbar [data-overlay="skeleton"]').click();
  const overlaid = await stillFrame(page);
  await page.getByRole("button", { name: "Fit (F)" }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await changedFrame(page, overlaid, "another camera");
  await keepScreenshot("comparison-equal");

  // The first model is left of the middle, on the ground.
  await stillFrame(page);
  const box = await canvas(page).boundingBox();
  let picked = false;
  for (let step = 0; step < 12 && !picked; ++step) {
    await canvas(page).click({ position: { x: box.width * (0.34 + 0.015 * step), y: box.height * 0.69 } });
    picked = await until(() => list.locator("li.picked").count().then((count) => count > 0 || null), "a pick", 1_500).catch(() => false);
  }
  assert.ok(picked, "a model is picked");
  assert.equal(await list.locator("li.picked a").textContent(), first.name);

  await page.reload();
  await firstFrame(page);
  assert.equal(await page.getByLabel(`Clip of ${second.name}`).inputValue(), "", "as the URL says");
  await page.getByLabel("Add a model").fill(first.name);
  await page.locator("vt-compare-page .search li button", { hasText: first.name }).first().click();
  await until(async () => (await list.locator("li").count()) === 3, "the third model");
  await until(async () => new URL(page.url()).searchParams.getAll("asset").length === 3, "three models in the URL");
  await stillFrame(page);
  await page.getByRole("button", { name: `Remove ${first.name}` }).first().click();
  await until(async () => (await list.locator("li").count()) === 2, "two models");
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is beyond the edge");
  await keepScreenshot("comparison-390");
  await page.setViewportSize(size);
  for (let left = 2; left > 0; --left) await list.getByRole("button", { name: /^Remove/ }).first().click();
  await page.getByText("No models to compare").waitFor();
  quiet();
}
