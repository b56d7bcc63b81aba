// The details beside the preview: their tabs at usual widths, and the keys of a radio button among them.
import assert from "node:assert/strict";
import { it } from "node:test";

import { until } from "./browser.mjs";
import { currentTime, stillFrame } from "./page.mjs";

const widths = [1280, 1024, 390, 320];

function isVisible(box, list) {
  return box.x >= list.x && box.y >= list.y && box.x + box.width <= list.x + list.width && box.y + box.height <= list.y + list.height;
}

// `scenario()`: the page and the helpers of scenarios.mjs.
export function detailsScenarios(scenario) {
  it("shows all tabs of a model without scrolling them", async () => {
    const { check, keepScreenshot, openModel, page, quiet, video } = scenario();
    await openModel("?t=0&tab=clips");
    const list = page.getByRole("tablist");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await list.scrollIntoViewIfNeeded();
      const box = await list.boundingBox();
      const tabs = await list.getByRole("tab").all();
      assert.equal(tabs.length, 8);
      for (const tab of tabs) assert.ok(isVisible(await tab.boundingBox(), box), `${await tab.textContent()} at ${width} px`);
      assert.ok(box.x >= 0 && box.x + box.width <= width, `inside the page of ${width} px`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `the page of ${width} px does not scroll sideways`);
      await check(`tabs at ${width} px`);
      await keepScreenshot(`tabs_${width}`);
    }
    await list.getByRole("tab", { selected: true }).focus();
    for (const name of [/^Skeleton/, /^Materials/, /^Properties/, /^Files/, /^Versions/, /^Notes/, /^Similar/, /^Clips/]) {
      await page.keyboard.press("ArrowRight");
      await list.getByRole("tab", { name, selected: true }).waitFor();
    }
    if (video) quiet(); // the mock does not answer what some tabs request
  });

  it("leaves space between the time and the buttons of the timeline on a phone", async () => {
    const { openModel, page } = scenario();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await openModel("?t=0");
      const timeline = page.getByRole("group", { name: "Timeline" });
      const parts = [timeline.locator(".readout .time"), ...(await timeline.getByRole("button").all()), timeline.getByRole("combobox")];
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      for (const [index, box] of boxes.entries()) {
        assert.ok(box.x >= 0 && box.x + box.width <= width, `inside the page of ${width} px`);
        for (const other of boxes.slice(index + 1)) assert.ok(!overlap(box, other), `nothing overlaps at ${width} px`);
      }
    }
  });

  it("moves the choice by arrow keys on a radio button, not the preview", async (test) => {
    const { openModel, page, quiet, video } = scenario();
    if (!video) return test.skip("the mock compares no models");
    await openModel("?t=0.3&tab=similar");
    const before = await stillFrame(page);
    const time = await currentTime(page);
    const choices = page.getByRole("group", { name: "Compare by" });
    const chosen = () => choices.getByRole("radio", { checked: true }).getAttribute("value");
    assert.equal(await chosen(), "mesh");
    await choices.getByRole("radio", { checked: true }).focus();
    for (const [key, value] of [["ArrowRight", "rig"], ["ArrowDown", "motion"], ["ArrowLeft", "rig"], ["ArrowUp", "mesh"], ["Shift+ArrowRight", "rig"]]) {
      await page.keyboard.press(key);
      await until(async () => (await chosen()) === value, `${key} chooses ${value}`);
      assert.equal(await currentTime(page), time, `${key} does not step`);
    }
    assert.equal((await stillFrame(page)).hash, before.hash, "the preview has not moved");
    await page.getByRole("tab", { selected: true }).press("."); // a key that tabs do not use
    await until(async () => (await currentTime(page)) !== time, "keys step the clip elsewhere");
    quiet();
  });
}

function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
