#!/usr/bin/env node
// For script/gpu-check:
//   gpu_check.mjs validation REPORT.json    prints the variable that enables synchronization validation across submissions; "missing":
//                                           there is no validation layer; nothing: the layer cannot do it
//   gpu_check.mjs summary STEPS.tsv TESTS.xml LIST.txt REPORT.json REPORT.txt    adds steps and tests to both reports, prints what
//                                           failed and the paths of the reports; exit status 1 if anything failed. LIST: of ctest -N
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { casesOf, entriesOf } from "./test_report.mjs";

export function validationVariable(report) {
  if (!report.validation?.layer) return "missing";
  return report.validation.acrossSubmissions ?? "";
}

// Lines "name, result, seconds", separated by tabs.
export function stepsOf(text) {
  return text.split("\n").filter(Boolean).map((line) => {
    const [name, result, seconds] = line.split("\t");
    return { name, result, seconds: Number(seconds) };
  });
}

// The cases of GoogleTest that a program reports as failed; the program itself if it ended before it could.
export function failedCases(entry) {
  const names = [...entry.output.matchAll(/^\[  FAILED  \] ([\w./]+)(?: \(\d+ ms\)|, where .*\(\d+ ms\))$/gm)].map(([, name]) => name);
  if (names.length > 0) return [...new Set(names)].map((name) => `${entry.name}: ${name}`);
  const last = [...entry.output.matchAll(/^\[ RUN      \] (\S+)$/gm)].at(-1)?.[1];
  return [last ? `${entry.name}: ended in ${last}` : entry.name];
}

// The names of ctest -N.
export function listedTests(text) {
  return [...text.matchAll(/^ *Test +#\d+: (\S+)/gm)].map(([, name]) => name);
}

// `entries`: of ctest. Programs of `listed` without an entry were not reached before the time was over.
export function testsOf(entries, listed = []) {
  const tests = { passed: 0, failed: [], skipped: [], notRun: [] };
  for (const entry of entries) {
    if (entry.status === "fail") tests.failed.push(...failedCases(entry));
    else if (entry.status === "run") {
      const cases = casesOf(entry);
      tests.passed += cases.filter((one) => !one.skipped).length;
      for (const one of cases.filter((each) => each.skipped)) tests.skipped.push(`${one.name}: ${one.reason}`);
    } else if (entry.message.includes("SKIP_")) tests.skipped.push(`${entry.name}: all cases were skipped`);
    else tests.notRun.push(entry.name);
  }
  const reached = new Set(entries.map((entry) => entry.name));
  tests.notRun.push(...listed.filter((name) => !reached.has(name)));
  return tests;
}

// The measurements that ended with an error.
export function failedParts(report) {
  return Object.entries(report).filter(([, part]) => typeof part?.error === "string").map(([name, part]) => `${name}: ${part.error}`);
}

export function failures(steps, tests, report) {
  const lines = [];
  for (const step of steps.filter((each) => each.result !== "passed")) lines.push(`step ${step.name}: ${step.result}`);
  if (!tests) lines.push("tests: no results");
  for (const name of tests?.failed ?? []) lines.push(`test ${name}`);
  for (const name of tests?.notRun ?? []) lines.push(`test ${name}: did not run`);
  for (const part of failedParts(report)) lines.push(`measurement ${part}`);
  return lines;
}

function summary([stepsFile, testsFile, listFile, jsonFile, textFile]) {
  const steps = stepsOf(readFileSync(stepsFile, "utf8"));
  const listed = existsSync(listFile) ? listedTests(readFileSync(listFile, "utf8")) : [];
  const tests = existsSync(testsFile) ? testsOf(entriesOf(readFileSync(testsFile, "utf8")), listed) : undefined;
  const report = JSON.parse(readFileSync(jsonFile, "utf8"));
  const failed = failures(steps, tests, report);
  writeFileSync(jsonFile, `${JSON.stringify({ ...report, steps, tests, failed }, null, 2)}\n`);
  const lines = [
    "", "steps", ...steps.map(({ name, result, seconds }) => `  ${name.padEnd(14)}  ${result}, ${seconds} s`),
    `tests: ${tests?.passed ?? 0} passed, ${tests?.failed.length ?? 0} failed, ${tests?.skipped.length ?? 0} skipped`,
    ...(tests?.skipped ?? []).map((line) => `  skipped ${line}`),
    failed.length === 0 ? "nothing failed" : "FAILED", ...failed.map((line) => `  ${line}`),
  ];
  appendFileSync(textFile, `${lines.join("\n")}\n`);
  console.log(lines.join("\n"));
  console.log(`\n${resolve(jsonFile)}\n${resolve(textFile)}`);
  return failed.length === 0 ? 0 : 1;
}

function main([command, ...files]) {
  if (command === "summary") return summary(files);
  if (command !== "validation") return 2;
  console.log(validationVariable(JSON.parse(readFileSync(files[0], "utf8"))));
  return 0;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) process.exit(main(process.argv.slice(2)));
