// Runs the conformance suite of the Model Context Protocol (npm: @modelcontextprotocol/conformance) against the program, in the two
// revisions that it speaks, and fails if a scenario does not end as listed below. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
// The suite needs Node 22; its package brings one.
const node = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : join(folder, "node_modules/.bin/node");

// Scenarios that call tools, prompts and resources which the suite expects of a server made for it ("test_simple_text").
const ofTestServers = [
  "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
  "tools-call-error", "tools-call-with-progress", "resources-read-text", "resources-read-binary", "resources-templates-read",
  "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
];
// The same for requests to the client and for streams, which Vitrine does not declare.
const ofSessions = [
  "tools-call-with-logging", "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums", "resources-subscribe", "resources-unsubscribe",
];
// Scenarios of a revision outside of its default suite, with the checks in them that need such tools.
const single = {
  "server-stateless": [
    "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
  ],
  caching: [],
  "http-header-validation": [],
  "sep-2164-resource-not-found": [],
};

function run(url, args) {
  const ran = spawnSync(node, [suite, "server", "--url", `${url}/mcp`, ...args], { encoding: "utf8", timeout: 300_000 });
  // eslint-disable-next-line no-control-regex
  return (ran.stdout + ran.stderr).replace(/\x1b\[[0-9;]*m/g, "");
}

function checkRevision(url, revision, expected) {
  const output = run(url, ["--spec-version", revision]);
  const results = [...output.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gmu)];
  assert.ok(results.length >= 15, output);
  const failed = results.filter(([, mark]) => mark === "✗").map(([, , name]) => name);
  assert.deepEqual(failed.sort(), [...expected].sort(), output);
  console.log(`${revision}: ${results.length - failed.length} scenarios passed, ${failed.length} need a server made for the suite`);
}

function checkScenario(url, scenario, expected) {
  const output = run(url, ["--spec-version", "2026-07-28", "--scenario", scenario]);
  const [, passed, all] = /Passed: (\d+)\/(\d+)/.exec(output) ?? [];
  const failed = [...output.matchAll(/\[([\w-]+)\s*\] FAILURE/g)].map(([, check]) => check);
  assert.ok(Number(all) > 0, output);
  assert.deepEqual([...new Set(failed)].sort(), [...expected].sort(), output);
  console.log(`${scenario}: ${passed} of ${all} checks passed`);
}

const data = mkdtempSync(join(tmpdir(), "vitrine-mcp-"));
const server = spawn(process.env.VITRINE_PROGRAM, ["serve", "--listen", "127.0.0.1:0", "--data", data, "--open", "--gpu", "software"], {
  stdio: ["ignore", "pipe", "ignore"],
});
try {
  const url = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (piece) => {
      text += piece;
      const found = /http:\/\/[\d.]+:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on("exit", () => reject(new Error(`the server ended: ${text}`)));
  });
  const triangle = new FormData();
  triangle.append("file", new Blob(["v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"]), "triangle.obj");
  assert.equal((await fetch(`${url}/v1/assets`, { method: "POST", body: triangle })).status, 201);
  checkRevision(url, "2025-11-25", [...ofTestServers, ...ofSessions]);
  checkRevision(url, "2026-07-28", ofTestServers);
  for (const [scenario, expected] of Object.entries(single)) checkScenario(url, scenario, expected);
} finally {
  server.kill("SIGTERM");
  rmSync(data, { recursive: true, force: true });
}
