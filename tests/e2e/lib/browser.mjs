// Debian's Chromium with an empty profile; records console messages and requests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

export { until } from "./until.mjs";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// `graphics`: flags; by default WebGL is off.
export async function openBrowser(graphics = ["--disable-gpu"]) {
  const profile = mkdtempSync(join(tmpdir(), "vitrine-e2e-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.VITRINE_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [...flags, ...graphics],
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    timeout: 120_000,
  });
  const log = { requests: [], errors: [] };
  context.on("page", (page) => listen(page, log));
  for (const page of context.pages()) listen(page, log);
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(120_000);
  return {
    page,
    context,
    log,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function listen(page, log) {
  page.on("request", (request) => log.requests.push(request.url()));
  page.on("websocket", (socket) => log.requests.push(socket.url()));
  page.on("console", (message) => {
    if (message.type() === "error") log.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => log.errors.push(String(error)));
}

