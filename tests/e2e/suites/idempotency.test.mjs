// Identical uploads at once with the same Idempotency-Key, each over its own connection: one runs, the other is told so. And what answers say
// about content that is known.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";

import { openEmptyVitrine } from "../lib/servers.mjs";
import { storedZip } from "../lib/stored_zip.mjs";
import { until } from "../lib/until.mjs";

const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
let server;

before(async () => (server = await openEmptyVitrine(process.env.VITRINE_PROGRAM, ["--gpu", "software"])));
after(() => server.close());

async function post(path, body, fields = {}) {
  const response = await fetch(server.url + path, { method: "POST", body, headers: fields });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), value: await response.json() };
}

it("runs one of two uploads with the same key", { timeout: 120_000 }, async () => {
  // So many files that the second upload has arrived long before the first one is stored.
  const files = [["chair/chair.obj", triangle], ...Array.from({ length: 400 }, (_, i) => [`chair/texture_${i}.png`, `picture ${i}`])];
  const zip = storedZip(files);
  const upload = () => post("/v1/assets", zip, { "Content-Type": "application/zip", "Idempotency-Key": "chair" });
  const [one, two] = (await Promise.all([upload(), upload()])).sort((a, b) => a.status - b.status);
  assert.equal(one.status, 201, JSON.stringify(one.value));
  assert.equal(one.value.items.length, 1);
  assert.equal(one.value.items[0].existing, false);
  assert.equal(two.status, 409);
  assert.equal(two.value.code, "idempotency_key_in_use");
  assert.equal(two.retryAfter, "1");
  const again = await until(async () => {
    const answer = await upload();
    return answer.status === 409 ? null : answer;
  }, "the answer of the first upload");
  assert.equal(again.status, 201);
  assert.deepEqual(again.value, one.value);
});

// The member `existing`, by each way of uploading.
it("says that content is known", { timeout: 120_000 }, async () => {
  const lamp = `# lamp\n${triangle}`;
  const form = (name, text) => {
    const data = new FormData();
    data.append("file", new Blob([text]), name);
    return data;
  };
  const first = await post("/v1/assets", form("lamp.obj", lamp));
  assert.deepEqual([first.status, first.value.items[0].existing], [201, false]);
  const id = first.value.items[0].asset.id;
  const expectKnown = (answer) => {
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.value.items.map((item) => [item.existing, item.asset.id]), [[true, id]]);
  };
  expectKnown(await post("/v1/assets", form("lamp.obj", lamp)));
  expectKnown(await post("/v1/assets?name=lamp.obj", lamp, { "Content-Type": "model/obj" }));
  expectKnown(await post("/v1/assets", storedZip([["lamp.obj", lamp]]), { "Content-Type": "application/zip" }));

  const bytes = Buffer.from(lamp);
  const tus = { "Tus-Resumable": "1.0.0", "Upload-Length": String(bytes.length), "Upload-Metadata": `filename ${Buffer.from("lamp.obj").toString("base64")}`, "Content-Type": "application/offset+octet-stream" };
  const made = await fetch(`${server.url}/v1/uploads`, { method: "POST", headers: tus, body: bytes });
  assert.equal(made.status, 201);
  const uploads = [made.headers.get("location").split("/").at(-1)];
  expectKnown(await post("/v1/assets", JSON.stringify({ uploads }), { "Content-Type": "application/json" }));

  // Of several models, those that are known.
  const mixed = await post("/v1/assets", storedZip([["lamp/lamp.obj", lamp], ["table/table.obj", `# table\n${triangle}`]]), { "Content-Type": "application/zip" });
  assert.equal(mixed.status, 201);
  assert.equal(mixed.value.items.length, 2);

  await until(async () => (await (await fetch(`${server.url}/v1/jobs/${first.value.items[0].job.id}`)).json()).state === "succeeded", "the import");
  const versions = `/v1/assets/${id}/versions`;
  const known = await post(versions, form("lamp.obj", lamp));
  assert.deepEqual([known.status, known.value.existing, known.value.version.version], [200, true, 1]);
  const changed = await post(versions, form("lamp.obj", `${lamp}# changed\n`));
  assert.deepEqual([changed.status, changed.value.existing, changed.value.version.version], [201, false, 2]);
});
