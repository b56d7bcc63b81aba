// Requests of libraries: folders of the server whose models are assets without a copy.
import { getJson, request } from "./client";
import type { Library, NewLibrary } from "./types";

const one = (id: string) => `/v1/libraries/${encodeURIComponent(id)}`;

export const librariesApi = {
  list: async () => (await getJson<{ items: Library[] }>("/v1/libraries")).items,
  async create(library: NewLibrary): Promise<Library> {
    const headers = { "Content-Type": "application/json" };
    return (await (await request("/v1/libraries", { method: "POST", headers, body: JSON.stringify(library) })).json()) as Library;
  },
  async setPaused(id: string, paused: boolean): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    await request(one(id), { method: "PATCH", headers, body: JSON.stringify({ paused }) });
  },
  async scan(id: string): Promise<Library> {
    return (await (await request(`${one(id)}/scan`, { method: "POST" })).json()) as Library;
  },
  async remove(id: string): Promise<void> {
    await request(one(id), { method: "DELETE" });
  },
};
