// wrk with one thread.
import { spawnSync } from "node:child_process";

import { processorTime } from "./vitrine.mjs";

// Asks one URL of a server of process `pid`. -> { rate } in requests a second, { p99 } in ms, { microseconds } of processor time of
// the server for each request
export function wrk({ pid }, url, { connections, seconds, headers = [] }) {
  const before = processorTime(pid);
  const result = spawnSync("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency",
    ...headers.flatMap((header) => ["-H", header]), url], { encoding: "utf8" });
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(result.stdout)?.[1]);
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(result.stdout) ?? [];
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(result.stdout);
  if (!rate || failed) throw new Error(`${url}: ${result.stdout}${result.stderr}`);
  const requests = Number(/(\d+) requests in/.exec(result.stdout)[1]);
  return { rate, p99: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit], microseconds: (1e6 * (processorTime(pid) - before)) / requests };
}
