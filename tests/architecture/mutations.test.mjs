// script/mutations.mjs: what it changes in a line, and that it puts files back.
import assert from "node:assert/strict";
import { test } from "node:test";

import { blankOut, drawMutations, mutationsOf, programsOf, random, summary } from "../../script/mutations.mjs";

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

test("every folder has programs", () => {
  assert.equal(programsOf("server/net/url.cpp")[0], "unit_net");
  assert.equal(programsOf("server/app.cpp")[0], "unit_handlers");
});

test("only lines that build count, and only failures are detections", () => {
  const results = ["killed", "did not build", "survived", "killed", "open"].map((result) => ({ result }));
  assert.deepEqual(summary(results), { killed: 2, of: 4, share: 0.5 });
  assert.deepEqual(summary([]), { killed: 0, of: 0, share: 0 });
});
