// Clips: the player, the list and cutting a clip.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { changedFrame, currentTime, firstFrame, pause, stillFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function clipScenarios(scenario) {
  it("plays, pauses, steps and scrubs", () => playStepAndScrub(scenario()));
  it("changes the clip", () => changeClip(scenario()));
  it("cuts a clip out of the file's, plays it and deletes it", () => cutPlayAndDelete(scenario()));
}

async function playStepAndScrub({ keepScreenshot, openModel, page, quiet }) {
  await openModel();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  const times = new Set();
  await until(async () => times.add(await currentTime(page)).size >= 4, "the time to advance");
  await pause(page);
  const before = await currentTime(page);
  await page.getByRole("button", { name: "Next frame" }).click();
  await until(async () => (await currentTime(page)) !== before, "one frame on");
  const slider = page.getByRole("slider", { name: "Position" });
  const box = await slider.boundingBox();
  await slider.click({ position: { x: box.width / 2, y: box.height / 2 } });
  const duration = Number(await slider.getAttribute("aria-valuemax"));
  await until(async () => Math.abs((await currentTime(page)) - duration / 2) < duration / 20, "the middle of the clip");
  await page.getByLabel("Speed").selectOption("0.5");
  await page.keyboard.press("Home");
  await until(async () => (await currentTime(page)) === 0, "the first frame");
  await stepToKeys(page);
  await keepScreenshot("key-step");
  quiet();
}

// The keys , and . and their buttons; the readout names the key.
async function stepToKeys(page) {
  const readout = page.locator("vt-timeline .key");
  await page.keyboard.press(".");
  await readout.filter({ hasText: /^key 1$/ }).waitFor();
  await until(async () => (await currentTime(page)) > 0, "the time of the key");
  await page.getByRole("button", { name: "Next key" }).click();
  await readout.filter({ hasText: /^key 2$/ }).waitFor();
  await page.keyboard.press(",");
  await readout.filter({ hasText: /^key 1$/ }).waitFor();
  await page.keyboard.press("ArrowRight");
  await readout.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Previous key" }).click();
  await readout.waitFor();
}

async function changeClip({ openModel, page, quiet }) {
  await openModel("?t=0");
  const before = await stillFrame(page);
  const list = page.locator("vt-clip-list button");
  const count = await list.count();
  // The last entry is the static pose.
  await list.nth(count > 2 ? 1 : count - 1).click();
  if (count > 2) await page.keyboard.press("End");
  await changedFrame(page, before, "another clip");
  await until(async () => new URL(page.url()).searchParams.has("clip"), "the clip in the URL");
  quiet();
}

async function cutPlayAndDelete(context) {
  const { openModel, page, quiet } = context;
  await openModel("?t=0");
  const list = page.locator("vt-clip-list");
  const before = await list.locator("li").count();
  await cutSixFrames(context);
  const made = list.getByRole("button", { name: /^Half of it/ });
  await expectCutClip(page, list, made);
  assert.equal(await list.locator("li").count(), before + 1);
  await rejectUsedName(context);

  await context.keepScreenshot("clip-made");
  await page.getByRole("button", { name: "Delete the clip Half of it" }).click();
  await made.waitFor({ state: "detached" });
  assert.equal(await list.locator("li").count(), before);
  await firstFrame(page);
  quiet();
}

const openForm = (page) => page.getByRole("button", { name: "Cut a clip" });
const nameField = (page) => page.locator("vt-clip-form").getByLabel("Name", { exact: true });
const addButton = (page) => page.getByRole("button", { name: "Add clip" });

// The form rejects a clip without a name and one that ends before it begins.
async function cutSixFrames({ check, keepScreenshot, page }) {
  await openForm(page).click();
  const form = page.locator("vt-clip-form");
  const name = nameField(page);
  assert.equal(await name.evaluate((field) => field.getRootNode().activeElement === field), true, "the focus in the form");
  const rejected = (label) => form.getByLabel(label, { exact: true }).evaluate((field) => !field.validity.valid);
  await addButton(page).click();
  assert.equal(await rejected("Name"), true, "a clip has a name");
  await name.fill("Half of it");
  await page.getByLabel("First frame").fill("4");
  await page.getByLabel("Last frame").fill("3");
  await addButton(page).click();
  assert.equal(await rejected("Last frame"), true, "the last frame comes after the first");
  await page.getByLabel("Last frame").fill("9");
  await page.getByLabel("Frames per second").fill("10");
  await check("the form of a clip");
  await keepScreenshot("clip-form");
  await addButton(page).click();
}

async function expectCutClip(page, list, made) {
  await list.locator('.choose[aria-pressed="true"]').filter({ hasText: "Half of it" }).waitFor();
  assert.match(await made.textContent(), /6 frames, 10 fps/);
  assert.match(await made.textContent(), /0\.5/, "five steps at ten a second");
  await until(async () => made.evaluate((button) => button.getRootNode().activeElement === button), "the focus on what was made");
  await firstFrame(page);
  await page.keyboard.press("End");
  await until(async () => Math.abs((await currentTime(page)) - 0.5) < 0.01, "its end");
  await stillFrame(page);
}

async function rejectUsedName({ browser, page }) {
  await openForm(page).click();
  await nameField(page).fill("Half of it");
  browser.log.errors.length = 0;
  await addButton(page).click();
  await page.getByRole("alert").filter({ hasText: "Name is the name of another clip." }).waitFor();
  browser.log.errors.length = 0; // the browser logs the 422
  await page.keyboard.press("Escape");
  await openForm(page).waitFor();
}
