// The two servers under test, with one interface: {kind, url, restart(), close()}.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { startMock } from "../mock/server.mjs";
import { until } from "./until.mjs";

const web = fileURLToPath(new URL("../../../web_client/dist", import.meta.url));

export async function openMock({ count = 14, limits = { viewers: 32 } } = {}) {
  let mock = await startMock({ count, limits });
  const { port, url, library } = mock;
  return {
    kind: "mock",
    url,
    library,
    async restart(between = async () => {}) {
      await mock.close();
      await between();
      mock = await startMock({ port, library, limits });
    },
    close: () => mock.close(),
  };
}

// Starts `vitrine serve` on a free port with a new library, which the program fills with its samples. `flags`: more options;
// `clone`: {program, count}: fills the library with copies (tests/bench/clone_library.cpp).
export async function openVitrine(program, { flags = [], clone = null } = {}) {
  const data = mkdtempSync(join(tmpdir(), "vitrine-e2e-data-"));
  const start = (listen) => launch(program, data, listen, flags);
  let running = await start("127.0.0.1:0");
  const { url } = running;
  await samplesReady(url);
  const { host } = new URL(url);
  if (clone) {
    await running.stop();
    execFileSync(clone.program, [String(clone.count), data], { stdio: "ignore" });
    running = await start(host);
  }
  return {
    kind: "vitrine",
    url,
    get pid() {
      return running.pid;
    },
    async restart(between = async () => {}) {
      await running.stop();
      await between();
      running = await start(host);
    },
    async close() {
      await running.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

// `access`: the flags of access. The result has the link that signs a browser in, if there is one.
async function launch(program, data, listen, flags = [], access = ["--open"]) {
  const words = ["serve", ...access, "--listen", listen, "--data", data, "--web", web, ...flags];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
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
    pid: child.pid,
    link: /https?:\/\/\S+\/\?token=[\w-]+/.exec(output)?.[0],
    async stop(signal = "SIGTERM") {
      child.kill(signal);
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

// A server with an empty library, whose data folder is `data`; kill() ends it without warning.
export async function openEmptyVitrine(program, flags = []) {
  const data = mkdtempSync(join(tmpdir(), "vitrine-e2e-data-"));
  let running = await launch(program, data, "127.0.0.1:0", ["--no-samples", ...flags]);
  const { url } = running;
  return {
    url,
    data,
    async kill() {
      await running.stop("SIGKILL");
      running = await launch(program, data, new URL(url).host, ["--no-samples", ...flags]);
    },
    async close() {
      await running.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

// A server that requires the token of its data directory, with an empty library.
export async function openVitrineWithToken(program, flags = []) {
  const data = mkdtempSync(join(tmpdir(), "vitrine-e2e-data-"));
  let running = await launch(program, data, "127.0.0.1:0", ["--no-samples", ...flags], []);
  const { url, link } = running;
  return {
    url,
    link,
    data,
    token: new URL(link).searchParams.get("token"),
    async restart() {
      await running.stop();
      running = await launch(program, data, new URL(url).host, ["--no-samples", ...flags], []);
    },
    async close() {
      await running.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
