// Requests of roles for collections.
import { getJson, request } from "./client";
import type { Grants, GroupGrant, Role } from "./types";

const url = (collection: string, user = "") => `/v1/collections/${encodeURIComponent(collection)}/grants${user && `/${encodeURIComponent(user)}`}`;
const groupUrl = (collection: string, parameters: Record<string, string>) => `${url(collection)}?${new URLSearchParams(parameters).toString()}`;
const roleBody = (role: Role) => ({ method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ role }) });

export const grantsApi = {
  // Of one collection, by name; `user`: id or name.
  list: (collection: string) => getJson<Grants>(url(collection)),
  put: (collection: string, user: string, role: Role) => request(url(collection, user), roleBody(role)),
  remove: (collection: string, user: string) => request(url(collection, user), { method: "DELETE" }),
  // Of a group of the identity provider.
  putGroup: (collection: string, group: string, role: Role) => request(groupUrl(collection, { group }), roleBody(role)),
  removeGroup: (collection: string, { group, issuer }: GroupGrant) => request(groupUrl(collection, { group, issuer }), { method: "DELETE" }),
};
