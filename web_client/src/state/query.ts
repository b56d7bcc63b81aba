// The query of the library; part of the page's URL.
import type { AssetRow } from "../api/types";

// Of these, `relevance` is only for searches.
export const sorts = ["relevance", "-created", "created", "name", "-name", "-triangles", "triangles"] as const;
export type Sort = (typeof sorts)[number];

// Further filters by facts, as GET /v1/assets names them.
export const factNames = [
  "size.min", "size.max", "duration.min", "duration.max", "speed.min", "speed.max", "loops", "triangles.min", "triangles.max", "joints.min", "joints.max",
  "bytes.min", "bytes.max", "warnings.min", "warning", "missingTextures.min", "license", "author", "owner", "created.min", "created.max", "updated.min", "updated.max",
  "joint", "clip", "inPlace", "descendants", "warnings.max", "missingTextures.max", "vertices.min", "vertices.max", "materials.min", "materials.max",
  "clips.min", "clips.max", "library",
] as const;
export type FactName = (typeof factNames)[number];

export type Facts = Partial<Record<FactName, string>>;

// Has it, has it not, or either.
export type Flag = "true" | "false" | "";
const flagNames = ["animated", "rigged"] as const;

export interface LibraryQuery {
  q: string;
  format: string;
  animated: Flag;
  rigged: Flag;
  status: string;
  tag: string;
  collection: string; // id
  trash: boolean;
  favorite: boolean;
  facts: Facts;
  fields: Record<string, string>; // by custom fields of collections: NAME, NAME.min and NAME.max
  others: string; // filters that the page only passes on, as in a URL
  sort: Sort;
  sortBefore: Sort; // during a search: the order of the list when its words are removed
}

const listSort: Sort = "-created";
export const emptyQuery: LibraryQuery = { q: "", format: "", animated: "", rigged: "", status: "", tag: "", collection: "", trash: false, favorite: false, facts: {}, fields: {}, others: "", sort: listSort, sortBefore: listSort };

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
    animated: flagOf(params, "animated"),
    rigged: flagOf(params, "rigged"),
    status: params.get("status") ?? "",
    tag: params.get("tag") ?? "",
    collection: params.get("collection") ?? "",
    trash: params.get("trash") === "true",
    favorite: params.get("favorite") === "true",
    facts: factsOf(params),
    fields: fieldsOf(params),
    others: othersOf(params),
  };
  const listSorts = sortsOf(emptyQuery);
  const among = (allowed: Sort[], name: string) => allowed.find((sort) => sort === params.get(name));
  query.sort = among(sortsOf(query), "sort") ?? defaultSort(query);
  if (isSearch(query)) query.sortBefore = among(listSorts, "sortBefore") ?? listSort;
  return query;
}

function flagOf(params: URLSearchParams, name: (typeof flagNames)[number]): Flag {
  const text = params.get(name);
  return text === "true" || text === "false" ? text : "";
}

function factsOf(params: URLSearchParams): Facts {
  const facts: Facts = {};
  for (const name of factNames) if (params.get(name)) facts[name] = params.get(name)!;
  return facts;
}

const fieldPrefix = "field.";

function fieldsOf(params: URLSearchParams): Record<string, string> {
  const given = [...params].filter(([name]) => name.startsWith(fieldPrefix));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(fieldPrefix.length), value]));
}

// What the controls of the page cannot show: values after the first.
function othersOf(params: URLSearchParams): string {
  const others = new URLSearchParams();
  for (const name of ["tag", "warning"]) for (const value of params.getAll(name).slice(1)) others.append(name, value);
  return others.toString();
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
  for (const name of flagNames) if (query[name]) params.set(name, query[name]);
  if (query.status) params.set("status", query.status);
  if (query.tag) params.set("tag", query.tag);
  if (query.collection) params.set("collection", query.collection);
  if (query.trash) params.set("trash", "true");
  if (query.favorite) params.set("favorite", "true");
  for (const name of factNames) if (query.facts[name]) params.set(name, query.facts[name]);
  for (const [name, value] of Object.entries(query.fields)) params.set(fieldPrefix + name, value);
  for (const [name, value] of new URLSearchParams(query.others)) params.append(name, value);
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

// The list of a collection, a tag or the favorites keeps what is searched and filtered, and leaves the trash.
export function withGroup(query: LibraryQuery, group: Partial<Pick<LibraryQuery, "collection" | "tag" | "favorite">>): LibraryQuery {
  const { descendants: _below, ...facts } = query.facts;
  // Custom fields are those of the collection, and so is whether it is shown with those inside.
  const other = "collection" in group ? { fields: {}, facts: group.collection ? query.facts : facts } : {};
  const others = "tag" in group ? withoutTags(query.others) : query.others;
  return { ...query, ...other, others, trash: false, ...group };
}

function withoutTags(others: string): string {
  const params = new URLSearchParams(others);
  params.delete("tag");
  return params.toString();
}

// What a saved search keeps: filters, and the order if it is not the usual one.
export function savedQuery(query: LibraryQuery): string {
  const params = filtersOf(query);
  if (query.sort !== defaultSort(query)) params.set("sort", query.sort);
  return params.toString();
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

// The list as the server counts the values of its filters.
export function facetsToApi(query: LibraryQuery, facets: readonly string[]): URLSearchParams {
  const params = filtersOf(query);
  params.set("limit", "1");
  params.set("fields", "id");
  params.set("facets", facets.join(","));
  return params;
}

export function isFiltered(query: LibraryQuery): boolean {
  return Boolean(isSearch(query) || hasFacts(query) || query.others || query.format || query.animated || query.rigged || query.status || query.tag || query.collection || query.trash || query.favorite);
}

export function hasFacts(query: LibraryQuery): boolean {
  return Object.keys(query.facts).length > 0 || Object.keys(query.fields).length > 0;
}

// Returns whether an asset matches the query; null if only the server can decide (full text).
export function matches(query: LibraryQuery, asset: AssetRow): boolean | null {
  if (query.format && asset.format !== query.format) return false;
  if (query.animated && (query.animated === "true") !== (asset.counts?.clips ?? 0) > 0) return false;
  if (query.rigged && (query.rigged === "true") !== (asset.counts?.joints ?? 0) > 0) return false;
  if (query.status && asset.status !== query.status) return false;
  const tag = query.tag.toLowerCase();
  if (tag && !asset.tags.some((name) => name.toLowerCase() === tag)) return false;
  return isSearch(query) || query.collection || query.favorite || hasFacts(query) || query.others ? null : true;
}
