import { afterEach, expect, it, vi } from "vitest";

import type { BatchOperation } from "../src/api/types";
import { changeTags, withTags } from "../src/state/asset_tags";

vi.mock("../src/api/events", () => ({ EventStream: class {} }));
afterEach(() => vi.unstubAllGlobals());

it("keeps tags of changes that are under way, and says why one was not made", async () => {
  const tags = new Set(["kept"]);
  const waiting: (() => void)[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    expect([url, init.method]).toEqual(["/v1/assets:batch", "POST"]);
    const { assets, operations } = JSON.parse(init.body as string) as { assets: string[]; operations: BatchOperation[] };
    expect(assets).toEqual(["7"]);
    return new Promise((resolve) =>
      waiting.push(() => {
        for (const { op, tags: named } of operations) for (const tag of named ?? []) op === "tag" ? tags.add(tag) : tags.delete(tag);
        const problem = tags.size > 3 ? { code: "too_many", detail: "has too many tags" } : null;
        resolve(new Response(JSON.stringify({ items: [{ asset: "7", status: problem ? 400 : 200, problem }] })));
      }),
    );
  });
  const changes = [changeTags("7", { op: "tag", tags: ["a"] }), changeTags("7", { op: "tag", tags: ["b"] }), changeTags("7", { op: "tag", tags: ["c"] })];
  for (const go of waiting) go();
  expect(await Promise.all(changes)).toEqual([null, null, "has too many tags"]);
  expect([...tags]).toEqual(["kept", "a", "b", "c"]);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"code":"forbidden","detail":"only editors may"}', { status: 403 })));
  expect(await changeTags("7", { op: "untag", tags: ["a"] })).not.toBeNull();
});

it("shows the tags after a change", () => {
  expect(withTags(["Wood", "Ärmel"], { op: "tag", tags: ["wood", "metal"] })).toEqual(["Wood", "Ärmel", "metal"]);
  expect(withTags(["Wood", "metal"], { op: "untag", tags: ["wood"] })).toEqual(["metal"]);
});
