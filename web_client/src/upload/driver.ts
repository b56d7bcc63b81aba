// Runs the upload queue: two uploads at a time, large ones in pieces (tus.ts), small ones as one request.
import { api, problemOf } from "../api/client";
import type { ServerEvent } from "../api/events";
import type { UploadResponse, VersionResponse } from "../api/types";
import { t } from "../i18n";
import { library, sentenceOf } from "../state/library_store";
import { Store } from "../state/store";
import type { PickedFile } from "./collect_files";
import { groupFiles } from "./group_files";
import { nameUploads, resourceOf } from "./name_uploads";
import { newUpload, reduce } from "./queue";
import type { Upload, UploadAction, UploadCollection } from "./queue";
import { findSameFiles, forget, heldUploads, holdUpload, readRemembered, remember } from "./remembered";
import type { RememberedUpload } from "./remembered";
import { discardUpload, sendByTus } from "./tus";

const maxConcurrentUploads = 2;
const rememberedEvents = 400;
// Imports are also asked for, because their events may come before the page's event stream is open.
const askAgainMs = 5000;
const maxAskedAgain = 20;

class UploadStore extends Store<{ uploads: readonly Upload[] }> {
  private readonly files = new Map<number, PickedFile[]>();
  private readonly requests = new Map<number, { abort(): void }>();
  private readonly remembered = new Map<number, RememberedUpload>(); // of uploads in pieces
  private lastKey = 0;
  private asking: ReturnType<typeof setTimeout> | undefined;
  // An import may end before the response to the upload is read: its events are applied again then.
  private recent: ServerEvent[] = [];

  constructor() {
    super({ uploads: [] });
    library.onEvent((event) => this.receive(event));
    void this.offerInterrupted();
  }

  // Those that this page, or one before it, was sending when it was left.
  private async offerInterrupted(): Promise<void> {
    const held = await heldUploads();
    const left = readRemembered(Date.now()).filter(({ token }) => !held.has(token));
    const uploads = left.map((record) => {
      const key = ++this.lastKey;
      this.remembered.set(key, record);
      const sent = record.files.reduce((sum, file) => sum + file.sent, 0);
      return { ...newUpload(key, record.name, record.kind, record.files, record.target, record.collection ?? null), inPieces: true, phase: "interrupted" as const, sent };
    });
    if (uploads.length > 0) this.dispatch({ type: "add", uploads });
  }

  private receive(event: ServerEvent): void {
    if (event.type === "reset") void this.askAgain();
    else if (this.requests.size > 0) this.recent = [...this.recent.slice(1 - rememberedEvents), event];
    this.dispatch({ type: "event", event });
  }

  private readonly importing = () => this.value.uploads.flatMap((upload) => upload.assets.filter((asset) => asset.state === "importing"));

  private askAgainSoon(): void {
    if (this.asking !== undefined || this.importing().length === 0) return;
    this.asking = setTimeout(() => {
      this.asking = undefined;
      void this.askAgain().then(() => this.askAgainSoon());
    }, askAgainMs);
  }

  // Events were lost: reads the state of the imports.
  private async askAgain(): Promise<void> {
    for (const { id, job: jobId } of this.importing().slice(0, maxAskedAgain)) {
      const [asset, job] = await Promise.all([api.asset(id).catch(() => null), jobId ? api.job(jobId).catch(() => null) : null]);
      if (asset) this.dispatch({ type: "event", event: { type: "asset", asset, created: false } });
      if (job) this.dispatch({ type: "event", event: { type: "job", job } });
    }
  }

  // `collection`: that the new assets are added to.
  add(picked: PickedFile[], collection: UploadCollection | null = null): void {
    const rest = this.resumeWith(picked);
    this.enqueue(groupFiles(rest).map((group) => this.newUpload(group.name, group.kind, group.files, null, collection)));
  }

  // The files are one model: new content of the asset.
  addVersion(target: string, name: string, picked: PickedFile[]): void {
    const rest = this.resumeWith(picked);
    const [first] = rest;
    if (!first) return;
    const [zip] = groupFiles(rest);
    const kind = rest.length === 1 ? (zip?.kind ?? "bundle") : "bundle";
    this.enqueue([this.newUpload(kind === "zip" ? first.path : name, kind, rest, target)]);
  }

  private newUpload(name: string, kind: Upload["kind"], files: PickedFile[], target: string | null, collection: UploadCollection | null = null): Upload {
    const key = ++this.lastKey;
    this.files.set(key, files);
    return newUpload(key, name, kind, files.map(({ path, file }) => ({ path, size: file.size })), target, collection);
  }

  private enqueue(uploads: Upload[]): void {
    if (uploads.length === 0) return;
    this.dispatch({ type: "add", uploads });
    this.pump();
  }

  // Returns the files of no interrupted upload.
  private resumeWith(picked: PickedFile[]): PickedFile[] {
    let rest = picked;
    for (const upload of this.value.uploads) {
      const record = this.remembered.get(upload.key);
      const same = upload.phase === "interrupted" && record ? findSameFiles(record.files, rest) : null;
      if (!same) continue;
      this.files.set(upload.key, same);
      rest = rest.filter(({ file }) => !same.some((one) => one.file === file));
      this.dispatch({ type: "resume", key: upload.key });
    }
    this.pump();
    return rest;
  }

  // The user has chosen the files of an interrupted upload again.
  choose(key: number, picked: PickedFile[]): void {
    const record = this.remembered.get(key);
    const same = record ? findSameFiles(record.files, picked) : null;
    if (!same) return this.dispatch({ type: "reject", key, error: t.upload.otherFiles });
    this.files.set(key, same);
    this.resume(key);
  }

  pause(key: number): void {
    this.dispatch({ type: "pause", key });
    this.requests.get(key)?.abort();
    this.requests.delete(key);
    this.pump();
  }

  resume(key: number): void {
    this.dispatch({ type: "resume", key });
    this.pump();
  }

  cancel(key: number): void {
    this.dispatch({ type: "cancel", key });
    this.requests.get(key)?.abort();
    this.requests.delete(key);
    const record = this.remembered.get(key);
    this.forget(key);
    for (const { url } of record?.files ?? []) if (url !== null) void discardUpload(url);
    this.pump();
  }

  private forget(key: number): void {
    const record = this.remembered.get(key);
    if (record) forget(record.token, Date.now());
    this.remembered.delete(key);
  }

  retry(key: number): void {
    this.dispatch({ type: "retry", key });
    this.pump();
  }

  clear(): void {
    this.dispatch({ type: "clear" });
    const kept = new Set(this.value.uploads.map((upload) => upload.key));
    for (const key of [...this.files.keys()]) if (!kept.has(key)) this.files.delete(key);
  }

  private dispatch(action: UploadAction): void {
    const uploads = reduce(this.value.uploads, action);
    if (uploads !== this.value.uploads) this.set({ uploads });
  }

  private pump(): void {
    for (const upload of this.value.uploads) {
      if (this.requests.size >= maxConcurrentUploads) return;
      if (upload.phase === "waiting") this.send(upload);
    }
  }

  private send(upload: Upload): void {
    if (upload.inPieces) return this.sendInPieces(upload);
    const { key } = upload;
    const request = new XMLHttpRequest();
    this.requests.set(key, request);
    this.dispatch({ type: "start", key });
    request.upload.onprogress = (event) => this.dispatch({ type: "progress", key, sent: payloadShare(event, upload.size) });
    request.upload.onload = () => this.dispatch({ type: "progress", key, sent: upload.size });
    request.onload = () => void this.answered(key, request);
    request.onerror = () => this.failed(key, t.errors.unreachable);
    const name: [string, string][] = upload.kind === "zip" ? [["name", upload.name]] : [];
    request.open("POST", resourceOf(upload, name));
    request.setRequestHeader("Accept", "application/json");
    const files = this.files.get(key) ?? [];
    if (upload.kind === "zip") {
      request.setRequestHeader("Content-Type", "application/zip");
      request.send(files[0]?.file);
    } else request.send(formOf(files));
  }

  private async answered(key: number, request: XMLHttpRequest): Promise<void> {
    if (request.status < 200 || request.status > 299) {
      const problem = await problemOf(new Response(request.responseText || null, { status: request.status || 599 }));
      this.failed(key, problem.detail ?? problem.title ?? problem.code);
      return;
    }
    try {
      this.stored(key, JSON.parse(request.responseText) as UploadResponse | VersionResponse);
    } catch {
      this.dispatch({ type: "fail", key, error: t.errors.unknown });
    }
    this.finished(key);
  }

  private stored(key: number, response: UploadResponse | VersionResponse): void {
    const items = "items" in response ? response.items : [{ ...response, asset: { ...response.asset, status: response.version.status } }];
    this.dispatch({ type: "stored", key, items });
    for (const event of this.recent) this.dispatch({ type: "event", event });
    this.askAgainSoon();
  }

  private sendInPieces(upload: Upload): void {
    const { key } = upload;
    const aborter = new AbortController();
    this.requests.set(key, aborter);
    this.dispatch({ type: "start", key });
    const record = this.recordOf(upload);
    holdUpload(record.token, () => this.sendFiles(upload, record, aborter.signal)).then(
      (response) => {
        this.forget(key);
        this.stored(key, response);
        this.finished(key);
      },
      (error: unknown) => {
        if (!aborter.signal.aborted) this.failed(key, sentenceOf(error));
      },
    );
  }

  private recordOf(upload: Upload): RememberedUpload {
    const known = this.remembered.get(upload.key);
    if (known) return known;
    const files = (this.files.get(upload.key) ?? []).map(({ file, path }) => ({ path, size: file.size, modified: file.lastModified, url: null, sent: 0 }));
    const token = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const record = { token, name: upload.name, kind: upload.kind, target: upload.target, collection: upload.collection, files, at: Date.now() };
    this.remembered.set(upload.key, record);
    return record;
  }

  private async sendFiles(upload: Upload, record: RememberedUpload, signal: AbortSignal): Promise<UploadResponse | VersionResponse> {
    const { key } = upload;
    const names: { id: string; name: string }[] = [];
    let before = 0;
    for (const [index, { file, path }] of (this.files.get(key) ?? []).entries()) {
      const entry = record.files[index]!;
      const base = before;
      const id = await sendByTus({
        file,
        path,
        url: entry.url,
        signal,
        begun: (url) => {
          entry.url = url;
          remember(record);
        },
        stored: (bytes) => {
          entry.sent = bytes;
          remember(record);
          this.dispatch({ type: "progress", key, sent: base + bytes });
        },
        sent: (bytes) => this.dispatch({ type: "progress", key, sent: base + bytes }),
      });
      names.push({ id, name: path });
      before += file.size;
    }
    return nameUploads(upload, names, record.token, signal);
  }

  private failed(key: number, error: string): void {
    this.dispatch({ type: "fail", key, error });
    this.finished(key);
  }

  private finished(key: number): void {
    this.requests.delete(key);
    if (this.requests.size === 0) this.recent = [];
    this.pump();
  }
}

// The request is slightly longer than its files.
function payloadShare(event: ProgressEvent, size: number): number {
  return event.lengthComputable && event.total > 0 ? (event.loaded / event.total) * size : Math.min(size, event.loaded);
}

function formOf(files: PickedFile[]): FormData {
  const form = new FormData();
  for (const { file, path } of files) form.append("file", file, path);
  return form;
}

export const uploads = new UploadStore();
