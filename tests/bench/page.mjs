// The page in Chromium with a large library and many tabs; script/bench page. Prints rows of a table:
//   node tests/bench/page.mjs [--rows N] [--seconds S]
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { openBrowser, until } from "../e2e/lib/browser.mjs";
import { openVitrine } from "../e2e/lib/servers.mjs";

const bin = fileURLToPath(new URL("../../build/release/bin/", import.meta.url));
const option = (name, value) => (process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : value);
const rows = option("--rows", 100_000);
const seconds = option("--seconds", 60); // of scrolling
const tabs = 10;

const table = [];

async function measured(work) {
  const browser = await openBrowser();
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))];

// Scrolls over all rows at constant speed, then reads here and there.
async function scroll({ page, context }) {
  const protocol = await context.newCDPSession(page);
  await protocol.send("Performance.enable");
  const start = Date.now();
  await page.goto(`${server.url}/`);
  await page.locator("vt-card img.ready").first().waitFor();
  table.push(["first card with its image", `${Date.now() - start} ms`, ""]);
  let [nodes, heap] = [0, 0];
  const watch = setInterval(async () => {
    const { metrics } = await protocol.send("Performance.getMetrics").catch(() => ({ metrics: [] }));
    const value = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    nodes = Math.max(nodes, value("Nodes"));
    heap = Math.max(heap, value("JSHeapUsedSize"));
  }, 500);
  const frames = await page.evaluate(scrollOver, seconds);
  await page.locator("vt-card img.ready").first().waitFor();
  const reading = await page.evaluate(readOn, 10);
  clearInterval(watch);
  await protocol.send("HeapProfiler.collectGarbage");
  const kept = (await protocol.send("Performance.getMetrics")).metrics.find(({ name }) => name === "Nodes").value;
  const memory = rendererMemory();
  const title = `${rows.toLocaleString("en")} rows in ${seconds} s`;
  table.push([`${title}: frame, median; p95; longest`, `${[0.5, 0.95, 1].map((share) => quantile(frames, share).toFixed(1)).join("; ")} ms`, "p95 33 ms"]);
  table.push(["wheel, 3000 pixels a second, with images: frame, median; p95", `${[0.5, 0.95].map((share) => quantile(reading, share).toFixed(1)).join("; ")} ms`, "p95 33 ms"]);
  table.push([`${title}: nodes in use at the end; at most, with garbage`, `${kept.toLocaleString("en")}; ${nodes.toLocaleString("en")}`, "5,000"]);
  table.push([`${title}: JavaScript heap, at most; private memory of the page's process`, `${mega(heap)}; ${mega(memory)}`, "150 MB"]);
  table.push(["jump to a random place: cards there, median; longest", (await jumps(page)).map((ms) => `${ms} ms`).join("; "), ""]);
}

const mega = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

// Runs in the page. Returns the intervals of the frames, ms.
function scrollOver(duration) {
  return new Promise((resolve) => {
    const distance = document.documentElement.scrollHeight - innerHeight;
    const [start, intervals] = [performance.now(), []];
    let last = start;
    requestAnimationFrame(function step() {
      const now = performance.now();
      intervals.push(now - last);
      last = now;
      const share = (now - start) / 1000 / duration;
      scrollTo(0, distance * Math.min(1, share));
      if (share < 1) requestAnimationFrame(step);
      else resolve(intervals);
    });
  });
}

// Runs in the page: from the middle, as a user who reads.
function readOn(duration) {
  scrollTo(0, document.documentElement.scrollHeight / 2);
  return new Promise((resolve) => setTimeout(resolve, 1500)).then(
    () =>
      new Promise((resolve) => {
        const [start, intervals] = [performance.now(), []];
        let last = start;
        requestAnimationFrame(function step() {
          const now = performance.now();
          intervals.push(now - last);
          scrollBy(0, (3000 * (now - last)) / 1000);
          last = now;
          if (now - start < duration * 1000) requestAnimationFrame(step);
          else resolve(intervals);
        });
      }),
  );
}

async function jumps(page) {
  const took = [];
  for (const share of [0.1, 0.9, 0.35, 0.77, 0.5, 0.02, 0.64]) {
    const start = Date.now();
    await page.evaluate((at) => scrollTo(0, at * document.documentElement.scrollHeight), share);
    await until(() => page.evaluate(displaysAssets), "the cards of the place");
    took.push(Date.now() - start);
  }
  return [quantile(took, 0.5), quantile(took, 1)];
}

// Runs in the page: every card in the window shows its asset.
function displaysAssets() {
  const grid = document.querySelector("vt-app").shadowRoot.querySelector("vt-library").shadowRoot.querySelector("vt-grid");
  const cards = [...grid.shadowRoot.querySelectorAll("vt-card")].filter((card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  return cards.length > 3 && cards.every((card) => card.asset && card.shadowRoot.querySelector("a"));
}

// Private memory of the largest renderer process of this browser.
function rendererMemory() {
  const own = new Set([process.pid]);
  let largest = 0;
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).sort((a, b) => a - b);
  for (const id of processes) {
    const read = (name) => {
      try {
        return readFileSync(`/proc/${id}/${name}`, "utf8");
      } catch {
        return ""; // it has ended
      }
    };
    const status = read("status");
    if (!own.has(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))) continue;
    own.add(id);
    if (read("cmdline").includes("--type=renderer")) largest = Math.max(largest, 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  }
  return largest;
}

async function openTabs({ page, context }) {
  const pages = [page];
  while (pages.length < tabs) pages.push(await context.newPage());
  const all = (work) => Promise.all(pages.map(work));
  const loaded = await all(async (tab) => {
    const start = Date.now();
    await tab.goto(`${server.url}/`);
    await tab.locator("vt-card img.ready").first().waitFor();
    return Date.now() - start;
  });
  table.push([`${tabs} tabs opened at once: with images, median; last`, [0.5, 1].map((share) => `${quantile(loaded, share)} ms`).join("; "), "all"]);
  const words = ["robot", "koi", "flag", "tentacle", "vase"];
  const searched = await all((tab, index) => search(tab, words[index % words.length]));
  table.push([`search in each of ${tabs} tabs at once: median; last`, [0.5, 1].map((share) => `${quantile(searched, share)} ms`).join("; "), "1 s"]);
  const alone = [];
  for (const [index, tab] of pages.entries()) {
    await tab.bringToFront();
    alone.push(await search(tab, words[(index + 1) % words.length]));
  }
  table.push([`search in one tab after the other: median; last`, [0.5, 1].map((share) => `${quantile(alone, share)} ms`).join("; "), "1 s"]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  table.push([`event streams of ${tabs} tabs`, /^vitrine_event_streams (\d+)/m.exec(metrics)?.[1] ?? "?", "1"]);
}

// From the input, to the cards of the answer, in the page's own time.
async function search(tab, word) {
  return tab.evaluate(
    (text) =>
      new Promise((resolve) => {
        const app = document.querySelector("vt-app").shadowRoot;
        const field = app.querySelector("vt-header").shadowRoot.querySelector("#search");
        const names = () => [...app.querySelector("vt-library").shadowRoot.querySelector("vt-grid").shadowRoot.querySelectorAll("vt-card")].map((card) => card.asset?.name ?? "");
        const start = performance.now();
        field.value = text;
        field.dispatchEvent(new Event("input"));
        const timer = setInterval(() => {
          const shown = names().filter((name) => name !== "");
          if (shown.length === 0 || !shown.every((name) => name.includes(text))) return;
          clearInterval(timer);
          resolve(Math.round(performance.now() - start));
        }, 10);
      }),
    word,
  );
}

const server = await openVitrine(`${bin}vitrine`, { clone: { program: `${bin}clone_library`, count: rows } });
try {
  await measured(scroll);
  await measured(openTabs);
} finally {
  await server.close();
}
console.log("| measure | value | must reach |\n|---|---|---|");
for (const row of table) console.log(`| ${row.join(" | ")} |`);
