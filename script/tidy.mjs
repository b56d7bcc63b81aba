// clang-tidy over the tree, or over the given sources: node script/tidy.mjs BUILD_FOLDER [FILE...]. For script/check.
// Nearly all of its time is spent on the headers that a source includes, so up to twelve sources with the same command
// line are combined, which takes a sixth of the time. A bundle that does not compile (two sources have a helper of the
// same name) is split in half until it does.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';

const together = 12;
const folder = resolve('build/tidy');

function run(command, args, cwd) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('close', (code) => done({ ok: code === 0, output }));
  });
}

const includes_of = (text) => [...text.matchAll(/^#include "(.*)"$/gm)].map((match) => match[1]);

// Splits a command line into words like a shell: a "quoted \"part\"", and \" outside of one.
const words_of = (command) => command.match(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/g)
  .map((word) => word.replace(/\\(.)|"/g, (_, escaped) => escaped ?? ''));

// Precompiled headers are removed, to check that a source includes what it uses.
const without_precompiled = (words) => words
  .filter((word, at) => !['-Winvalid-pch', '-Xclang'].includes(word) && words[at - 1] !== '-Xclang');

// Returns the sources of the build: { file, directory, options }. A unity source is replaced by the sources that it includes.
function* compiled(build) {
  for (const { file, directory, command } of JSON.parse(readFileSync(`${build}/compile_commands.json`, 'utf8'))) {
    const words = words_of(command);
    const options = words.slice(words.findIndex((word) => word.endsWith('clang++-19')) + 1, words.indexOf('-o'));
    const shared = without_precompiled(options)
      .filter((word) => !/^-f(PIC|PIE)$/.test(word)); // combines sources of libraries and programs
    const files = /\/unity_\w+\.cxx$/.test(file) ? includes_of(readFileSync(file, 'utf8')) : [file];
    for (const each of files) yield { file: each, directory, options: shared };
  }
}

// Returns lists of sources with equal options, without generated sources.
function bundles(build, wanted) {
  const by_options = new Map();
  const seen = new Set();
  for (const { file, directory, options } of compiled(build)) {
    if (seen.has(file) || file.startsWith(resolve('build') + '/')) continue;
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    seen.add(file);
    const key = options.join(' ');
    if (!by_options.has(key)) by_options.set(key, { directory, options, files: [] });
    by_options.get(key).files.push(file);
  }
  const all = [];
  for (const group of by_options.values()) {
    group.files.sort((a, b) => dirname(a).localeCompare(dirname(b)) || a.localeCompare(b));
    for (let at = 0; at < group.files.length; at += together)
      all.push({ ...group, files: group.files.slice(at, at + together) });
  }
  return all;
}

let written = 0;
let failed = false;

// Returns the findings in one bundle; if it does not compile, its halves are added to `queue`.
async function check({ files, directory, options }, queue) {
  const source = `${folder}/${written++}.cpp`;
  writeFileSync(source, files.map((file) => `#include "${file}"\n`).join(''));
  if (files.length > 1 && !(await run('clang++-19', [...options, '-w', '-fsyntax-only', source], directory)).ok) {
    const half = Math.ceil(files.length / 2);
    queue.push({ files: files.slice(0, half), directory, options }, { files: files.slice(half), directory, options });
    return;
  }
  const checks = '--checks=-bugprone-suspicious-include'; // bundles include .cpp files
  const found = await run('clang-tidy-19', ['--quiet', checks, source, '--', ...options], directory);
  if (found.ok) return;
  failed = true;
  console.log(found.output.replace(/^\d+ warnings.* generated\.\n/gm, '').trim());
}

mkdirSync(folder, { recursive: true });
const queue = bundles(process.argv[2], process.argv.slice(3).map((file) => resolve(file)));
async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) await check(next, queue);
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = failed ? 1 : 0;
