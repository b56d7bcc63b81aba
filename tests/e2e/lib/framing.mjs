// Framing of the live preview for a skeleton that extends beyond its mesh; the view must not jump.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvas, firstFrame, stillFrame } from "./page.mjs";

// A plate of 16 meters around the origin, and a chain of three joints from there to 22 meters above.
function plateWithChain() {
  const corners = [[-8, -8], [8, -8], [8, 8], [-8, 8]];
  return [
    `MD5Version 10\ncommandline "${Date.now()} ${Math.random()}"\nnumJoints 3\nnumMeshes 1`,
    'joints {\n"root" -1 ( 0 0 0 ) ( 0 0 0 )\n"arm" 0 ( 0 0 6 ) ( 0 0 0 )\n"tip" 1 ( 0 0 22 ) ( 0 0 0 )\n}',
    'mesh {\nshader "plate"\nnumverts 4',
    ...corners.map((_, index) => `vert ${index} ( 0 0 ) ${index} 1`),
    "numtris 2\ntri 0 0 1 2\ntri 1 0 2 3\nnumweights 4",
    ...corners.map(([y, z], index) => `weight ${index} 0 1 ( 0 ${y} ${z} )`),
    "}\n",
  ].join("\n");
}

async function upload(url, name, text) {
  const form = new FormData();
  form.append("file", new Blob([text]), name);
  const { items } = await (await fetch(`${url}/v1/assets`, { method: "POST", body: form })).json();
  const asset = `${url}/v1/assets/${items[0].asset.id}`;
  await until(async () => (await (await fetch(asset)).json()).status === "ready", "the import");
  return items[0].asset.id;
}

// Returns the heights of the highest and the lowest orange joint dot above the image's middle, in image heights.
async function jointsSeen(page) {
  await stillFrame(page);
  return canvas(page).evaluate((source) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [source.width, source.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const rows = [];
    for (let at = 0; at < data.length; at += 4) if (data[at] > data[at + 2] + 100) rows.push(Math.floor(at / 4 / copy.width));
    return rows.length === 0 ? null : { highest: 0.5 - rows[0] / copy.height, lowest: 0.5 - rows.at(-1) / copy.height };
  });
}

function assertNear(found, wanted, what) {
  assert.ok(found !== null, `${what}: joints in the image`);
  for (const name of ["highest", "lowest"]) assert.ok(Math.abs(found[name] - wanted[name]) < 0.01, `${what}: ${JSON.stringify({ found, wanted })}`);
}

export function framingScenarios(tools) {
  it("includes shown joints and does not jump", async () => {
    const { browser, server } = tools();
    const { page } = browser;
    const asset = await upload(server.url, "chain.md5mesh", plateWithChain());
    await page.goto(`${server.url}/assets/${asset}`);
    await firstFrame(page);
    assert.equal(await jointsSeen(page), null);
    await page.keyboard.press("k");
    const fitted = await until(() => jointsSeen(page), "the skeleton");
    assert.ok(fitted.highest < 0.48 && fitted.highest - fitted.lowest > 0.3, `all of the chain: ${JSON.stringify(fitted)}`);

    await page.keyboard.press("Shift+ArrowRight");
    assertNear(await jointsSeen(page), fitted, "after an orbit");
    await page.keyboard.press("-");
    await until(async () => (await jointsSeen(page)).highest < fitted.highest - 0.01, "the zoom");
    const smaller = await jointsSeen(page);
    const scale = 0.88;
    assertNear(smaller, { highest: fitted.highest * scale, lowest: fitted.lowest * scale }, "farther away, around the same middle");
    await page.keyboard.press("k");
    await until(async () => (await jointsSeen(page)) === null, "no skeleton");
    await page.keyboard.press("k");
    assertNear(await until(() => jointsSeen(page), "the skeleton again"), smaller, "switched off and on");
    await page.keyboard.press("f");
    await until(async () => (await jointsSeen(page)).highest > smaller.highest + 0.01, "the fit");
    assertNear(await jointsSeen(page), fitted, "fitted again");
    assert.deepEqual(browser.log.errors, []);
  });
}
