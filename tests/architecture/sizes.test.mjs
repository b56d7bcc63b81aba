// Lengths of files and functions, and headers that only one source includes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = new URL("../..", import.meta.url).pathname;

const maxFileLines = 300;
const maxFunctionLines = 40; // from the first line of the signature to the closing brace
const maxHeadersOfOneSource = 59;

// Longer only because they list data, or call Vulkan in one straight sequence.
const longFiles = new Map([
  ["cmake/folders.cmake", "table: the folders"],
  ["web_client/src/i18n/en.ts", "table: the texts of the page"],
]);
const longFunctions = new Map([
  ["loaders/images/dds_header.cpp layout_of_dxgi", "table: the DXGI formats"],
  ["server/services/schema/schema.cpp first_migration", "table: the tables of the catalog in SQL"],
  ["tests/fuzz/server_seeds.cpp add_server_seeds", "table: one seed a line"],
  ["vk_renderer/gpu/device.cpp Device::create", "Vulkan sequence: queue, extensions, features, device"],
]);

const trackedFiles = (...patterns) =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
const textOf = (file) => readFileSync(join(root, file), "utf8");

// Raw strings keep their lines, but nothing else.
const withoutRawStrings = (text) =>
  text.replace(/R"([^\s()\\]{0,16})\([^]*?\)\1"/g, (raw) => '""' + "\n".repeat(raw.split("\n").length - 1));

function nameOf(signature) {
  const test = /^TEST(?:_[FP])?\((\w+), (\w+)\)/.exec(signature);
  return test ? `${test[1]}.${test[2]}` : (/([\w:~]+) ?\(/.exec(signature)?.[1] ?? signature);
}

// The functions of a formatted source, whose bodies begin with a brace on a line of its own: { name, lines }.
export function functionsOf(text) {
  const lines = withoutRawStrings(text).split("\n");
  const functions = [];
  for (let open = 1; open < lines.length; ++open) {
    const indent = /^( *)\{$/.exec(lines[open])?.[1];
    if (indent === undefined) continue;
    if (/[;{}]$/.test(lines[open - 1])) continue; // a block of statements
    let first = open - 1;
    while (first > 0 && !/^\s*$|[;{}]$|^\s*\/\/|^\s*(?:public|private|protected):$|^#/.test(lines[first - 1])) --first;
    const close = lines.findIndex((line, at) => at > open && line.startsWith(`${indent}}`));
    functions.push({ name: nameOf(lines.slice(first, open).join(" ").trim()), lines: close - first + 1 });
  }
  return functions;
}

// Headers outside tests/ that one source includes beside the header's own, and no test: header -> that source.
function headersOfOneSource() {
  const readers = new Map();
  for (const file of trackedFiles("*.hpp", "*.cpp"))
    for (const [, header] of textOf(file).matchAll(/^#include "([^"]+)"/gm)) readers.set(header, [...(readers.get(header) ?? []), file]);
  return trackedFiles("*.hpp")
    .filter((header) => !header.startsWith("tests/"))
    .map((header) => [header, (readers.get(header) ?? []).filter((reader) => reader !== header.replace(/hpp$/, "cpp"))])
    .filter(([, others]) => others.length <= 1 && !others.some((reader) => reader.startsWith("tests/")));
}

test("functions of a source are measured", () => {
  const source = `namespace a {

struct B : C {
    B(int x)
        : C(x),
          x_(x)
    {
        f();
    }
};

template <class T>
void B::run(T y,
            int z)
{
    const char* text = R"(
}
)";
    {
        f();
    }
}

TEST_F(Some, Thing)
{
}

} // namespace a
`;
  assert.deepEqual(functionsOf(source), [
    { name: "B", lines: 6 }, { name: "B::run", lines: 11 }, { name: "Some.Thing", lines: 3 },
  ]);
});

test("files are short", () => {
  const files = trackedFiles("*.c", "*.h", "*.cpp", "*.hpp", "*.comp", "*.vert", "*.frag", "*.glsl", "*.ts", "*.mjs", "*.css", "*.cmake");
  assert.ok(files.length > 1500, `${files.length} files`);
  const long = files.filter((file) => textOf(file).split("\n").length - 1 > maxFileLines);
  assert.deepEqual(long.filter((file) => !longFiles.has(file)), [], `more than ${maxFileLines} lines`);
  assert.deepEqual([...longFiles.keys()].filter((file) => !long.includes(file)), [], "exceptions that are not needed");
});

test("functions are short", () => {
  const functions = trackedFiles("*.cpp", "*.hpp").flatMap((file) => functionsOf(textOf(file)).map((one) => ({ ...one, name: `${file} ${one.name}` })));
  assert.ok(functions.length > 10_000, `${functions.length} functions`);
  const long = functions.filter(({ lines }) => lines > maxFunctionLines);
  assert.deepEqual(long.filter(({ name }) => !longFunctions.has(name)), [], `more than ${maxFunctionLines} lines`);
  const names = long.map(({ name }) => name);
  assert.deepEqual([...longFunctions.keys()].filter((name) => !names.includes(name)), [], "exceptions that are not needed");
});

test("few headers have one reader", (context) => {
  const headers = headersOfOneSource();
  context.diagnostic(`${headers.length} headers are included by one source only`);
  assert.ok(headers.length > 0);
  const list = headers.map(([header, readers]) => `${header}: ${readers[0] ?? "none"}`).join("\n");
  assert.ok(headers.length <= maxHeadersOfOneSource, `${headers.length} headers have one reader, at most ${maxHeadersOfOneSource} may:\n${list}`);
});
