// The examples of an OpenAPI document, each with the pointer to its schema, and what is wrong with them.
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const escape = (part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1");

export function checkExamples(document) {
  const ajv = new Ajv({ strict: false, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: "contract" });
  const resolve = (ref) => ref.slice(2).split("/").reduce((node, part) => node[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  const follow = (node) => (node?.$ref ? resolve(node.$ref) : node);
  const faults = [];
  let count = 0;

  // All schemas that describe the same value.
  function* parts(schema) {
    const own = follow(schema);
    if (!own || typeof own !== "object") return;
    yield own;
    for (const word of ["allOf", "oneOf", "anyOf"]) for (const one of own[word] ?? []) yield* parts(one);
  }

  // Members that no schema names.
  function undeclared(schemas, value, at) {
    if (Array.isArray(value)) return value.flatMap((one, i) => undeclared(schemas.flatMap((schema) => (schema.items ? [...parts(schema.items)] : [])), one, `${at}/${i}`));
    if (value === null || typeof value !== "object") return [];
    const open = !schemas.some((schema) => schema.properties) || schemas.some((schema) => schema.additionalProperties || schema.patternProperties);
    return Object.entries(value).flatMap(([name, member]) => {
      const inner = schemas.flatMap((schema) => (schema.properties?.[name] ? [...parts(schema.properties[name])] : []));
      if (inner.length === 0) return open ? [] : [`${at}/${name}`];
      return undeclared(inner, member, `${at}/${name}`);
    });
  }

  function check(pointer, schema, value) {
    ++count;
    const validate = ajv.compile({ $ref: `contract#${encodeURI(pointer)}` });
    if (!validate(value)) faults.push(`${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 200)}`);
    for (const member of undeclared([...parts(schema)], value, "")) faults.push(`${pointer}: no member ${member} in the schema`);
  }

  // Media types, parameters and headers have `example` or `examples` of values beside their schema; a schema has them of itself.
  function visit(node, pointer) {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) return node.forEach((one, i) => visit(one, `${pointer}/${i}`));
    const isBeside = node.schema !== undefined;
    const values = [];
    if ("example" in node) values.push(node.example);
    if (Array.isArray(node.examples)) values.push(...node.examples);
    else if (isBeside) for (const one of Object.values(node.examples ?? {})) values.push(follow(one).value);
    if (isBeside || node.type || node.properties || node.oneOf)
      for (const value of values) check(isBeside ? `${pointer}/schema` : pointer, isBeside ? node.schema : node, value);
    for (const [name, member] of Object.entries(node)) if (name !== "example" && name !== "examples") visit(member, `${pointer}/${escape(name)}`);
  }
  visit({ paths: document.paths, components: document.components }, "");

  // JSON bodies and responses of success.
  const missing = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      if (!operation.operationId) continue;
      const places = [["body", operation.requestBody], ...Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))];
      for (const [place, node] of places)
        for (const [type, media] of Object.entries(follow(node)?.content ?? {}))
          if (type.endsWith("json") && !("example" in media) && Object.keys(media.examples ?? {}).length === 0) missing.push(`${method.toUpperCase()} ${path} ${place} ${type}`);
    }
  return { faults, missing, count };
}
