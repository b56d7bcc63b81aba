// script/test_report.mjs over results as ctest writes them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { failedCasesOf, failuresText } from "../../script/failed_cases.mjs";
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

const entry = (name, output, status = "fail", message = "") => ({ name, status, message, seconds: 1, output: output.join("\n") });
const numbered = (word, count) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);

test("failed cases of GoogleTest have what they printed themselves", () => {
  const output = ["[ RUN      ] A.Good", "of another case", "[       OK ] A.Good (1 ms)", "[ RUN      ] A/B.Bad/2", "a.cpp:3: Failure",
    "  Expected: 1", "[  FAILED  ] A/B.Bad/2, where GetParam() = \"x (3 ms)\" (4 ms)", "[ RUN      ] A.Long", ...numbered("line", 32),
    "[  FAILED  ] A.Long (1 ms)", "[==========] 3 tests ran.", "[  FAILED  ] A.Long"];
  assert.deepEqual(failedCasesOf([entry("unit_a", output), entry("unit_b", output, "run")]), [
    { program: "unit_a", name: "A/B.Bad/2", lines: ["a.cpp:3: Failure", "  Expected: 1"] },
    { program: "unit_a", name: "A.Long", lines: ["(2 lines before)", ...numbered("line", 32).slice(2)] },
  ]);
});

test("failed cases of a program that prints only failures do not have what others printed", () => {
  const output = ["a.cpp:3: Failure", "[  FAILED  ] A.One (4 ms)", "b.cpp:4: Failure", "[  FAILED  ] A.Two (1 ms)", "[==========] 9 ran."];
  assert.deepEqual(failedCasesOf([entry("unit_a", output)]).map((one) => [one.name, one.lines]),
    [["A.One", ["a.cpp:3: Failure"]], ["A.Two", ["b.cpp:4: Failure"]]]);
});

test("the case in which a program died has the beginning of the sanitizer's report", () => {
  const address = ["==12==ERROR: AddressSanitizer: heap-use-after-free", ...numbered("#frame", 60)];
  const died = ["[ RUN      ] A.Good", "[       OK ] A.Good (1 ms)", "[ RUN      ] A.Dies", "noise", ...address];
  const [one, ...others] = failedCasesOf([entry("unit_a", died)]);
  assert.equal(others.length, 0);
  assert.equal(one.name, "A.Dies (did not end)");
  assert.deepEqual(one.lines, address.slice(0, 40));
  const undefinedBehavior = [...died.slice(0, 4), "/x/a.cpp:3:4: runtime error: signed integer overflow", "#0 main"];
  assert.deepEqual(failedCasesOf([entry("unit_a", undefinedBehavior)])[0].lines, undefinedBehavior.slice(4));
  assert.deepEqual(failedCasesOf([entry("unit_a", died.slice(0, 4))])[0].lines, ["noise"], "a signal without a report");
});

test("a leak that is found at the end is the failure of a program whose cases passed", () => {
  const leak = ["==3==ERROR: LeakSanitizer: detected memory leaks", "#0 new"];
  const output = ["[ RUN      ] A.Good", "[       OK ] A.Good (1 ms)", "[==========] 1 test ran.", "[  PASSED  ] 1 test.", ...leak];
  assert.deepEqual(failedCasesOf([entry("unit_a", output)]), [{ program: "unit_a", name: "(after the last case)", lines: leak }]);
});

test("failed cases of node have their diagnostics, without the cases around them", () => {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  try {
    const file = join(folder, "some.test.mjs");
    writeFileSync(file, `import assert from "node:assert/strict"; import { test } from "node:test";
      test("outer", async (t) => { await t.test("inner", () => assert.equal(1, 2)); await t.test("fine", () => {}); });
      test("later", { todo: true }, () => assert.fail("not yet"));`);
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // set in cases of node, which then print for the program around them
    const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], { encoding: "utf8", env });
    const [one, ...others] = failedCasesOf([entry("browser_a", stdout.split("\n"))]);
    assert.equal(others.length, 0, JSON.stringify(others));
    assert.deepEqual([one.program, one.name], ["browser_a", "inner"]);
    assert.match(one.lines.join("\n"), /failureType: 'testCodeFailure'[^]*1 !== 2[^]*expected: 2\nactual: 1/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a program without cases has the end of its output, a missing one the message of ctest", () => {
  const failed = failedCasesOf([entry("plain", numbered("line", 31)), entry("unit_gone", [], "notrun", "Unable to find executable"),
    entry("skipped", [], "notrun", "SKIP_REGULAR_EXPRESSION_MATCHED")]);
  assert.deepEqual(failed.map((one) => [one.program, one.lines[0]]),
    [["plain", "(1 lines before)"], ["unit_gone", "Unable to find executable"]]);
});

test("the report ends with the failed cases and their names", () => {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  try {
    const xml = (name, output) => `<testcase name="${name}" time="1" status="fail"><system-out>${output}</system-out></testcase>`;
    const failure = "[ RUN      ] A.Bad\na.cpp:3: Failure &lt;1&gt;\n[  FAILED  ] A.Bad (4 ms)\n";
    writeFileSync(join(folder, "results.xml"), `<testsuite>${xml("unit_a", failure)}${xml("unit/A.Bad", failure)}</testsuite>`);
    const { stdout } = spawnSync(process.execPath, [script, join(folder, "results.xml")], { encoding: "utf8", env: { ...process.env, CI: "" } });
    assert.match(stdout, /longest[^]*\nfailed cases, with the end of their output:\n-- unit_a: A.Bad\n {3}a.cpp:3: Failure <1>\n/);
    assert.ok(stdout.endsWith("failed:\n  unit_a: A.Bad\n  unit/A.Bad\n"), stdout);
    assert.equal(failuresText([entry("unit_a", [], "run")]), "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
