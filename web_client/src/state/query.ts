// The query of the library; part of the page's URL.
import type { AssetRow } from "../api/types";

// Of these, `relevance` is only for searches.
export const sorts = ["relevance", "-created", "created", "name", "-name", "-triangles", "triangles"] as const;
export type Sort = (typeof sorts)[number];

export interface LibraryQuery {
  q: string;
  format: string;
  animated: boolean;
  rigged: boolean;
  status: string;
  tag: string;
  collection: string; // id
  trash: boolean;
  sort: Sort;
  sortBefore: Sort; // during a search: the order of the list when its words are removed
}

const listSort: Sort = "-created";
export const emptyQuery: LibraryQuery = { q: "", format: "", animated: false, rigged: false, status: "", tag: "", collection: "", trash: false, sort: listSort, sortBefore: listSort };

export function isSearch({ q }: Pick<LibraryQuery, "q">): boolean {
  return q.trim() !== "";
}

export function sortsOf(query: LibraryQuery): Sort[] {
  return sorts.filter((sort) => sort !== "relevance" || isSearch(query));
}

function defaultSort(query: Pick<LibraryQuery, "q">): Sort {
  return isSearch(query) ? "relevance" : listSort;
}

export function queryFromUrl(params: URLSearchParams): LibraryQuery {
  const query: LibraryQuery = {
    ...emptyQuery,
    q: params.get("q") ?? "",
    format: params.get("format") ?? "",
    animated: params.get("animated") === "true",
    rigged: params.get("rigged") === "true",
    status: params.get("status") ?? "",
    tag: params.get("tag") ?? "",
    collection: params.get("collection") ?? "",
    trash: params.get("trash") === "true",
  };
  const listSorts = sortsOf(emptyQuery);
  const among = (allowed: Sort[], name: string) => allowed.find((sort) => sort === params.get(name));
  query.sort = among(sortsOf(query), "sort") ?? defaultSort(query);
  if (isSearch(query)) query.sortBefore = among(listSorts, "sortBefore") ?? listSort;
  return query;
}

// Only values that differ from the default, so that URLs stay short.
export function queryToUrl(query: LibraryQuery): URLSearchParams {
  const params = filtersOf(query);
  if (query.sort !== defaultSort(query)) params.set("sort", query.sort);
  if (isSearch(query) && query.sortBefore !== listSort) params.set("sortBefore", query.sortBefore);
  return params;
}

function filtersOf(query: LibraryQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (isSearch(query)) params.set("q", query.q.trim());
  if (query.format) params.set("format", query.format);
  if (query.animated) params.set("animated", "true");
  if (query.rigged) params.set("rigged", "true");
  if (query.status) params.set("status", query.status);
  if (query.tag) params.set("tag", query.tag);
  if (query.collection) params.set("collection", query.collection);
  if (query.trash) params.set("trash", "true");
  return params;
}

// The list with other words: a search begins in the order of relevance, and its end restores the order from before.
export function withWords(query: LibraryQuery, q: string): LibraryQuery {
  if (isSearch(query) === isSearch({ q })) return { ...query, q };
  if (isSearch({ q })) return { ...query, q, sort: defaultSort({ q }), sortBefore: query.sort };
  return { ...query, q, sort: query.sortBefore, sortBefore: listSort };
}

// The whole list, in the order that it has without a search.
export function withoutFilters(query: LibraryQuery): LibraryQuery {
  return { ...emptyQuery, sort: withWords(query, "").sort };
}

export function urlOfQuery(query: LibraryQuery): string {
  const params = queryToUrl(query).toString();
  return params ? `/?${params}` : "/";
}

// Where a page begins; see GET /v1/assets.
export interface PageStart {
  offset?: number;
  at?: string;
  cursor?: string;
}

export function queryToApi(query: LibraryQuery, limit: number, start: PageStart, total = false): URLSearchParams {
  const params = filtersOf(query);
  params.set("sort", query.sort);
  params.set("limit", String(limit));
  for (const [name, value] of Object.entries(start)) params.set(name, String(value));
  if (total) params.set("total", "true");
  return params;
}

export function isFiltered(query: LibraryQuery): boolean {
  return Boolean(isSearch(query) || query.format || query.animated || query.rigged || query.status || query.tag || query.collection || query.trash);
}

// Returns whether an asset matches the query; null if only the server can decide (full text).
export function matches(query: LibraryQuery, asset: AssetRow): boolean | null {
  if (query.format && asset.format !== query.format) return false;
  if (query.animated && !(asset.counts?.clips ?? 0)) return false;
  if (query.rigged && !(asset.counts?.joints ?? 0)) return false;
  if (query.status && asset.status !== query.status) return false;
  const tag = query.tag.toLowerCase();
  if (tag && !asset.tags.some((name) => name.toLowerCase() === tag)) return false;
  return isSearch(query) || query.collection ? null : true;
}
