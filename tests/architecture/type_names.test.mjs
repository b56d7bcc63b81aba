// A name of a type has one definition in its namespace: the linker does not report two, and mixes up their functions.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = new URL("../..", import.meta.url).pathname;

// Names with their namespaces of the types that a formatted source defines at namespace scope, outside unnamed namespaces.
export function typesOf(text) {
  const types = [];
  const scopes = []; // names of open namespaces; "": unnamed
  for (const line of text.split("\n")) {
    const opened = /^(?:inline )?namespace ?([\w:]*) ?\{$/.exec(line);
    if (opened) scopes.push(opened[1]);
    else if (/^\}+ \/\/ namespace/.test(line)) scopes.pop();
    const type = /^(?:class|struct|union|enum class) (\w+)(?: final)?(?:$| \{| :(?!:))/.exec(line);
    if (type && !scopes.includes("")) types.push([...scopes, type[1]].join("::"));
  }
  return types;
}

test("finds the types of a source", () => {
  const source = `namespace a::b {
namespace {

struct Hidden {
};

} // namespace

class Forward;
class Shown final : public Base {
    struct Inner {
    };
};
enum class Kind : int { one };

} // namespace a::b
`;
  assert.deepEqual(typesOf(source), ["a::b::Shown", "a::b::Kind"]);
});

test("every type has one definition", () => {
  const found = new Map();
  const files = execFileSync("git", ["ls-files", "*.hpp", "*.cpp"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  for (const file of files)
    for (const type of typesOf(readFileSync(join(root, file), "utf8"))) found.set(type, [...(found.get(type) ?? []), file]);
  assert.ok(found.size > 500, `${found.size} types`);
  const several = [...found].filter(([, places]) => places.length > 1).map(([type, places]) => `${type}: ${places.join(", ")}`);
  assert.deepEqual(several, []);
});
