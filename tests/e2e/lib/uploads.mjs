// Uploads: dropped files, interruptions and failures.
import { it } from "node:test";

import { until } from "./browser.mjs";
import { card, drag, freshCube } from "./page.mjs";

// `scenario()`: the page and the helpers of scenarios.mjs.
export function uploadScenarios(scenario) {
  it("imports a dropped model with its material and shows its card", async () => {
    const { openLibrary, page, quiet } = scenario();
    await openLibrary();
    const files = freshCube("dropped-cube");
    await drag(page, files, ["dragenter", "dragover"]);
    await page.getByText("Drop to add to the library").waitFor();
    // Holds the request until the progress bars were checked.
    let release;
    const seen = new Promise((resolve) => (release = resolve));
    await page.route("**/v1/assets", async (route) => {
      if (route.request().method() === "POST") await seen;
      await route.continue();
    });
    await drag(page, files, ["drop"]);
    await page.getByText("Drop to add to the library").waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Uploads" }).waitFor();
    await page.getByRole("progressbar", { name: "All uploads" }).waitFor();
    await page.getByRole("progressbar", { name: "dropped-cube.obj" }).first().waitFor();
    release();
    await page.getByRole("heading", { name: "Uploads finished" }).waitFor({ timeout: 40_000 });
    const made = card(page, "dropped-cube").first();
    await made.locator("img.ready").waitFor();
    await page.getByRole("button", { name: "Clear finished" }).click();
    await page.unroute("**/v1/assets");
    quiet();
  });

  it("offers to retry and to cancel an interrupted upload", async () => {
    const { openLibrary, page } = scenario();
    await openLibrary();
    await page.route("**/v1/assets", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await drag(page, freshCube("retried-cube"), ["dragenter", "dragover", "drop"]);
    const retry = page.getByRole("button", { name: /^Retry: retried-cube/ });
    await retry.waitFor();
    await page.unroute("**/v1/assets");
    let release;
    const cancelled = new Promise((resolve) => (release = resolve));
    await page.route("**/v1/assets", async (route) => {
      if (route.request().method() === "POST") await cancelled;
      await route.continue().catch(() => {});
    });
    await retry.click();
    await page.getByRole("button", { name: /^Cancel: retried-cube/ }).click();
    await retry.waitFor();
    release();
    await page.unroute("**/v1/assets");
    await retry.click();
    await card(page, "retried-cube").first().locator("img.ready").waitFor({ timeout: 40_000 });
  });

  it("shows why a file failed", async () => {
    const { openLibrary, page, quiet } = scenario();
    await openLibrary();
    const bytes = Buffer.concat([Buffer.from("glTF\u0002\u0000\u0000\u0000\u00ff\u00ff\u0000\u0000", "latin1"), Buffer.from(String(Math.random()))]);
    await drag(page, [{ name: "broken.glb", bytes }], ["dragenter", "dragover", "drop"]);
    await page.getByRole("heading", { name: "1 upload failed" }).waitFor({ timeout: 40_000 });
    const failed = card(page, "broken").first();
    await until(async () => ((await failed.locator(".problem").textContent()) ?? "").length > 10, "a sentence on the card");
    await failed.locator("a").click();
    await page.getByText("This model could not be imported").waitFor();
    await page.getByRole("link", { name: /Download .*broken\.glb/ }).waitFor();
    quiet();
  });

  it("shows the state of each of several loose files", async () => {
    const { check, openLibrary, page } = scenario();
    await openLibrary();
    const torn = Buffer.concat([Buffer.from("glTF\u0002\u0000\u0000\u0000\u00ff\u00ff\u0000\u0000", "latin1"), Buffer.from(String(Math.random()))]);
    const files = [{ name: "broken-pick.glb", bytes: torn }, { name: "notes.txt", bytes: Buffer.from("read me") }, ...freshCube("picked-cube")];
    await page.route("**/v1/assets", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await drag(page, files, ["dragenter", "dragover", "drop"]);
    const panel = page.getByRole("region", { name: "Uploads" });
    const retry = panel.getByRole("button", { name: "Retry: 4 files" });
    await retry.waitFor();
    await page.unroute("**/v1/assets");
    let release;
    const seen = new Promise((resolve) => (release = resolve));
    await page.route("**/v1/assets", async (route) => {
      if (route.request().method() === "POST") await seen;
      await route.continue();
    });
    await retry.click();
    for (const { name } of files) await panel.getByRole("progressbar", { name }).waitFor();
    release();
    await panel.getByText("1 in the library, 1 failed").waitFor({ timeout: 40_000 });
    const outcome = (name) => panel.locator("li li").filter({ has: page.getByRole("link", { name }) });
    await outcome(/picked-cube/).getByText("In the library").waitFor();
    await until(async () => ((await outcome(/broken-pick/).locator(".problem").textContent()) ?? "").length > 10, "a sentence in the panel");
    await panel.getByRole("heading", { name: "1 upload failed" }).waitFor();
    await check("upload panel");
    await page.unroute("**/v1/assets");
    await outcome(/picked-cube/).getByRole("link").click();
    await page.getByRole("heading", { name: /picked-cube/ }).waitFor();
  });
}
