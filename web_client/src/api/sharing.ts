// Requests about share links and signed URLs.
import { assetUrl, getJson, request } from "./client";
import type { CreatedShareLink, NewShareLink, ShareLink, SignedUrl } from "./types";

const headers = { "Content-Type": "application/json" };

export const sharingApi = {
  // `target`: asset=ID or collection=ID.
  links: async (target: URLSearchParams) => (await getJson<{ items: ShareLink[] }>(`/v1/share-links?${target}`)).items,
  async create(link: NewShareLink): Promise<CreatedShareLink> {
    const response = await request("/v1/share-links", { method: "POST", headers, body: JSON.stringify(link) });
    return (await response.json()) as CreatedShareLink;
  },
  async revoke(id: string): Promise<void> {
    await request(`/v1/share-links/${encodeURIComponent(id)}`, { method: "DELETE" });
  },
  // Of all assets; only admins.
  async revokeSignedUrls(): Promise<void> {
    await request("/v1/signed-urls", { method: "DELETE" });
  },
  async signPicture(asset: string, parameters: Record<string, string>, expiresIn: number): Promise<SignedUrl> {
    const body = JSON.stringify({ picture: "render", parameters, expiresIn });
    return (await (await request(assetUrl(asset, "/signed-urls"), { method: "POST", headers, body })).json()) as SignedUrl;
  },
};
