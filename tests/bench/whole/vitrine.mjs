// The program under measure, and a library for it.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

// Starts `vitrine serve` on a free port. `options`: those of spawn(). -> { url, pid, child }
export async function startVitrine(program, data, flags, options) {
  const child = spawn(resolve(program), ["serve", "--open", "--listen", "127.0.0.1:0", "--data", data, "--gpu", "software", "--no-samples", ...flags], options);
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
    if (url) return { url: url[0], pid: child.pid, child };
  }
  throw new Error("vitrine did not start");
}

// The sum of `of(pid)` over the process and its children.
export function sumOfProcesses(pid, of) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean));
  const values = children.map((id) => {
    try {
      return of(id);
    } catch {
      return 0; // has just ended
    }
  });
  return values.reduce((sum, value) => sum + value, of(pid));
}

export async function json(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

// Uploads the files and waits until every model has its thumbnail. Returns the id of the first.
export async function upload(url, files) {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new Blob([bytes]), name);
  const created = await json(`${url}/v1/assets`, { method: "POST", body: form });
  for (const { job } of created.items) {
    for (;;) {
      const { state, problem } = await json(`${url}/v1/jobs/${job.id}`);
      if (state === "succeeded") break;
      if (state !== "queued" && state !== "running") throw new Error(`import: ${JSON.stringify(problem)}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  }
  return created.items[0].asset.id;
}

// A GLB with a triangle skinned to a chain of joints; clip "wave" turns all of them.
export function chainGlb(count) {
  const floats = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const weights = new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const influences = new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, count - 1, 0, 0, 0]);
  const times = new Float32Array([0, 1]);
  const turns = new Float32Array([0, 0, 0, 1, 0, 0, 0.7071068, 0.7071068]);
  const parts = [floats, weights, influences, times, turns].map((array) => Buffer.from(array.buffer));
  const bufferViews = [];
  let offset = 0;
  for (const part of parts) {
    bufferViews.push({ buffer: 0, byteOffset: offset, byteLength: part.length });
    offset += part.length;
  }
  const nodes = [{ name: "body", mesh: 0, skin: 0 }];
  for (let i = 0; i < count; ++i)
    nodes.push({ name: `joint ${i}`, translation: [0, i ? 0.1 : 0, 0], children: i + 1 < count ? [i + 2] : undefined });
  const document = {
    asset: { version: "2.0", generator: "script/bench http" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }],
    skins: [{ joints: nodes.slice(1).map((_, i) => i + 1) }],
    animations: [{ name: "wave", channels: nodes.slice(1).map((_, i) => ({ sampler: 0, target: { node: i + 1, path: "rotation" } })),
      samplers: [{ input: 3, output: 4 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: "VEC4" },
      { bufferView: 2, componentType: 5121, count: 3, type: "VEC4" },
      { bufferView: 3, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: 4, componentType: 5126, count: 2, type: "VEC4" },
    ],
    bufferViews,
    buffers: [{ byteLength: offset }],
  };
  const chunk = (type, bytes, fill) => {
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, padded]);
  };
  const chunks = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(document)), " "), chunk("BIN\0", Buffer.concat(parts), 0)]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}

