// api/yaml_to_cpp.mjs: its output for a document, and that an invalid one stops the build.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import assert from "node:assert/strict";

const script = new URL("../../../api/yaml_to_cpp.mjs", import.meta.url).pathname;
const folder = mkdtempSync(path.join(tmpdir(), "vitrine-contract-"));
const input = path.join(folder, "in.yaml"), output = path.join(folder, "out.cpp");

// Returns the JSON in the C++ source that the script generates from `yaml`.
function contractOf(yaml) {
  writeFileSync(input, yaml);
  execFileSync(process.execPath, [script, input, output]);
  const [, parts] = /for \(const char\* part : \{(.*)\}\)/s.exec(readFileSync(output, "utf8"));
  return JSON.parse(JSON.parse(`[${parts}]`).join(""));
}

try {
  assert.deepEqual(
    contractOf("a: {b: [1, 'it''s', null]} # c\nd: >-\n  two\n  lines\ne: |\n  kept\n  lines\n'200': \"\\u00e9\"\n"),
    { a: { b: [1, "it's", null] }, d: "two lines", e: "kept\nlines\n", 200: "\u00e9" },
  );
  assert.deepEqual(contractOf(`a: ${"x".repeat(9000)}`), { a: "x".repeat(9000) });
  rmSync(output);
  for (const broken of ["a: 1\na: 2\n", "a: [1\n", "a: !unknown 1\n", "a: 'b\n"]) {
    writeFileSync(input, broken);
    const run = spawnSync(process.execPath, [script, input, output], { encoding: "utf8" });
    assert.equal(run.status, 1, broken);
    assert.match(run.stderr, /in\.yaml: .* at line \d/s, broken);
    assert.ok(!existsSync(output), broken);
  }
} finally {
  rmSync(folder, { recursive: true });
}
