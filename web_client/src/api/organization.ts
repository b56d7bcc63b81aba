// Requests about tags, collections and many assets at once.
import { assetUrl, getJson, request } from "./client";
import type { Asset, BatchOperation, BatchResult, Collection, Member, Page, Tag } from "./types";

const json = { "Content-Type": "application/json" };

export type AssetFacts = Partial<Pick<Asset, "license" | "author" | "sourceUrl" | "cover" | "upAxis">>;
export type CollectionChange = Partial<Pick<Collection, "name" | "description" | "parent" | "cover"> & { position: number }>;

async function all<T>(url: string, more = ""): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await getJson(`${url}?limit=1000${more}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

export const organizationApi = {
  // `roles`: with those of the person for them.
  collections: (roles: boolean) => all<Collection>("/v1/collections", roles ? "&role=true" : ""),
  // The first 1000.
  tags: async () => (await getJson<Page<Tag>>("/v1/tags?limit=1000")).items,
  // Assets of a collection in its order.
  members: (id: string, limit: number, cursor: string | null) =>
    getJson<Page<Member>>(`/v1/collections/${encodeURIComponent(id)}/assets?limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`),
  // They follow `position` of the other members.
  async placeMembers(id: string, assets: string[], position: number): Promise<void> {
    await request(`/v1/collections/${encodeURIComponent(id)}/assets`, { method: "POST", headers: json, body: JSON.stringify({ assets, position }) });
  },
  async createCollection(name: string): Promise<Collection> {
    const response = await request("/v1/collections", { method: "POST", headers: json, body: JSON.stringify({ name }) });
    return (await response.json()) as Collection;
  },
  // 412 if another client has changed it since it was read.
  async changeCollection({ id, etag }: Collection, change: CollectionChange): Promise<void> {
    await request(`/v1/collections/${encodeURIComponent(id)}`, { method: "PATCH", headers: { ...json, "If-Match": etag }, body: JSON.stringify(change) });
  },
  async favorites(): Promise<string[]> {
    return (await getJson<Page<{ asset: string }>>("/v1/me/favorites")).items.map(({ asset }) => asset);
  },
  async setFavorite(id: string, favorite: boolean): Promise<void> {
    await request(`/v1/me/favorites/${encodeURIComponent(id)}`, { method: favorite ? "PUT" : "DELETE" });
  },
  async removeCollection(id: string): Promise<void> {
    await request(`/v1/collections/${encodeURIComponent(id)}`, { method: "DELETE" });
  },
  async change(id: string, facts: AssetFacts): Promise<Asset> {
    const response = await request(assetUrl(id), { method: "PATCH", headers: json, body: JSON.stringify(facts) });
    return (await response.json()) as Asset;
  },
  async batch(assets: string[], operations: BatchOperation[]): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    for (let at = 0; at < assets.length; at += 1000) {
      const body = JSON.stringify({ assets: assets.slice(at, at + 1000), operations });
      const response = await request("/v1/assets:batch", { method: "POST", headers: json, body });
      results.push(...((await response.json()) as { items: BatchResult[] }).items);
    }
    return results;
  },
};
