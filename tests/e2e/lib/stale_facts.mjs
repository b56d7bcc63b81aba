// Facts that an older version of the server has stored: the page says so until they are refreshed.
import assert from "node:assert/strict";
import { it } from "node:test";

import { firstFrame } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs. The answers of the server are changed on their way.
export function staleFactsScenarios(scenario) {
  it("says that facts are old, and reads them again after the refresh", () => showRefresh(scenario()));
}

async function showRefresh({ animated, server, page, check, keepScreenshot, quiet }) {
  const url = `${server.url}/v1/assets/${animated.id}`;
  const job = { id: "job_1", kind: "refresh", asset: animated.id, state: "running", stage: "load", progress: 0, problem: null };
  const asked = [];
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), facts: { version: 1, current: false } } });
  });
  await page.route(/\/v1\/jobs\?/, (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ json: { items: [job], next: null } });
  });
  const open = async () => {
    await page.goto("about:blank");
    await page.goto(`${server.url}/assets/${animated.id}?t=0`);
    await firstFrame(page);
  };
  const sign = page.locator("vt-stale-facts").getByRole("status");
  await open();
  await sign.getByText("Facts are being refreshed.").waitFor();
  assert.deepEqual(asked, [`?kind=refresh&asset=${animated.id}&limit=1`]);
  await keepScreenshot("facts-being-refreshed");
  await check("facts that are being refreshed");
  Object.assign(job, { state: "failed", problem: { code: "truncated", where: "byte 9", detail: "the file ends too early" } });
  await open();
  await sign.getByText("could not be refreshed. The file ends too early").waitFor();
  await keepScreenshot("facts-not-refreshed");
  await page.unroute(/\/v1\/jobs\?/);
  await page.unroute(url);
  // The end of a refresh is an event of the asset without the sign of old facts, as is a change of its name.
  const again = page.waitForRequest(`${url}/skeleton`);
  const rename = async (name) => {
    const { etag } = await (await fetch(url)).json();
    const answer = await fetch(url, { method: "PATCH", headers: { "Content-Type": "application/json", "If-Match": etag }, body: JSON.stringify({ name }) });
    assert.equal(answer.status, 200);
  };
  await rename(`${animated.name} again`);
  await sign.waitFor({ state: "detached" });
  await again;
  await rename(animated.name);
  await page.getByRole("heading", { name: animated.name, exact: true }).waitFor();
  quiet();
}
