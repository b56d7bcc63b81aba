// The notes of one model, with their places in the clip that is shown.
import { notesApi } from "../api/notes";
import type { Asset } from "../api/types";
import type { NewNote, Note, NoteChange } from "../api/notes";
import { access } from "./access";
import { library, sentenceOf } from "./library_store";
import { sampleStep } from "./note_places";
import type { NotedClip } from "./note_places";
import { versionOf } from "./router";
import { Store } from "./store";

export interface NotesState {
  notes: Note[] | null; // null: not received yet; those of positions() have the clip's
  clip: NotedClip | null; // of whose times the positions are
  error: string | null;
  focused: string; // id of the note that the user has chosen; empty: none
}

class NotesStore extends Store<NotesState> {
  private readonly release: () => void;
  private reading = 0; // number of the newest request
  private version = 0; // that the server had when it last said so

  constructor(readonly asset: string) {
    super({ notes: null, clip: null, error: null, focused: "" });
    const id = versionOf(asset)?.asset ?? asset;
    this.release = library.onEvent((event) => {
      const isOfNote = event.type === "reset" || (event.type === "note" && event.asset === id);
      if (isOfNote || (event.type === "asset" && event.asset.id === asset && this.isNew(event.asset))) void this.read();
    });
    void access.ready.then(() => (access.shared ? undefined : this.read())); // a share link has none
  }

  // A new version has its own positions.
  private isNew({ status, version }: Asset): boolean {
    if (status !== "ready" || version === this.version) return false;
    this.version = version;
    return true;
  }

  stop(): void {
    this.reading = -1;
    this.release();
  }

  // Positions are those of this clip from now on; null: of the static pose.
  showClip(clip: NotesState["clip"]): void {
    if (clip?.id === this.value.clip?.id && clip?.duration === this.value.clip?.duration) return;
    this.patch({ clip });
    if (this.value.notes?.some(({ place }) => place?.point)) void this.read();
  }

  async read(): Promise<void> {
    if (this.reading < 0) return;
    const number = ++this.reading;
    const { clip } = this.value;
    try {
      const notes = await notesApi.list(this.asset, clip && clip.duration > 0 ? { clip: clip.id, last: clip.duration, step: sampleStep(clip.duration) } : null);
      if (number === this.reading) this.patch({ notes, error: null });
    } catch (error) {
      if (number === this.reading) this.patch({ error: sentenceOf(error) });
    }
  }

  focus(id: string): void {
    this.patch({ focused: id });
  }

  async add(note: NewNote): Promise<void> {
    await notesApi.add(this.asset, note);
    await this.read();
  }

  async change(id: string, change: NoteChange): Promise<void> {
    await notesApi.change(id, change);
    await this.read();
  }

  async remove(id: string): Promise<void> {
    await notesApi.remove(id);
    await this.read();
  }
}

export type { NotesStore };
let shown: NotesStore | null = null;

// The notes of the model whose page is shown; those of the one before are not read any more.
export function notesOf(asset: string): NotesStore {
  if (shown?.asset === asset) return shown;
  shown?.stop();
  return (shown = new NotesStore(asset));
}
