// Renders the images of the README again: the page in Chromium and models with /render, with the real server and its sample
// library. VITRINE_PROGRAM is the path of the program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openBrowser, until } from "./lib/browser.mjs";
import { stillFrame } from "./lib/page.mjs";
import { openVitrine } from "./lib/servers.mjs";

const folder = fileURLToPath(new URL("../../docs/images", import.meta.url));
const size = { width: 1440, height: 900 };

// Representative poses; yaw and pitch are relative to +Z, the front of glTF models; `near`: fraction of the fitting distance.
const stills = [
  { name: "robot", clip: "wave", t: 0.9, yaw: 24, pitch: 10, near: 0.94 },
  { name: "koi", clip: "swim", t: 0.6, yaw: 44, pitch: 26, near: 0.84 },
  { name: "tentacle", clip: "curl", t: 0.8, yaw: 30, pitch: 14, near: 0.92 },
  { name: "flag", clip: "wind", t: 0.5, yaw: 20, pitch: 8, near: 0.92 },
];

const program = process.env.VITRINE_PROGRAM;
const server = await openVitrine(program);
try {
  importEveryFormat();
  const { items: rows } = await (await fetch(`${server.url}/v1/assets?limit=100`)).json();
  const items = await Promise.all(rows.map(async ({ id }) => (await fetch(`${server.url}/v1/assets/${id}`)).json()));
  const find = (name) => items.find((asset) => asset.name.includes(name) && /gl/i.test(asset.format)) ?? items.find((asset) => asset.name.includes(name));
  for (const still of stills) await render(find(still.name), still);
  await photograph(find("robot"));
} finally {
  await server.close();
}

// Imports the sample library again as MD5 and OBJ, to fill the page.
function importEveryFormat() {
  const samples = mkdtempSync(join(tmpdir(), "vitrine-samples-"));
  execFileSync(program, ["samples", samples], { stdio: "ignore" });
  const wanted = readdirSync(samples).filter((name) => /-(md5|obj)$/.test(name)).map((name) => join(samples, name));
  execFileSync(program, ["import", "--server", server.url, ...wanted], { stdio: "ignore" });
  rmSync(samples, { recursive: true, force: true });
}

async function render(asset, { name, clip, t, yaw, pitch, near }) {
  const index = Math.max(0, asset.clips.findIndex((one) => one.name === clip));
  const { frames } = await (await fetch(`${server.url}/v1/assets/${asset.id}/clips/${index}/bounds?per=frame`)).json();
  const nearest = frames.reduce((best, frame) => (Math.abs(frame.time - t) < Math.abs(best.time - t) ? frame : best));
  const { min, max } = nearest.exact;
  const radius = Math.hypot(...min.map((low, axis) => max[axis] - low)) / 2;
  const distance = (near * radius) / Math.sin(Math.PI / 8);
  const target = min.map((low, axis) => (low + max[axis]) / 2);
  const query = `clip=${index}&t=${t}&view=${yaw},${pitch},${distance}&target=${target}&w=640&h=640&format=jpeg&quality=88`;
  const answer = await fetch(`${server.url}/v1/assets/${asset.id}/render?${query}`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  keep(`${name}.jpg`, Buffer.from(await answer.arrayBuffer()));
}

async function photograph(robot) {
  const browser = await openBrowser();
  const { page } = browser;
  try {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${server.url}/?sort=name`);
    await page.locator("vt-card").first().waitFor();
    await until(async () => (await page.locator("vt-card").count()) === (await page.locator("vt-card img.ready").count()), "every thumbnail", 120_000);
    await shoot(page, "library.jpg");

    const walk = Math.max(0, robot.clips.findIndex((clip) => clip.name === "walk"));
    await page.goto(`${server.url}/assets/${robot.id}?clip=${walk}&t=0.3&tab=skeleton`);
    await stillFrame(page);
    // The displayed latency is a median of recent frames: measure it while orbiting, without the first image.
    await page.locator("vt-viewport canvas").focus();
    for (const key of [..."<<<<<<<<<<>>>>>>>>>>"]) await page.keyboard.press(key === "<" ? "Shift+ArrowLeft" : "Shift+ArrowRight", { delay: 60 });
    await stillFrame(page);
    await page.getByRole("treeitem").filter({ hasText: "hand.R" }).last().click();
    await page.getByText("at rest").waitFor();
    await shoot(page, "asset.jpg");
  } finally {
    await browser.close();
  }
}

async function shoot(page, name) {
  await page.mouse.move(size.width - 2, size.height - 2);
  keep(name, await page.screenshot({ type: "jpeg", quality: 86 }));
}

function keep(name, bytes) {
  writeFileSync(join(folder, name), bytes);
  console.log(`docs/images/${name}: ${(bytes.length / 1000).toFixed(0)} kB`);
}
