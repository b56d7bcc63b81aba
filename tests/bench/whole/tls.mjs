// A cached thumbnail over TLS 1.3 beside the same without TLS: two servers with one model each, asked in turn by wrk.
// usage: node tests/bench/whole/tls.mjs [--seconds S] [--rounds N] [--connections C]
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { chainGlb } from "./rigs.mjs";
import { median, startVitrine, stopVitrine, upload } from "./vitrine.mjs";
import { wrk } from "./wrk.mjs";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "8" },
    connections: { type: "string", default: "32" },
    program: { type: "string", default: "build/release/bin/vitrine" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-tls-"));
const running = new Set();
process.on("exit", () => {
  for (const { child } of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(1));

async function start(name, options) {
  const server = await startVitrine(flags.program, join(folder, name), ["--log", "warn", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(server);
  return server;
}

async function stop(server) {
  await stopVitrine(server);
  running.delete(server);
}

// A server that has answered for the model without TLS, then starts again.
async function serverWithModel(name, options) {
  const first = await start(name, []);
  const model = await upload(first.url, [{ name: "chain.glb", bytes: chainGlb(41) }]);
  await stop(first);
  const server = await start(name, options);
  return { ...server, url: `${server.url}/v1/assets/${model}/thumbnail` };
}

const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
execFileSync("openssl", ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost",
  "-days", "365", "-keyout", key, "-out", certificate], { stdio: "ignore" });
const plain = await serverWithModel("plain", []);
const encrypted = await serverWithModel("tls", ["--tls-cert", certificate, "--tls-key", key]);
const rounds = { plain: [], encrypted: [] };
for (let round = 0; round < Number(flags.rounds); ++round) {
  rounds.plain.push(wrk(plain, plain.url, flags).microseconds);
  rounds.encrypted.push(wrk(encrypted, encrypted.url, flags).microseconds);
}
const [ours, theirs] = [median(rounds.encrypted), median(rounds.plain)];
console.log("| cached thumbnail | TLS 1.3 | plain | ratio |\n|---|---|---|---|");
console.log(`| processor time of a request, ${flags.rounds} rounds in turn | ${ours.toFixed(1)} us | ${theirs.toFixed(1)} us | ${(theirs / ours).toFixed(2)} |`);
process.exit(0);
