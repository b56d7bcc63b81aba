import { describe, expect, it } from "vitest";

import type { AssetField } from "../src/api/types";
import { siblingsOf } from "../src/state/collections";
import { changedValues, enteredText, enteredValue, linesOf } from "../src/state/field_values";
import { emptyQuery, isFiltered, matches, queryFromUrl, queryToApi, savedQuery, urlOfQuery } from "../src/state/query";
import { wholeAsset } from "./shapes";

function field(id: string, type: AssetField["type"], value: AssetField["value"]): AssetField {
  return { id, collection: "c", name: id, type, description: "", unit: "", options: [], createdAt: "", updatedAt: "", etag: "", value };
}

describe("values of custom fields", () => {
  it("are entered by their type", () => {
    expect(enteredValue({ type: "number" }, " 1.5 ")).toBe(1.5);
    expect(enteredValue({ type: "number" }, "x")).toBeUndefined();
    expect(enteredValue({ type: "number" }, "")).toBeNull();
    expect(enteredValue({ type: "boolean" }, "false")).toBe(false);
    expect(enteredValue({ type: "date" }, "2026-11-28")).toBe("2026-11-28");
    expect([null, 0, false, "a"].map(enteredText)).toEqual(["", "0", "false", "a"]);
  });
  it("are sent if they differ", () => {
    const fields = [field("a", "number", 0), field("b", "boolean", false), field("c", "text", "x"), field("d", "choice", null)];
    const entered: Record<string, string> = { a: "0", b: "", c: "y", d: "" };
    expect(changedValues(fields, ({ id }) => entered[id] ?? "")).toEqual({ b: null, c: "y" });
  });
  it("choose among lines", () => {
    expect(linesOf(" red\n\nblue\nred ")).toEqual(["red", "blue"]);
  });
});

describe("filters by custom fields", () => {
  const query = queryFromUrl(new URLSearchParams("collection=c&field.Mass.min=2&field.Fine%20print=a%26b"));
  it("are part of the URL", () => {
    expect(query.fields).toEqual({ "Mass.min": "2", "Fine print": "a&b" });
    expect(queryFromUrl(new URL(urlOfQuery(query), "http://x").searchParams)).toEqual(query);
    expect(savedQuery(query)).toBe("collection=c&field.Mass.min=2&field.Fine+print=a%26b");
    expect(queryToApi(query, 10, {}).get("field.Fine print")).toBe("a&b");
  });
  it("are decided by the server", () => {
    const only = { ...emptyQuery, fields: { Mass: "2" } };
    expect(isFiltered(only)).toBe(true);
    expect(matches(only, wholeAsset("1"))).toBeNull();
  });
});

it("finds collections with the same parent", () => {
  const collection = (id: string, parent: string | null) => ({ id, parent, name: id, description: "", cover: null, assets: 0, createdAt: "", updatedAt: "", etag: "" });
  const all = [collection("b", null), collection("x", "b"), collection("a", null)];
  expect(siblingsOf(all[2]!, all).map(({ id }) => id)).toEqual(["b", "a"]);
});
