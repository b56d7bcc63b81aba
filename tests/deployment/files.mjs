// The files of docker/ that describe an installation, as data. Packages are those of tests/e2e.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const packages = createRequire(new URL("../e2e/package.json", import.meta.url));
const { parse, parseAllDocuments } = packages("yaml");
const docker = new URL("../../docker/", import.meta.url);

export const pathOf = (name) => fileURLToPath(new URL(name, docker));
export const read = (name) => readFileSync(new URL(name, docker), "utf8");

// { NAME: value } of an environment file.
export function readEnvironment(name) {
  const lines = read(name).split("\n").filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

// The compose file with its anchors merged.
export const readCompose = (name) => parse(read(name), { merge: true });

// All objects of the manifests, with the file of each.
export function readManifests() {
  const files = readdirSync(new URL("scale/kubernetes/", docker)).map((file) => `scale/kubernetes/${file}`);
  return files.flatMap((file) => parseAllDocuments(read(file)).map((document) => ({ file, object: document.toJS() })));
}

// ${NAME:?message} as compose replaces it.
export function replaceVariables(value, variables) {
  return String(value).replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (whole, name) => variables[name] ?? whole);
}
