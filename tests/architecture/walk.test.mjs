// ARCHITECTURE.md's way from a route to an image by files: one file a row, in which the named functions are defined.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const textOf = (path) => readFileSync(new URL(path, root), "utf8");
const maxFiles = 8;

const table = /\| file \| function \| does \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(textOf("ARCHITECTURE.md"))?.[1] ?? "";
const rows = table.trim().split("\n").map((row) => row.split("|").slice(1, 3).map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word)));

test("a few files lead from a route to an image", () => {
  assert.ok(rows.length > 4, "the table is not read");
  assert.ok(rows.length <= maxFiles, `${rows.length} files`);
  for (const [files] of rows) assert.equal(files.length, 1, files.join(", "));
});

test("each function of the way is defined in its file", () => {
  for (const [[file], functions] of rows) {
    const source = textOf(file);
    for (const name of functions) {
      const defined = new RegExp(`^\\S.*\\b${name}\\([^;]*$`, "m"); // a definition at the left edge, not a call
      assert.match(source, defined, `${file} does not define ${name}`);
    }
  }
});
