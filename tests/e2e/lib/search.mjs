// What the page says about a search beside the cards.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function searchScenarios(scenario) {
  it("says which name was found, and corrects a mistyped word", () => correctSearch(scenario()));
  it("orders a search by relevance, and returns to the order before it", () => orderSearch(scenario()));
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

async function orderSearch({ server, page, openLibrary, check, keepScreenshot, quiet }) {
  const { asset, word } = await findJointWord(server);
  const read = async (query) => (await (await fetch(`${server.url}/v1/assets?limit=100&${query}`)).json()).items;
  const named = (await read("sort=created")).find(({ id }) => id !== asset.id); // the oldest: the last one by date
  const rename = (name) =>
    fetch(`${server.url}/v1/assets/${named.id}`, { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }) });
  await rename(`The ${word}`);
  const shows = async (query, what) => {
    const wanted = JSON.stringify((await read(query)).map(({ id }) => id).slice(0, 8));
    const cards = page.locator("vt-card");
    const shown = () => cards.evaluateAll((all) => all.sort((a, b) => a.position - b.position).map((card) => card.asset?.id).slice(0, 8));
    await until(async () => JSON.stringify(await shown()) === wanted, what);
  };
  const order = page.getByLabel("Sort");
  const search = page.getByRole("searchbox", { name: /Search/ });
  const address = () => new URL(page.url()).search;
  await openLibrary("?sort=name");
  assert.equal(await order.locator("option[value=relevance]").count(), 0, "without words there is no such order");
  await search.fill(word);
  await shows(`q=${word}&sort=relevance`, "the order of relevance");
  assert.equal((await read(`q=${word}&sort=relevance`))[0].id, named.id, "a name before joints");
  assert.equal(await order.inputValue(), "relevance");
  assert.equal(address(), `?q=${word}&sortBefore=name`);
  await keepScreenshot("search-by-relevance");
  await check("a search by relevance");
  await order.selectOption("-triangles");
  await shows(`q=${word}&sort=-triangles`, "another order");
  await page.reload();
  await shows(`q=${word}&sort=-triangles`, "another order after a reload");
  assert.equal(await order.inputValue(), "-triangles");
  await search.fill("");
  await shows("sort=name", "the order before the search");
  assert.equal(await order.inputValue(), "name");
  assert.equal(address(), "?sort=name");
  await rename(named.name);
  quiet();
}
