// User scenarios, run against any server that implements the API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, beforeEach, describe, it } from "node:test";

import { openBrowser, until } from "./browser.mjs";
import { framingScenarios } from "./framing.mjs";
import { canvas, card, changedPicture, currentTime, drag, firstPicture, freshCube, pause, picture, stillPicture } from "./page.mjs";
import { videoScenarios } from "./video.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// `video`: the server streams video and renders its input.
export function scenarios(title, open, { video = false } = {}) {
  describe(title, { concurrency: false }, () => {
    let server, browser, page, animated;

    before(async () => {
      server = await open();
      browser = await openBrowser();
      page = browser.page;
      const list = await (await fetch(`${server.url}/v1/assets?limit=100&animated=true`)).json();
      animated = list.items.find((asset) => asset.counts.joints > 0 && asset.clips.length > 0) ?? list.items[0];
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
      return firstPicture(page);
    };
    const quiet = () => assert.deepEqual(browser.log.errors, [], "the console is free of errors");

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

    it("imports a dropped model with its material and shows its card", async () => {
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

    it("plays a thumbnail on hover and on focus", async () => {
      await openLibrary("?animated=true&sort=name");
      const first = page.locator("vt-card").filter({ has: page.locator("img.ready") }).first();
      const box = await first.locator(".picture").boundingBox();
      await page.mouse.move(box.x + 4, box.y + 40);
      const moving = first.locator(".picture.playing canvas");
      await moving.waitFor({ timeout: 40_000 });
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
      const shown = await firstPicture(page);
      assert.ok(shown.width >= 64 && shown.height >= 64, `a picture of ${shown.width} x ${shown.height}`);
      await page.getByText(/^(Software|GPU)$/).first().waitFor();
      await until(async () => /\d+ ms/.test((await page.locator("vt-viewport .stats").textContent()) ?? ""), "a latency");
      assert.ok((await page.title()).includes(animated.name.split("/").pop()));
      quiet();
    });

    it("orbits with a drag, zooms with the wheel, fits with a double click", async () => {
      await openModel("?t=0");
      const start = await stillPicture(page);
      const box = await canvas(page).boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 160, y + 10, { steps: 6 });
      await page.mouse.up();
      await changedPicture(page, start, "the orbit");
      const turned = await stillPicture(page);
      await until(async () => new URL(page.url()).searchParams.has("view"), "the view in the URL");
      await page.mouse.wheel(0, -400);
      await changedPicture(page, turned, "the zoom");
      await stillPicture(page);
      await canvas(page).dblclick({ position: { x: 30, y: box.height / 2 } });
      await until(async () => (await stillPicture(page)).hash === turned.hash, "the fit");
      quiet();
    });

    it("plays, pauses, steps and scrubs", async () => {
      await openModel();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      const times = new Set();
      await until(async () => times.add(await currentTime(page)).size >= 4, "the time to advance");
      await pause(page);
      const before = await currentTime(page);
      await page.getByRole("button", { name: "Next frame" }).click();
      await until(async () => (await currentTime(page)) !== before, "one frame on");
      const slider = page.getByRole("slider", { name: "Position" });
      const box = await slider.boundingBox();
      await slider.click({ position: { x: box.width / 2, y: box.height / 2 } });
      const duration = Number(await slider.getAttribute("aria-valuemax"));
      await until(async () => Math.abs((await currentTime(page)) - duration / 2) < duration / 20, "the middle of the clip");
      await page.getByLabel("Speed").selectOption("0.5");
      await page.keyboard.press("Home");
      await until(async () => (await currentTime(page)) === 0, "the first frame");
      quiet();
    });

    it("changes the clip", async () => {
      await openModel("?t=0");
      const before = await stillPicture(page);
      const list = page.locator("vt-clip-list button");
      const count = await list.count();
      // The last entry is the static pose.
      await list.nth(count > 2 ? 1 : count - 1).click();
      if (count > 2) await page.keyboard.press("End");
      await changedPicture(page, before, "another clip");
      await until(async () => new URL(page.url()).searchParams.has("clip"), "the clip in the URL");
      quiet();
    });

    it("cuts a clip out of the file's, plays it and deletes it", async () => {
      await openModel("?t=0");
      const list = page.locator("vt-clip-list");
      const before = await list.locator("li").count();
      const open = page.getByRole("button", { name: "Cut a clip" });
      await open.click();
      const form = page.locator("vt-clip-form");
      const name = form.getByLabel("Name", { exact: true });
      assert.equal(await name.evaluate((field) => field.getRootNode().activeElement === field), true, "the focus in the form");
      const add = page.getByRole("button", { name: "Add clip" });
      const refused = (label) => form.getByLabel(label, { exact: true }).evaluate((field) => !field.validity.valid);
      await add.click();
      assert.equal(await refused("Name"), true, "a clip has a name");
      await name.fill("Half of it");
      await page.getByLabel("First frame").fill("4");
      await page.getByLabel("Last frame").fill("3");
      await add.click();
      assert.equal(await refused("Last frame"), true, "the last frame comes after the first");
      await page.getByLabel("Last frame").fill("9");
      await page.getByLabel("Frames per second").fill("10");
      await check("the form of a clip");
      await keepPicture("clip-form");
      await add.click();
      const made = list.getByRole("button", { name: /^Half of it/ });
      await list.locator('.choose[aria-pressed="true"]').filter({ hasText: "Half of it" }).waitFor();
      assert.match(await made.textContent(), /6 frames, 10 fps/);
      assert.match(await made.textContent(), /0\.5/, "five steps at ten a second");
      assert.equal(await list.locator("li").count(), before + 1);
      await until(async () => made.evaluate((button) => button.getRootNode().activeElement === button), "the focus on what was made");
      await firstPicture(page);
      await page.keyboard.press("End");
      await until(async () => Math.abs((await currentTime(page)) - 0.5) < 0.01, "its end");
      await stillPicture(page);

      await open.click();
      await name.fill("Half of it");
      browser.log.errors.length = 0;
      await add.click();
      await page.getByRole("alert").filter({ hasText: "Name is the name of another clip." }).waitFor();
      browser.log.errors.length = 0; // the browser logs the 422
      await page.keyboard.press("Escape");
      await open.waitFor();

      await keepPicture("clip-made");
      await page.getByRole("button", { name: "Delete the clip Half of it" }).click();
      await made.waitFor({ state: "detached" });
      assert.equal(await list.locator("li").count(), before);
      await firstPicture(page);
      quiet();
    });

    it("shows overlays and another background", async () => {
      await openModel("?t=0");
      const plain = await stillPicture(page);
      await page.getByRole("button", { name: "Skeleton (K)" }).click();
      await changedPicture(page, plain, "the skeleton");
      await stillPicture(page);
      await page.keyboard.press("k");
      await until(async () => (await stillPicture(page)).hash === plain.hash, "the plain picture again");
      await page.getByRole("button", { name: "Background" }).click();
      await page.getByRole("menuitemradio", { name: "Dark" }).click();
      await changedPicture(page, plain, "the dark background");
      quiet();
    });

    it("picks a surface and shows the weights of its joint", async () => {
      // A body that covers the middle of the image.
      const { items } = await (await fetch(`${server.url}/v1/assets?limit=100&animated=true`)).json();
      const body = items.find((asset) => /robot/.test(asset.name) && asset.counts.joints > 0) ?? animated;
      await page.goto(`${server.url}/assets/${body.id}?t=0`);
      await firstPicture(page);
      const plain = await stillPicture(page);
      const { width, height } = await canvas(page).boundingBox();
      const middle = { x: width / 2, y: 0.44 * height };
      await canvas(page).click({ position: middle });
      await page.locator("vt-picked [data-picked=joint]").waitFor();
      assert.equal((await stillPicture(page)).hash, plain.hash, "a click turns nothing");
      await page.getByRole("button", { name: "Show joint weights" }).click();
      await page.locator('[data-overlay=weights][aria-pressed="true"]').waitFor();
      await page.getByRole("button", { name: "Hide joint weights" }).waitFor();
      await until(async () => /(^|,)weights:\d+$/.test(new URL(page.url()).searchParams.get("overlay") ?? ""), "the joint in the URL");
      if (video) await changedPicture(page, plain, "the heat map");
      await page.getByRole("button", { name: "UV checker (U)" }).click();
      await page.locator('[data-overlay=weights][aria-pressed="false"]').waitFor();
      await page.keyboard.press("u");
      await until(async () => (await stillPicture(page)).hash === plain.hash, "the plain picture again");
      await canvas(page).click({ position: { x: width - 12, y: height / 2 } });
      await page.locator("vt-picked").waitFor({ state: "detached" });
      await canvas(page).click({ position: middle });
      await page.locator("vt-picked").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("vt-picked").waitFor({ state: "detached" });
      quiet();
    });

    it("lists skeleton, materials, facts and files", async () => {
      await openModel();
      await page.getByRole("tab", { name: /Skeleton/ }).click();
      await page.getByRole("treeitem").first().click();
      await page.getByText("Translation").waitFor();
      await page.getByRole("tab", { name: /Skeleton/ }).focus();
      await page.keyboard.press("ArrowRight");
      await page.locator("vt-materials li").first().waitFor();
      await page.getByRole("tab", { name: "Properties" }).click();
      await page.getByText("Triangles", { exact: true }).waitFor();
      await page.getByText("This pose").waitFor();
      await page.getByRole("tab", { name: /Files/ }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /^Download/ }).first().click()]);
      assert.ok(download.suggestedFilename().length > 3);
      quiet();
    });

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
      await firstPicture(page);
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      const before = await stillPicture(page);
      await page.keyboard.press("Shift+ArrowRight");
      await changedPicture(page, before, "the orbit by key");
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
      await page.getByRole("heading", { name: "Uploads finished" }).waitFor({ timeout: 40_000 });
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

    if (video) videoScenarios(() => ({ browser, server, asset: animated }));
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
    async function keepPicture(name) {
      const folder = process.env.VITRINE_TEST_PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
    }

    async function check(where) {
      if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document);
        return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).slice(0, 4).join(" | ")}`);
      });
      assert.deepEqual(found, [], where);
    }

    it("keeps the image and reconnects after a restart of the server", async () => {
      await openModel("?t=0");
      const before = await stillPicture(page);
      await server.restart(async () => {
        await page.getByText("Connection lost. Reconnecting").waitFor();
        assert.equal((await picture(page)).hash, before.hash, "the last picture stays");
      });
      await page.getByText("Connection lost. Reconnecting").waitFor({ state: "detached", timeout: 40_000 });
      await page.keyboard.press("7");
      await changedPicture(page, before, "a fresh picture from the new server");
      await page.getByTitle("Reconnecting to the server").waitFor({ state: "detached", timeout: 40_000 });
    });

    it("sends no request to another host", () => {
      const host = new URL(server.url).host;
      const foreign = browser.log.requests.filter((url) => !/^(data|blob|about):/.test(url) && new URL(url).host !== host);
      assert.deepEqual(foreign, []);
      assert.ok(browser.log.requests.length > 50, "requests were seen at all");
    });
  });
}
