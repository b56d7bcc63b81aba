// The checks of `script/soak cluster` find each kind of failure. No process.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { checkAll } from "../bench/cluster/checks.mjs";
import { Load, mayBeInTrash } from "../bench/cluster/load.mjs";

const original = Buffer.from("the file");

// A load of one asset whose catalog has the given differences from what was acknowledged.
function loadWith({ name = "a-0 named 1", shown = true, trash = false, bytes = original, state = "succeeded", copies = 1 } = {}) {
  const items = shown ? Array.from({ length: copies }, (_, at) => ({ id: at ? `copy-${at}` : "x", name })) : [];
  const answers = { job: () => ({ value: { state } }), file: () => ({ bytes }),
    list: (path) => ({ value: { items: path.includes("trash=true") === trash ? items : [], next: null } }) };
  const hash = createHash("sha256").update(original).digest("hex");
  return { assets: [{ number: 0, id: "x", job: "j", file: "a-0.obj", hash, names: ["a-0 named 1"], deleted: [false] }], count() {}, insist: async (kind, path) => answers[kind](path) };
}

const eventsWith = (created, succeeded) => ({ resets: 0, created: new Map([["x", new Set(created)]]), succeeded: new Map([["j", new Set(succeeded)]]) });
const kinds = async (differences, events = eventsWith(["1"], ["2"])) => (await checkAll(loadWith(differences), events)).map(({ check }) => check);

test("nothing is found when all is as acknowledged", async () => assert.deepEqual(await kinds({}), []));

for (const [what, differences] of Object.entries({ "another name": { name: "a-0 named 2" }, "an asset in the trash": { trash: true },
  "other bytes": { bytes: Buffer.from("other") }, "a failed import": { state: "failed" } }))
  test(`${what} is lost work`, async () => assert.deepEqual(await kinds(differences), ["lost"]));

test("a missing asset is lost", async () => assert.ok((await kinds({ shown: false })).includes("lost")));
test("two assets of one upload are two effects", async () => assert.deepEqual(await kinds({ copies: 2 }), ["twice"]));
test("a second success is a second effect", async () => assert.deepEqual(await kinds({}, eventsWith(["1"], ["2", "3"])), ["twice"]));
test("a missing event is found", async () => assert.deepEqual(await kinds({}, eventsWith([], ["2"])), ["event"]));

// What a load records of a response or an error at a server that was killed `ago` milliseconds before the request.
function recorded(outcome, ago = Infinity) {
  const load = new Load([], "1", Math.random);
  load.wrong = (response) => load.violations.push(response); // not printed
  const server = { name: "api-1", diedWithin: () => ago < 8000 };
  load.report({ kind: "GET /", server, started: Date.now() - 10, ...outcome });
  return load.violations.map(({ what }) => what);
}

test("503 with Retry-After is right, and no other error", () => {
  assert.deepEqual(recorded({ status: 503, retry: "1" }), []);
  assert.deepEqual(recorded({ status: 503 }), ["status 503 without Retry-After"]);
  for (const status of [404, 422, 500]) assert.deepEqual(recorded({ status, retry: "1" }), [`status ${status}`]);
});

test("connections break at killed servers only, and within a minute", () => {
  assert.deepEqual(recorded({ error: new Error("reset") }, 100), []);
  assert.equal(recorded({ error: new Error("reset") }).length, 1);
  assert.deepEqual(recorded({ error: new Error("late"), started: Date.now() - 61_000 }, 100), ["no response in 60 s"]);
});

test("404 is right for what is or was in the trash meanwhile", () => {
  const asset = { deleted: [false] };
  const allowed = mayBeInTrash(asset);
  assert.ok(!allowed(404));
  asset.inTrash = Date.now();
  assert.ok(allowed(404) && !allowed(500));
});
