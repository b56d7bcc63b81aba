// Pictures of a page for inspection, in the folder VITRINE_TEST_PICTURES: light and dark, wide and narrow.
import { join } from "node:path";
import process from "node:process";

import { checkAccessibility } from "./accessibility.mjs";

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 780 };

function nextFrames(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// Also checks the accessibility of each; then the page is wide and light again.
export async function inspectPage(page, name) {
  for (const [size, viewport] of Object.entries({ wide, narrow }))
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
      await nextFrames(page); // transitions of colors begin with a frame
      await checkAccessibility(page, `${name}, ${size}, ${colorScheme}`);
      const folder = process.env.VITRINE_TEST_PICTURES;
      if (folder) await page.screenshot({ path: join(folder, `${name}_${size}_${colorScheme}.png`) });
    }
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
}
