// Requests about custom fields of collections and their values.
import { assetUrl, getJson, request } from "./client";
import type { AssetField, Field, FieldChange, FieldValues, NewField, Page } from "./types";

const json = { "Content-Type": "application/json" };

function fieldsUrl(collection: string, field?: string): string {
  return `/v1/collections/${encodeURIComponent(collection)}/fields${field === undefined ? "" : `/${encodeURIComponent(field)}`}`;
}

export const fieldsApi = {
  // `inherited`: those of the collections above come first.
  list: async (collection: string, inherited: boolean) => (await getJson<Page<Field>>(`${fieldsUrl(collection)}?inherited=${inherited}`)).items,
  async create(collection: string, field: NewField): Promise<void> {
    await request(fieldsUrl(collection), { method: "POST", headers: json, body: JSON.stringify(field) });
  },
  // 412 if another client has changed it since it was read.
  async change({ collection, id, etag }: Field, change: FieldChange): Promise<void> {
    await request(fieldsUrl(collection, id), { method: "PATCH", headers: { ...json, "If-Match": etag }, body: JSON.stringify(change) });
  },
  async remove({ collection, id }: Field): Promise<void> {
    await request(fieldsUrl(collection, id), { method: "DELETE" });
  },
  ofAsset: async (asset: string) => (await getJson<Page<AssetField>>(assetUrl(asset, "/fields"))).items,
  async setValues(asset: string, values: FieldValues): Promise<AssetField[]> {
    const response = await request(assetUrl(asset, "/fields"), { method: "PATCH", headers: json, body: JSON.stringify({ values }) });
    return ((await response.json()) as Page<AssetField>).items;
  },
};
