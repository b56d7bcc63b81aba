// What the page says about a search beside the cards.
import assert from "node:assert/strict";
import { it } from "node:test";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function searchScenarios(scenario) {
  it("says which name was found, and corrects a mistyped word", () => correctSearch(scenario()));
}

// A word of letters in the name of a joint.
async function jointWord({ server, animated }) {
  const { joints } = await (await fetch(`${server.url}/v1/assets/${animated.id}/skeleton`)).json();
  const words = joints.flatMap(({ name }) => name.match(/[a-z]{5,}/g) ?? []);
  const found = words.find((word) => !animated.name.toLowerCase().includes(word) && word[2] !== word[3]);
  assert.ok(found, "a joint has such a name");
  return found;
}

async function correctSearch({ server, animated, page, openLibrary, check, quiet }) {
  const word = await jointWord({ server, animated });
  const mistyped = word.slice(0, 2) + word[3] + word[2] + word.slice(4);
  await openLibrary();
  await page.getByRole("searchbox", { name: /Search/ }).fill(mistyped);
  await page.getByRole("status").getByText(`No model has “${mistyped}”. These have “${word}”.`).waitFor();
  const summary = page.locator("vt-card").filter({ hasText: animated.name }).locator(".match").first();
  await summary.waitFor();
  assert.match(await summary.textContent(), new RegExp(`(joint|clip|material) .*${word}`, "i"));
  await check("a corrected search");
  await page.getByRole("searchbox", { name: /Search/ }).fill("");
  await page.getByText("No model has").waitFor({ state: "detached" });
  quiet();
}
