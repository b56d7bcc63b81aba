// Resumable uploads against the program, by tus-js-client and by curl, whose connections are cut at random bytes.
// VITRINE_PROGRAM is the path of the program, VITRINE_CUTS the number of cuts of each upload (10), VITRINE_SEED chooses the bytes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { Upload } from "tus-js-client";

import { openCuttingProxy, randomNumbers } from "../lib/cutting_proxy.mjs";
import { openEmptyVitrine } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const cuts = Number(process.env.VITRINE_CUTS ?? 10);
const seed = Number(process.env.VITRINE_SEED ?? 1);
const fileBytes = 3_000_000;

const tus = (fields = {}) => ({ "Tus-Resumable": "1.0.0", ...fields });
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const encoded = (text) => Buffer.from(text).toString("base64");

// A triangle as OBJ, and comments of random digits.
function objFile(bytes, from) {
  const random = randomNumbers(from);
  const lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "f 1 2 3"];
  for (let size = 0; size < bytes; size += 65) {
    lines.push(`#${Array.from({ length: 7 }, () => Math.floor(random() * 2 ** 32).toString(16).padStart(9, "0")).join("")}`);
  }
  return Buffer.from(lines.join("\n") + "\n").subarray(0, bytes);
}

function storedBytes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

function sendByClient(endpoint, file, options = {}) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${endpoint}/v1/uploads`,
      metadata: { filename: "cut.obj" },
      retryDelays: Array(4 * cuts + 8).fill(0),
      ...options,
      onError: reject,
      onSuccess: () => resolve(upload.url.split("/").pop()),
    });
    upload.start();
  });
}

// Sends what is missing until nothing is; curl exits with an error when its connection is cut.
async function sendByCurl(server, proxy, file) {
  const made = await fetch(`${server}/v1/uploads`, {
    method: "POST",
    headers: tus({ "Upload-Length": String(file.length), "Upload-Metadata": `filename ${encoded("cut.obj")}` }),
  });
  const path = made.headers.get("location");
  for (let offset = 0, tries = 0; offset < file.length; ++tries) {
    assert.ok(tries < 4 * cuts + 8, "the upload ends");
    const words = ["-sS", "-o", "/dev/null", "-X", "PATCH", "-H", "Tus-Resumable: 1.0.0", "-H", `Upload-Offset: ${offset}`,
      "-H", "Content-Type: application/offset+octet-stream", "-H", "Expect:", "--data-binary", "@-", proxy + path];
    const curl = spawn("curl", words, { stdio: ["pipe", "ignore", "ignore"] });
    curl.stdin.on("error", () => {});
    curl.stdin.end(file.subarray(offset));
    await new Promise((resolve) => curl.on("close", resolve));
    const head = await fetch(server + path, { method: "HEAD", headers: tus() });
    const now = Number(head.headers.get("upload-offset"));
    assert.ok(now >= offset, "no byte is lost");
    offset = now;
  }
  return path.split("/").pop();
}

async function makeAsset(server, ids) {
  const made = await fetch(`${server}/v1/assets`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ uploads: ids }),
  });
  return { status: made.status, body: await made.json() };
}

describe("resumable uploads", () => {
  let server;
  before(async () => (server = await openEmptyVitrine(process.env.VITRINE_PROGRAM)));
  after(() => server.close());

  const blobs = () => storedBytes(join(server.data, "blobs"));

  async function expectOneCopy(file, bytesBefore, id, status) {
    const made = await makeAsset(server.url, [id]);
    assert.equal(made.status, status, JSON.stringify(made.body));
    const { asset } = made.body.items[0];
    const stored = await (await fetch(`${server.url}/v1/assets/${asset.id}/files/cut.obj`)).arrayBuffer();
    assert.equal(sha256(Buffer.from(stored)), sha256(file));
    const wanted = bytesBefore + (status === 201 ? file.length : 0);
    await until(() => blobs() === wanted, () => `one copy: ${blobs()} bytes instead of ${wanted}`);
    assert.equal((await fetch(`${server.url}/v1/uploads/${id}`)).status, 404);
  }

  async function throughCuts(send, from) {
    const file = objFile(fileBytes, from);
    const bytesBefore = blobs();
    const proxy = await openCuttingProxy(server.url, { count: cuts, below: (1.5 * fileBytes) / (cuts + 1), seed: from });
    try {
      const id = await send(proxy.url, file);
      assert.ok(proxy.cuts >= Math.min(cuts, 5), `${proxy.cuts} connections were cut`);
      await expectOneCopy(file, bytesBefore, id, 201);
      return proxy.cuts;
    } finally {
      await proxy.close();
    }
  }

  it("are resumed by tus-js-client after cuts", async (test) => {
    test.diagnostic(`${await throughCuts(sendByClient, seed)} cuts`);
  });

  it("are resumed by curl after cuts", async (test) => {
    test.diagnostic(`${await throughCuts((proxy, file) => sendByCurl(server.url, proxy, file), seed + 1)} cuts`);
  });

  it("are known when their content is", async () => {
    const file = objFile(fileBytes, seed);
    await expectOneCopy(file, blobs(), await sendByClient(server.url, file), 200);
  });

  it("have several parts at a time", async () => {
    const file = objFile(fileBytes, seed + 2);
    const bytesBefore = blobs();
    const id = await sendByClient(server.url, file, { parallelUploads: 3 });
    await expectOneCopy(file, bytesBefore, id, 201);
  });

  it("have a length that the client learns at the end", async () => {
    const file = objFile(fileBytes, seed + 4);
    const bytesBefore = blobs();
    const id = await sendByClient(server.url, Readable.from([file.subarray(0, 1_000_000), file.subarray(1_000_000)]), {
      uploadLengthDeferred: true,
      chunkSize: 700_000,
    });
    await expectOneCopy(file, bytesBefore, id, 201);
  });

  it("have a checksum in the trailer", async () => {
    const file = objFile(100_000, seed + 5);
    const bytesBefore = blobs();
    const made = await fetch(`${server.url}/v1/uploads`, {
      method: "POST",
      headers: tus({ "Upload-Length": String(file.length), "Upload-Metadata": `filename ${encoded("cut.obj")}` }),
    });
    const path = made.headers.get("location");
    const append = (checksum) =>
      new Promise((resolve, reject) => {
        const headers = tus({ "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream", "Transfer-Encoding": "chunked", Trailer: "Upload-Checksum" });
        const patch = request(server.url + path, { method: "PATCH", headers }, (response) => resolve(response.resume().statusCode));
        patch.on("error", reject);
        patch.write(file.subarray(0, 60_000));
        patch.addTrailers({ "Upload-Checksum": `sha256 ${createHash("sha256").update(checksum).digest("base64")}` });
        patch.end(file.subarray(60_000));
      });
    assert.equal(await append("other bytes"), 460);
    assert.equal(await append(file), 204);
    await expectOneCopy(file, bytesBefore, path.split("/").pop(), 201);
  });

  it("survive the end of the server", async () => {
    const file = objFile(fileBytes, seed + 3);
    const bytesBefore = blobs();
    let acknowledged = 0, killed = null;
    const id = await sendByClient(server.url, file, {
      chunkSize: 500_000,
      retryDelays: Array(200).fill(100),
      onChunkComplete: (_, accepted) => {
        acknowledged = accepted;
        if (accepted >= 1_000_000) killed ??= server.kill();
      },
      onShouldRetry: () => true,
      onAfterResponse: (request, response) => {
        if (request.getMethod() !== "HEAD" || response.getStatus() !== 200) return;
        assert.ok(Number(response.getHeader("Upload-Offset")) >= acknowledged, "what was acknowledged is there");
      },
    });
    await killed;
    await expectOneCopy(file, bytesBefore, id, 201);
  });
});
