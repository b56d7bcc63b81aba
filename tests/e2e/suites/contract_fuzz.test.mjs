// A short run of fuzz/run.mjs with a fixed seed; .ci/weekly runs it for longer, with another seed each week.
import assert from "node:assert/strict";
import { it } from "node:test";

import { fuzzApi } from "../fuzz/run.mjs";

it("answers every operation and role as the contract says", { timeout: 280_000 }, async () => {
  const { requests, faults, statuses } = await fuzzApi(process.env.VITRINE_PROGRAM, { seed: 1, seconds: 20 });
  assert.deepEqual(faults, []);
  assert.ok(requests >= 400, `${requests} requests`);
  const answered = new Set([...statuses.keys()].filter((key) => / 2\d\d$/.test(key)).map((key) => key.split(" ")[0]));
  console.log(`${requests} requests; ${answered.size} operations have answered with 2xx`);
  assert.ok(answered.size >= 45, [...answered].sort().join(", "));
});
