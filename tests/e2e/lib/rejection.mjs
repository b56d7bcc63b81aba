// Live previews that the server rejects, and imports that failed.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvas, drag, firstFrame } from "./page.mjs";

// `scenario()`: {server, browser, page}; the server accepts one live preview.
export function rejectionScenarios(scenario) {
  it("shows pictures while the server has no room for a live preview, then the live preview", () => waitForRoom(scenario()));
  it("says that a model was deleted meanwhile", () => noticeDeletion(scenario()));
  it("imports a failed model again", () => importAgain(scenario()));
}

async function models(server, count) {
  return (await (await fetch(`${server.url}/v1/assets?limit=${count}&status=ready&sort=name`)).json()).items;
}

async function waitForRoom({ server, browser, page }) {
  const [asset] = await models(server, 1);
  await page.goto(`${server.url}/assets/${asset.id}`);
  await firstFrame(page);
  const second = await browser.context.newPage();
  await second.goto(`${server.url}/assets/${asset.id}?t=0`);
  await second.getByText("All live previews of the server are in use.").waitFor();
  const still = second.locator("vt-viewport img.still.shown");
  await still.waitFor();
  await until(async () => /\/render\?/.test(await still.getAttribute("src")), "a picture of the view");
  assert.ok(await still.evaluate((image) => image.naturalWidth > 60), "an image with content");
  await keepScreenshot(second, "no-room");
  const before = await still.getAttribute("src");
  await canvas(second).focus();
  await second.keyboard.press("Shift+ArrowRight");
  await until(async () => (await still.getAttribute("src")) !== before, "a picture of the turned view");
  await page.goto("about:blank");
  await firstFrame(second);
  await second.getByText("All live previews of the server are in use.").waitFor({ state: "detached" });
  await still.waitFor({ state: "detached" });
  await second.close();
}

// The page receives no events; it learns of the deletion when it connects again.
async function noticeDeletion({ server, browser }) {
  const page = await browser.context.newPage();
  await page.addInitScript("delete window.SharedWorker; window.EventSource = class { addEventListener() {} close() {} }");
  const asset = (await models(server, 2))[1];
  await page.goto(`${server.url}/assets/${asset.id}`);
  await firstFrame(page);
  assert.equal((await fetch(`${server.url}/v1/assets/${asset.id}`, { method: "DELETE" })).status, 204);
  await server.restart();
  await page.getByRole("heading", { name: "Model not found" }).waitFor();
  await fetch(`${server.url}/v1/assets/${asset.id}/restore`, { method: "POST" });
  await page.close();
}

async function importAgain({ server, page }) {
  await page.goto(`${server.url}/`);
  await page.locator("vt-card img.ready").first().waitFor();
  const bytes = Buffer.concat([Buffer.from("glTF\u0002\u0000\u0000\u0000\u00ff\u00ff\u0000\u0000", "latin1"), Buffer.from(String(Math.random()))]);
  await drag(page, [{ name: "broken-again.glb", bytes }], ["dragenter", "dragover", "drop"]);
  await page.locator("vt-card").filter({ hasText: "broken-again" }).first().locator(".problem").waitFor();
  await page.locator("vt-card").filter({ hasText: "broken-again" }).first().locator("a").click();
  await page.getByText("This model could not be imported").waitFor();
  const path = new URL(page.url()).pathname.replace("/assets/", "/v1/assets/");
  const job = async () => (await (await fetch(`${server.url}${path}`)).json()).job;
  const before = await job();
  await keepScreenshot(page, "failed-model");
  await page.getByRole("button", { name: "Import again" }).click();
  await until(async () => (await job()) !== before, "another import");
  await page.getByText("This model could not be imported").waitFor();
}

async function keepScreenshot(page, name) {
  const folder = process.env.VITRINE_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
