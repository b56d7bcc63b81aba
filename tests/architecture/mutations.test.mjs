// script/mutations.mjs: what it changes in a line, and that it puts files back.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { allPrograms, programsOf } from "../../script/mutation_programs.mjs";
import { blankOut, drawMutations, mutationsOf, random, summary } from "../../script/mutations.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path) => readFileSync(join(root, path), "utf8");

// The sources of each test program, from the CMake files of tests/.
function testPrograms() {
  const programs = new Map();
  for (const name of readdirSync(join(root, "tests"), { recursive: true }).filter((path) => /(?:CMakeLists\.txt|\.cmake)$/.test(path)))
    for (const [, program, words] of textOf(join("tests", name)).replaceAll(/#.*/g, "").matchAll(/\bvitrine_test\((\w+)([^)]*)\)/g)) {
      const sources = /\bSOURCES\s([^]*?)(?:\bLINKS\b|$)/.exec(words)?.[1].match(/\S+\.cpp/g) ?? [];
      programs.set(program, sources.map((source) => join("tests", dirname(name), source)).filter((source) => existsSync(join(root, source))));
    }
  return programs;
}

// The source of the server that a test is about: it includes its header first.
function testedSource(test) {
  const header = /^#include "([^"]+)"/m.exec(textOf(test))?.[1] ?? "";
  return header.startsWith("server/") && !header.startsWith("server/samples/") ? header.replace(/hpp$/, "cpp") : undefined;
}

const texts = (line) => mutationsOf(line, blankOut(line)).map((one) => one.text);

test("operators and constants are replaced one at a time", () => {
  assert.deepEqual(texts("    const bool a = b == c && d < 5;"), [
    "    const bool a = b != c && d < 5;", "    const bool a = b == c && d >= 5;", "    const bool a = b == c || d < 5;",
    "    const bool a = b == c && d < 6;"]);
  assert.deepEqual(texts("    x += y - 1'000;"), ["    x += y + 1'000;", "    x -= y - 1'000;", "    x += y - 1001;"]);
  assert.deepEqual(texts("    flag_ = true;"), ["    flag_ = false;"]);
});

test("conditions are negated, calls dropped, functions left early", () => {
  assert.deepEqual(texts("    if (is_there(target)) return {};"), ["    if (!(is_there(target))) return {};"]);
  assert.deepEqual(texts("    } else if (a.b(c)) {"), ["    } else if (!(a.b(c))) {"]);
  assert.deepEqual(texts("        file_.sync(temporary_);"), ["        ;", "        return; file_.sync(temporary_);"]);
  assert.deepEqual(texts("    return f(x);"), []);
  assert.deepEqual(texts("    if (auto found = find(x)) return found;"), ["    if (auto found = find(x); !(found)) return found;"]);
});

test("strings, characters, comments and templates are no code", () => {
  for (const line of ["// a == b", '    log("a == b && 5");', "    std::vector<std::size_t> sizes(count);", '    c = "x";', "#include <a>", "    f8_4 = v2;"])
    assert.deepEqual(texts(line).filter((text) => text.trim() !== ";" && !text.includes("return;")), [], line);
  assert.equal(blankOut('R"(a\n== b)" == c'), "    \n       == c");
  assert.deepEqual(texts("    if (c == '\\'' || c == '\"') return;").length, 4);
});

test("the same seed draws the same lines, another seed others", () => {
  const sources = [{ file: "server/net/url.cpp", text: Array.from({ length: 50 }, (_, i) => `    x${i} = a < b;`).join("\n") }];
  const draw = (seed) => drawMutations(sources, random(seed)).map((one) => one.line);
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
  assert.deepEqual([...draw(7)].sort((a, b) => a - b), Array.from({ length: 50 }, (_, i) => i + 1));
});

test("a change in a folder runs the unit program that tests the folder", () => {
  const tests = testPrograms();
  for (const program of allPrograms()) assert.ok(tests.has(program), `${program} is no program of tests/`);
  const missing = [...tests].filter(([program]) => program.startsWith("unit_")).flatMap(([program, sources]) =>
    sources.map(testedSource).filter((source) => source && !programsOf(source).includes(program))
      .map((source) => `${program} tests ${source}`));
  assert.deepEqual(missing, []);
});

test("the first program of a folder with unit tests is one of those that contain them", () => {
  const folders = [...textOf("cmake/folders.cmake").matchAll(/^vitrine_folder\((server(?:\/[\w/]+)?)/gm)].map(([, folder]) => folder);
  assert.ok(folders.includes("server/link") && folders.includes("server"), folders.join(" "));
  const units = [...testPrograms()].filter(([program]) => program.startsWith("unit_"));
  for (const folder of folders) {
    const testing = units.filter(([, sources]) => sources.some((test) => dirname(testedSource(test) ?? "") === folder)).map(([program]) => program);
    const first = programsOf(`${folder}/x.cpp`)[0];
    assert.ok(testing.length === 0 || testing.includes(first), `${folder}: ${first}, not ${testing.join(" or ")}`);
  }
  assert.equal(programsOf("server/link/link_pool.cpp")[0], "unit_link");
  assert.equal(programsOf("server/services/s3/sigv4.cpp")[0], "unit_s3");
});

test("only lines that build count, and only failures are detections", () => {
  const results = ["killed", "did not build", "survived", "killed", "open"].map((result) => ({ result }));
  assert.deepEqual(summary(results), { killed: 2, of: 4, share: 0.5 });
  assert.deepEqual(summary([]), { killed: 0, of: 0, share: 0 });
});
