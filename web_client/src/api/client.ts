// Typed REST requests. Every failure is an ApiError with the server's problem.
import type { Asset, AssetFile, AssetRow, Checks, Clip, ClipCut, ClipFacts, Fitting, Job, Joint, Material, Me, Page, Problem, Similar, SimilarBy, SpriteManifest, Version, VersionResponse, Warning } from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail ?? problem.title ?? problem.code);
  }
}

export interface Rejection {
  status: number; // 0: the server cannot be reached
  problem: Problem;
  retryAfterMs: number | null;
}

const base = "/v1";

// `id`: of an asset, or of one version of it: ID/versions/N.
export function assetUrl(id: string, rest = ""): string {
  return `${base}/assets/${id.split("/").map(encodeURIComponent).join("/")}${rest}`;
}

// Of something that several assets make side by side; `row` is a query.
export function rowUrl(path: "preview" | "render", row: string): string {
  return `${base}/${path}?${row}`;
}

export async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Problem;
    if (typeof body.code === "string" || typeof body.title === "string") return body;
  } catch {
    // Not JSON: the response is from a proxy or a failing server.
  }
  return { code: `http_${response.status}`, title: response.statusText || `HTTP ${response.status}` };
}

// Whether the server has accepted a request of this page: otherwise a reload would not help.
let accepted = false;
// While the person signs out, whose answer says where to go: other requests are rejected meanwhile.
let signingOut = false;

let asked: Promise<Me | null> | null = null;
// Who this page belongs to, asked once; null: the server does not say.
export function whoAmI(): Promise<Me | null> {
  asked ??= fetch(`${base}/me`, { headers: { Accept: "application/json" } })
    .then(async (response) => (response.ok ? ((await response.json()) as Me) : null))
    .catch(() => null);
  return asked;
}

export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, { code: "unreachable" });
  }
  // The session has ended: shows the sign-in page. Share links have none.
  if (response.status === 401 && accepted && !signingOut && !(await whoAmI())?.shared) location.reload();
  accepted ||= response.ok;
  if (!response.ok) throw new ApiError(response.status, await problemOf(response));
  return response;
}

export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await request(url, { signal, headers: { Accept: "application/json" } });
  return (await response.json()) as T;
}

type ClipList = { items: Clip[] };

export const api = {
  listAssets: (query: URLSearchParams, signal?: AbortSignal) =>
    getJson<Page<AssetRow>>(`${base}/assets?${query}`, signal),

  // `role`: with the role of the person for it.
  async asset(id: string, role = false): Promise<Asset> {
    const response = await request(assetUrl(id, role ? "?role=true" : ""), { headers: { Accept: "application/json" } });
    const body = (await response.json()) as Asset;
    return { ...body, id, etag: body.etag ?? response.headers.get("ETag") ?? undefined };
  },

  async rename(asset: Pick<Asset, "id" | "etag">, name: string): Promise<Asset> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (asset.etag) headers["If-Match"] = quoted(asset.etag);
    const response = await request(assetUrl(asset.id), { method: "PATCH", headers, body: JSON.stringify({ name }) });
    return (await response.json()) as Asset;
  },

  async remove(id: string): Promise<void> {
    await request(assetUrl(id), { method: "DELETE" });
  },

  async restore(id: string): Promise<void> {
    await request(assetUrl(id, "/restore"), { method: "POST" });
  },

  async reimport(id: string): Promise<void> {
    await request(assetUrl(id, "/reimport"), { method: "POST" });
  },
  // Returns where to go next: to the identity provider, which also ends its session, or to this page.
  async signOut(me: Me): Promise<string> {
    signingOut = true;
    if (me.provider !== null) {
      const answer = await request(`${base}/oidc/sign-out`, { method: "POST" });
      return ((await answer.json()) as { location: string }).location;
    }
    await request(`${base}/sessions/current`, { method: "DELETE" });
    return "/";
  },
  // The newest first; `state`: empty: of all.
  jobs: (state: string, cursor: string | null) =>
    getJson<Page<Job>>(`${base}/jobs?limit=20${state && `&state=${state}`}${cursorOf(cursor)}`),
  async cancelJob(id: string): Promise<Job> {
    return (await (await request(`${base}/jobs/${encodeURIComponent(id)}`, { method: "DELETE" })).json()) as Job;
  },
  async retryJob(id: string): Promise<Job> {
    return (await (await request(`${base}/jobs/${encodeURIComponent(id)}/retry`, { method: "POST" })).json()) as Job;
  },
  job: (id: string) => getJson<Job>(`${base}/jobs/${encodeURIComponent(id)}`),
  versions: async (id: string) => (await getJson<Page<Version>>(assetUrl(id, "/versions"))).items,
  async restoreVersion(id: string, version: number): Promise<VersionResponse> {
    const response = await request(assetUrl(id, `/versions/${version}/restore`), { method: "POST" });
    return (await response.json()) as VersionResponse;
  },
  // Why a live preview would be rejected now; null: it would be accepted. A browser does not report it for a WebSocket.
  async previewRejection(path: string): Promise<Rejection | null> {
    let response: Response;
    try {
      response = await fetch(path, { headers: { Accept: "application/json" } });
    } catch {
      return { status: 0, problem: { code: "unreachable" }, retryAfterMs: null };
    }
    if (response.status === 426) return null;
    const seconds = Number(response.headers.get("Retry-After") ?? NaN);
    return { status: response.status, problem: await problemOf(response), retryAfterMs: Number.isFinite(seconds) ? 1000 * seconds : null };
  },
  skeleton: async (id: string) => (await getJson<{ joints: Joint[] }>(assetUrl(id, "/skeleton"))).joints,
  clips: async (id: string) => (await getJson<ClipList>(assetUrl(id, "/clips"))).items,
  clipFacts: (id: string, clip: string) => getJson<ClipFacts>(assetUrl(id, `/clips/${encodeURIComponent(clip)}/facts`)),
  checks: (id: string) => getJson<Checks>(assetUrl(id, "/checks")),
  // Clips of other assets that this one plays, and assets that play its clips.
  fittingClips: (id: string, cursor: string | null) => getJson<Page<Fitting>>(assetUrl(id, `/fitting-clips?limit=8${cursorOf(cursor)}`)),
  fittingCharacters: (id: string, cursor: string | null) => getJson<Page<Fitting>>(assetUrl(id, `/fitting-characters?limit=8${cursorOf(cursor)}`)),
  // Assets that are nearly the same, the most similar first.
  similar: (id: string, by: SimilarBy, cursor: string | null, signal?: AbortSignal) =>
    getJson<Page<Similar> & { complete: boolean }>(assetUrl(id, `/similar?by=${by}&limit=12${cursorOf(cursor)}`), signal),
  // Both return the clips after the change.
  async cutClip(id: string, cut: ClipCut): Promise<Clip[]> {
    const headers = { "Content-Type": "application/json" };
    const response = await request(assetUrl(id, "/clips"), { method: "PATCH", headers, body: JSON.stringify(cut) });
    return ((await response.json()) as ClipList).items;
  },
  async removeClip(id: string, clip: string): Promise<Clip[]> {
    const response = await request(assetUrl(id, `/clips/${encodeURIComponent(clip)}`), { method: "DELETE" });
    return ((await response.json()) as ClipList).items;
  },
  // The newest job that replaces what another version of the server has stored about the asset.
  newestRefresh: async (asset: string) =>
    (await getJson<Page<Job>>(`${base}/jobs?kind=refresh&asset=${encodeURIComponent(asset)}&limit=1`)).items[0] ?? null,
  async files(id: string): Promise<AssetFile[]> {
    const files: AssetFile[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<AssetFile> = await getJson(assetUrl(id, `/files?limit=500${cursorOf(cursor)}`));
      files.push(...page.items);
      cursor = page.next;
    } while (cursor !== null);
    return files;
  },
  materials: async (id: string) => (await getJson<Page<Material>>(assetUrl(id, "/materials"))).items,
  warnings: async (id: string) => (await getJson<Page<Warning>>(assetUrl(id, "/warnings"))).items,

  spriteManifest: (id: string, query: string, signal?: AbortSignal) =>
    getJson<SpriteManifest>(assetUrl(id, `/sprite/manifest?${query}`), signal),
};

function cursorOf(cursor: string | null): string {
  return cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
}

function quoted(etag: string): string {
  return etag.startsWith('"') || etag.startsWith("W/") ? etag : `"${etag}"`;
}
