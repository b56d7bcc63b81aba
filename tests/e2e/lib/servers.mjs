// The two servers under test, with one interface: {kind, url, restart(), close()}.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { startMock } from "../mock/server.mjs";
import { until } from "./browser.mjs";

const web = fileURLToPath(new URL("../../../web_client/dist", import.meta.url));

export async function openMock() {
  let mock = await startMock({ count: 14 });
  const { port, url, library } = mock;
  return {
    kind: "mock",
    url,
    library,
    async restart(between = async () => {}) {
      await mock.close();
      await between();
      mock = await startMock({ port, library });
    },
    close: () => mock.close(),
  };
}

// Starts `vitrine serve` on a free port with a new library, which the program fills with its samples.
export async function openVitrine(program) {
  const data = mkdtempSync(join(tmpdir(), "vitrine-e2e-data-"));
  let running = await launch(program, data, "127.0.0.1:0");
  const { url } = running;
  await samplesReady(url);
  return {
    kind: "vitrine",
    url,
    async restart(between = async () => {}) {
      await running.stop();
      await between();
      running = await launch(program, data, new URL(url).host);
    },
    async close() {
      await running.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

// `flags`: of access, and others. The result has the link that signs a browser in, if there is one.
async function launch(program, data, listen, flags = ["--open"]) {
  const child = spawn(program, ["serve", ...flags, "--listen", listen, "--data", data, "--web", web], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let ended = null;
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve((ended = `${code ?? signal}`))));
  const url = await until(
    () => {
      if (ended !== null) throw new Error(`vitrine serve ended (${ended}):\n${output}`);
      return /https?:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    },
    "the line with the address",
    60_000,
  );
  await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok, "healthz");
  return {
    url,
    link: /https?:\/\/\S+\/\?token=[\w-]+/.exec(output)?.[0],
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await exited;
      clearTimeout(late);
    },
  };
}

// The first start imports the samples: waits until all imports have ended.
async function samplesReady(url) {
  await until(
    async () => {
      const { items } = await (await fetch(`${url}/v1/assets?limit=100`)).json();
      return items.length >= 4 && items.every((asset) => asset.status !== "importing");
    },
    "the sample library",
    180_000,
  );
}

// A server that requires the token of its data directory, with an empty library.
export async function openVitrineWithToken(program) {
  const data = mkdtempSync(join(tmpdir(), "vitrine-e2e-data-"));
  const running = await launch(program, data, "127.0.0.1:0", ["--no-samples"]);
  return {
    url: running.url,
    link: running.link,
    async close() {
      await running.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
