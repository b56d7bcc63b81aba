// The trace of an upload (W3C Trace Context) in the log lines of its import.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";

import { eventually, folder, serve, triangle } from "./support.mjs";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

async function upload(port, fields, path = "/v1/assets?name=broken.obj", body = "f 1 2 3\n") {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers: { "Content-Type": "application/octet-stream", ...fields } });
  return { status: response.status, body: await response.json() };
}

test("a failed import names the trace of its upload, and of no other", async (t) => {
  const { port, log } = await serve(folder(t), ["--listen", "127.0.0.1:0", "--log", "info"]);
  const made = await upload(port, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body.items[0].job;
  await eventually(() => log().includes(`msg="import failed" job=${id}`), "the failed import");
  const line = log().split("\n").find((text) => text.includes(`job=${id}`));
  assert.match(line, new RegExp(`asset=asset_\\w+ attempt=1 code=\\w+ error=".+" trace=${trace}$`));
  assert.match(log(), new RegExp(`route=createAssets status=201 .* trace=${trace}`));

  const other = await upload(port, {}, "/v1/assets?name=other.obj", "f 3 2 1\n");
  const untraced = other.body.items[0].job.id;
  await eventually(() => log().includes(`job=${untraced}`), "the second failed import");
  assert.ok(!log().split("\n").find((text) => text.includes(`msg="import failed" job=${untraced}`)).includes("trace="));
});

test("a restart and another attempt keep the trace", async (t) => {
  const data = folder(t);
  const first = await serve(data, ["--listen", "127.0.0.1:0"]);
  const made = await upload(first.port, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  const { id } = made.body.items[0].job;
  await eventually(() => first.log().includes(`msg="import failed" job=${id}`), "the failed import");
  first.signal("SIGTERM");
  await first.ended;
  const second = await serve(data, ["--listen", "127.0.0.1:0"]);
  assert.equal((await upload(second.port, {}, `/v1/jobs/${id}/retry`, undefined)).status, 202);
  await eventually(() => second.log().includes(`msg="import failed" job=${id}`), "the second failure");
  assert.match(second.log(), new RegExp(`job=${id} .* trace=${trace}`));
});

// A receiver of webhooks that answers with the statuses in turn: { url, requests }.
async function receive(t, statuses) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    request.resume();
    response.writeHead(statuses[Math.min(requests.length, statuses.length) - 1]).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}/`, requests };
}

test("the import, images and webhooks of a request have its trace", async (t) => {
  const token = "sesame-sesame-sesame";
  const options = ["--listen", "127.0.0.1:0", "--token", token, "--webhook-allow-private", "--webhook-retry-seconds", "1"];
  const { port, log } = await serve(folder(t), options, { open: false });
  const hook = await receive(t, [500, 204]);
  const made = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, { method: "POST", body: JSON.stringify({ url: hook.url, events: ["asset.created"] }),
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } });
  assert.equal(made.status, 201);
  const span = "00f067aa0ba902b7";
  const uploaded = await upload(port, { Authorization: `Bearer ${token}`, traceparent: `00-${trace}-${span}-01` }, "/v1/assets?name=triangle.obj", triangle);
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
  const { id } = uploaded.body.items[0].job;
  await eventually(() => log().includes(`msg="import succeeded" job=${id}`), "the import");
  assert.match(log(), new RegExp(`msg="import succeeded" job=${id} asset=asset_\\w+ attempt=1 trace=${trace}`));

  await eventually(() => hook.requests.length >= 2, "the second attempt");
  const parents = hook.requests.map((headers) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(headers.traceparent));
  for (const parent of parents) assert.equal(parent?.[1], trace);
  assert.equal(new Set([span, ...parents.map((parent) => parent[2])]).size, 3, "spans of their own");
  await eventually(() => log().includes('msg="webhook not delivered"'), "the line");
  assert.match(log(), new RegExp(`msg="webhook not delivered" .* attempt=1 status=500 .* trace=${trace}`));
});
