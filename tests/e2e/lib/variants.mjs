// Material variants (KHR_materials_variants): the select element of the asset page, the live preview and the URL.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { canvasImage, card, drag, firstFrame, stillFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function variantScenarios(scenario) {
  it("selects a material variant of the live preview", () => selectVariant(scenario()));
}

// A square pyramid, red by default, with the variants "Red" and "Green"; new content on each call.
function variantPyramid(name) {
  const corners = [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 2, 0];
  const triangles = [0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 0, 1, 2, 0, 2, 3];
  const positions = Buffer.from(new Float32Array(corners).buffer);
  const buffer = Buffer.concat([positions, Buffer.from(new Uint16Array(triangles).buffer)]);
  const material = (name, color) => ({ name, pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 0.8 } });
  const mappings = [{ material: 0, variants: [0] }, { material: 1, variants: [1] }];
  const gltf = {
    asset: { version: "2.0", generator: `${Date.now()} ${Math.random()}` },
    extensionsUsed: ["KHR_materials_variants"],
    extensions: { KHR_materials_variants: { variants: [{ name: "Red" }, { name: "Green" }] } },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0, extensions: { KHR_materials_variants: { mappings } } }] }],
    materials: [material("red", [0.8, 0.02, 0.02]), material("green", [0.02, 0.7, 0.02])],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 5, type: "VEC3", min: [-1, 0, -1], max: [1, 2, 1] },
      { bufferView: 1, componentType: 5123, count: triangles.length, type: "SCALAR" },
    ],
    bufferViews: [{ buffer: 0, byteLength: positions.length }, { buffer: 0, byteOffset: positions.length, byteLength: 2 * triangles.length }],
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  };
  return [{ name, bytes: Buffer.from(JSON.stringify(gltf)) }];
}

const isRed = ({ center: [red, green] }) => red > green + 40;
const isGray = ({ center: [red, green, blue] }) => Math.max(red, green, blue) - Math.min(red, green, blue) < 40;
const isGreen = ({ center: [red, green] }) => green > red + 40;

async function selectVariant({ check, keepScreenshot, openLibrary, openModel, page, quiet }) {
  await openModel();
  const chooser = page.getByLabel("Material variant");
  assert.equal(await chooser.count(), 0, "a model without variants has no chooser");
  await openLibrary();
  await drag(page, variantPyramid("variant-pyramid.gltf"), ["dragenter", "dragover", "drop"]);
  await page.getByRole("heading", { name: "Uploads finished" }).waitFor();
  await card(page, "variant-pyramid").first().locator("a").click();
  await firstFrame(page);
  await chooser.waitFor();
  assert.deepEqual(await chooser.locator("option").allTextContents(), ["Default materials", "Red", "Green"]);
  const plain = await stillFrame(page);
  assert.ok(isRed(plain), `the default materials: ${plain.center}`);
  await chooser.selectOption("Green");
  await until(async () => isGreen(await canvasImage(page)), "the green variant");
  await until(async () => new URL(page.url()).searchParams.get("variant") === "Green", "the variant in the URL");
  await check("model page with material variants");
  await keepScreenshot("variant-green");
  await page.reload();
  await firstFrame(page);
  assert.ok(isGreen(await stillFrame(page)), "the variant of the URL");
  assert.equal(await chooser.evaluate((select) => select.value), "Green");
  await chooser.selectOption("Default materials");
  await until(async () => (await stillFrame(page)).hash === plain.hash, "the default materials again");
  await until(async () => !new URL(page.url()).searchParams.has("variant"), "no variant in the URL");
  await chooseClay(page, plain, keepScreenshot);
  await rejectUnknownVariant(page, chooser);
  quiet();
}

// One gray material instead of all.
async function chooseClay(page, plain, keepScreenshot) {
  const surface = page.locator('select[data-look="surface"]');
  await surface.selectOption("Plain clay");
  await until(async () => isGray(await canvasImage(page)), "plain clay");
  await until(async () => new URL(page.url()).searchParams.get("surface") === "clay", "the surface in the URL");
  await keepScreenshot("surface-clay");
  await surface.selectOption("Materials");
  await until(async () => (await stillFrame(page)).hash === plain.hash, "the materials again");
  await until(async () => !new URL(page.url()).searchParams.has("surface"), "no surface in the URL");
}

// An old URL may name a variant that the model no longer has.
async function rejectUnknownVariant(page, chooser) {
  const url = new URL(page.url());
  url.searchParams.set("variant", "Blue");
  await page.goto(url.href);
  await firstFrame(page);
  assert.ok(isRed(await stillFrame(page)), "the default materials");
  assert.equal(await chooser.evaluate((select) => select.selectedIndex), 0);
}
