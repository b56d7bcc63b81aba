// script/test_report.mjs over results as ctest writes them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { belowFloor, casesOf, entriesOf, longestOf, summarize } from "../../script/test_report.mjs";

const script = fileURLToPath(new URL("../../script/test_report.mjs", import.meta.url));

// A program of several cases that ctest calls passed, a case of its own, one whose program is missing, and node's.
const results = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="4">
	<testcase name="gpu_corpus" classname="gpu_corpus" time="0.3" status="run">
		<system-out>[==========] Running 3 tests from 1 test suite.
[ RUN      ] Corpus.Draws
[       OK ] Corpus.Draws (12 ms)
[ RUN      ] Corpus.Compares
/work/tests/gpu/corpus_test.cpp:183: Skipped
no corpus: set VITRINE_CORPUS &lt;here&gt;

[  SKIPPED ] Corpus.Compares (0 ms)
[ RUN      ] Corpus/Files.Reads/3
[  FAILED  ] Corpus/Files.Reads/3, where GetParam() = "a.md5" (1 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Corpus.Compares
</system-out>
	</testcase>
	<testcase name="corpus/Md5.ReadsAll" classname="x" time="0" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>[ RUN      ] Md5.ReadsAll
tests/corpus/md5_test.cpp:133: Skipped
no corpus here
[  SKIPPED ] Md5.ReadsAll (0 ms)
</system-out>
	</testcase>
	<testcase name="unit_gone" classname="x" time="0" status="notrun">
		<skipped message="Unable to find executable: unit_gone"/>
	</testcase>
	<testcase name="browser_three" classname="x" time="12.5" status="run">
		<system-out>TAP version 13
    ok 1 - draws the box
    ok 2 - draws the corpus # SKIP no corpus: set VITRINE_CORPUS
</system-out>
	</testcase>
</testsuite>`;

test("the longest entries are named, with the longest case inside", () => {
  assert.deepEqual(longestOf(entriesOf(results), 2), [
    { name: "browser_three", seconds: 12.5, inside: undefined },
    { name: "gpu_corpus", seconds: 0.3, inside: { name: "Corpus.Draws", seconds: 0.012 } },
  ]);
});

test("programs are read case by case", () => {
  const cases = entriesOf(results).flatMap(casesOf);
  assert.deepEqual(cases.map((one) => [one.name, one.skipped, one.reason]), [
    ["gpu_corpus: Corpus.Draws", false, ""],
    ["gpu_corpus: Corpus.Compares", true, "no corpus: set VITRINE_CORPUS <here>"],
    ["gpu_corpus: Corpus/Files.Reads/3", false, ""],
    ["corpus/Md5.ReadsAll", true, "no corpus here"],
    ["unit_gone", true, "Unable to find executable: unit_gone"],
    ["browser_three: draws the box", false, ""],
    ["browser_three: draws the corpus", true, "no corpus: set VITRINE_CORPUS"],
  ]);
});

test("what ran is counted by kind, what did not by reason", () => {
  const { total, ran, skipped } = summarize(entriesOf(results));
  assert.equal(total, 7);
  assert.deepEqual(ran, { gpu: 2, browser: 1 });
  assert.equal([...skipped.values()].flat().length, 4);
  assert.deepEqual(belowFloor(ran, { gpu: 2, corpus: 29 }), ["corpus: 0 cases ran, at least 29 must"]);
});

test("in CI too few cases are a failure, elsewhere they are reported", () => {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  try {
    writeFileSync(join(folder, "results.xml"), results);
    writeFileSync(join(folder, "floor.json"), '{"gpu": 3}');
    const run = (ci, floor) => {
      const words = [script, join(folder, "results.xml"), ...(floor ? ["--floor", floor] : [])];
      return spawnSync(process.execPath, words, { encoding: "utf8", env: { ...process.env, CI: ci } });
    };
    const here = run("", join(folder, "floor.json"));
    assert.equal(here.status, 0, here.stderr);
    assert.match(here.stdout, /3 test cases ran \(browser 1, gpu 2\)\n4 were skipped:\n/);
    assert.match(here.stdout, /no corpus here \(1\)\n {4}corpus\/Md5\.ReadsAll\n/);
    const ci = run("true", join(folder, "floor.json"));
    assert.equal(ci.status, 1);
    assert.match(ci.stderr, /too few: gpu: 2 cases ran, at least 3 must/);
    assert.equal(run("true").status, 1, "the project's own floor holds without --floor");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
