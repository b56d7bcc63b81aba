// Inspection of a model: overlays, picking and its lists.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvas, changedFrame, firstFrame, stillFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function inspectionScenarios(scenario) {
  it("shows overlays and another background", async () => {
    const { openModel, page, quiet } = scenario();
    await openModel("?t=0");
    const plain = await stillFrame(page);
    await page.getByRole("button", { name: "Skeleton (K)" }).click();
    await changedFrame(page, plain, "the skeleton");
    await stillFrame(page);
    await page.keyboard.press("k");
    await until(async () => (await stillFrame(page)).hash === plain.hash, "the plain image again");
    await page.getByRole("button", { name: "Background" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await changedFrame(page, plain, "the dark background");
    quiet();
  });

  it("picks a surface and shows the weights of its joint", async () => {
    const { animated, page, quiet, server, video } = scenario();
    // A body that covers the middle of the image.
    const { items } = await (await fetch(`${server.url}/v1/assets?limit=100&animated=true`)).json();
    const body = items.find((asset) => /robot/.test(asset.name) && asset.counts.joints > 0) ?? animated;
    await page.goto(`${server.url}/assets/${body.id}?t=0`);
    await firstFrame(page);
    const plain = await stillFrame(page);
    const { width, height } = await canvas(page).boundingBox();
    const middle = { x: width / 2, y: 0.44 * height };
    await canvas(page).click({ position: middle });
    await page.locator("vt-picked [data-picked=joint]").waitFor();
    assert.equal((await stillFrame(page)).hash, plain.hash, "a click turns nothing");
    await page.getByRole("button", { name: "Show joint weights" }).click();
    await page.locator('[data-overlay=weights][aria-pressed="true"]').waitFor();
    await page.getByRole("button", { name: "Hide joint weights" }).waitFor();
    await page.getByRole("button", { name: "Show the path" }).click();
    await page.locator('[data-overlay=trails][aria-pressed="true"]').waitFor();
    await until(async () => /trails:\d+/.test(new URL(page.url()).searchParams.get("overlay") ?? ""), "the path in the URL");
    await page.getByRole("button", { name: "Hide the path" }).click();
    await until(async () => /(^|,)weights:\d+$/.test(new URL(page.url()).searchParams.get("overlay") ?? ""), "the joint in the URL");
    if (video) await changedFrame(page, plain, "the heat map");
    await page.getByRole("button", { name: "UV checker (U)" }).click();
    await page.locator('[data-overlay=weights][aria-pressed="false"]').waitFor();
    await page.keyboard.press("u");
    await until(async () => (await stillFrame(page)).hash === plain.hash, "the plain image again");
    await canvas(page).click({ position: { x: width - 12, y: height / 2 } });
    await page.locator("vt-picked").waitFor({ state: "detached" });
    await canvas(page).click({ position: middle });
    await page.locator("vt-picked").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("vt-picked").waitFor({ state: "detached" });
    quiet();
  });

  it("turns the picked joint with the right button", async (test) => {
    const { animated, page, quiet, server, video } = scenario();
    if (!video) return test.skip("the mock turns no joint");
    const { items } = await (await fetch(`${server.url}/v1/assets?limit=100&animated=true`)).json();
    const body = items.find((asset) => /robot/.test(asset.name) && asset.counts.joints > 0) ?? animated;
    await page.goto(`${server.url}/assets/${body.id}?t=0`);
    await firstFrame(page);
    const plain = await stillFrame(page);
    const { x, y, width, height } = await canvas(page).boundingBox();
    const middle = { x: width / 2, y: 0.44 * height };
    await canvas(page).click({ position: middle });
    const turn = page.locator("vt-picked [data-picked=turn]");
    await turn.waitFor();
    assert.equal(await turn.textContent(), "0°, 0°, 0°");
    await page.mouse.move(x + middle.x, y + middle.y);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(x + middle.x + 60, y + middle.y + 30, { steps: 4 });
    await page.mouse.up({ button: "right" });
    await until(async () => (await turn.textContent()) === "15°, 30°, 0°", "the angles of the drag");
    await changedFrame(page, plain, "the turned joint");
    await page.getByRole("button", { name: "Undo all turns" }).click();
    await until(async () => (await stillFrame(page)).hash === plain.hash, "the plain image again");
    quiet();
  });

  it("lists skeleton, materials, properties and files", async () => {
    const { openModel, page, quiet } = scenario();
    await openModel();
    await page.getByRole("tab", { name: /Skeleton/ }).click();
    await page.getByRole("treeitem").first().click();
    await page.getByText("Translation").waitFor();
    await page.getByRole("tab", { name: /Skeleton/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("vt-materials li").first().waitFor();
    await page.getByRole("tab", { name: "Properties" }).click();
    await page.getByText("Triangles", { exact: true }).waitFor();
    await page.getByText("This pose").waitFor();
    await page.getByRole("tab", { name: /Files/ }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /^Download/ }).first().click()]);
    assert.ok(download.suggestedFilename().length > 3);
    quiet();
  });
}
