// User scenarios, run against any server that implements the API.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";

import { checkAccessibility } from "./accessibility.mjs";
import { openBrowser, until } from "./browser.mjs";
import { clipScenarios } from "./clips.mjs";
import { comparisonScenarios } from "./comparison.mjs";
import { detailsScenarios } from "./details.mjs";
import { framingScenarios } from "./framing.mjs";
import { inspectionScenarios } from "./inspection.mjs";
import { motionScenarios } from "./motion.mjs";
import { canvas, card, changedFrame, drag, firstFrame, freshCube, canvasImage, stillFrame } from "./page.mjs";
import { searchScenarios } from "./search.mjs";
import { staleFactsScenarios } from "./stale_facts.mjs";
import { uploadScenarios } from "./uploads.mjs";
import { variantScenarios } from "./variants.mjs";
import { videoScenarios } from "./video.mjs";


// `video`: the server streams video and renders its input.
export function scenarios(title, open, { video = false } = {}) {
  describe(title, { concurrency: false }, () => {
    let server, browser, page, animated;

    before(async () => {
      server = await open();
      browser = await openBrowser();
      page = browser.page;
      const list = await (await fetch(`${server.url}/v1/assets?limit=100&animated=true`)).json();
      animated = list.items.find((asset) => asset.counts.joints > 0 && asset.counts.clips > 0) ?? list.items[0];
      assert.ok(animated, "the library holds an animated model");
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    beforeEach(async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      browser.log.errors.length = 0;
    });

    const openLibrary = async (query = "") => {
      await page.goto(`${server.url}/${query}`);
      await page.locator("vt-card").first().waitFor();
    };
    const openModel = async (query = "") => {
      await page.goto(`${server.url}/assets/${animated.id}${query}`);
      return firstFrame(page);
    };
    const quiet = () => assert.deepEqual(browser.log.errors, [], "the console is free of errors");
    const check = (where) => checkAccessibility(page, where);
    const scenario = () => ({ animated, browser, check, keepScreenshot, openLibrary, openModel, page, quiet, server, video });

    it("shows the library with its thumbnails", async () => {
      await openLibrary();
      await page.locator("vt-card img.ready").first().waitFor();
      assert.equal(await page.title(), "Vitrine");
      quiet();
    });

    it("searches, filters and sorts, and keeps the state in the URL", async () => {
      await openLibrary();
      const all = await page.locator("vt-card").count();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("no such model at all");
      await page.getByText("No results").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).last().click();
      await until(async () => (await page.locator("vt-card").count()) === all, "all cards again");
      await page.getByRole("button", { name: "Animated" }).click();
      await until(async () => new URL(page.url()).searchParams.get("animated") === "true", "animated in the URL");
      await page.getByLabel("Sort").selectOption("name");
      await until(async () => new URL(page.url()).searchParams.get("sort") === "name", "sort in the URL");
      await page.reload();
      await card(page, animated.name).first().waitFor();
      assert.equal(await page.getByRole("button", { name: "Animated" }).getAttribute("aria-pressed"), "true");
      quiet();
    });

    uploadScenarios(scenario);

    it("plays a thumbnail on hover and on focus", async () => {
      await openLibrary("?animated=true&sort=name");
      const first = page.locator("vt-card").first();
      await first.locator("img.ready").waitFor();
      const box = await first.locator(".thumbnail").boundingBox();
      await page.mouse.move(box.x + 4, box.y + 40);
      const moving = first.locator(".thumbnail.playing canvas");
      await moving.waitFor();
      const frames = new Set();
      for (const share of [0.1, 0.5, 0.9]) {
        await page.mouse.move(box.x + box.width * share, box.y + 60);
        frames.add(await moving.getAttribute("data-frame"));
      }
      assert.equal(frames.size, 3, "three places, three frames");
      await page.mouse.move(2, 2);
      await moving.waitFor({ state: "detached" });
      await first.locator("a").focus();
      await moving.waitFor();
      const before = await moving.getAttribute("data-frame");
      await until(async () => (await moving.getAttribute("data-frame")) !== before, "it plays by itself");
      quiet();
    });

    it("opens a model with a live preview", async () => {
      await openLibrary("?animated=true");
      await card(page, animated.name).first().locator("a").click();
      const shown = await firstFrame(page);
      assert.ok(shown.width >= 64 && shown.height >= 64, `an image of ${shown.width} x ${shown.height}`);
      await page.getByText(/^(Software|GPU)$/).first().waitFor();
      await until(async () => /\d+ ms/.test((await page.locator("vt-viewport .stats").textContent()) ?? ""), "a latency");
      assert.ok((await page.title()).includes(animated.name.split("/").pop()));
      quiet();
    });

    it("orbits with a drag, zooms with the wheel, fits with a double click", async () => {
      await openModel("?t=0");
      const start = await stillFrame(page);
      const box = await canvas(page).boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 160, y + 10, { steps: 6 });
      await page.mouse.up();
      await changedFrame(page, start, "the orbit");
      const turned = await stillFrame(page);
      await until(async () => new URL(page.url()).searchParams.has("view"), "the view in the URL");
      await page.mouse.wheel(0, -400);
      await changedFrame(page, turned, "the zoom");
      await stillFrame(page);
      await canvas(page).dblclick({ position: { x: 30, y: box.height / 2 } });
      await until(async () => (await stillFrame(page)).hash === turned.hash, "the fit");
      quiet();
    });

    clipScenarios(scenario);

    variantScenarios(scenario);

    inspectionScenarios(scenario);

    it("works with the keyboard only", async () => {
      await openLibrary("?animated=true&sort=name");
      await page.keyboard.press("/");
      await until(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.shadowRoot?.activeElement?.id === "search"), "focus in the search field");
      await page.keyboard.press("Escape");
      const focused = () => page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.getAttribute("href") ?? at?.tagName ?? "";
      });
      await until(async () => {
        await page.keyboard.press("Tab");
        return (await focused()).startsWith("/assets/");
      }, "a card by Tab");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await firstFrame(page);
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      const before = await stillFrame(page);
      await page.keyboard.press("Shift+ArrowRight");
      await changedFrame(page, before, "the orbit by key");
      await page.keyboard.press("w");
      await page.locator('[data-overlay=wireframe][aria-pressed="true"]').waitFor();
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
      const opened = new URL(page.url()).pathname;
      await page.goBack();
      await until(async () => (await focused()) === opened, "the focus on the card that was opened");
      quiet();
    });

    it("renames a model, moves it to the trash and restores it", async () => {
      await openLibrary();
      await drag(page, freshCube("short-lived"), ["dragenter", "dragover", "drop"]);
      await page.getByRole("heading", { name: "Uploads finished" }).waitFor();
      await card(page, "short-lived").first().locator("a").click();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Props/Second name");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Props/Second name" }).waitFor(); // a "/" in a name is not a path separator
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Move to trash" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
      await page.locator("vt-card").first().waitFor();
      await until(async () => (await card(page, "Second name").count()) === 0, "the card to leave");
      await page.getByRole("button", { name: "Undo" }).click();
      await card(page, "Second name").first().waitFor();
      quiet();
    });

    it("fits a phone", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const overflows = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      await openLibrary();
      assert.equal(await overflows(), false, "the library does not scroll sideways");
      const shown = await openModel();
      assert.equal(await overflows(), false, "the model page does not scroll sideways");
      assert.ok(shown.height > 0);
      const buttons = await page.locator("vt-toolbar button").all();
      for (const button of buttons) {
        const box = await button.boundingBox();
        assert.ok(!box || (box.x >= 0 && box.x + box.width <= 360), "every button of the toolbar can be reached");
      }
      await page.getByRole("tab", { name: "Properties" }).click();
      await page.getByText("Triangles", { exact: true }).waitFor();
      quiet();
    });

    detailsScenarios(scenario);
    if (video) videoScenarios(() => ({ browser, server, asset: animated }));
    if (video) motionScenarios(scenario);
    if (video) comparisonScenarios(scenario);
    if (video) searchScenarios(scenario);
    staleFactsScenarios(scenario);
    if (video) framingScenarios(() => ({ browser, server }));

    for (const theme of ["light", "dark"]) {
      it(`is accessible in the ${theme} theme`, async () => {
        await page.emulateMedia({ colorScheme: theme });
        await openLibrary();
        await page.locator("vt-card img.ready").first().waitFor();
        await check("library");
        await openModel();
        for (const tab of [/Clips/, /Skeleton/, /Materials/, /Properties/, /Files/]) {
          await page.getByRole("tab", { name: tab }).click();
          await page.locator(`[role=tab][aria-selected=true]`).filter({ hasText: tab }).waitFor();
          await check(`model page, ${tab}`);
        }
        await page.emulateMedia({ colorScheme: "light" });
      });
    }

    // Stores a screenshot for inspection.
    async function keepScreenshot(name) {
      const folder = process.env.VITRINE_TEST_PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
    }

    it("keeps the image and reconnects after a restart of the server", async () => {
      await openModel("?t=0");
      const before = await stillFrame(page);
      await server.restart(async () => {
        await page.getByText("Connection lost. Reconnecting").waitFor();
        assert.equal((await canvasImage(page)).hash, before.hash, "the last image stays");
      });
      await page.getByText("Connection lost. Reconnecting").waitFor({ state: "detached" });
      await page.keyboard.press("7");
      await changedFrame(page, before, "a new image from the new server");
      await page.getByTitle("Reconnecting to the server").waitFor({ state: "detached" });
    });

    it("sends no request to another host", () => {
      const host = new URL(server.url).host;
      const foreign = browser.log.requests.filter((url) => !/^(data|blob|about):/.test(url) && new URL(url).host !== host);
      assert.deepEqual(foreign, []);
      assert.ok(browser.log.requests.length > 50, "requests were seen at all");
    });
  });
}
