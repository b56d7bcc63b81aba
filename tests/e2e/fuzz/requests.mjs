// Requests of an operation, from a seed.
import { readFileSync } from "node:fs";

const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const strange = ["0", "none", "a b", "%00", "%ff", "x".repeat(200), "日本", "-1", "99999999999999999999"];

// `known`: ids of things that exist, by the part of the path before them: {"/v1/assets/": [...]}; `clip`, `path`, ... by their name.
export function makeRequests(random, values, known) {
  function pathValue(before, parameter) {
    const there = known[before] ?? known[parameter.name] ?? ["0"];
    return random.chance(0.85) ? random.pick(there) : random.pick(strange);
  }

  function fillPath(operation) {
    return operation.path.replace(/\{(\w+)\}/g, (whole, name, at) => {
      const before = operation.path.slice(0, at);
      const value = String(pathValue(before, { name }));
      return value.startsWith("%") || name === "path" ? value : encodeURIComponent(value);
    });
  }

  function queryOf(operation) {
    const query = new URLSearchParams();
    const share = random.pick([0, 0, 0.06, 0.25]); // of the optional parameters: with many a request is hardly ever valid
    for (const parameter of operation.parameters.filter((one) => one.in === "query")) {
      if (!parameter.required && !random.chance(share)) continue;
      let value = known[`?${parameter.name}`] && random.chance(0.8) ? random.pick(known[`?${parameter.name}`]) : values.valid(parameter.schema ?? {});
      if (random.chance(0.15)) value = values.anything();
      for (const one of Array.isArray(value) ? value : [value]) query.append(parameter.name, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
    if (random.chance(0.03)) query.append("unknownParameter", "1");
    return query.size > 0 ? `?${query}` : "";
  }

  function modelBody() {
    const name = random.pick(["triangle.obj", "a/b.obj", "x.glb", "", "../x.obj", "é.obj"]);
    const bytes = random.pick([triangle, "", "glTF", "v 1 2", "\u0000\u0001"]);
    const form = new FormData();
    form.append("file", new Blob([bytes]), name);
    if (random.chance(0.1)) form.append("other", "text");
    return form;
  }

  function bodyOf(operation) {
    const content = operation.body?.content;
    if (!content || random.chance(0.03)) return {};
    const type = random.pick(Object.keys(content));
    if (type === "multipart/form-data") return { body: modelBody() };
    if (type.endsWith("json")) {
      const value = values.valid(content[type].schema ?? {});
      let text = JSON.stringify(random.chance(0.35) ? values.nearly(value) : value);
      if (random.chance(0.05)) text = text.slice(0, -1);
      return { body: text, type: random.chance(0.03) ? "text/plain" : type };
    }
    if (type === "application/x-www-form-urlencoded") return { body: String(new URLSearchParams({ name: "maya", password: random.pick(["", "wrong"]) })), type };
    return { body: random.pick(["", "PK", triangle, readFileSync(new URL(import.meta.url)).subarray(0, 100)]), type };
  }

  function fieldsOf(operation) {
    const fields = {};
    for (const parameter of operation.parameters.filter((one) => one.in === "header")) {
      if (!parameter.required && !random.chance(0.2)) continue;
      const value = random.chance(0.8) ? values.valid(parameter.schema ?? {}) : values.anything();
      const text = String(typeof value === "object" ? JSON.stringify(value) : value).replace(/[^\x21-\x7e]/g, "x");
      if (text !== "") fields[parameter.name] = text;
    }
    if (random.chance(0.05)) fields["If-None-Match"] = random.pick(["*", '"a"', "nonsense"]);
    if (random.chance(0.05)) fields["If-Match"] = random.pick(["*", '"a"', "nonsense"]);
    if (random.chance(0.05)) fields.Range = random.pick(["bytes=0-1", "bytes=9-1", "bytes=-0", "lines=1-2"]);
    if (random.chance(0.1)) fields.Accept = random.pick(["application/json", "image/webp", "text/plain;q=0", "*/*;q=0.1", "nonsense"]);
    if (random.chance(0.05)) fields.Prefer = random.pick(["respond-async", "wait=0", "return=minimal"]);
    return fields;
  }

  return (operation) => {
    const { body, type } = bodyOf(operation);
    const fields = fieldsOf(operation);
    if (type) fields["Content-Type"] = type;
    return { method: operation.method, target: fillPath(operation) + queryOf(operation), fields, body };
  };
}
