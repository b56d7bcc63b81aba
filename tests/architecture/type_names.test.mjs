// A name of a type has one meaning in the tree: one definition in its namespace (the linker does not report two, and mixes
// up their functions), and no definition in another one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = new URL("../..", import.meta.url).pathname;

// Roles that each format's loader or writer fills with a type of its own: `fbx::Document`, `obj::Document`. Nothing uses two
// of them at once. CONTRIBUTING.md names them.
const roles = new Set([
  "BuiltMesh", "ClipBuilder", "ClipWriter", "Document", "Loader", "MaterialConverter", "MeshBuilder", "NodeTree", "Parser", "VertexTable",
]);
const rolesMayRepeatIn = "loaders/";
// Each program of tests/ is linked alone: its types need to differ from those of the same namespace only.
const ownPrograms = "tests/";

// The types that a formatted source defines at namespace scope: { name, scope, hidden: in an unnamed namespace, alias: the
// type that a `using` names }.
export function typesOf(text) {
  const types = [];
  const scopes = []; // names of open namespaces; "": unnamed
  for (const line of text.split("\n")) {
    const opened = /^(?:inline )?namespace ?([\w:]*) ?\{$/.exec(line);
    if (opened) scopes.push(opened[1]);
    else if (/^\}+ \/\/ namespace/.test(line)) scopes.pop();
    const type = /^(?:class|struct|union|enum class) (\w+)(?: final)?(?:$| \{| :(?!:))/.exec(line) ?? /^using (\w+) = ?(.*?);?(?: \/\/.*)?$/.exec(line);
    if (type) types.push({ name: type[1], scope: scopes.filter(Boolean).join("::"), hidden: scopes.includes(""), alias: type[2] });
  }
  return types;
}

// Whether types of one name mean the same: one definition, or aliases of one type. An alias may bring a definition into
// another namespace under its name.
function isOneType(types) {
  const isImport = ({ name, alias }) => alias?.endsWith(`::${name}`);
  const definitions = types.filter(({ alias }) => alias === undefined);
  const aliased = new Set(types.filter((type) => type.alias !== undefined && !isImport(type)).map(({ alias }) => alias));
  return definitions.length + aliased.size <= 1;
}

function typesOfTree() {
  const files = execFileSync("git", ["ls-files", "*.hpp", "*.cpp"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  return files.flatMap((file) => typesOf(readFileSync(join(root, file), "utf8")).map((type) => ({ ...type, file })));
}

function groupsOf(types, keyOf) {
  const groups = new Map();
  for (const type of types) groups.set(keyOf(type), [...(groups.get(keyOf(type)) ?? []), type]);
  return [...groups].filter(([, same]) => same.length > 1);
}

const describe = ([name, types]) => `${name}: ${types.map(({ file }) => file).join(", ")}`;

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
using Numbers = std::vector<int>; // sorted

} // namespace a::b
`;
  assert.deepEqual(typesOf(source).map(({ name, hidden, alias }) => [name, hidden, alias]), [
    ["Hidden", true, undefined], ["Shown", false, undefined], ["Kind", false, undefined], ["Numbers", false, "std::vector<int>"],
  ]);
  assert.equal(typesOf(source)[1].scope, "a::b");
});

test("aliases of one type are one type", () => {
  const named = (...aliases) => aliases.map((alias, at) => ({ name: "Clock", scope: `scope${at}`, alias }));
  assert.ok(isOneType(named("std::chrono::steady_clock", "std::chrono::steady_clock")));
  assert.ok(isOneType(named(undefined, "other::Clock")));
  assert.ok(!isOneType(named(undefined, undefined)));
  assert.ok(!isOneType(named(undefined, "std::chrono::steady_clock")));
  assert.ok(!isOneType(named("std::chrono::steady_clock", "std::chrono::system_clock")));
});

test("every type has one definition", () => {
  const types = typesOfTree().filter(({ hidden, alias }) => !hidden && alias === undefined);
  assert.ok(types.length > 500, `${types.length} types`);
  assert.deepEqual(groupsOf(types, ({ name, scope }) => `${scope}::${name}`).map(describe), []);
});

test("a type name has one meaning in all namespaces", () => {
  const types = typesOfTree().filter(({ file }) => !file.startsWith(ownPrograms));
  const several = groupsOf(types, ({ name }) => name)
    .filter(([, same]) => !isOneType(same))
    .filter(([name, same]) => !(roles.has(name) && same.every(({ file }) => file.startsWith(rolesMayRepeatIn))));
  assert.deepEqual(several.map(describe), []);
});

test("each role of formats is one", () => {
  const types = typesOfTree().filter(({ file }) => file.startsWith(rolesMayRepeatIn));
  const repeated = new Set(groupsOf(types, ({ name }) => name).map(([name]) => name));
  const documented = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  for (const role of roles) {
    assert.ok(repeated.has(role), `${role} has one type only`);
    assert.ok(documented.includes(`\`${role}\``), `${role} is not in CONTRIBUTING.md`);
  }
});
