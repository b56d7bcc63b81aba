// The upload queue as a value with its transitions. No XHR, no DOM: see driver.ts.
import type { ServerEvent } from "../api/events";
import type { Asset, Job } from "../api/types";

// interrupted: the page was left meanwhile, and needs the files again.
export type UploadPhase = "waiting" | "sending" | "paused" | "interrupted" | "storing" | "importing" | "done" | "failed" | "cancelled";

export interface UploadFile {
  path: string;
  size: number;
}

export interface UploadedAsset {
  id: string;
  name: string;
  state: "importing" | "ready" | "failed";
  stage: string;
  progress: number;
  problem: string | null;
  // The content was in the library already: no asset was created.
  known: boolean;
  job: string | null;
}

export interface UploadCollection {
  id: string;
  name: string; // empty: not known
}

export interface Upload {
  key: number;
  name: string;
  kind: "zip" | "bundle";
  files: UploadFile[];
  size: number;
  sent: number;
  phase: UploadPhase;
  error: string | null;
  assets: UploadedAsset[];
  target: string | null; // asset that gets a new version; null: new assets
  collection: UploadCollection | null; // that new assets are added to
  inPieces: boolean; // it may be paused, and survives a reload of the page
}

export type UploadAction =
  | { type: "add"; uploads: Upload[] }
  | { type: "start"; key: number }
  | { type: "progress"; key: number; sent: number }
  | { type: "stored"; key: number; items: { asset: Asset; job?: Job | null }[] }
  | { type: "fail"; key: number; error: string }
  | { type: "cancel"; key: number }
  | { type: "pause"; key: number }
  | { type: "resume"; key: number }
  | { type: "reject"; key: number; error: string }
  | { type: "retry"; key: number }
  | { type: "clear" }
  | { type: "event"; event: ServerEvent };

// Less is sent again in a moment; many small files are one request, not one each.
const minPiecesBytes = 1024 * 1024;
const maxPiecesFiles = 200;

export function newUpload(key: number, name: string, kind: "zip" | "bundle", files: UploadFile[], target: string | null = null, collection: UploadCollection | null = null): Upload {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const inPieces = size >= minPiecesBytes && files.length <= maxPiecesFiles;
  return { key, name, kind, files, size, sent: 0, phase: "waiting", error: null, assets: [], target, collection, inPieces };
}

export function reduce(uploads: readonly Upload[], action: UploadAction): readonly Upload[] {
  switch (action.type) {
    case "add":
      return [...uploads, ...action.uploads];
    case "clear":
      return uploads.filter((upload) => isActive(upload) || isHalted(upload));
    case "event":
      return withServerEvent(uploads, action.event);
    default:
      return uploads.map((upload) => (upload.key === action.key ? step(upload, action) : upload));
  }
}

function step(upload: Upload, action: Exclude<UploadAction, { type: "add" | "clear" | "event" }>): Upload {
  switch (action.type) {
    case "start":
      return upload.phase === "waiting" ? { ...upload, phase: "sending", sent: upload.inPieces ? upload.sent : 0, error: null } : upload;
    case "pause":
      return upload.phase === "sending" && upload.inPieces ? { ...upload, phase: "paused" } : upload;
    case "resume":
      return isHalted(upload) ? { ...upload, phase: "waiting", error: null } : upload;
    case "reject":
      return upload.phase === "interrupted" ? { ...upload, error: action.error } : upload;
    case "progress": {
      if (upload.phase !== "sending") return upload;
      const sent = Math.max(upload.sent, Math.min(upload.size, action.sent));
      return { ...upload, sent, phase: sent >= upload.size ? "storing" : "sending" };
    }
    case "stored":
      return stored(upload, action);
    case "fail":
      return isDone(upload) ? upload : { ...upload, phase: "failed", error: action.error };
    case "cancel":
      return isActive(upload) || isHalted(upload) ? { ...upload, phase: "cancelled" } : upload;
    case "retry":
      return upload.phase === "failed" || upload.phase === "cancelled"
        ? { ...upload, phase: "waiting", sent: 0, error: null, assets: [] }
        : upload;
  }
}

// It goes on when the user says so.
export function isHalted(upload: Upload): boolean {
  return upload.phase === "paused" || upload.phase === "interrupted";
}

function stored(upload: Upload, action: Extract<UploadAction, { type: "stored" }>): Upload {
  if (upload.phase === "cancelled") return upload;
  const assets = action.items.map((item) => uploadedAsset(item.asset, item.job ?? null));
  return settled({ ...upload, sent: upload.size, assets, phase: "importing" });
}

// New assets are always importing when the response is sent: an asset that is ready existed before.
function uploadedAsset(asset: Asset, job: Job | null): UploadedAsset {
  const { id, name, status: state } = asset;
  const progress = state === "importing" ? (job?.progress ?? 0) : 1;
  return { id, name, state, stage: job?.stage ?? "load", progress, problem: asset.problem?.detail ?? null, known: state === "ready", job: job?.id ?? null };
}

// Done when all assets of the upload are ready or failed.
function settled(upload: Upload): Upload {
  if (upload.phase !== "importing") return upload;
  return upload.assets.every((asset) => asset.state !== "importing") ? { ...upload, phase: "done" } : upload;
}

function withServerEvent(uploads: readonly Upload[], event: ServerEvent): readonly Upload[] {
  if (event.type !== "asset" && event.type !== "job") return uploads;
  const id = event.type === "asset" ? event.asset.id : event.job.asset;
  if (!uploads.some((upload) => upload.assets.some((asset) => asset.id === id))) return uploads;
  return uploads.map((upload) => {
    const change = upload.target === null ? changeOfAsset : changeOfVersion;
    return settled({ ...upload, assets: upload.assets.map((asset) => (asset.id === id ? change(asset, event) : asset)) });
  });
}

type AssetEvent = Extract<ServerEvent, { type: "asset" | "job" }>;

function changeOfAsset(known: UploadedAsset, event: AssetEvent): UploadedAsset {
  return event.type === "asset" ? fromAsset(known, event.asset) : fromJob(known, event.job);
}

// An asset that gets a new version has the state of the older one until its import has ended.
function changeOfVersion(known: UploadedAsset, event: AssetEvent): UploadedAsset {
  if (event.type === "asset") return { ...known, name: event.asset.name };
  return event.job.id === known.job ? fromJob(known, event.job) : known;
}

function fromAsset(known: UploadedAsset, asset: Asset): UploadedAsset {
  const over = asset.status !== "importing";
  return { ...known, name: asset.name, state: asset.status, progress: over ? 1 : known.progress, problem: asset.problem?.detail ?? null };
}

function fromJob(known: UploadedAsset, job: Job): UploadedAsset {
  if (job.state === "failed" || job.state === "cancelled") {
    return { ...known, state: "failed", progress: 1, problem: job.problem?.detail ?? known.problem };
  }
  if (job.state === "succeeded") return { ...known, state: "ready", progress: 1, stage: "done" };
  return { ...known, stage: job.stage ?? known.stage, progress: job.progress ?? known.progress };
}

export function isActive(upload: Upload): boolean {
  return upload.phase === "waiting" || upload.phase === "sending" || upload.phase === "storing" || upload.phase === "importing";
}

function isDone(upload: Upload): boolean {
  return upload.phase === "done" || upload.phase === "cancelled";
}

// Returns the number of assets in each state.
export function outcomes(upload: Upload): Record<UploadedAsset["state"], number> {
  const counts = { importing: 0, ready: 0, failed: 0 };
  for (const asset of upload.assets) counts[asset.state] += 1;
  return counts;
}

// Bytes count for nine tenths, the import for the rest; 0..1 over all uploads that were not cancelled.
export function totalProgress(uploads: readonly Upload[]): number {
  const counted = uploads.filter((upload) => upload.phase !== "cancelled" && upload.phase !== "failed");
  const weight = counted.reduce((sum, upload) => sum + upload.size + 1, 0);
  if (weight === 0) return uploads.length ? 1 : 0;
  return counted.reduce((sum, upload) => sum + (upload.size + 1) * progressOf(upload), 0) / weight;
}

export function progressOf(upload: Upload): number {
  if (upload.phase === "done") return 1;
  if (upload.phase === "waiting") return 0;
  const imported = upload.assets.length ? upload.assets.reduce((sum, asset) => sum + asset.progress, 0) / upload.assets.length : 0;
  return 0.9 * (upload.size > 0 ? upload.sent / upload.size : 1) + 0.1 * imported;
}

// 0..1 per file. The parts of a request are sent in sequence, so each value follows from the bytes sent.
export function fileProgress(upload: Upload): number[] {
  let left = upload.sent;
  return upload.files.map(({ size }) => {
    const share = size > 0 ? Math.min(1, Math.max(0, left / size)) : Number(upload.phase !== "waiting" && left >= 0);
    left -= size;
    return share;
  });
}
