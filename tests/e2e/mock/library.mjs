// The mock's state: assets, jobs, events. In memory only.
import { randomUUID } from "node:crypto";

const names = ["Walker.glb", "Tentacle.glb", "Koi.gltf", "Lantern.obj", "Flag.glb", "Knight.md5mesh", "Crane.glb", "Barbarian.glb", "Drone.obj", "Heron.glb", "Tower.obj", "Jelly.glb"];

export class Library {
  assets = new Map();
  trash = new Map();
  subscribers = new Set();
  viewers = 0;
  log = [];
  #event = 0;

  constructor(count = 0) {
    for (let index = 0; index < count; index += 1) this.#seed(index);
  }

  #seed(index) {
    const name = names[index % names.length].replace(".", index < names.length ? "." : `-${Math.floor(index / names.length)}.`);
    const asset = this.#asset(name, 120_000 + index * 7919, new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString());
    this.#complete(asset);
    this.assets.set(asset.id, asset);
  }

  #asset(name, sizeBytes, createdAt = new Date().toISOString()) {
    const id = randomUUID();
    return { id, name, format: null, status: "importing", version: 1, createdAt, updatedAt: createdAt, sizeBytes, mainFile: name, etag: '"1"', job: randomUUID(), problem: null, hasThumbnail: false, tags: [], license: null, author: null, sourceUrl: null, createdBy: null, library: null, cover: null, coverKey: null, upAxis: null, links: {}, seed: this.assets.size, clips: [] };
  }

  #complete(asset) {
    const extension = asset.name.split(".").pop();
    const variants = /variant/.test(asset.name) ? ["Red", "Green"] : [];
    const rigged = extension !== "obj" && variants.length === 0;
    Object.assign(asset, {
      status: "ready",
      format: extension === "md5mesh" ? "md5" : extension,
      hasThumbnail: true,
      counts: { meshes: 3, vertices: 5120 + asset.seed * 317, polygons: 9800, triangles: 9800 + asset.seed * 611, joints: rigged ? 14 : 0, clips: rigged ? 3 : 0, materials: 3, images: 2 },
      bounds: { min: [-0.6, -1, -0.4], max: [0.7, 1.4, 0.5] },
      fileSpace: { upAxis: "y", unitMetres: 1 },
      generator: "Mock Modeller 4.2",
      warnings: asset.seed % 5 === 1 ? 1 : 0,
      variants,
      clips: rigged ? ["Idle", "Walk cycle", "Jump"].map((name, index) => ({ id: `c${index}`, index, name, startTime: 0, duration: 1 + index * 0.5, frameRate: 30, frames: 31 + index * 15, channels: 40, keys: 900 })) : [],
    });
  }

  publish(type, data) {
    const event = { id: ++this.#event, type, data: JSON.stringify(data) };
    this.log.push(event);
    for (const send of this.subscribers) send(event);
  }

  change(asset, changes, type) {
    Object.assign(asset, changes, { updatedAt: new Date().toISOString(), etag: `"${Number(asset.etag.slice(1, -1)) + 1}"` });
    this.publish(type, { asset });
  }

  discard(asset) {
    this.assets.delete(asset.id);
    asset.deletedAt = new Date().toISOString();
    this.trash.set(asset.id, asset);
    this.publish("asset.deleted", { asset: { id: asset.id } });
  }

  restore(id) {
    const asset = this.trash.get(id);
    if (!asset) return false;
    asset.deletedAt = null;
    this.assets.set(id, asset);
    this.publish("asset.updated", { asset });
    return this.trash.delete(id);
  }

  // Publishes the events of an import: metadata, bounds, thumbnail, a third of a second each.
  add(name, sizeBytes) {
    const asset = this.#asset(name, sizeBytes);
    this.assets.set(asset.id, asset);
    this.publish("asset.created", { asset });
    const job = { id: asset.job, kind: "import", asset: asset.id, state: "queued", stage: "load", progress: 0, problem: null };
    this.publish("job", { job });
    void this.#import(asset, job);
    return { asset: { ...asset }, job: { ...job }, existing: false };
  }

  importAgain(asset) {
    const job = { id: randomUUID(), kind: "import", asset: asset.id, state: "queued", stage: "load", progress: 0, problem: null };
    this.change(asset, { status: "importing", problem: null, job: job.id }, "asset.updated");
    this.publish("job", { job });
    void this.#import(asset, job);
    return job;
  }

  async #import(asset, job) {
    const step = async (changes) => {
      await new Promise((resolve) => setTimeout(resolve, 330));
      this.publish("job", { job: Object.assign(job, changes) });
    };
    await step({ state: "running", stage: "load", progress: 0.1 });
    if (/broken/.test(asset.name)) {
      const problem = { code: "truncated", where: "byte 1204", detail: "The file ends in the middle of its second buffer." };
      await step({ state: "failed", problem });
      this.change(asset, { status: "failed", problem }, "asset.failed");
      return;
    }
    await step({ stage: "bounds", progress: 0.5 });
    await step({ stage: "thumbnail", progress: 0.8 });
    this.#complete(asset);
    this.change(asset, {}, "asset.thumbnail");
    await step({ state: "succeeded", stage: "done", progress: 1 });
  }

  list(params) {
    const text = params.get("q")?.toLowerCase();
    const yes = (name, test) => (params.get(name) === "true" ? test : () => true);
    const items = [...this.assets.values()]
      .filter((asset) => !text || asset.name.toLowerCase().includes(text))
      .filter((asset) => !params.get("format") || asset.format === params.get("format"))
      .filter((asset) => !params.get("status") || asset.status === params.get("status"))
      .filter(yes("animated", (asset) => asset.counts?.clips))
      .filter(yes("rigged", (asset) => asset.counts?.joints));
    const sort = params.get("sort") ?? "-created"; // by relevance: only names are searched, of which the newest come first
    const key = { name: (a) => a.name, triangles: (a) => a.counts?.triangles ?? 0 }[sort.replace("-", "")] ?? ((a) => a.createdAt);
    items.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (sort.startsWith("-") || sort === "relevance" ? -1 : 1));
    const at = params.get("at");
    const from = at ? items.findIndex((asset) => asset.id === at) : Number(params.get("cursor") ?? params.get("offset") ?? 0);
    if (from < 0) return null;
    const limit = Number(params.get("limit") ?? 50);
    const page = { items: items.slice(from, from + limit).map(row), next: from + limit < items.length ? String(from + limit) : null };
    if (at || params.has("offset")) page.offset = from;
    if (params.get("total") === "true") page.total = items.length;
    return page;
  }
}

// An asset in a list.
function row({ clips, fileSpace, generator, links, ...rest }) {
  return rest;
}

export const joints = ["root", "hips", "spine", "chest", "neck", "head", "arm.L", "hand.L", "arm.R", "hand.R", "leg.L", "foot.L", "leg.R", "foot.R"].map((name, index) => ({
  index,
  node: index,
  name,
  parent: [null, 0, 1, 2, 3, 4, 3, 6, 3, 8, 1, 10, 1, 12][index],
  local: { translation: [0, 0.25, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] },
  vertices: 100 + index * 37,
}));

export const materials = [
  { name: "Shell", baseColor: [0.8, 0.25, 0.12, 1], metallic: 0, roughness: 0.6, baseColorTexture: { image: 0 } },
  { name: "Steel", baseColor: [0.55, 0.57, 0.6, 1], metallic: 1, roughness: 0.3 },
  { name: "Eyes", baseColor: [0.02, 0.02, 0.03, 1], metallic: 0, roughness: 0.1, emissive: [0.4, 0.8, 1] },
];
