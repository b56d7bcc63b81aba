// Requests of users, sessions, access tokens and the audit log.
import { getJson, request } from "./client";
import type {
  AccessToken,
  AuditEntry,
  CreatedAccessToken,
  Me,
  MeChange,
  NewAccessToken,
  NewUser,
  OwnToken,
  Page,
  Session,
  StorageOfUser,
  User,
  UserChange,
  UserStorage,
} from "./types";

async function send<T>(method: "POST" | "PATCH", url: string, body: object): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return (await (await request(url, { method, headers, body: JSON.stringify(body) })).json()) as T;
}

async function remove(url: string): Promise<void> {
  await request(url, { method: "DELETE" });
}

const items = async <T>(url: string): Promise<T[]> => (await getJson<{ items: T[] }>(url)).items;
const one = (url: string, id: string) => `${url}/${encodeURIComponent(id)}`;

export const accessApi = {
  me: () => getJson<Me>("/v1/me"),
  changeMe: (change: MeChange) => send<Me>("PATCH", "/v1/me", change),
  sessions: () => items<Session>("/v1/sessions"),
  endSession: (id: string) => remove(one("/v1/sessions", id)),
  ownTokens: () => items<OwnToken>("/v1/me/tokens"),
  revokeOwnToken: (id: string) => remove(one("/v1/me/tokens", id)),
  ownStorage: () => getJson<UserStorage>("/v1/me/storage"),
  storageOfUsers: () => items<StorageOfUser>("/v1/storage/users"),
  users: () => items<User>("/v1/users"),
  createUser: (user: NewUser) => send<User>("POST", "/v1/users", user),
  changeUser: (id: string, change: UserChange) => send<User>("PATCH", one("/v1/users", id), change),
  removeUser: (id: string) => remove(one("/v1/users", id)),
  tokens: () => items<AccessToken>("/v1/tokens"),
  createToken: (token: NewAccessToken) => send<CreatedAccessToken>("POST", "/v1/tokens", token),
  revokeToken: (id: string) => remove(one("/v1/tokens", id)),
  // The newest entries first; `action`: empty: all.
  audit: (action: string, cursor: string | null) => {
    const query = new URLSearchParams({ limit: "50" });
    if (action) query.set("action", action);
    if (cursor !== null) query.set("cursor", cursor);
    return getJson<Page<AuditEntry>>(`/v1/audit?${query}`);
  },
};
