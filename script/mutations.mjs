#!/usr/bin/env node
// Mutation testing for script/soak: node script/mutations.mjs N SEED [survivors | unit] changes one line of server/ at a time,
// builds the programs that test its folder and runs them one after another until a test fails, for N lines that build, selected
// by SEED. A change counts as detected if a test fails again when it is repeated, or if a program crashes or does not end.
// Changes that do not build do not count; changes without any effect that can be observed count as not detected.
// Returns 0 if at least 85 % were detected.
//
// Results are stored in build/soak/mutations.json after each line; a second run with the same seed goes on from there.
// `survivors` repeats the lines that were not detected, after tests were added. `unit` runs only the unit programs, which
// take a tenth of the time; lines that they do not detect stay open until a run without `unit`.
//
// server/samples is excluded: the golden images test its shapes. Headers are excluded: their code would be compiled into
// most of the tree. A file is restored after each change, also after a signal; after kill -9 by the next start.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { programsOf } from "./mutation_programs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const journal = join(root, "build/soak/mutated.json"); // the original of the changed file
const report = join(root, "build/soak/mutations.json");
const wantedShare = 0.85;
const shards = 3; // processes of one program: most tests wait

// Returns the text with everything that is not code (comments, strings, characters, directives) blanked, line by line.
export function blankOut(text) {
  const noCode = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#[^\n]*/gm;
  return text.replace(noCode, (found) => found.replace(/[^\n]/g, " "));
}

const replacements = [
  [/ == /g, " != ", "comparison"], [/ != /g, " == ", "comparison"], [/ < /g, " >= ", "comparison"],
  [/ > /g, " <= ", "comparison"], [/ <= /g, " > ", "comparison"], [/ >= /g, " < ", "comparison"],
  [/ && /g, " || ", "boolean operator"], [/ \|\| /g, " && ", "boolean operator"],
  [/ \+ /g, " - ", "sign"], [/ - /g, " + ", "sign"], [/ \+= /g, " -= ", "sign"], [/ -= /g, " += ", "sign"],
  [/\btrue\b/g, "false", "constant"], [/\bfalse\b/g, "true", "constant"],
  [/(?<![\w.'])\d[\d']*(?![\w.'])/g, (digits) => String(BigInt(digits.replaceAll("'", "")) + 1n), "constant"],
];

// Returns the possible changes of a line: [{kind, text}]; `code` is the blanked line.
export function mutationsOf(line, code) {
  const all = [];
  for (const [pattern, replacement, kind] of replacements)
    for (const match of code.matchAll(pattern)) {
      const put = typeof replacement === "string" ? replacement : replacement(match[0]);
      all.push({ kind, text: line.slice(0, match.index) + put + line.slice(match.index + match[0].length) });
    }
  const condition = /^(\s*(?:\} else )?if (?:constexpr )?\()([^;]*?)(\)(?: \{| (?:return|co_return|continue|break|throw)\b.*;)?\s*)$/.exec(code);
  if (condition && isBalanced(condition[2])) {
    const [, head, inner] = condition;
    const end = head.length + inner.length;
    const declared = /^(?:const )?auto[&* ]+(\w+) = /.exec(inner)?.[1];
    const asked = line.slice(head.length, end);
    const negated = declared ? `${asked}; !(${declared})` : `!(${asked})`;
    all.push({ kind: "negated condition", text: line.slice(0, head.length) + negated + line.slice(end) });
  }
  const call = /^(\s+)(?!return\b|co_return\b|throw\b|delete\b|else\b|if\b|for\b|while\b|switch\b|using\b|case\b)[\w:.>\-[\]*]+\(.*\);\s*$/.exec(code);
  if (call && isBalanced(code)) {
    all.push({ kind: "dropped call", text: `${call[1]};` });
    all.push({ kind: "early return", text: `${call[1]}return; ${line.trim()}` });
  }
  return all;
}

function isBalanced(text) {
  let depth = 0;
  for (const c of text) {
    if (c === "(") ++depth;
    if (c === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

// mulberry32: equal seeds select equal lines.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Returns every line that can be changed, in random order, with one change each.
export function drawMutations(sources, next) {
  const all = [];
  for (const { file, text } of sources) {
    const lines = text.split("\n");
    const code = blankOut(text).split("\n");
    for (let i = 0; i < lines.length; ++i) {
      const choices = /\bstatic_assert\b|\bassert\(/.test(code[i]) ? [] : mutationsOf(lines[i], code[i]);
      if (choices.length > 0) all.push({ file, line: i + 1, before: lines[i], choices });
    }
  }
  for (let i = all.length - 1; i > 0; --i) {
    const other = Math.floor(next() * (i + 1));
    [all[i], all[other]] = [all[other], all[i]];
  }
  return all.map(({ choices, ...place }) => ({ ...place, ...choices[Math.floor(next() * choices.length)] }));
}

function putBack() {
  if (!existsSync(journal)) return;
  const { file, text } = JSON.parse(readFileSync(journal, "utf8"));
  writeFileSync(join(root, file), text);
  rmSync(journal);
}

function change(mutation) {
  const path = join(root, mutation.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(journal, JSON.stringify({ file: mutation.file, text }));
  const lines = text.split("\n");
  lines[mutation.line - 1] = mutation.text;
  writeFileSync(path, lines.join("\n"));
}

const build = (targets) => spawnSync("ninja", ["-C", "build/mutations", "-j", String(availableParallelism()), ...targets],
  { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });

// Returns whether the targets were built; an interrupted build says nothing about the sources.
function builds(targets) {
  const built = build(targets);
  if (built.status === 0) return true;
  if (built.signal || /^ninja: build stopped: interrupted/m.test(built.stdout) || !/^FAILED: /m.test(built.stdout))
    throw new Error(`the build was interrupted:\n${built.stdout.slice(-2000)}${built.stderr.slice(-2000)}`);
  return false;
}

const targetsOf = (program) => (program.startsWith("integration_") ? ["vitrine", "vitrine-loader", program] : [program]);

const running = new Set(); // process groups
function end(group) {
  try { process.kill(-group, "SIGKILL"); } catch { /* has ended */ }
}
const endRunning = () => running.forEach(end);

// Runs one process and what it starts: {failed, by}; `by` is the first test that failed, or how the process ended.
function runProcess(program, words, environment, seconds) {
  const child = spawn(join(root, "build/mutations/bin", program), ["--gtest_fail_fast", ...words],
    { cwd: root, detached: true, stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, GTEST_BRIEF: "1", ...environment } });
  running.add(child.pid);
  let output = "", late = false;
  child.stdout.on("data", (part) => (output += part));
  const timer = setTimeout(() => { late = true; end(child.pid); }, seconds * 1000);
  child.on("exit", () => { clearTimeout(timer); end(child.pid); running.delete(child.pid); });
  return new Promise((resolve) => child.on("close", (status, signal) => {
    const test = /\[  FAILED  \] (\S+?),? /.exec(output)?.[1];
    resolve({ failed: status !== 0, test, late, output, by: late ? "no end" : test ?? (signal ? `signal ${signal}` : `status ${status}`) });
  }));
}

// Runs a program in shards until the first one fails.
async function runProgram(program, seconds) {
  let failure;
  const shard = async (index) => {
    const environment = { GTEST_TOTAL_SHARDS: String(shards), GTEST_SHARD_INDEX: String(index) };
    const ran = await runProcess(program, [], environment, seconds);
    if (!ran.failed || failure) return;
    failure = { ...ran, environment };
    endRunning();
  };
  await Promise.all(Array.from({ length: shards }, (_, index) => shard(index)));
  return failure;
}

// A test that fails without the change as well (a busy machine) must not count: it has to fail twice. The same holds for a
// program that does not end: its limit was measured at another load.
async function failsAgain(program, failure, seconds) {
  if (failure.test && (await runProcess(program, [`--gtest_filter=${failure.test}`], {}, seconds)).failed) return true;
  return (await runProcess(program, [], failure.environment, seconds)).failed;
}

// {result: "killed" | "survived" | "open" | "did not build", by, passed}; `passed`: programs that do not detect the change.
async function judge(mutation, limits, unitOnly) {
  const unstable = [];
  const passed = mutation.passed ?? [];
  for (const program of programsOf(mutation.file)) {
    if (passed.includes(program)) continue;
    if (unitOnly && !program.startsWith("unit_")) return { result: "open", passed };
    if (!(program in limits)) {
      putBack();
      limits[program] = await expectPass(program);
      change(mutation);
    }
    if (!builds(targetsOf(program))) return { result: "did not build" };
    const failure = await runProgram(program, limits[program]);
    if (failure && (await failsAgain(program, failure, limits[program])))
      return { result: "killed", by: `${program} ${failure.by}`, passed: undefined };
    if (failure) unstable.push(`${program} ${failure.by}`);
    passed.push(program);
  }
  return { result: "survived", passed: undefined, ...(unstable.length > 0 && { unstable }) };
}

function sources() {
  return readdirSync(join(root, "server"), { recursive: true })
    .filter((name) => name.endsWith(".cpp") && !name.startsWith("samples/")).sort()
    .map((name) => ({ file: `server/${name}`, text: readFileSync(join(root, "server", name), "utf8") }));
}

// Checks that a program passes without a change; returns after how many seconds it counts as one that does not end.
async function expectPass(program) {
  const built = build(targetsOf(program));
  if (built.status !== 0) throw new Error(`${program} does not build without any change:\n${built.stdout.slice(-2000)}`);
  const start = Date.now();
  const failure = await runProgram(program, 3600);
  if (failure && (await failsAgain(program, failure, 3600)))
    throw new Error(`${program} fails without any change:\n${failure.output.slice(-2000)}`);
  return 60 + (5 * (Date.now() - start)) / 1000;
}

const samePlace = (a, b) => ["file", "line", "before", "text"].every((field) => a[field] === b[field]);

// The state of an earlier run with the same seed.
function stored(seed) {
  const state = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  return state.seed === seed ? { results: state.results, limits: state.limits ?? {} } : { results: [], limits: {} };
}

// Changes that do not build do not count; open ones count as not detected.
export function summary(results) {
  const counted = results.filter((one) => one.result !== "did not build");
  const killed = counted.filter((one) => one.result === "killed").length;
  return { killed, of: counted.length, share: counted.length > 0 ? killed / counted.length : 0 };
}

const store = (seed, results, limits) =>
  writeFileSync(report, JSON.stringify({ seed, ...summary(results), limits, results }, null, 2));

function print(seed, results) {
  const { killed, of, share } = summary(results);
  console.log(`seed ${seed}: ${killed} of ${of} were detected (${(share * 100).toFixed(0)} %), ` +
    `${results.length - of} more did not build`);
  for (const { result, file, line, kind, before, text } of results.filter((one) => ["survived", "open"].includes(one.result)))
    console.log(`${result} ${file}:${line} (${kind})\n  - ${before.trim()}\n  + ${text.trim()}`);
  return share;
}

async function judgeChanged(mutation, limits, unitOnly) {
  try {
    change(mutation);
    return { ...mutation, ...(await judge(mutation, limits, unitOnly)) };
  } finally {
    putBack();
  }
}

async function main([count = "100", seed = "1", only = ""]) {
  if (![count, seed].every((text) => /^\d+$/.test(text)) || !["", "unit", "survivors"].includes(only)) {
    console.error("Usage: node script/mutations.mjs [COUNT] [SEED] [unit | survivors]");
    process.exit(2);
  }
  mkdirSync(dirname(journal), { recursive: true });
  putBack();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => { endRunning(); putBack(); process.exit(130); });
  const wanted = Number(count);
  const before = stored(Number(seed));
  const limits = only === "survivors" ? {} : before.limits;
  const results = [];
  for (const mutation of drawMutations(sources(), random(Number(seed)))) {
    if (summary(results).of === wanted) break;
    const known = before.results.find((one) => samePlace(one, mutation));
    const again = known?.result === (only === "survivors" ? "survived" : only === "" ? "open" : "");
    if (only === "survivors" && !known) break;
    if (known && !again) {
      results.push(known);
      continue;
    }
    const judged = await judgeChanged(again ? known : mutation, limits, only === "unit");
    results.push(judged);
    const later = before.results.filter((one) => !results.some((other) => samePlace(one, other)));
    store(Number(seed), [...results, ...later], limits);
    console.log(`${judged.result}${judged.by ? ` by ${judged.by}` : ""}: ${judged.file}:${judged.line} (${judged.kind})`);
  }
  store(Number(seed), results, limits);
  build([...new Set(results.flatMap((one) => programsOf(one.file))), "vitrine"]); // from the unchanged sources again
  process.exitCode = print(seed, results) >= wantedShare ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
