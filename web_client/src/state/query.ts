// The query of the library; part of the page's URL.
import type { AssetRow } from "../api/types";

export const sorts = ["-created", "created", "name", "-name", "-triangles", "triangles"] as const;
export type Sort = (typeof sorts)[number];

export interface LibraryQuery {
  q: string;
  format: string;
  animated: boolean;
  rigged: boolean;
  status: string;
  sort: Sort;
}

export const emptyQuery: LibraryQuery = { q: "", format: "", animated: false, rigged: false, status: "", sort: "-created" };

export function queryFromUrl(params: URLSearchParams): LibraryQuery {
  const sort = params.get("sort") as Sort | null;
  return {
    q: params.get("q") ?? "",
    format: params.get("format") ?? "",
    animated: params.get("animated") === "true",
    rigged: params.get("rigged") === "true",
    status: params.get("status") ?? "",
    sort: sort && sorts.includes(sort) ? sort : emptyQuery.sort,
  };
}

// Only values that differ from the default, so that URLs stay short.
export function queryToUrl(query: LibraryQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (query.q.trim()) params.set("q", query.q.trim());
  if (query.format) params.set("format", query.format);
  if (query.animated) params.set("animated", "true");
  if (query.rigged) params.set("rigged", "true");
  if (query.status) params.set("status", query.status);
  if (query.sort !== emptyQuery.sort) params.set("sort", query.sort);
  return params;
}

// Where a page begins; see GET /v1/assets.
export interface PageStart {
  offset?: number;
  at?: string;
  cursor?: string;
}

export function queryToApi(query: LibraryQuery, limit: number, start: PageStart, total = false): URLSearchParams {
  const params = queryToUrl(query);
  params.set("sort", query.sort);
  params.set("limit", String(limit));
  for (const [name, value] of Object.entries(start)) params.set(name, String(value));
  if (total) params.set("total", "true");
  return params;
}

export function isFiltered(query: LibraryQuery): boolean {
  return Boolean(query.q.trim() || query.format || query.animated || query.rigged || query.status);
}

// Returns whether an asset matches the query; null if only the server can decide (full text).
export function matches(query: LibraryQuery, asset: AssetRow): boolean | null {
  if (query.format && asset.format !== query.format) return false;
  if (query.animated && !(asset.counts?.clips ?? 0)) return false;
  if (query.rigged && !(asset.counts?.joints ?? 0)) return false;
  if (query.status && asset.status !== query.status) return false;
  return query.q.trim() ? null : true;
}
