// Markers of notes over the live preview: they follow the surface while the clip plays and the camera turns.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Note } from "../../api/notes";
import { t } from "../../i18n";
import type { LiveState, PreviewState } from "../../preview/preview_state";
import type { PreviewStore } from "../../preview/preview_store";
import { positionAt } from "../../state/note_places";
import { notesOf } from "../../state/notes";
import type { NotesState, NotesStore } from "../../state/notes";
import { Watch } from "../../state/store";
import { shared } from "../../styles/shared";

@customElement("vt-note-markers")
export class NoteMarkers extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        position: absolute;
        inset: 0;
        z-index: 1;
        overflow: hidden;
        pointer-events: none;
      }
      button {
        position: absolute;
        width: 26px;
        height: 26px;
        margin: -13px 0 0 -13px;
        padding: 0;
        border: 2px solid var(--surface);
        border-radius: 50%;
        background: var(--accent);
        color: var(--accent-ink);
        font-size: 12px;
        font-weight: 600;
        box-shadow: var(--shadow-2);
        cursor: pointer;
        pointer-events: auto;
      }
      button[aria-pressed="true"] {
        outline: 2px solid var(--focus);
        outline-offset: 2px;
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  @property() assetId = "";
  private notes!: NotesStore; // from the first connection on
  private watches: { state: Watch<PreviewState>; live: Watch<LiveState>; notes: Watch<NotesState> } | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.notes = notesOf(this.assetId);
    this.watches ??= { state: new Watch(this, this.model), live: new Watch(this, this.model.live), notes: new Watch(this, this.notes) };
  }

  protected override willUpdate(): void {
    const { clip } = this.model;
    this.notes.showClip(clip && !this.model.value.lent ? { id: clip.id, duration: clip.duration } : null);
  }

  // Layers and turned joints change the pose, which positions do not know.
  private get isPlain(): boolean {
    const { view, lent } = this.model.value;
    return !lent && view.layers.length === 0 && view.turn.length === 0;
  }

  override render() {
    const { notes, clip, focused } = this.notes.value;
    if (!notes || !this.model.value.hasFrame || !this.isPlain) return nothing;
    const open = notes.filter((note) => !note.resolved).reverse(); // the oldest has number 1
    return open.map((note, index) => this.renderMarker(note, index + 1, clip, note.id === focused));
  }

  private renderMarker(note: Note, number: number, clip: NotesState["clip"], chosen: boolean) {
    const position = positionAt(note, clip, this.model.live.value.time);
    const at = position && this.model.project(position);
    if (!at || at.x < 0 || at.x > 1 || at.y < 0 || at.y > 1) return nothing;
    return html`<button
      style="left:${(100 * at.x).toFixed(3)}%;top:${(100 * at.y).toFixed(3)}%"
      aria-label=${t.notes.marker(number, note.text)}
      title=${note.text}
      aria-pressed=${chosen ? "true" : "false"}
      data-note=${note.id}
      @click=${() => this.choose(note)}
    >
      ${number}
    </button>`;
  }

  private choose(note: Note): void {
    this.notes.focus(note.id);
    this.dispatchEvent(new CustomEvent("vt-note", { detail: note.id, bubbles: true, composed: true }));
  }
}
