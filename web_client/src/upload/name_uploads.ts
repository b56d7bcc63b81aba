// The requests that make assets or versions of uploads.
import { ApiError, assetUrl, problemOf } from "../api/client";
import type { UploadResponse, VersionResponse } from "../api/types";
import type { Upload } from "./queue";

// Where the files of the upload go; `more`: parameters.
export function resourceOf({ target, collection }: Upload, more: [string, string][] = []): string {
  const query = new URLSearchParams(target === null && collection ? [...more, ["collection", collection.id]] : more);
  return `${target === null ? "/v1/assets" : assetUrl(target, "/versions")}?${query}`.replace(/\?$/, "");
}

// The uploads become the files of assets. A repeated request has the same token, so that it is done once.
export async function nameUploads(upload: Upload, names: { id: string; name: string }[], token: string, signal: AbortSignal): Promise<UploadResponse | VersionResponse> {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": token };
  const response = await fetch(resourceOf(upload), { method: "POST", headers, body: JSON.stringify({ uploads: names }), signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ApiError(0, { code: "unreachable" });
  });
  if (!response.ok) throw new ApiError(response.status, await problemOf(response));
  return (await response.json()) as UploadResponse | VersionResponse;
}
