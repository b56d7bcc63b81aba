// One file by tus 1.0 (https://tus.io/protocols/resumable-upload): in pieces, which the server keeps when the connection breaks or the
// page is left. XMLHttpRequest, because fetch reports no upload progress.
import { ApiError, problemOf } from "../api/client";
import { backoffMs } from "../util/backoff";

const pieceBytes = 8 * 1024 * 1024;
const maxAttempts = 8; // without progress
const version = { "Tus-Resumable": "1.0.0" };

export interface TusTask {
  file: File;
  path: string;
  url: string | null; // of an upload that has begun
  signal: AbortSignal;
  begun: (url: string) => void;
  stored: (bytes: number) => void; // what the server keeps
  sent: (bytes: number) => void; // beside these
}

interface Answer {
  status: number; // 0: none
  field: (name: string) => string | null;
  text: string;
}

// Returns the id of the finished upload. Throws an ApiError, and the signal's reason.
export async function sendByTus(task: TusTask): Promise<string> {
  let { url } = task;
  let offset = 0;
  let attempts = 0;
  for (;;) {
    task.signal.throwIfAborted();
    const answer: Answer = url === null ? await begin(task) : await call("HEAD", url, {}, null, task);
    if (url === null && answer.status === 201) {
      url = pathOf(answer.field("Location") ?? "");
      task.begun(url);
      offset = 0;
    } else if (url !== null && answer.status === 200) offset = Number(answer.field("Upload-Offset") ?? 0);
    else if (url !== null && (answer.status === 404 || answer.status === 410)) {
      url = null; // it has expired: begins again
      continue;
    } else {
      await recover(answer, ++attempts, task.signal);
      continue;
    }
    const before = offset;
    const broken = await sendPieces(task, url, offset, (reached) => (offset = reached));
    if (!broken) return url.slice(url.lastIndexOf("/") + 1);
    attempts = offset > before ? 1 : attempts + 1;
    await recover(broken, attempts, task.signal);
  }
}

// Ends an upload that is not wanted any more; what fails expires.
export async function discardUpload(url: string): Promise<void> {
  await fetch(url, { method: "DELETE", headers: version }).catch(() => undefined);
}

// Returns the answer that is not a success; null: all bytes have arrived.
async function sendPieces(task: TusTask, url: string, from: number, reached: (offset: number) => void): Promise<Answer | null> {
  for (let offset = from; ; ) {
    task.stored(offset);
    if (offset >= task.file.size) return null;
    task.signal.throwIfAborted();
    const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
    const answer = await call("PATCH", url, headers, task.file.slice(offset, offset + pieceBytes), task, offset);
    if (answer.status !== 204) return answer;
    offset = Number(answer.field("Upload-Offset") ?? 0);
    reached(offset);
  }
}

function begin(task: TusTask): Promise<Answer> {
  const metadata = `filename ${base64(task.path.split("/").pop() ?? "")},relativePath ${base64(task.path)}`;
  return call("POST", "/v1/uploads", { "Upload-Length": String(task.file.size), "Upload-Metadata": metadata }, null, task);
}

// Waits, if another attempt may succeed.
async function recover(answer: Answer, attempts: number, signal: AbortSignal): Promise<void> {
  const passes = answer.status === 0 || answer.status === 409 || answer.status === 429 || (answer.status >= 500 && answer.status !== 507);
  if (passes && attempts < maxAttempts) return pause(backoffMs(attempts), signal);
  if (answer.status === 0) throw new ApiError(0, { code: "unreachable" });
  throw new ApiError(answer.status, await problemOf(new Response(answer.text || null, { status: answer.status })));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal.addEventListener("abort", done);
  });
}

function call(method: string, url: string, headers: Record<string, string>, body: Blob | null, task: TusTask, offset = 0): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries({ ...version, ...headers })) request.setRequestHeader(name, value);
    if (body) request.upload.onprogress = (event) => task.sent(offset + Math.min(event.loaded, body.size));
    request.onloadend = () => {
      task.signal.removeEventListener("abort", stop);
      if (task.signal.aborted) reject(task.signal.reason as Error);
      else resolve({ status: request.status, field: (name) => request.getResponseHeader(name), text: request.responseText });
    };
    task.signal.addEventListener("abort", stop);
    request.send(body);
  });
}

function pathOf(location: string): string {
  return new URL(location, self.location.href).pathname;
}

export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
