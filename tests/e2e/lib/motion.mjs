// Beside the clips: layers, facts of the clip, findings, clips of other assets.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { changedFrame, currentTime, firstFrame, stillFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function motionScenarios(scenario) {
  it("shows facts of the clip and findings", () => showFacts(scenario()));
  it("blends layers over the clip", () => blendLayers(scenario()));
  it("shows a crowd and ghosts", () => showCrowdAndGhosts(scenario()));
  it("plays a fitting clip of another asset", () => playFittingClip(scenario()));
}

async function assetOf({ server }, suits) {
  const list = await (await fetch(`${server.url}/v1/assets?limit=200&animated=true&rigged=true&sort=name`)).json();
  const found = list.items.find(suits);
  assert.ok(found, "the library has such a model");
  return found;
}

async function showFacts({ openModel, page, quiet, check }) {
  await openModel("?t=0");
  const facts = page.locator("vt-clip-facts");
  await facts.getByText("Loops", { exact: true }).waitFor();
  assert.match(await facts.locator("dl").textContent(), /Speed\s*-?[\d.]+ m\/s/);
  await page.locator("vt-findings").getByRole("heading", { name: "Findings" }).waitFor();
  const clips = page.locator("vt-clip-list .choose");
  if ((await clips.count()) > 2) {
    const name = (await clips.nth(1).locator(".name").textContent()).trim();
    await clips.nth(1).click();
    await facts.getByRole("heading", { name: `Facts of ${name}` }).waitFor();
  }
  await check("facts and findings");
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1300, height: 420 });
  await until(() => page.evaluate(() => innerHeight === 420), "a low window");
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "the panel scrolls, and not the page");
  await page.setViewportSize(size);
  quiet();
}

async function blendLayers(context) {
  const { page, quiet, server, check, keepScreenshot } = context;
  const { id } = await assetOf(context, ({ counts }) => counts.clips > 1 && counts.joints > 2 && counts.vertices > 0);
  await page.goto(`${server.url}/assets/${id}?t=0`);
  await firstFrame(page);
  const start = await stillFrame(page);
  await page.getByRole("slider", { name: "Position" }).focus();
  await page.keyboard.press("PageUp");
  await changedFrame(page, start, "a later time");
  const plain = await stillFrame(page);
  const layers = page.locator("vt-layer-list");
  await layers.getByRole("button", { name: "Add a layer" }).click();
  const clip = layers.getByLabel("Clip of layer 1");
  assert.equal(await clip.evaluate((field) => field.getRootNode().activeElement === field), true, "the focus on the new layer");
  await changedFrame(page, plain, "the layer's clip");
  const layered = await stillFrame(page);
  const weight = layers.getByLabel("Weight of layer 1");
  await weight.focus();
  await page.keyboard.press("Home");
  await layers.getByText("0 %", { exact: true }).waitFor();
  await changedFrame(page, layered, "the clip without the layer");
  await page.keyboard.press("End");
  await layers.getByText("100 %", { exact: true }).waitFor();
  assert.equal((await stillFrame(page)).hash, layered.hash, "the whole layer again");
  await layers.getByLabel("Joints of layer 1").selectOption({ index: 2 });
  await layers.getByLabel("Additive").check();
  await check("layers");
  await keepScreenshot("layers");
  await layers.getByRole("button", { name: "Remove layer 1" }).click();
  await clip.waitFor({ state: "detached" });
  await until(async () => (await stillFrame(page)).hash === plain.hash, "the clip as before");
  quiet();
}

// By keyboard alone, at the width of a desktop and of a telephone.
async function showCrowdAndGhosts(context) {
  const { page, quiet, server, check, keepScreenshot } = context;
  const { id } = await assetOf(context, ({ counts }) => counts.clips > 1 && counts.joints > 2 && counts.vertices > 0);
  await page.goto(`${server.url}/assets/${id}?t=0.3`);
  await firstFrame(page);
  const alone = await stillFrame(page);
  const form = page.locator("vt-instance-form");
  const fill = async (label, text) => {
    await form.getByLabel(label, { exact: true }).focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  };
  await fill("Ghosts before", "3");
  await changedFrame(page, alone, "ghosts");
  const ghosts = await stillFrame(page);
  await fill("Ghost interval (s)", "0.2");
  await changedFrame(page, ghosts, "ghosts farther apart");
  const apart = await stillFrame(page);
  await check("ghosts");
  await keepScreenshot("ghosts");
  await fill("Crowd", "9");
  await changedFrame(page, apart, "a crowd");
  const crowd = await stillFrame(page);
  await keepScreenshot("crowd");
  await fill("Crowd", "10001");
  assert.equal(await form.getByLabel("Crowd", { exact: true }).evaluate((field) => field.validity.rangeOverflow), true);
  assert.equal((await stillFrame(page)).hash, crowd.hash, "the image stays");
  await until(() => new URL(page.url()).searchParams.get("crowd") === "9", "the crowd in the URL");
  assert.equal(new URL(page.url()).searchParams.get("ghosts"), "3,0@0.2");
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await form.getByLabel("Crowd", { exact: true }).scrollIntoViewIfNeeded();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is beyond the edge");
  await keepScreenshot("crowd-390");
  await page.setViewportSize(size);
  await fill("Crowd", "1");
  await fill("Ghosts before", "0");
  await until(() => new URL(page.url()).searchParams.get("ghosts") === null, "the URL without ghosts");
  await until(async () => (await stillFrame(page)).hash === alone.hash, "the model alone again");
  quiet();
}

// Uploads the motion of the sample library, a skeleton with the joints of the robot.
async function uploadWalk(server) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-motion-"));
  try {
    execFileSync(process.env.VITRINE_PROGRAM, ["samples", folder]);
    const form = new FormData();
    form.append("file", new Blob([readFileSync(join(folder, "walk-bvh", "walk.bvh"))]), "walk.bvh");
    const { items } = await (await fetch(`${server.url}/v1/assets`, { method: "POST", body: form })).json();
    const { id } = items[0].asset;
    await until(async () => (await (await fetch(`${server.url}/v1/assets/${id}`)).json()).status === "ready", "the import of the motion");
    return id;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function playFittingClip(context) {
  const { page, quiet, server, check, keepScreenshot } = context;
  const motion = await uploadWalk(server);
  const robot = await assetOf(context, ({ name, counts, format }) => name === "robot" && format === "glb" && counts.vertices > 0);
  const views = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => views.push(JSON.parse(payload))));
  await page.goto(`${server.url}/assets/${robot.id}?t=0`);
  await firstFrame(page);
  const entry = page.locator("vt-fitting-list").getByRole("button", { name: /^walk.*100 %/s });
  await entry.first().click();
  await page.locator('vt-fitting-list .entry[aria-pressed="true"]').waitFor();
  await page.getByRole("heading", { name: /^Facts of walk/ }).waitFor();
  const sent = views.find(({ clip }) => String(clip).startsWith(`${motion}:`));
  assert.ok(sent?.fade > 0, "the clip is blended into as one of the model's own");
  assert.ok(views.every(({ layers = [] }) => layers.every((text) => !text.startsWith(motion))), "and is no layer");
  await page.locator("vt-layer-list .base").getByText(/^Over walk.* \(walk\)$/).waitFor();
  const times = new Set();
  await until(async () => times.add(await currentTime(page)).size >= 3, "the clip to play");
  await check("fitting clips");
  await keepScreenshot("fitting-clip");
  await until(async () => new URL(page.url()).searchParams.get("clip")?.startsWith(`${motion}:`), "the clip in the URL");
  await page.reload();
  await firstFrame(page);
  await page.locator('vt-fitting-list .entry[aria-pressed="true"]').waitFor();
  const slider = page.getByRole("slider", { name: "Position" });
  await until(async () => Number(await slider.getAttribute("aria-valuemax")) > 0.5, "its duration");
  await page.locator("vt-layer-list").getByRole("button", { name: "Add a layer" }).click();
  const others = page.locator("vt-layer-list").getByLabel("Clip of layer 1").locator("option", { hasText: "(walk)" });
  assert.equal(await others.count(), 1, "a layer may play the clip too");
  await page.locator("vt-layer-list").getByRole("button", { name: "Remove layer 1" }).click();
  await page.locator("vt-clip-list .choose").first().click();
  await page.locator('vt-fitting-list .entry[aria-pressed="true"]').waitFor({ state: "detached" });
  assert.equal(await page.locator("vt-layer-list .base").getAttribute("data-base"), "0");
  await page.goto(`${server.url}/assets/${motion}`);
  await firstFrame(page);
  await page.locator("vt-fitting-list").getByRole("link", { name: /^robot/ }).first().waitFor();
  await keepScreenshot("motion-only");
  quiet();
}
