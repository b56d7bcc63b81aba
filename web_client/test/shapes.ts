// Complete API objects; tests override the members of interest.
import type { Asset, Job, Joint } from "../src/api/types";

export function wholeAsset(id: string, changes: Partial<Asset> = {}): Asset {
  const createdAt = "2026-01-01T00:00:00Z";
  const links = { self: "", files: "", thumbnail: "", sprite: "", skeleton: "", clips: "", bounds: "", preview: "" };
  return {
    id, name: `${id}.glb`, format: "glb", status: "ready", version: 1, createdAt, updatedAt: createdAt, deletedAt: null,
    sizeBytes: 1, mainFile: `${id}.glb`, etag: "\"1\"", job: null, problem: null, hasThumbnail: true, tags: [], license: null, author: null, sourceUrl: null, createdBy: null, library: null,
    cover: null,
    coverKey: null,
    fieldValues: [],
    upAxis: null, links, ...changes,
  };
}

export function wholeJob(asset: string, changes: Partial<Job> = {}): Job {
  return {
    id: "j", kind: "import", asset, version: 1, state: "running", stage: "load", progress: 0.4, attempts: 1, priority: "interactive", nextAttemptAt: null, problem: null,
    createdAt: "2026-01-01T00:00:00Z", startedAt: null, finishedAt: null, ...changes,
  };
}

export function wholeJoint(index: number, name: string, parent: number | null): Joint {
  const local: Joint["local"] = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };
  return { index, node: index, name, parent, local, bind: null, inverseBind: null, vertices: 0, role: null };
}
