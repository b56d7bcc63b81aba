// The Python client that the program sends, in a tour of the API. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { openEmptyVitrine } from "../lib/servers.mjs";

describe("the Python client", () => {
  let server;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-python-"));
    server = await openEmptyVitrine(process.env.VITRINE_PROGRAM);
    execFileSync(process.env.VITRINE_PROGRAM, ["samples", join(folder, "samples")]);
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is sent by the server and calls each kind of operation", async () => {
    const sent = await fetch(`${server.url}/clients/vitrine.py`);
    assert.equal(sent.status, 200);
    assert.match(sent.headers.get("content-type"), /^text\/x-python/);
    const client = join(folder, "vitrine.py");
    writeFileSync(client, await sent.text());
    const tour = fileURLToPath(new URL("../python_tour.py", import.meta.url));
    const child = spawn("/usr/bin/python3", ["-W", "error", tour, client, server.url, join(folder, "samples")]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => { output += text; });
    const [status] = await once(child, "close");
    assert.equal(status, 0, output);
    assert.match(output, /done/);
  });
});
