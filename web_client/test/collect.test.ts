import { describe, expect, it } from "vitest";

import { filesOfDrop, filesOfList } from "../src/upload/collect_files";

// Entries as in a browser: a reader returns at most a hundred entries of a folder per call.
const batchSize = 100;

function fileEntry(fullPath: string): FileSystemEntry {
  const name = fullPath.slice(fullPath.lastIndexOf("/") + 1);
  const file = (resolve: (file: File) => void): void => resolve(new File(["x"], name));
  return { isFile: true, isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry;
}

function folderEntry(fullPath: string, children: FileSystemEntry[]): FileSystemEntry {
  const name = fullPath.slice(fullPath.lastIndexOf("/") + 1);
  const createReader = (): object => {
    let at = 0;
    const readEntries = (resolve: (batch: FileSystemEntry[]) => void): void => {
      resolve(children.slice(at, at + batchSize));
      at += batchSize;
    };
    return { readEntries };
  };
  return { isFile: false, isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry;
}

function numbered(folder: string, count: number): FileSystemEntry[] {
  return Array.from({ length: count }, (_, i) => fileEntry(`${folder}/${i}.tga`));
}

function drop(...entries: FileSystemEntry[]): DataTransfer {
  return { items: entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry })), files: [] } as unknown as DataTransfer;
}

describe("files of a drop", () => {
  it("collects every file of a folder of more than a hundred", async () => {
    for (const count of [99, 100, 101, 250]) {
      const found = await filesOfDrop(drop(folderEntry("/model", numbered("/model", count))));
      expect(found.files.map((picked) => picked.path), `${count} files`).toEqual(numbered("model", count).map((entry) => entry.fullPath));
    }
  });

  it("keeps paths of nested folders and skips system files", async () => {
    const textures = folderEntry("/model/textures", [...numbered("/model/textures", 130), fileEntry("/model/textures/Thumbs.db")]);
    const hidden = folderEntry("/model/.git", [fileEntry("/model/.git/HEAD")]);
    const found = await filesOfDrop(drop(folderEntry("/model", [fileEntry("/model/a.obj"), textures, hidden]), fileEntry("/b.glb")));
    const { files } = found;
    expect(files).toHaveLength(132);
    expect(files[0]?.path).toBe("model/a.obj");
    expect(files[130]?.path).toBe("model/textures/129.tga");
    expect(files[131]?.path).toBe("b.glb");
    expect(found.junk).toBe(2);
  });

  it("leaves out files of systems and version control, and counts them", () => {
    const paths = ["m/a.obj", "m/.git/objects/12", "m/.git/HEAD", "m/.DS_Store", "m/Thumbs.db", "m/desktop.ini", "__MACOSX/m/._a.obj", "m/Desktop.ini.obj"];
    const files = paths.map((path) => Object.assign(new File(["x"], path.split("/").pop()!), { webkitRelativePath: path }));
    const found = filesOfList(files);
    expect(found.files.map(({ path }) => path)).toEqual(["m/a.obj", "m/Desktop.ini.obj"]);
    expect(found.junk).toBe(6);
  });

  it("stops at the limit of one upload", async () => {
    const dropped = await filesOfDrop(drop(folderEntry("/many", numbered("/many", 6000))));
    const listed = filesOfList(Array.from({ length: 6000 }, () => new File(["x"], "a")));
    for (const { files, isCut, junk } of [dropped, listed]) expect([files.length, isCut, junk]).toEqual([5000, true, 0]);
    const all = filesOfList(Array.from({ length: 5000 }, () => new File(["x"], "a")));
    expect([all.files.length, all.isCut]).toEqual([5000, false]);
  });

  it("uses the file list if there are no entries", async () => {
    const files = [new File(["x"], "a.obj")];
    const transfer = { items: [{ kind: "file", webkitGetAsEntry: () => null }], files } as unknown as DataTransfer;
    expect((await filesOfDrop(transfer)).files.map((picked) => picked.path)).toEqual(["a.obj"]);
  });
});
