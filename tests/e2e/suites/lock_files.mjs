// The lock files must contain packages and checksums but no host, so that `npm ci` works with any registry, and must not require
// a newer Node than 18 (Debian 12).
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";

for (const folder of ["web_client", "tests/e2e"]) {
  const text = readFileSync(new URL(`../../../${folder}/package-lock.json`, import.meta.url), "utf8");
  assert.ok(!/https?:\/\//.test(text), `${folder}/package-lock.json names a host; remove the resolved and funding members`);
  for (const [name, entry] of Object.entries(JSON.parse(text).packages)) {
    const wanted = entry.engines?.node ?? "";
    assert.ok(runsOn18(wanted), `${folder}: ${name} wants Node ${wanted}`);
    assert.ok(name === "" || entry.integrity, `${folder}: ${name} has no checksum`);
  }
}

function runsOn18(range) {
  if (!range || range === "*") return true;
  return range.split("||").some((part) => {
    const [, sign = "", major] = /^\s*(>=|\^|~|>)?\s*(\d+)/.exec(part) ?? [];
    return sign === ">=" || sign === ">" ? Number(major) <= 18 : Number(major) === 18;
  });
}
