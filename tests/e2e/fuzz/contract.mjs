// api/openapi.yaml as operations with the checks of their responses.
import { readFileSync } from "node:fs";

import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

const methods = ["get", "put", "post", "delete", "options", "patch"];
// Which every operation may have (the description of the document): access, limits, Host; and 400 `bad_request`.
const general = new Set(["401", "403", "408", "414", "421", "429", "431"]);
// Routes that become something else than a response, and one that ends no request.
const skipped = new Set(["openPreview", "openLineupPreview", "openLink", "getEvents"]);

export function loadContract() {
  const document = parse(readFileSync(new URL("../../../api/openapi.yaml", import.meta.url), "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: "contract" });
  const resolve = (ref) => ref.slice(2).split("/").reduce((node, part) => node[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  const follow = (node) => (node?.$ref ? resolve(node.$ref) : node);

  const operations = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const method of methods) {
      const operation = item[method];
      if (!operation || skipped.has(operation.operationId)) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow);
      operations.push({ ...operation, id: operation.operationId, path, method: method.toUpperCase(), parameters, body: follow(operation.requestBody) });
    }

  const escape = (part) => part.replaceAll("~", "~0").replaceAll("/", "~1");
  const compiled = new Map();
  function validator(pointer) {
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.compile({ $ref: `contract#${encodeURI(pointer)}` }));
    return compiled.get(pointer);
  }

  // Returns what is wrong with a response; null: nothing.
  function fault(operation, { status, type, body }) {
    if (status === 500) return "500";
    const key = String(status);
    const declared = operation.responses[key];
    const isProblem = type.startsWith("application/problem+json");
    if (!declared && !general.has(key) && !(isProblem && JSON.parse(body.toString()).code === "bad_request")) return `undeclared status ${key}${isProblem ? ` ${body.toString().slice(0, 300)}` : ""}`;
    let where = declared?.$ref ? declared.$ref.slice(1) : `/paths/${escape(operation.path)}/${operation.method.toLowerCase()}/responses/${key}`;
    if (status >= 400 && isProblem) where = "/components/responses/Problem";
    else if (status >= 400 && !declared?.content) return `${key} is no problem document: ${type}`;
    const content = resolve(`#${where}`)?.content;
    if (!content || body.length === 0) return null;
    const mediaType = type.split(";")[0];
    const entry = content[mediaType] ?? content["*/*"] ?? content["application/octet-stream"];
    if (!entry) return `undeclared type ${type} of ${key}`;
    if (!entry.schema || !mediaType.endsWith("json")) return null;
    const check = validator(`${where}/content/${escape(mediaType)}/schema`);
    if (check(JSON.parse(body.toString()))) return null;
    return `body of ${key} does not match: ${ajv.errorsText(check.errors)} in ${body.toString().slice(0, 300)}`;
  }

  return { operations, resolve, fault };
}
