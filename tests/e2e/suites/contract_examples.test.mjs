// The examples of api/openapi.yaml: each matches its schema, and each JSON body and each JSON response of success has one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { parse } from "yaml";

import { checkExamples } from "../lib/contract_examples.mjs";

const contract = () => parse(readFileSync(new URL("../../../api/openapi.yaml", import.meta.url), "utf8"));

it("are valid and complete", () => {
  const { faults, missing, count } = checkExamples(contract());
  assert.deepEqual(faults, []);
  assert.deepEqual(missing, []);
  assert.ok(count > 150, `${count} examples`);
});

it("are found wrong if they are", () => {
  const document = contract();
  const json = "application/json";
  const { examples } = document.components;
  examples.Asset.value.version = "one";
  delete examples.Job.value.state;
  examples.Skeleton.value.joints[0].length = 1;
  const { patch } = document.paths["/v1/tags/{tag}"];
  patch.requestBody.content[json].example.name = 1;
  delete patch.responses["200"].content[json].example;
  delete document.paths["/v1/notes/{id}"].patch.requestBody.content[json].example;
  const { faults, missing } = checkExamples(document);
  for (const fault of [/data\/version must be integer/, /must have required property 'state'/, /no member \/joints\/0\/length/, /tag.*data\/name must be string/])
    assert.ok(faults.some((text) => fault.test(text)), `${fault} in ${faults.join("\n")}`);
  assert.deepEqual(missing.sort(), ["PATCH /v1/notes/{id} body application/json", "PATCH /v1/tags/{tag} 200 application/json"]);
});
