// Checks a page by axe-core (WCAG rules).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Waits for the end of animations that end, because a dialog that is half transparent has too little contrast. Those of elements in a shadow
// root are animations of that root.
async function waitForAnimations(page) {
  await page.evaluate(async () => {
    const roots = [document];
    for (const root of roots) for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) roots.push(shadowRoot);
    const ending = roots.flatMap((root) => root.getAnimations()).filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

// `where`: for the message of a failure.
export async function checkAccessibility(page, where = page.url()) {
  await waitForAnimations(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document);
    return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? node.html}`).slice(0, 4).join(" | ")}`);
  });
  assert.deepEqual(found, [], where);
}
