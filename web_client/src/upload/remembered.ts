// Uploads that have begun, in localStorage: after a reload of the page they go on when the user chooses the same files again, which a
// page cannot open by itself. The server keeps their bytes for a day.
import type { PickedFile } from "./collect_files";
import type { UploadCollection } from "./queue";

export interface RememberedFile {
  path: string;
  size: number;
  modified: number; // ms since 1970
  url: string | null; // of the upload at the server
  sent: number;
}

export interface RememberedUpload {
  token: string; // Idempotency-Key of the request that names the uploads
  name: string;
  kind: "zip" | "bundle";
  target: string | null; // asset that gets a new version; null: new assets
  collection?: UploadCollection | null; // that new assets are added to
  files: RememberedFile[];
  at: number; // ms since 1970
}

const storageKey = "vitrine.uploads";
const maxRemembered = 20;
const lifetimeMs = 24 * 60 * 60 * 1000;

export function readRemembered(now: number, storage: Storage = localStorage): RememberedUpload[] {
  try {
    const list = JSON.parse(storage.getItem(storageKey) ?? "[]") as RememberedUpload[];
    return list.filter((upload) => now - upload.at < lifetimeMs && upload.files.every((file) => typeof file.path === "string"));
  } catch {
    return []; // not ours, or there is no storage
  }
}

// Adds or replaces the upload.
export function remember(upload: RememberedUpload, storage: Storage = localStorage): void {
  const others = readRemembered(upload.at, storage).filter(({ token }) => token !== upload.token);
  write([...others.slice(1 - maxRemembered), upload], storage);
}

export function forget(token: string, now: number, storage: Storage = localStorage): void {
  write(readRemembered(now, storage).filter((upload) => upload.token !== token), storage);
}

function write(list: RememberedUpload[], storage: Storage): void {
  try {
    storage.setItem(storageKey, JSON.stringify(list));
  } catch {
    // Without storage an upload does not survive a reload.
  }
}

// The files of the upload among those that were picked; null: not all are the same. A file that is chosen alone has no folder.
export function findSameFiles(files: RememberedFile[], picked: PickedFile[]): PickedFile[] | null {
  const found: PickedFile[] = [];
  for (const wanted of files) {
    const same = picked.find(({ file, path }) => isSamePath(wanted.path, path) && file.size === wanted.size && file.lastModified === wanted.modified);
    if (!same) return null;
    found.push({ file: same.file, path: wanted.path });
  }
  return found;
}

function isSamePath(wanted: string, path: string): boolean {
  return wanted === path || wanted.endsWith(`/${path}`);
}

// While a tab sends an upload, other tabs do not offer it. Where the browser has no locks, they do.
export function holdUpload<T>(token: string, work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? (locks.request(lockName(token), work) as Promise<T>) : work();
}

export async function heldUploads(): Promise<Set<string>> {
  const locks = navigator.locks as LockManager | undefined;
  const state = await locks?.query().catch(() => null);
  return new Set((state?.held ?? []).map((lock) => (lock.name ?? "").replace(lockName(""), "")));
}

function lockName(token: string): string {
  return `vitrine.upload.${token}`;
}
