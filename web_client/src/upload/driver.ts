// Runs the upload queue: two parallel requests; XMLHttpRequest, because fetch reports no upload progress.
import { api, problemOf } from "../api/client";
import type { ServerEvent } from "../api/events";
import type { UploadResponse } from "../api/types";
import { t } from "../i18n";
import { library } from "../state/library_store";
import { Store } from "../state/store";
import type { PickedFile } from "./collect_files";
import { groupFiles } from "./group_files";
import { newUpload, reduce } from "./queue";
import type { Upload, UploadAction } from "./queue";

const maxConcurrentUploads = 2;
const rememberedEvents = 400;

class UploadStore extends Store<{ uploads: readonly Upload[] }> {
  private readonly files = new Map<number, PickedFile[]>();
  private readonly requests = new Map<number, XMLHttpRequest>();
  private lastKey = 0;
  // An import may end before the response to the upload is read: its events are applied again then.
  private recent: ServerEvent[] = [];

  constructor() {
    super({ uploads: [] });
    library.onEvent((event) => this.receive(event));
  }

  private receive(event: ServerEvent): void {
    if (event.type === "reset") void this.askAgain();
    else if (this.requests.size > 0) this.recent = [...this.recent.slice(1 - rememberedEvents), event];
    this.dispatch({ type: "event", event });
  }

  // Events were lost: reads the state of the imports.
  private async askAgain(): Promise<void> {
    const waiting = this.value.uploads.flatMap((upload) => upload.assets.filter((asset) => asset.state === "importing"));
    for (const { id } of waiting) {
      const asset = await api.asset(id).catch(() => null);
      if (asset) this.dispatch({ type: "event", event: { type: "asset", asset, created: false } });
    }
  }

  add(picked: PickedFile[]): void {
    const uploads = groupFiles(picked).map((group) => {
      const key = ++this.lastKey;
      this.files.set(key, group.files);
      return newUpload(key, group.name, group.kind, group.files.map(({ path, file }) => ({ path, size: file.size })));
    });
    if (uploads.length === 0) return;
    this.dispatch({ type: "add", uploads });
    this.pump();
  }

  cancel(key: number): void {
    this.dispatch({ type: "cancel", key });
    this.requests.get(key)?.abort();
    this.requests.delete(key);
    this.pump();
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
    const { key } = upload;
    const request = new XMLHttpRequest();
    this.requests.set(key, request);
    this.dispatch({ type: "start", key });
    request.upload.onprogress = (event) => this.dispatch({ type: "progress", key, sent: payloadShare(event, upload.size) });
    request.upload.onload = () => this.dispatch({ type: "progress", key, sent: upload.size });
    request.onload = () => void this.answered(key, request);
    request.onerror = () => this.failed(key, t.errors.unreachable);
    const name = upload.kind === "zip" ? `?name=${encodeURIComponent(upload.name)}` : "";
    request.open("POST", `/v1/assets${name}`);
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
      const response = JSON.parse(request.responseText) as UploadResponse;
      this.dispatch({ type: "stored", key, items: response.items });
      for (const event of this.recent) this.dispatch({ type: "event", event });
    } catch {
      this.dispatch({ type: "fail", key, error: t.errors.unknown });
    }
    this.finished(key);
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
