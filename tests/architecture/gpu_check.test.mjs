// script/gpu_check.mjs: what script/gpu-check says at its end.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { failedCases, failedParts, failures, listedTests, stepsOf, testsOf, validationVariable } from "../../script/gpu_check.mjs";
import { entriesOf } from "../../script/test_report.mjs";

const script = fileURLToPath(new URL("../../script/gpu_check.mjs", import.meta.url));

// A program whose cases passed but one, a failure, a crash, one that was skipped and one that was not reached.
const results = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="5">
	<testcase name="gpu_cards" status="run">
		<system-out>[ RUN      ] GpuSeams.AreNotSeen
[       OK ] GpuSeams.AreNotSeen (12 ms)
[ RUN      ] GpuLargeScenes.Arrive
large_scenes_test.cpp:18: Skipped
needs a card
[  SKIPPED ] GpuLargeScenes.Arrive (0 ms)
</system-out>
	</testcase>
	<testcase name="gpu_renderer" status="fail">
		<failure message=""/>
		<system-out>[ RUN      ] GpuLight.Falls
[       OK ] GpuLight.Falls (2 ms)
[ RUN      ] GpuMasks.Cut/2
[  FAILED  ] GpuMasks.Cut/2, where GetParam() = 7 (1 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] GpuMasks.Cut/2, where GetParam() = 7
</system-out>
	</testcase>
	<testcase name="gpu_faults" status="fail">
		<failure message="SEGFAULT"/>
		<system-out>[ RUN      ] GpuFaults.Lost
[       OK ] GpuFaults.Lost (2 ms)
[ RUN      ] GpuFaults.Hangs
</system-out>
	</testcase>
	<testcase name="gpu_corpus" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
	<testcase name="gpu_goldens" status="notrun"><skipped message=""/></testcase>
</testsuite>`;

const steps = "doctor\tpassed\t1\ntests\texit status 8\t30\n";
const report = { device: { name: "A card" }, memory: { error: "the device is lost" }, stills: { rows: [] } };

test("failed cases, crashes and programs that were not reached are named", () => {
  const entries = entriesOf(results);
  assert.deepEqual(failedCases(entries[1]), ["gpu_renderer: GpuMasks.Cut/2"]);
  assert.deepEqual(failedCases(entries[2]), ["gpu_faults: ended in GpuFaults.Hangs"]);
  assert.deepEqual(failedCases({ name: "gpu_gone", output: "" }), ["gpu_gone"]);
  assert.deepEqual(testsOf(entries), {
    passed: 1,
    failed: ["gpu_renderer: GpuMasks.Cut/2", "gpu_faults: ended in GpuFaults.Hangs"],
    skipped: ["gpu_cards: GpuLargeScenes.Arrive: needs a card", "gpu_corpus: all cases were skipped"],
    notRun: ["gpu_goldens"],
  });
  const listed = listedTests("Test project /work\n  Test #170: gpu_cards\n  Test  #9: gpu_stills\n\nTotal Tests: 2\n");
  assert.deepEqual(listed, ["gpu_cards", "gpu_stills"]);
  assert.deepEqual(testsOf(entries, listed).notRun, ["gpu_goldens", "gpu_stills"]);
});

test("the list holds steps, tests and measurements", () => {
  assert.deepEqual(failedParts(report), ["memory: the device is lost"]);
  assert.deepEqual(failures(stepsOf(steps), testsOf(entriesOf(results)), report), [
    "step tests: exit status 8", "test gpu_renderer: GpuMasks.Cut/2", "test gpu_faults: ended in GpuFaults.Hangs",
    "test gpu_goldens: did not run", "measurement memory: the device is lost",
  ]);
  assert.deepEqual(failures(stepsOf("doctor\tpassed\t1\n"), testsOf([]), {}), []);
  assert.deepEqual(failures([], undefined, {}), ["tests: no results"]);
});

test("the validation layer may be missing or see less", () => {
  assert.equal(validationVariable({}), "missing");
  assert.equal(validationVariable({ validation: { layer: false } }), "missing");
  assert.equal(validationVariable({ validation: { layer: true, acrossSubmissions: "" } }), "");
  assert.equal(validationVariable({ validation: { layer: true, acrossSubmissions: "A=b" } }), "A=b");
});

test("the summary is added to both reports and decides the exit status", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-check-"));
  try {
    const [tsv, xml, list, json, text] = ["steps.tsv", "tests.xml", "list", "report.json", "report.txt"].map((name) => join(folder, name));
    const run = () => spawnSync(process.execPath, [script, "summary", tsv, xml, list, json, text], { encoding: "utf8" });
    writeFileSync(tsv, steps);
    writeFileSync(xml, results);
    writeFileSync(json, JSON.stringify(report));
    writeFileSync(text, "device\n");
    const failed = run();
    assert.equal(failed.status, 1, failed.stderr);
    assert.match(failed.stdout, /FAILED\n {2}step tests: exit status 8\n/);
    assert.ok(failed.stdout.trimEnd().endsWith(`${json}\n${text}`), failed.stdout);
    assert.match(readFileSync(text, "utf8"), /^device\n[^]*measurement memory: the device is lost\n$/);
    const written = JSON.parse(readFileSync(json, "utf8"));
    assert.equal(written.device.name, "A card");
    assert.equal(written.failed.length, 5);
    assert.equal(written.steps[1].seconds, 30);

    writeFileSync(tsv, "tests\tpassed\t30\n");
    writeFileSync(xml, results.replace(/<testcase name="gpu_(renderer|faults|goldens)"[^]*?<\/testcase>/g, ""));
    writeFileSync(json, "{}");
    const passed = run();
    assert.equal(passed.status, 0, passed.stdout);
    assert.match(passed.stdout, /nothing failed/);
    assert.ok(existsSync(text));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
