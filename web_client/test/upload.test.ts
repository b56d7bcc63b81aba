import { describe, expect, it } from "vitest";

import type { Asset } from "../src/api/types";
import { groupFiles } from "../src/upload/group_files";
import { fileProgress, newUpload, outcomes, progressOf, reduce, totalProgress } from "../src/upload/queue";
import type { Upload, UploadAction } from "../src/upload/queue";
import { findSameFiles, forget, readRemembered, remember } from "../src/upload/remembered";
import type { RememberedUpload } from "../src/upload/remembered";
import { assetFormats, formatTitles, isModel, isSelfContained } from "../src/util/model_formats";
import { wholeAsset, wholeJob } from "./shapes";

const importing = wholeAsset("a", { name: "Fox.glb", format: null, status: "importing" });

function run(actions: UploadAction[], from: readonly Upload[] = [newUpload(1, "Fox", "bundle", [{ path: "Fox.gltf", size: 60 }, { path: "Fox.bin", size: 40 }])]): Upload {
  return actions.reduce(reduce, from)[0] as Upload;
}

const stored: UploadAction = { type: "stored", key: 1, items: [{ asset: importing, job: null }] };
const sent: UploadAction[] = [{ type: "start", key: 1 }, { type: "progress", key: 1, sent: 100 }];

describe("upload queue", () => {
  it("goes from waiting to done", () => {
    expect(run([]).phase).toBe("waiting");
    expect(run([{ type: "start", key: 1 }, { type: "progress", key: 1, sent: 30 }])).toMatchObject({ phase: "sending", sent: 30 });
    expect(run(sent).phase).toBe("storing");
    expect(run([...sent, stored]).phase).toBe("importing");
    const ready: UploadAction = { type: "event", event: { type: "asset", created: false, asset: { ...importing, status: "ready" } } };
    expect(run([...sent, stored, ready])).toMatchObject({ phase: "done" });
  });

  it("never decreases its progress", () => {
    expect(run([...sent.slice(0, 1), { type: "progress", key: 1, sent: 50 }, { type: "progress", key: 1, sent: 20 }]).sent).toBe(50);
  });

  it("shows the stages of the import", () => {
    const job = wholeJob("a", { stage: "bounds", progress: 0.5 });
    const upload = run([...sent, stored, { type: "event", event: { type: "job", job } }]);
    expect(upload.assets[0]).toMatchObject({ stage: "bounds", progress: 0.5, state: "importing" });
    expect(progressOf(upload)).toBeCloseTo(0.95);
  });

  it("keeps the message of a failed import", () => {
    const failed: Asset = { ...importing, status: "failed", problem: { code: "truncated", where: "", detail: "It ends too early." } };
    const upload = run([...sent, stored, { type: "event", event: { type: "asset", created: false, asset: failed } }]);
    expect(upload).toMatchObject({ phase: "done", assets: [{ state: "failed", problem: "It ends too early." }] });
  });

  it("fails, is retried, is cancelled", () => {
    const failed = run([{ type: "start", key: 1 }, { type: "fail", key: 1, error: "no" }]);
    expect(failed).toMatchObject({ phase: "failed", error: "no" });
    expect(run([{ type: "retry", key: 1 }], [failed])).toMatchObject({ phase: "waiting", sent: 0, error: null });
    const cancelled = run([{ type: "start", key: 1 }, { type: "cancel", key: 1 }, stored]);
    expect(cancelled.phase).toBe("cancelled");
    expect(run([{ type: "fail", key: 1, error: "aborted" }], [cancelled]).phase).toBe("cancelled");
  });

  it("clears only finished uploads", () => {
    const list = [run([]), { ...run([]), key: 2, phase: "done" as const }];
    expect(reduce(list, { type: "clear" }).map((upload) => upload.key)).toEqual([1]);
  });

  it("computes the progress of each file from the bytes sent", () => {
    const upload = run([{ type: "start", key: 1 }, { type: "progress", key: 1, sent: 70 }]);
    expect(fileProgress(upload)).toEqual([1, 0.25]);
    expect(totalProgress([upload])).toBeGreaterThan(0.5);
    expect(totalProgress([])).toBe(0);
  });

  it("counts an empty file as sent after all files before it", () => {
    const files = [{ path: "a", size: 10 }, { path: "none", size: 0 }, { path: "b", size: 10 }];
    const at = (sent: number) => fileProgress(run([{ type: "start", key: 1 }, { type: "progress", key: 1, sent }], [newUpload(1, "3 files", "bundle", files)]));
    expect(at(5)).toEqual([0.5, 0, 0]);
    expect(at(10)).toEqual([1, 1, 0]);
    expect(at(20)).toEqual([1, 1, 1]);
    expect(fileProgress(newUpload(1, "none", "bundle", [{ path: "none", size: 0 }]))).toEqual([0]);
  });

  it("keeps the assets of one upload apart", () => {
    const items = [importing, { ...importing, id: "b", name: "torn.glb" }, { ...importing, id: "c", name: "old.glb", status: "ready" as const }];
    const failed: Asset = { ...importing, id: "b", status: "failed", problem: { code: "truncated", where: "", detail: "It ends too early." } };
    const upload = run([...sent, { type: "stored", key: 1, items: items.map((asset) => ({ asset })) }, { type: "event", event: { type: "asset", created: false, asset: failed } }]);
    expect(upload.phase).toBe("importing");
    expect(upload.assets).toMatchObject([
      { id: "a", state: "importing", known: false, problem: null },
      { id: "b", state: "failed", known: false, problem: "It ends too early." },
      { id: "c", state: "ready", known: true, problem: null },
    ]);
    expect(outcomes(upload)).toEqual({ importing: 1, ready: 1, failed: 1 });
    const ready = run([{ type: "event", event: { type: "asset", created: false, asset: { ...importing, status: "ready" } } }], [upload]);
    expect(ready).toMatchObject({ phase: "done", assets: [{ state: "ready", known: false }, { state: "failed" }, { known: true }] });
  });
});

describe("grouping", () => {
  const group = (...paths: string[]) => groupFiles(paths.map((path) => ({ path }))).map((entry) => `${entry.kind}:${entry.files.length}`);

  it("sends folders as bundles and zips alone", () => {
    expect(group("knight/knight.md5mesh", "knight/walk.md5anim", "pack.zip")).toEqual(["zip:1", "bundle:2"]);
    expect(group("pak0.pk3", "game.PK4")).toEqual(["zip:1", "zip:1"]);
  });

  it("keeps models with their companions, and lone models apart", () => {
    expect(group("fox.gltf", "fox.bin", "fox.png")).toEqual(["bundle:3"]);
    expect(group("a.zae", "b.3ds")).toEqual(["bundle:1", "bundle:1"]);
    expect(group("hero.fbx", "walk.fbx")).toEqual(["bundle:2"]);
  });

  it("takes models and what needs no other file from the table of formats", () => {
    const models = ["a.gltf", "a.GLB", "a.fbx", "a.dae", "a.zae", "a.3ds", "a.md2", "a.md3", "a.md5mesh", "a.obj", "a.bvh", "a.stl", "a.ply", "a.vrm", "a.vrma"];
    expect(models.filter((path) => !isModel(path))).toEqual([]);
    expect(["a.md5anim", "a.bin", "a.mtl", "glb", "a.glb/b"].filter(isModel)).toEqual([]);
    expect(models.filter(isSelfContained)).toEqual(["a.zae", "a.3ds", "a.bvh", "a.stl", "a.vrm", "a.vrma"]);
    expect([...assetFormats].sort()).toEqual(["3ds", "bvh", "dae", "fbx", "glb", "gltf", "md2", "md3", "md5", "obj", "ply", "stl", "vrm", "vrma", "zae"]);
    expect(formatTitles).toContain("COLLADA");
  });

  it("names a group after its only model, or by its number of files", () => {
    const names = (...paths: string[]) => groupFiles(paths.map((path) => ({ path }))).map((entry) => entry.name);
    expect(names("fox.bin", "fox.gltf", "fox.png")).toEqual(["fox.gltf"]);
    expect(names("trunc.glb", "text.txt", "zero.bin", "neg#100%.gltf")).toEqual(["4 files"]);
    expect(names("a.png", "b.png")).toEqual(["2 files"]);
    expect(names("text.txt")).toEqual(["text.txt"]);
    expect(names("knight/a.glb", "knight/b.obj", "pack.zip")).toEqual(["pack.zip", "knight"]);
  });
});

describe("uploads in pieces", () => {
  const large = newUpload(1, "big.obj", "bundle", [{ path: "big.obj", size: 8e6 }]);
  const sending = reduce([large], { type: "start", key: 1 });

  it("are those of a megabyte and more, of few files", () => {
    expect(large.inPieces).toBe(true);
    expect(newUpload(1, "small", "bundle", [{ path: "a.obj", size: 1000 }]).inPieces).toBe(false);
    expect(newUpload(1, "many", "bundle", Array.from({ length: 300 }, () => ({ path: "a", size: 1e6 }))).inPieces).toBe(false);
  });

  it("keep what was sent when they are paused", () => {
    const paused = run([{ type: "progress", key: 1, sent: 3e6 }, { type: "pause", key: 1 }], sending);
    expect(paused).toMatchObject({ phase: "paused", sent: 3e6 });
    expect(run([{ type: "clear" }], [paused])).toBeTruthy();
    expect(run([{ type: "resume", key: 1 }, { type: "start", key: 1 }], [paused])).toMatchObject({ phase: "sending", sent: 3e6 });
  });

  it("are paused by nothing else", () => {
    expect(run([{ type: "start", key: 1 }, { type: "pause", key: 1 }]).phase).toBe("sending");
    expect(run([{ type: "reject", key: 1, error: "no" }]).error).toBeNull();
  });

  it("of a new version end with its job, not with the state of the older one", () => {
    const version = newUpload(1, "better", "bundle", [{ path: "b.glb", size: 100 }], "a");
    const job = wholeJob("a", { id: "mine", version: 2 });
    const answer: UploadAction = { type: "stored", key: 1, items: [{ asset: importing, job }] };
    const ready: UploadAction = { type: "event", event: { type: "asset", created: false, asset: { ...importing, status: "ready" } } };
    const ended = (id: string): UploadAction => ({ type: "event", event: { type: "job", job: wholeJob("a", { id, state: "succeeded" }) } });
    expect(run([...sent, answer, ready, ended("another")], [version]).phase).toBe("importing");
    expect(run([...sent, answer, ready, ended("mine")], [version]).phase).toBe("done");
  });
});

class MemoryStorage {
  text: string | null = null;
  getItem = () => this.text;
  setItem = (_key: string, text: string) => void (this.text = text);
}

describe("remembered uploads", () => {
  const storage = () => new MemoryStorage() as unknown as Storage;
  const record = (token: string, at: number): RememberedUpload => ({
    token, at, name: "big.obj", kind: "bundle", target: null, files: [{ path: "a/big.obj", size: 3, modified: 7, url: "/v1/uploads/u", sent: 1 }],
  });
  const file = (bytes: string, lastModified: number, path: string) => ({ file: new File([bytes], "big.obj", { lastModified }), path });

  it("are replaced, forgotten and expire with those of the server", () => {
    const place = storage();
    remember(record("one", 1000), place);
    remember(record("one", 2000), place);
    remember(record("two", 3000), place);
    expect(readRemembered(4000, place).map(({ token }) => token)).toEqual(["one", "two"]);
    forget("one", 4000, place);
    expect(readRemembered(4000, place).map(({ token }) => token)).toEqual(["two"]);
    expect(readRemembered(3000 + 25 * 3600e3, place)).toEqual([]);
  });

  it("ignore what is not theirs", () => {
    const place = storage();
    place.setItem("", "{ broken");
    expect(readRemembered(0, place)).toEqual([]);
  });

  it("know their files by path, size and time", () => {
    const { files } = record("one", 0);
    expect(findSameFiles(files, [file("abc", 7, "a/big.obj")])?.length).toBe(1);
    expect(findSameFiles(files, [file("abc", 7, "big.obj")])?.[0]?.path).toBe("a/big.obj");
    expect(findSameFiles(files, [file("abc", 8, "big.obj")])).toBeNull();
    expect(findSameFiles(files, [file("abcd", 7, "big.obj")])).toBeNull();
    expect(findSameFiles(files, [file("abc", 7, "other.obj")])).toBeNull();
  });
});
