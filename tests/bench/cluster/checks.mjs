// What must hold after all faults: every acknowledged change is in the catalog, each upload and each import had one effect.
import { createHash } from "node:crypto";

import { sleep } from "./processes.mjs";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function listAll(load, trash) {
  const items = [];
  for (let cursor = ""; cursor !== null;) {
    const { value } = await load.insist("list", `/v1/assets?limit=500&sort=created${trash ? "&trash=true" : ""}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...value.items);
    cursor = value.next;
  }
  return items;
}

async function jobOf(load, asset, until) {
  for (;;) {
    const { value } = await load.insist("job", `/v1/jobs/${asset.job}`);
    if (!["queued", "running"].includes(value.state) || Date.now() > until) return value;
    await sleep(500);
  }
}

// -> [{ check, asset, detail }]
export async function checkAll(load, events) {
  const failures = [];
  const fail = (check, asset, detail) => failures.push({ check, asset: asset.id, file: asset.file, detail });
  const until = Date.now() + 120_000;
  const jobs = new Map();
  for (const asset of load.assets) jobs.set(asset, await jobOf(load, asset, until));
  const [shown, trash] = [await listAll(load, false), await listAll(load, true)];
  const found = new Map([...shown, ...trash].map((item) => [item.id, item]));
  const numbers = new Map();
  for (const { name } of found.values()) numbers.set(/^a-\d+/.exec(name)?.[0], (numbers.get(/^a-\d+/.exec(name)?.[0]) ?? 0) + 1);
  for (const asset of load.assets) {
    const item = found.get(asset.id);
    const job = jobs.get(asset);
    if (job.attempts > 1) load.count("import of several starts");
    if (!item) fail("lost", asset, "not in the catalog");
    else {
      if (!asset.names.includes(item.name)) fail("lost", asset, `name "${item.name}", acknowledged ${JSON.stringify(asset.names)}`);
      const deleted = trash.includes(item);
      if (!asset.deleted.includes(deleted)) fail("lost", asset, `deleted: ${deleted}, acknowledged ${asset.deleted}`);
      if (!deleted) {
        const { bytes } = await load.insist("file", `/v1/assets/${asset.id}/files/${asset.file}`);
        if (sha256(bytes) !== asset.hash) fail("lost", asset, "its file has other bytes");
      }
    }
    if (job.state !== "succeeded") fail("lost", asset, `import ${JSON.stringify(job)}`);
    if (numbers.get(`a-${asset.number}`) !== 1) fail("twice", asset, `${numbers.get(`a-${asset.number}`)} assets of one upload`);
    const [created, succeeded] = [events.created.get(asset.id)?.size ?? 0, events.succeeded.get(asset.job)?.size ?? 0];
    if (created !== 1) fail(created ? "twice" : "event", asset, `${created} events asset.created`);
    if (succeeded !== 1) fail(succeeded ? "twice" : "event", asset, `${succeeded} events of the job's success`);
  }
  if (events.resets) failures.push({ check: "event", detail: `${events.resets} times reset` });
  return failures;
}
