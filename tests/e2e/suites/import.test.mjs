// `vitrine import` of large files over connections that break. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";

import { openCuttingProxy } from "../lib/cutting_proxy.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const program = process.env.VITRINE_PROGRAM;
const fileBytes = 40 << 20; // more than the command sends in one request
const resumes = 6;

// A triangle as OBJ, and a comment.
function objFile(letter) {
  const model = Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const file = Buffer.alloc(fileBytes, `#${letter.repeat(62)}\n`);
  model.copy(file);
  file[model.length] = "#".charCodeAt(0);
  return file;
}

describe("vitrine import", () => {
  let server, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-import-"));
    server = await openEmptyVitrine(program);
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(url, ...words) {
    const child = spawn(program, ["import", "--no-wait", "--server", url, ...words]);
    child.output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (child.output += text));
    return child;
  }
  async function finish(child) {
    const [status] = await once(child, "close");
    assert.equal(status, 0, child.output);
    return child.output.split(" ")[0];
  }
  async function expectStored(asset, name, file) {
    const stored = await (await fetch(`${server.url}/v1/assets/${asset}/files/${name}`)).arrayBuffer();
    assert.ok(Buffer.from(stored).equals(file), "the bytes are the same");
  }

  it("goes on after each cut of a large file, in a collection named by its name", async () => {
    const made = await fetch(`${server.url}/v1/collections`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "props" }) });
    const { id: collection } = await made.json();
    const file = objFile("a");
    writeFileSync(join(folder, "large.obj"), file);
    const proxy = await openCuttingProxy(server.url, { count: resumes, below: fileBytes / (resumes + 1), seed: 3 });
    try {
      const asset = await finish(start(proxy.url, "--collection", "props", join(folder, "large.obj")));
      assert.equal(proxy.cuts, resumes);
      await expectStored(asset, "large.obj", file);
      const members = await (await fetch(`${server.url}/v1/assets?collection=${collection}`)).json();
      assert.deepEqual(members.items.map(({ id }) => id), [asset]);
    } finally {
      await proxy.close();
    }
  });

  it("goes on where a command was that was ended", async () => {
    const file = objFile("b");
    const path = join(folder, "ended.obj");
    writeFileSync(path, file);
    const slow = await openCuttingProxy(server.url, { count: 1, below: fileBytes, seed: 5 });
    const first = start(slow.url, path);
    await until(() => slow.bytes > 0, () => "the upload has begun");
    slow.stopListening();
    await until(() => slow.cuts === 1, () => "the connection was cut");
    first.kill("SIGKILL");
    await once(first, "close");
    await slow.close();
    const whole = await openCuttingProxy(server.url, { count: 0, below: 1, seed: 1 });
    try {
      const asset = await finish(start(whole.url, path));
      await expectStored(asset, "ended.obj", file);
      assert.ok(whole.bytes < fileBytes, `${whole.bytes} bytes were sent again`);
    } finally {
      await whole.close();
    }
  });

  it("reports a collection that does not exist", async () => {
    const child = start(server.url, "--collection", "nobody", join(folder, "large.obj"));
    const [status] = await once(child, "close");
    assert.equal(status, 1);
    assert.match(child.output, /There is no collection nobody/);
  });
});
