// Requests about notes.
import { ApiError, assetUrl, getJson, request } from "./client";
import type { Page } from "./types";
import type { components } from "./schema";

export type Note = components["schemas"]["AssetNote"];
export type NewNote = components["schemas"]["NewNote"];
export type NoteChange = components["schemas"]["NoteChange"];

const json = { "Content-Type": "application/json" };

function noteUrl(id: string): string {
  return `/v1/notes/${encodeURIComponent(id)}`;
}

// Seconds of a clip at which positions are wanted.
export interface NoteTimes {
  clip: string;
  last: number;
  step: number;
}

export const notesApi = {
  // The newest 200, with positions in the static pose, and at the times unless that is too much work.
  async list(asset: string, times: NoteTimes | null = null): Promise<Note[]> {
    const at = times ? `&clip=${encodeURIComponent(times.clip)}&t=0/${times.last}/${times.step}` : "";
    try {
      return (await getJson<Page<Note>>(assetUrl(asset, `/notes?limit=200${at}`))).items;
    } catch (error) {
      if (times && error instanceof ApiError && error.status === 413) return notesApi.list(asset);
      throw error;
    }
  },
  async add(asset: string, note: NewNote): Promise<void> {
    await request(assetUrl(asset, "/notes"), { method: "POST", headers: json, body: JSON.stringify(note) });
  },
  async change(id: string, change: NoteChange): Promise<void> {
    await request(noteUrl(id), { method: "PATCH", headers: json, body: JSON.stringify(change) });
  },
  async remove(id: string): Promise<void> {
    await request(noteUrl(id), { method: "DELETE" });
  },
};
