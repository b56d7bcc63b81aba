import { describe, expect, it } from "vitest";

import { parseEvent } from "../src/api/events";
import type { Collection } from "../src/api/types";
import { collectionRows, placesFor, withMoved } from "../src/state/collections";
import { initialLibrary, withEvent, withPage } from "../src/state/library";
import { emptyQuery, isFiltered, matches, queryFromUrl, queryToApi, queryToUrl, withGroup } from "../src/state/query";
import { selection } from "../src/state/selection";
import { wholeAsset } from "./shapes";

const wood = { ...emptyQuery, tag: "wood" };
const trash = { ...emptyQuery, trash: true };

function collection(id: string, name: string, parent: string | null = null): Collection {
  return { id, name, parent, description: "", cover: null, assets: 0, createdAt: "", updatedAt: "", etag: "" };
}

describe("filters by what people say", () => {
  it("are part of the URL and of the request", () => {
    const query = { ...emptyQuery, tag: "a b", collection: "c1", trash: true };
    expect(queryFromUrl(queryToUrl(query))).toEqual(query);
    expect(queryToApi(query, 60, {}).toString()).toBe("tag=a+b&collection=c1&trash=true&sort=-created&limit=60");
    for (const changes of [{ tag: "x" }, { collection: "x" }, { trash: true }]) expect(isFiltered({ ...emptyQuery, ...changes })).toBe(true);
  });

  it("pass on values after the first, for which the page has no controls", () => {
    const params = new URLSearchParams("tag=a&tag=b&animated=false&joint=hip&inPlace=true&warnings.max=0&unknown=1");
    const query = queryFromUrl(params);
    expect(queryToApi(query, 60, {}).toString()).toBe("animated=false&tag=a&joint=hip&inPlace=true&warnings.max=0&tag=b&sort=-created&limit=60");
    expect(queryFromUrl(queryToUrl(query))).toEqual(query);
    expect(isFiltered(queryFromUrl(new URLSearchParams("clip=run")))).toBe(true);
    expect(matches(queryFromUrl(new URLSearchParams("clip=run")), wholeAsset("1"))).toBeNull();
  });

  it("know an asset by its tags, and leave collections to the server", () => {
    expect(matches(wood, wholeAsset("1", { tags: ["Wood"] }))).toBe(true);
    expect(matches(wood, wholeAsset("1", { tags: ["wool"] }))).toBe(false);
    expect(matches({ ...emptyQuery, collection: "c" }, wholeAsset("1"))).toBeNull();
  });
});

describe("the list of a group", () => {
  const searched = { ...emptyQuery, q: "chair", format: "glb", facts: { license: "CC0-1.0", descendants: "true" }, fields: { state: "done" } };

  it("keeps what is searched and filtered", () => {
    expect(withGroup(searched, { tag: "wood" })).toEqual({ ...searched, tag: "wood" });
    expect(withGroup(searched, { favorite: true })).toEqual({ ...searched, favorite: true });
    expect(withGroup({ ...searched, tag: "wood" }, { collection: "c" })).toEqual({ ...searched, tag: "wood", collection: "c", fields: {} });
  });

  it("loses what is of another group", () => {
    expect(withGroup({ ...searched, trash: true }, { tag: "wood" }).trash).toBe(false);
    const left = withGroup({ ...searched, collection: "c" }, { collection: "" });
    expect([left.fields, left.facts, left.collection]).toEqual([{}, { license: "CC0-1.0" }, ""]);
    const two = queryFromUrl(new URLSearchParams("tag=a&tag=b&warning=x&warning=y"));
    expect(queryToUrl(withGroup(two, { tag: "c" })).getAll("tag")).toEqual(["c"]);
    expect(queryToUrl(withGroup(two, { tag: "c" })).getAll("warning")).toEqual(["x", "y"]);
  });
});

describe("skeletons and clips", () => {
  it("are asked for, or their absence", () => {
    const still = { ...emptyQuery, animated: "false" as const };
    expect(queryToUrl(still).toString()).toBe("animated=false");
    expect(queryFromUrl(queryToUrl(still))).toEqual(still);
    const counts = { clips: 2, joints: 0 } as never;
    expect(matches(still, wholeAsset("1", { counts }))).toBe(false);
    expect(matches({ ...emptyQuery, animated: "true" }, wholeAsset("1", { counts }))).toBe(true);
    expect(matches({ ...emptyQuery, rigged: "false" }, wholeAsset("1", { counts }))).toBe(true);
    expect(matches({ ...emptyQuery, rigged: "true" }, wholeAsset("1", { counts }))).toBe(false);
  });
});

describe("the trash", () => {
  const deleted = wholeAsset("1", { deletedAt: "2026-01-01T00:00:00Z" });
  const shown = withPage(initialLibrary(trash), { items: [deleted], next: null, offset: 0, total: 1 }, "first")!;

  it("loses assets that are restored or purged, and counts again when others arrive", () => {
    expect(withEvent(shown, { type: "asset", asset: wholeAsset("1"), created: false }).items).toEqual([]);
    expect(withEvent(shown, { type: "purged", id: "1" }).items).toEqual([]);
    const more = withEvent(shown, { type: "deleted", id: "2" });
    expect(more.items).toEqual([deleted]);
    expect(more.totalIsStale).toBe(true);
  });

  it("is known from events", () => {
    expect(parseEvent("asset.purged", '{"asset":{"id":"1"}}')).toEqual({ type: "purged", id: "1" });
    expect(parseEvent("tag.changed", '{"tag":{"name":"a","newName":null}}')).toEqual({ type: "tag" });
    expect(parseEvent("collection.deleted", '{"collection":{"id":"c"}}')).toEqual({ type: "collection", id: "c" });
  });
});

describe("a selection", () => {
  it("is kept until it is ended", () => {
    selection.start();
    selection.toggle("1");
    selection.add(["1", "2"]);
    selection.toggle("1");
    expect([...selection.value.ids]).toEqual(["2"]);
    selection.stop();
    expect(selection.value).toEqual({ active: false, ids: new Set() });
  });
});

describe("collections", () => {
  it("are a tree in the order of the list", () => {
    const rows = collectionRows([collection("b", "Props"), collection("c", "Heroes", "a"), collection("a", "Characters"), collection("d", "Animals", "a")]);
    expect(rows.map(({ collection: { name }, depth }) => `${depth}${name}`)).toEqual(["0Props", "0Characters", "1Heroes", "1Animals"]);
  });
});

describe("a moved entry", () => {
  it("is at its place among the others", () => {
    const list = ["a", "b", "c", "d"];
    expect(withMoved(list, 0, 2).join("")).toBe("bcad");
    expect(withMoved(list, 3, 0).join("")).toBe("dabc");
    expect(withMoved(list, 1, 1)).toEqual(list);
  });
});

describe("the places of a collection", () => {
  it("are those outside of it", () => {
    const rows = collectionRows([collection("a", "A"), collection("b", "B", "a"), collection("c", "C", "b"), collection("d", "D", "a"), collection("e", "E")]);
    const places = (id: string) => placesFor(rows.find((row) => row.collection.id === id)!.collection, rows).map((row) => row.collection.id);
    expect(places("b")).toEqual(["a", "d", "e"]);
    expect(places("a")).toEqual(["e"]);
    expect(places("e")).toEqual(["a", "b", "c", "d"]);
  });
});
