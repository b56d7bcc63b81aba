#!/usr/bin/env node
// Mutation testing for script/soak: node script/mutations.mjs N SEED changes one line of server/ at a time, builds the
// programs that test its folder and runs them, for N lines that build, selected by SEED. Changes that no test detects
// are listed in build/soak/mutations.json. Returns 0 if at least 85 % were detected.
//
// server/samples is excluded: the golden images test its shapes. A file is restored after each change, also after a
// signal; after kill -9 by the next start.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const journal = join(root, "build/soak/mutated.json"); // the original of the changed file
const report = join(root, "build/soak/mutations.json");
const wantedShare = 0.85;
const secondsOfAProgram = 600;

// The programs that test each folder, the cheapest first.
const programs = [
  ["server/services/", ["unit_services", "unit_handlers", "integration_http"]],
  ["server/util/", ["unit_services", "unit_handlers", "integration_http"]],
  ["server/net/", ["unit_net", "unit_handlers", "integration_http", "integration_limits", "integration_stop"]],
  ["server/routing/", ["unit_net", "unit_stream", "unit_handlers", "integration_http", "integration_limits"]],
  ["server/handlers/", ["unit_handlers", "unit_stream", "integration_http", "integration_preview"]],
  ["server/stream/", ["unit_stream", "integration_preview"]],
  ["server/cli/", ["unit_cli", "integration_cli", "integration_watch"]],
  ["server/", ["unit_handlers", "integration_cli", "integration_stop"]],
];

export const programsOf = (file) => programs.find(([folder]) => file.startsWith(folder))[1];

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

const run = (command, words, seconds) => spawnSync(command, words, { cwd: root, encoding: "utf8", timeout: seconds * 1000,
  killSignal: "SIGKILL", maxBuffer: 1 << 28, env: { ...process.env, GTEST_BRIEF: "1" } });

const build = (targets) => run("ninja", ["-C", "build/release", "-j", String(availableParallelism()), ...targets], 3600);

// {result: "killed" | "survived" | "did not build", by}
function judge(mutation) {
  for (const program of programsOf(mutation.file)) {
    const built = build(program.startsWith("integration_") ? ["vitrine", "vitrine-loader", program] : [program]);
    if (built.status !== 0) return { result: "did not build" };
    const ran = run(`build/release/bin/${program}`, ["--gtest_fail_fast"], secondsOfAProgram);
    if (ran.error?.code === "ETIMEDOUT") return { result: "killed", by: `${program} (no end)` };
    if (ran.status !== 0)
      return { result: "killed", by: `${program} ${/\[  FAILED  \] (\S+?),? /.exec(ran.stdout)?.[1] ?? `signal ${ran.signal}`}` };
  }
  return { result: "survived" };
}

function sources() {
  return readdirSync(join(root, "server"), { recursive: true })
    .filter((name) => name.endsWith(".cpp") && !name.startsWith("samples/")).sort()
    .map((name) => ({ file: `server/${name}`, text: readFileSync(join(root, "server", name), "utf8") }));
}

// Checks that every program passes without a change.
function expectPasses(files) {
  for (const program of new Set(files.flatMap(programsOf))) {
    const built = build(program.startsWith("integration_") ? ["vitrine", "vitrine-loader", program] : [program]);
    const ran = built.status === 0 && run(`build/release/bin/${program}`, [], secondsOfAProgram);
    if (!ran || ran.status !== 0) throw new Error(`${program} fails without any change:\n${ran ? ran.stdout.slice(-2000) : built.stdout.slice(-2000)}`);
  }
}

function print(seed, results) {
  const counted = results.filter((one) => one.result !== "did not build");
  const killed = counted.filter((one) => one.result === "killed").length;
  const share = counted.length > 0 ? killed / counted.length : 0;
  writeFileSync(report, JSON.stringify({ seed, killed, of: counted.length, share, results }, null, 2));
  console.log(`seed ${seed}: ${killed} of ${counted.length} were detected (${(share * 100).toFixed(0)} %), ` +
    `${results.length - counted.length} more did not build`);
  for (const { file, line, kind, before, text } of results.filter((one) => one.result === "survived"))
    console.log(`survived ${file}:${line} (${kind})\n  - ${before.trim()}\n  + ${text.trim()}`);
  return share;
}

function main([count = "100", seed = "1"]) {
  mkdirSync(dirname(journal), { recursive: true });
  putBack();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => { putBack(); process.exit(130); });
  const wanted = Number(count);
  const drawn = drawMutations(sources(), random(Number(seed)));
  expectPasses(drawn.slice(0, wanted).map((one) => one.file));
  const results = [];
  let counted = 0;
  for (const mutation of drawn) {
    if (counted === wanted) break;
    try {
      change(mutation);
      results.push({ ...mutation, ...judge(mutation) });
    } finally {
      putBack();
    }
    const last = results.at(-1);
    if (last.result !== "did not build") ++counted;
    console.log(`${last.result}${last.by ? ` by ${last.by}` : ""}: ${last.file}:${last.line} (${last.kind})`);
  }
  build([...new Set(results.flatMap((one) => programsOf(one.file))), "vitrine"]); // from the unchanged sources again
  process.exit(print(seed, results) >= wantedShare ? 0 : 1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
