// The page with thousands of models, ten tabs and a server that accepts one live preview.
import { after, before, beforeEach, describe } from "node:test";

import { openBrowser } from "./browser.mjs";
import { gridScenarios } from "./grid.mjs";
import { rejectionScenarios } from "./rejection.mjs";
import { tabScenarios } from "./tabs.mjs";

// `open`: starts a server with at least 5000 models and one live preview at a time.
export function largeLibraryScenarios(title, open) {
  describe(title, { concurrency: false }, () => {
    let server, browser;

    before(async () => {
      server = await open();
      browser = await openBrowser();
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    beforeEach(async () => {
      await browser.page.setViewportSize({ width: 1280, height: 800 });
      await browser.page.goto("about:blank"); // closes the live preview of the previous test
    });

    const scenario = () => ({ server, browser, page: browser.page });
    gridScenarios(scenario);
    tabScenarios(() => server);
    rejectionScenarios(scenario);
  });
}
