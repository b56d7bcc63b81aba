// Requests of roles for collections.
import { getJson, request } from "./client";
import type { Grant, Role } from "./types";

const url = (collection: string, user = "") => `/v1/collections/${encodeURIComponent(collection)}/grants${user && `/${encodeURIComponent(user)}`}`;

export const grantsApi = {
  // Of one collection, by name; `user`: id or name.
  list: async (collection: string) => (await getJson<{ items: Grant[] }>(url(collection))).items,
  put: (collection: string, user: string, role: Role) => request(url(collection, user), { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ role }) }),
  remove: (collection: string, user: string) => request(url(collection, user), { method: "DELETE" }),
};
