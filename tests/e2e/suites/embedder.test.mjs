// Pictures and searches by an embedder, which a server of this test is. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";

import { openEmptyVitrine } from "../lib/servers.mjs";
import { until } from "../lib/until.mjs";

const dimensions = 32;

// From the bytes alone. The text "like N" has the vector of picture N.
function vectorOf(bytes, size = dimensions) {
  const digest = createHash("sha512").update(bytes).digest();
  return Array.from({ length: size }, (_, i) => digest[i] - 127.5);
}

// OpenAI's endpoint of embeddings, with pictures as data URIs; `behavior` chooses what it responds.
class TinyEmbedder {
  behavior = "ok";
  pictures = [];
  requests = [];

  async open() {
    this.server = createServer((request, response) => {
      const pieces = [];
      request.on("data", (piece) => pieces.push(piece));
      request.on("end", () => this.respond(request, JSON.parse(Buffer.concat(pieces)), response));
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}/v1/embeddings`;
  }

  respond(request, body, response) {
    this.requests.push({ headers: request.headers, url: request.url, body });
    if (this.behavior === "silent") return; // until the time limit of the client
    if (this.behavior === "500") return void response.writeHead(500).end("busy");
    const size = this.behavior === "size" ? 16 : dimensions;
    const send = (vector) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const text = JSON.stringify({ object: "list", model: body.model, data: [{ object: "embedding", index: 0, embedding: vector }] });
      response.end(this.behavior === "nan" ? text.replace(/\[-?[\d.]+,/, "[NaN,") : text);
    };
    if (body.modality !== "image") {
      const like = /^like (\d+)$/.exec(body.input[0]);
      return send(vectorOf(like ? this.pictures[Number(like[1])] : body.input[0], size));
    }
    const picture = Buffer.from(body.input[0].split(",")[1], "base64");
    if (this.behavior === "ok") this.pictures.push(picture);
    send(vectorOf(picture, size));
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

// Shapes with other outlines.
const shapes = {
  flat: "v 0 0 0\nv 4 0 0\nv 0 1 0\nf 1 2 3\n",
  tall: "v 0 0 0\nv 1 0 0\nv 0 5 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
  wedge: "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
};

describe("an embedder", () => {
  const embedder = new TinyEmbedder();
  const folder = mkdtempSync(join(tmpdir(), "vitrine-embedder-"));
  let vitrine;

  const ask = async (path) => {
    const answer = await fetch(vitrine.url + path);
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  };
  async function upload(name) {
    const form = new FormData();
    form.append("file", new Blob([shapes[name]]), `${name}.obj`);
    const answer = await fetch(`${vitrine.url}/v1/assets`, { method: "POST", body: form });
    assert.equal(answer.status, 201);
    const { items: [{ asset, job }] } = await answer.json();
    await until(async () => (await ask(`/v1/jobs/${job.id}`)).state === "succeeded", `the import of ${name}`);
    return asset.id;
  }
  const similar = (id) => ask(`/v1/assets/${id}/similar?by=picture&score.min=0`);
  const isEmbedded = async (id) => (await similar(id)).pictures.embedding;
  const failures = async () => {
    const metrics = await (await fetch(`${vitrine.url}/metrics`)).text();
    return Number(/^vitrine_embedded_pictures_total\{outcome="failed"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
  };

  before(async () => {
    await embedder.open();
    writeFileSync(join(folder, "token"), "sesame\n");
    vitrine = await openEmptyVitrine(process.env.VITRINE_PROGRAM, [
      "--embedder-url", embedder.url, "--embedder-model", "tiny-clip", "--embedder-token-file", join(folder, "token"), "--embedder-seconds", "1",
    ]);
  });
  after(async () => {
    await vitrine?.close();
    embedder.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ids = {};

  it("gets each new thumbnail", async () => {
    for (const name of ["flat", "tall"]) {
      ids[name] = await upload(name);
      await until(() => isEmbedded(ids[name]), `the vector of ${name}`);
    }
    assert.equal(embedder.pictures.length, 2);
    const { headers, url, body } = embedder.requests[0];
    assert.equal(headers.authorization, "Bearer sesame");
    assert.equal(url, "/v1/embeddings");
    assert.equal(body.model, "tiny-clip");
    assert.equal(body.modality, "image");
    assert.equal(embedder.pictures[0].subarray(1, 4).toString(), "PNG");
  });

  it("ranks pictures and texts", async () => {
    const { items, pictures } = await similar(ids.flat);
    assert.deepEqual(items.map((item) => item.asset.id), [ids.tall]);
    assert.equal(pictures.model, "tiny-clip");
    for (const [n, name] of ["flat", "tall"].entries()) {
      const { items: found, search } = await ask(`/v1/assets?q=like%20${n}&mode=semantic`);
      assert.equal(found[0].id, ids[name]);
      assert.equal(found.length, 2, "the others follow");
      assert.deepEqual(search, { mode: "semantic", model: "tiny-clip" });
    }
    const page = await ask("/v1/assets?q=like%200&mode=semantic&limit=1");
    const next = await ask(`/v1/assets?q=like%200&mode=semantic&limit=1&cursor=${page.next}`);
    assert.deepEqual([page.items[0].id, next.items[0].id, next.next], [ids.flat, ids.tall, null]);
    assert.deepEqual((await ask("/v1/assets?q=like%200&mode=semantic&format=glb")).items, [], "filters hold");
  });

  it("rejects what a ranking cannot have", async () => {
    for (const query of ["mode=semantic", "mode=semantic&q=a&sort=name", "mode=semantic&q=a&total=true", "mode=other"])
      assert.equal((await fetch(`${vitrine.url}/v1/assets?${query}`)).status, 400, query);
  });

  it("may fail: uploads and searches go on", async () => {
    embedder.behavior = "500";
    ids.wedge = await upload("wedge");
    for (const behavior of ["500", "silent", "nan", "size"]) {
      embedder.behavior = behavior;
      const before = await failures();
      await until(async () => (await failures()) > before, `a failure by ${behavior}`);
      const { pictures } = await similar(ids.wedge);
      assert.equal(pictures.embedding, false, behavior);
      assert.match(pictures.notice, /embedder/);
      const { items, search } = await ask("/v1/assets?q=wedge&mode=semantic");
      assert.equal(search.mode, "words", behavior);
      assert.match(search.notice, /embedder/);
      assert.deepEqual(items.map((item) => item.id), [ids.wedge]);
    }
    assert.equal(await isEmbedded(ids.tall), true, "those that it has made stay");
    embedder.behavior = "ok";
    await until(() => isEmbedded(ids.wedge), "the vector after the failures");
  });
});
