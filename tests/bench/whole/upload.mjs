// upload.mjs [--megabytes 1024] [--rounds 3]: an upload of one large file by curl (multipart) to the whole program, beside
// cp, sha256sum and fsync of the same file, alternating. Prints medians as a row of a table.
import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { randomFillSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { median, startVitrine } from "./vitrine.mjs";

const { values: flags } = parseArgs({ options: { megabytes: { type: "string", default: "1024" }, rounds: { type: "string", default: "3" } } });
const folder = mkdtempSync(join(tmpdir(), "vitrine-upload-"));
const file = join(folder, "large.obj");
const megabytes = Number(flags.megabytes);

function write(path) {
  const descriptor = openSync(path, "w");
  const block = Buffer.alloc(1 << 20);
  for (let i = 0; i < megabytes; ++i) writeSync(descriptor, randomFillSync(block)); // new content: nothing is known already
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function seconds(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function copy() {
  const target = join(folder, "copy");
  execFileSync("cp", [file, target]);
  execFileSync("sha256sum", [target]);
  const descriptor = openSync(target, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
  return target;
}

const { url, child: server } = await startVitrine("build/release/bin/vitrine", join(folder, "data"), ["--log", "warn"], { stdio: ["ignore", "pipe", "ignore"] });
try {
  const uploads = [], copies = [];
  for (let round = 0; round < Number(flags.rounds); ++round) {
    write(file);
    copies.push(seconds(() => rmSync(copy())));
    uploads.push(seconds(() => execFileSync("curl", ["--fail", "--silent", "--output", "/dev/null", "--form", `file=@${file}`, `${url}/v1/assets`])));
  }
  const [ours, theirs] = [median(uploads), median(copies)];
  console.log("| upload | Vitrine | cp, sha256sum, fsync | times as long |\n|---|---|---|---|");
  console.log(`| ${megabytes} MiB, multipart | ${ours.toFixed(2)} s | ${theirs.toFixed(2)} s | ${(ours / theirs).toFixed(2)} |`);
} finally {
  server.kill("SIGTERM");
  await new Promise((resolve) => server.on("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}
