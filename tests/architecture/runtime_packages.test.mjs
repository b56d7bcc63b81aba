// docker/runtime-packages names the packages whose libraries the programs link or load, and no others.
// usage: node --test runtime_packages.test.mjs, with VITRINE_PROGRAMS: paths of the programs, separated by colons
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

const listed = readFileSync(new URL("../../docker/runtime-packages", import.meta.url), "utf8").trim().split("\n");

// Loaded at run time: libcrypto, libssl, libpq, libcurl, libzip, what glTF files need, Vulkan's loader.
const loaded = ["libssl3", "libpq5", "libcurl4", "libzip4", "libsimdjson14", "libmeshoptimizer2d", "libvulkan1"];
// Mesa's drivers; what NVIDIA's driver needs of the system when its toolkit mounts it; glyphs; tools of the image.
const others = ["mesa-vulkan-drivers", "libxext6", "libegl1", "libglvnd0", "unifont", "ca-certificates", "curl"];
const ofEveryImage = ["libc6", "libgcc-s1"];

const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: "utf8" });
const programs = process.env.VITRINE_PROGRAMS.split(":");
const hasDpkg = (() => {
  try {
    return run("dpkg", "--version").length > 0;
  } catch {
    return false;
  }
})();

function packageOf(library) {
  const found = run("dpkg", "-S", `*/${library}`).split("\n").find((line) => line.endsWith(`-linux-gnu/${library}`)); // not of another processor
  return found.split(":")[0];
}

test("names the packages of all libraries", { skip: hasDpkg ? false : "no dpkg" }, () => {
  const linked = programs.flatMap((program) => {
    assert.ok(["vitrine", "vitrine-loader"].includes(basename(program)));
    return [...run("readelf", "-d", program).matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name);
  });
  const needed = linked.filter((name) => !name.startsWith("ld-linux")).map(packageOf).filter((name) => !ofEveryImage.includes(name));
  assert.deepEqual([...listed].sort(), [...new Set([...needed, ...loaded, ...others])].sort());
});
