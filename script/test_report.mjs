#!/usr/bin/env node
// script/test_report.mjs RESULTS.xml...: lists the skipped cases of a run of script/test with their reasons, what took longest and,
// last, the failed cases with the end of their output, from the output of ctest --output-junit. Also reads the output of
// GoogleTest and node in programs that ctest reports as "Passed". With CI=true it fails if fewer cases ran than tests/floor.json
// requires. --floor FILE uses another file.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { failuresText } from "./failed_cases.mjs";

const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescape(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    decimal ? String.fromCodePoint(Number(decimal)) : hex ? String.fromCodePoint(parseInt(hex, 16)) : (entities[name] ?? whole));
}

// Returns the entries of ctest: {name, status, seconds, output, message}.
export function entriesOf(xml) {
  return [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes, body = ""]) => ({
    name: unescape(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ""),
    status: /\bstatus="([^"]*)"/.exec(attributes)?.[1] ?? "",
    seconds: Number(/\btime="([^"]*)"/.exec(attributes)?.[1] ?? 0),
    message: unescape(/<skipped message="([^"]*)"/.exec(body)?.[1] ?? ""),
    output: unescape(/<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? ""),
  }));
}

function gtestCases(output) {
  const cases = [];
  let lines = [];
  for (const line of output.split("\n")) {
    const end = /^\[\s+(OK|FAILED|SKIPPED)\s+\] (\S+?),? .*\((\d+) ms\)/.exec(line);
    if (/^\[ RUN\s+\]/.test(line)) lines = [];
    else if (!end) lines.push(line);
    else {
      const at = lines.findIndex((text) => /: Skipped$/.test(text));
      const reason = at < 0 ? "" : lines.slice(at + 1).join(" ").trim();
      cases.push({ name: end[2], skipped: end[1] === "SKIPPED", reason, seconds: Number(end[3]) / 1000 });
    }
  }
  return cases;
}

function nodeCases(output) {
  return [...output.matchAll(/^\s*(?:not )?ok \d+ - (.*?)(?: # (SKIP|TODO)\b ?(.*))?$/gm)].map(([, name, directive, reason = ""]) => ({
    name, skipped: directive === "SKIP", reason: reason.trim() }));
}

// Returns the cases of an entry; one with the entry's name if the program reports no cases.
export function casesOf(entry) {
  const inside = gtestCases(entry.output);
  const cases = inside.length > 0 ? inside : nodeCases(entry.output);
  const named = (name) => (entry.name.endsWith(name) ? entry.name : `${entry.name}: ${name}`);
  if (cases.length > 0) return cases.map((one) => ({ ...one, name: named(one.name) }));
  const skipped = entry.status === "notrun" || entry.status === "disabled";
  return [{ name: entry.name, skipped, reason: skipped ? entry.message || entry.status : "" }];
}

// "corpus/Md5.ReadsAll" and "gpu_corpus" have the kinds corpus and gpu.
const kindOf = (name) => /^[a-z0-9]+/i.exec(name)?.[0] ?? "";

export function summarize(entries) {
  const ran = {};
  const skipped = new Map(); // reason -> names
  let total = 0;
  for (const entry of entries)
    for (const one of casesOf(entry)) {
      ++total;
      if (!one.skipped) ran[kindOf(entry.name)] = (ran[kindOf(entry.name)] ?? 0) + 1;
      else skipped.set(one.reason || "no reason given", [...(skipped.get(one.reason || "no reason given") ?? []), one.name]);
    }
  return { total, ran, skipped };
}

// The required number of cases on a machine with everything installed: {kind: cases}. Missing kinds count as 0.
export function belowFloor(ran, floor) {
  return Object.entries(floor)
    .filter(([kind, least]) => (ran[kind] ?? 0) < least)
    .map(([kind, least]) => `${kind}: ${ran[kind] ?? 0} cases ran, at least ${least} must`);
}

// Returns the `count` entries that took longest, with the longest case inside: {name, seconds, inside}. Wall-clock, beside others.
export function longestOf(entries, count) {
  return entries.toSorted((a, b) => b.seconds - a.seconds).slice(0, count).map(({ name, seconds, output }) => {
    const [inside] = gtestCases(output).sort((a, b) => b.seconds - a.seconds);
    return { name, seconds, inside: inside && inside.name !== name ? { name: inside.name, seconds: inside.seconds } : undefined };
  });
}

function printLongest(entries) {
  console.log("longest, in seconds beside other tests:");
  for (const { name, seconds, inside } of longestOf(entries, 15))
    console.log(`  ${seconds.toFixed(1).padStart(6)} ${name}${inside ? ` (${inside.name} ${inside.seconds.toFixed(1)})` : ""}`);
}

function print({ total, ran, skipped }) {
  const count = [...skipped.values()].reduce((sum, names) => sum + names.length, 0);
  console.log(`${total - count} test cases ran (${Object.entries(ran).sort().map(([kind, n]) => `${kind} ${n}`).join(", ")})`);
  console.log(count === 0 ? "nothing was skipped" : `${count} were skipped:`);
  for (const [reason, names] of [...skipped].sort()) {
    console.log(`  ${reason} (${names.length})`);
    for (const name of names) console.log(`    ${name}`);
  }
}

function main(words) {
  const at = words.indexOf("--floor");
  const floorFile = at < 0 ? join(dirname(fileURLToPath(import.meta.url)), "../tests/floor.json") : words.splice(at, 2)[1];
  const entries = words.flatMap((file) => entriesOf(readFileSync(file, "utf8")));
  const summary = summarize(entries);
  print(summary);
  printLongest(entries);
  const floor = process.env.CI === "true" ? JSON.parse(readFileSync(floorFile, "utf8")) : {};
  const missing = belowFloor(summary.ran, floor);
  for (const line of missing) console.error(`too few: ${line}`);
  process.stdout.write(failuresText(entries)); // at the end: of a log that is cut, the end is kept
  return missing.length > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(main(process.argv.slice(2)));
