// validate_glb.mjs FOLDER: validates every .glb below it with Khronos' glTF validator; an error fails. Two in parallel.
import { readFile, readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import validator from "gltf-validator";

const threads = 2;
const shown = 20;

async function errorsOf(file) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 1000 });
  return report.issues.messages.filter((m) => m.severity === 0).map((m) => `${m.code} ${m.pointer ?? ""}: ${m.message}`);
}

async function work() {
  for (const file of workerData) {
    const errors = await errorsOf(file).catch((error) => [String(error)]);
    parentPort.postMessage({ file, errors });
  }
}

function judge(files) {
  return new Promise((resolve, reject) => {
    const bad = [];
    const worker = new Worker(new URL(import.meta.url), { workerData: files });
    worker.on("message", ({ file, errors }) => {
      if (errors.length > 0) bad.push({ file, errors });
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(bad));
  });
}

async function main() {
  const folder = process.argv[2];
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(".glb")).sort() : [];
  if (names.length === 0) {
    console.log("nothing was exported (no corpus: set VITRINE_CORPUS)");
    process.exit(77);
  }
  const parts = Array.from({ length: threads }, (_, t) => names.filter((_, i) => i % threads === t));
  const bad = (await Promise.all(parts.map((part) => judge(part.map((name) => join(folder, name)))))).flat();
  for (const { file, errors } of bad) console.log(`${file}\n  ${errors.slice(0, shown).join("\n  ")}`);
  console.log(`${names.length} files, ${bad.length} with errors`);
  process.exit(bad.length > 0 ? 1 : 0);
}

if (isMainThread) await main();
else await work();
