// What the page says about a search beside the cards.
import assert from "node:assert/strict";
import { it } from "node:test";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function searchScenarios(scenario) {
  it("says which name was found, and corrects a mistyped word", () => correctSearch(scenario()));
}

// A model, and a word of letters in the name of one of its joints.
async function findJointWord(server) {
  const list = await (await fetch(`${server.url}/v1/assets?limit=100&rigged=true&status=ready`)).json();
  for (const asset of list.items) {
    const { joints } = await (await fetch(`${server.url}/v1/assets/${asset.id}/skeleton`)).json();
    const words = joints.flatMap(({ name }) => name.match(/[a-z]{5,}/g) ?? []);
    const word = words.find((found) => !list.items.some(({ name }) => name.toLowerCase().includes(found)) && found[2] !== found[3]);
    if (word) return { asset, word };
  }
  throw new assert.AssertionError({ message: "no joint of the library has such a name" });
}

async function correctSearch({ server, page, openLibrary, check, quiet }) {
  const { asset, word } = await findJointWord(server);
  const mistyped = word.slice(0, 2) + word[3] + word[2] + word.slice(4);
  await openLibrary();
  await page.getByRole("searchbox", { name: /Search/ }).fill(mistyped);
  await page.getByRole("status").getByText(`No model has “${mistyped}”. These have “${word}”.`).waitFor();
  const summary = page.locator("vt-card").filter({ hasText: asset.name }).locator(".match").first();
  await summary.waitFor();
  assert.match(await summary.textContent(), new RegExp(`(joint|clip|material) .*${word}`, "i"));
  await check("a corrected search");
  await page.getByRole("searchbox", { name: /Search/ }).fill("");
  await page.getByText("No model has").waitFor({ state: "detached" });
  quiet();
}
