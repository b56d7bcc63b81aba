// Collects files from a drop or an input with their paths. Traverses folders (webkitGetAsEntry).
export interface PickedFile {
  file: File;
  path: string;
}

const maxFiles = 5000;

export async function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  // Entries must be read before the first await: the list is cleared when the event handler returns.
  const entries = [...transfer.items].map((item) => (item.kind === "file" ? (item.webkitGetAsEntry?.() ?? null) : null));
  if (!entries.some(Boolean)) return filesOfList(transfer.files);
  const found: PickedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, found);
  return found;
}

export function filesOfList(list: FileList | File[]): PickedFile[] {
  return [...list].slice(0, maxFiles).map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

async function walk(entry: FileSystemEntry, found: PickedFile[]): Promise<void> {
  if (found.length >= maxFiles || isJunk(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ file, path: entry.fullPath.replace(/^\/+/, "") });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // readEntries returns at most a hundred entries per call, and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, found);
  }
}

function isJunk(name: string): boolean {
  return name.startsWith(".") || name === "Thumbs.db" || name === "__MACOSX";
}
