// The board of Grafana and the alerts of Prometheus name metrics and labels that the program has.
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, it } from "node:test";

import { packages, read } from "./files.mjs";
import { openEmptyVitrine } from "../e2e/lib/servers.mjs";
import { until } from "../e2e/lib/until.mjs";

const { parse } = packages("yaml");
const ofPrometheus = new Set(["up", "job", "instance", "le"]);

// Names of metrics and of labels in an expression of PromQL.
function namesOf(expression) {
  const labels = [...expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list]) => list.split(",").map((name) => name.trim()));
  const matchers = [...expression.matchAll(/([a-z_]+)\s*(?:=~|!=|=)\s*"/g)].map(([, name]) => name);
  return { metrics: expression.match(/\b(?:vitrine|process)_[a-z_]+\b|\bup\b/g), labels: [...labels, ...matchers] };
}

describe("monitoring", () => {
  let server;
  const metrics = new Set();
  const labels = new Set(ofPrometheus);
  before(async () => {
    server = await openEmptyVitrine(process.env.VITRINE_PROGRAM);
    const form = new FormData();
    form.append("file", new Blob(["v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"]), "triangle.obj");
    const { items } = await (await fetch(`${server.url}/v1/assets`, { method: "POST", body: form })).json();
    await until(async () => (await (await fetch(`${server.url}/v1/jobs/${items[0].job.id}`)).json()).state === "succeeded", "the import");
    const text = await (await fetch(`${server.url}/metrics`)).text();
    for (const [, name, list] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? /gm)) {
      metrics.add(name);
      for (const [, label] of (list ?? "").matchAll(/([a-z_]+)="/g)) labels.add(label);
    }
  });
  after(() => server.close());

  function check(expression, of) {
    const named = namesOf(expression);
    assert.ok(named.metrics?.length, `${of} names no metric`);
    for (const name of named.metrics) assert.ok(metrics.has(name) || ofPrometheus.has(name), `${of}: there is no metric ${name}`);
    for (const name of named.labels) assert.ok(labels.has(name), `${of}: there is no label ${name}`);
  }

  it("shows metrics that exist", () => {
    const board = JSON.parse(read("monitoring/dashboard.json"));
    assert.ok(board.panels.length >= 12);
    assert.equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length);
    for (const { title, targets } of board.panels) for (const { expr } of targets) check(expr, title);
  });

  it("alerts by metrics that exist", () => {
    const { groups } = parse(read("monitoring/alerts.yaml"));
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    assert.equal(new Set(names).size, names.length);
    for (const { rules } of groups)
      for (const { alert, expr, labels: { severity }, annotations: { summary } } of rules) {
        check(expr, alert);
        assert.match(severity, /^(warning|critical)$/);
        assert.ok(summary.length > 10);
      }
  });

  it("finds names that do not exist", () => {
    assert.throws(() => check("sum(vitrine_nothing_total)", "a test"), /no metric vitrine_nothing_total/);
    assert.throws(() => check('sum by (color) (process_open_fds{job="a"})', "a test"), /no label color/);
  });
});
