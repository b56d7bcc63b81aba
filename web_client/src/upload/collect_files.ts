// Collects files from a drop or an input with their paths. Traverses folders (webkitGetAsEntry). Files that systems and version
// control keep beside others are left out and counted.
export interface PickedFile {
  file: File;
  path: string;
}

export interface PickedFiles {
  files: PickedFile[];
  junk: number; // files of systems that were left out
  isCut: boolean; // there are more than maxFiles
}

export const maxFiles = 5000;
const maxJunk = 100_000; // that are counted

export async function filesOfDrop(transfer: DataTransfer): Promise<PickedFiles> {
  // Entries must be read before the first await: the list is cleared when the event handler returns.
  const entries = [...transfer.items].map((item) => (item.kind === "file" ? (item.webkitGetAsEntry?.() ?? null) : null));
  if (!entries.some(Boolean)) return filesOfList(transfer.files);
  const found: PickedFiles = { files: [], junk: 0, isCut: false };
  for (const entry of entries) if (entry) await walk(entry, found, false);
  return found;
}

export function filesOfList(list: FileList | File[]): PickedFiles {
  const found: PickedFiles = { files: [], junk: 0, isCut: false };
  for (const file of list) add(found, file, file.webkitRelativePath || file.name);
  return found;
}

function add(found: PickedFiles, file: File, path: string): void {
  if (path.split("/").some(isJunk)) found.junk += 1;
  else if (found.files.length < maxFiles) found.files.push({ file, path });
  else found.isCut = true;
}

// `inJunk`: the entry is in a folder that is left out; its files are only counted.
async function walk(entry: FileSystemEntry, found: PickedFiles, inJunk: boolean): Promise<void> {
  const isLeftOut = inJunk || isJunk(entry.name);
  if (isLeftOut ? found.junk >= maxJunk : found.isCut) return;
  if (!entry.isFile) return walkFolder(entry as FileSystemDirectoryEntry, found, isLeftOut);
  if (isLeftOut) return void (found.junk += 1);
  if (found.files.length >= maxFiles) return void (found.isCut = true);
  const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
  found.files.push({ file, path: entry.fullPath.replace(/^\/+/, "") });
}

async function walkFolder(folder: FileSystemDirectoryEntry, found: PickedFiles, isLeftOut: boolean): Promise<void> {
  const reader = folder.createReader();
  // readEntries returns at most a hundred entries per call, and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, found, isLeftOut);
  }
}

const junkNames = new Set(["thumbs.db", "desktop.ini", "__macosx"]);

function isJunk(name: string): boolean {
  return name.startsWith(".") || junkNames.has(name.toLowerCase());
}
