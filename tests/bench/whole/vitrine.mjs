// The program under measure, and requests to it.
import { once } from "node:events";
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

// Starts `vitrine serve` on a free port. `options`: those of spawn(). -> { url, pid, child }
export async function startVitrine(program, data, flags, options, access = ["--open"]) {
  const child = spawn(resolve(program), ["serve", ...access, "--listen", "127.0.0.1:0", "--data", data, "--gpu", "software", "--no-samples", ...flags], options);
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(text);
    if (url) return { url: url[0], pid: child.pid, child };
  }
  throw new Error("vitrine did not start");
}

// The sum of `of(pid)` over the process and its children.
export function sumOfProcesses(pid, of) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean));
  const values = children.map((id) => {
    try {
      return of(id);
    } catch {
      return 0; // has just ended
    }
  });
  return values.reduce((sum, value) => sum + value, of(pid));
}

// Seconds of processor time of the process and its children, to a hundredth.
export function processorTime(pid) {
  return sumOfProcesses(pid, (id) => {
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export async function json(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

// Uploads the files and waits until every model has its thumbnail. Returns the id of the first.
export async function upload(url, files) {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new Blob([bytes]), name);
  const created = await json(`${url}/v1/assets`, { method: "POST", body: form });
  for (const { job } of created.items) {
    for (;;) {
      const { state, problem } = await json(`${url}/v1/jobs/${job.id}`);
      if (state === "succeeded") break;
      if (state !== "queued" && state !== "running") throw new Error(`import: ${JSON.stringify(problem)}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  }
  return created.items[0].asset.id;
}

// Ends a server of startVitrine() and waits for it.
export async function stopVitrine({ child }) {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
