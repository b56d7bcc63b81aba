// Uploads: dropped files, interruptions and failures.
import { it } from "node:test";

import { until } from "./browser.mjs";
import { card, drag, freshCube } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function uploadScenarios(scenario) {
  it("imports a dropped model with its material and shows its card", () => importDroppedModel(scenario()));
  it("offers to retry and to cancel an interrupted upload", () => retryAndCancel(scenario()));
  it("shows why a file failed", () => showFailure(scenario()));
  it("shows the state of each of several loose files", () => showEachFile(scenario()));
}

const uploads = "**/v1/assets";
const everyStep = ["dragenter", "dragover", "drop"];

// A GLB that ends within its header; new content on each call.
function truncatedGlb() {
  return Buffer.concat([Buffer.from("glTF\u0002\u0000\u0000\u0000\u00ff\u00ff\u0000\u0000", "latin1"), Buffer.from(String(Math.random()))]);
}

// Holds upload requests until the returned function is called.
async function holdUploads(page) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(uploads, async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue().catch(() => {}); // the page has cancelled it
  });
  return release;
}

function abortUploads(page) {
  return page.route(uploads, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
}

async function importDroppedModel({ openLibrary, page, quiet }) {
  await openLibrary();
  const files = freshCube("dropped-cube");
  await drag(page, files, ["dragenter", "dragover"]);
  await page.getByText("Drop to add to the library").waitFor();
  const release = await holdUploads(page); // until the progress bars were checked
  await drag(page, files, ["drop"]);
  await page.getByText("Drop to add to the library").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Uploads" }).waitFor();
  await page.getByRole("progressbar", { name: "All uploads" }).waitFor();
  await page.getByRole("progressbar", { name: "dropped-cube.obj" }).first().waitFor();
  release();
  await page.getByRole("heading", { name: "Uploads finished" }).waitFor();
  const made = card(page, "dropped-cube").first();
  await made.locator("img.ready").waitFor();
  await page.getByRole("button", { name: "Clear finished" }).click();
  await page.unroute(uploads);
  quiet();
}

async function retryAndCancel({ openLibrary, page }) {
  await openLibrary();
  await abortUploads(page);
  await drag(page, freshCube("retried-cube"), everyStep);
  const retry = page.getByRole("button", { name: /^Retry: retried-cube/ });
  await retry.waitFor();
  await page.unroute(uploads);
  const release = await holdUploads(page);
  await retry.click();
  await page.getByRole("button", { name: /^Cancel: retried-cube/ }).click();
  await retry.waitFor();
  release();
  await page.unroute(uploads);
  await retry.click();
  await card(page, "retried-cube").first().locator("img.ready").waitFor();
}

async function showFailure({ openLibrary, page, quiet }) {
  await openLibrary();
  await drag(page, [{ name: "broken.glb", bytes: truncatedGlb() }], everyStep);
  await page.getByRole("heading", { name: "1 upload failed" }).waitFor();
  const failed = card(page, "broken").first();
  await until(async () => ((await failed.locator(".problem").textContent()) ?? "").length > 10, "a sentence on the card");
  await failed.locator("a").click();
  await page.getByText("This model could not be imported").waitFor();
  await page.getByRole("link", { name: /Download .*broken\.glb/ }).waitFor();
  quiet();
}

async function showEachFile({ check, openLibrary, page }) {
  await openLibrary();
  const files = [{ name: "broken-pick.glb", bytes: truncatedGlb() }, { name: "notes.txt", bytes: Buffer.from("read me") }, ...freshCube("picked-cube")];
  await abortUploads(page);
  await drag(page, files, everyStep);
  const panel = page.getByRole("region", { name: "Uploads" });
  const retry = panel.getByRole("button", { name: "Retry: 4 files" });
  await retry.waitFor();
  await page.unroute(uploads);
  const release = await holdUploads(page);
  await retry.click();
  for (const { name } of files) await panel.getByRole("progressbar", { name }).waitFor();
  release();
  await panel.getByText("1 in the library, 1 failed").waitFor();
  const outcome = (name) => panel.locator("li li").filter({ has: page.getByRole("link", { name }) });
  await outcome(/picked-cube/).getByText("In the library").waitFor();
  await until(async () => ((await outcome(/broken-pick/).locator(".problem").textContent()) ?? "").length > 10, "a sentence in the panel");
  await panel.getByRole("heading", { name: "1 upload failed" }).waitFor();
  await check("upload panel");
  await page.unroute(uploads);
  await outcome(/picked-cube/).getByRole("link").click();
  await page.getByRole("heading", { name: /picked-cube/ }).waitFor();
}
