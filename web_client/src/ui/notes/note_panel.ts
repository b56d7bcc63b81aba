// The notes of one model: write one for the whole model, this moment of the clip or the picked point of the surface; go to one,
// resolve and delete it.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { NewNote, Note } from "../../api/notes";
import { t } from "../../i18n";
import type { PreviewState } from "../../preview/preview_state";
import type { PreviewStore } from "../../preview/preview_store";
import { announce, toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { notesOf } from "../../state/notes";
import type { NotesState, NotesStore } from "../../state/notes";
import { Watch } from "../../state/store";
import { panelStyles } from "../../styles/panel";
import { shared } from "../../styles/shared";

type Where = "model" | "moment" | "point";

@customElement("vt-notes")
export class NotePanel extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      form {
        display: grid;
        gap: 8px;
        padding: 0 12px 12px;
      }
      textarea {
        width: 100%;
        min-height: 64px;
        padding: 8px 10px;
        border: 1px solid var(--line);
        border-radius: var(--radius-s);
        background: var(--surface);
        color: var(--ink);
        font: inherit;
        resize: vertical;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      .row select {
        flex: 1;
        min-width: 0;
      }
      li {
        display: grid;
        gap: 4px;
        padding: 10px 12px;
        border-radius: var(--radius-s);
      }
      li.chosen {
        background: var(--accent-soft);
      }
      li p {
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      li.resolved p {
        color: var(--ink-soft);
        text-decoration: line-through;
      }
      small {
        color: var(--ink-soft);
        font-size: 12px;
      }
    `,
  ];

  @property() assetId = "";
  @property({ attribute: false }) model: PreviewStore | null = null;
  @property({ type: Boolean }) fixed = false; // an older version: nothing is written
  @state() private where: Where = "model";
  @state() private showsResolved = false;
  @query("textarea") private text!: HTMLTextAreaElement | null;
  private notes!: NotesStore; // from the first connection on
  private watches: { notes: Watch<NotesState>; model: Watch<PreviewState> | null } | null = null;
  private lastPicked: PreviewState["picked"] = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.notes = notesOf(this.assetId);
    this.watches ??= { notes: new Watch(this, this.notes), model: this.model ? new Watch(this, this.model) : null };
  }

  // A click on the surface is where the next note will be.
  protected override willUpdate(_changed: PropertyValues<this>): void {
    const picked = this.model?.value.picked ?? null;
    if (picked !== this.lastPicked) this.where = picked ? "point" : this.where === "point" ? "model" : this.where;
    this.lastPicked = picked;
    if (this.where === "moment" && !this.model?.clip) this.where = "model";
  }

  protected override updated(): void {
    const { focused } = this.notes.value;
    if (focused) this.renderRoot.querySelector(`li[data-note="${focused}"]`)?.scrollIntoView({ block: "nearest" });
  }

  private place(): NewNote["place"] {
    const model = this.model;
    if (!model || this.where === "model") return null;
    const clip = model.value.lent ? null : (model.clip?.id ?? null);
    const moment = { clip, time: clip ? model.live.value.time : 0 };
    const { picked } = model.value;
    if (this.where === "moment" || !picked) return { ...moment, point: null };
    const { node, mesh, primitive, triangle, barycentric } = picked;
    return { ...moment, point: { node: node.index, mesh: mesh.index, primitive, triangle, barycentric } };
  }

  private async attempt(work: () => Promise<void>, done: string): Promise<boolean> {
    try {
      await work();
      announce(done);
      return true;
    } catch (error) {
      toast(sentenceOf(error), "error");
      return false;
    }
  }

  private async add(event: Event): Promise<void> {
    event.preventDefault();
    const text = this.text?.value.trim() ?? "";
    if (!text) return;
    if (await this.attempt(() => this.notes.add({ text, place: this.place() }), t.notes.added)) this.text!.value = "";
  }

  private show(note: Note): void {
    this.notes.focus(note.id);
    const clip = this.model?.value.clips.findIndex(({ id }) => id === note.place?.clip) ?? -1;
    if (!this.model || !note.place) return;
    this.model.chooseClip(clip < 0 ? null : clip);
    if (clip >= 0) this.model.seek(note.place.time ?? 0);
  }

  override render() {
    const { notes, error } = this.notes.value;
    const all = notes ?? [];
    const shown = all.filter((note) => this.showsResolved || !note.resolved);
    return html`${this.fixed ? nothing : this.renderForm()}
      ${error ? html`<p class="empty" role="alert">${error}</p>` : nothing}
      ${notes && shown.length === 0 ? html`<p class="empty">${t.notes.none}</p>` : nothing}
      <ul aria-label=${t.notes.title}>
        ${shown.map((note) => this.renderNote(note))}
      </ul>
      ${all.some((note) => note.resolved)
        ? html`<button class="button quiet small" aria-pressed=${this.showsResolved ? "true" : "false"} @click=${() => (this.showsResolved = !this.showsResolved)}>${t.notes.showResolved}</button>`
        : nothing}`;
  }

  private renderForm() {
    const clip = this.model?.clip && !this.model.value.lent;
    const picked = this.model?.value.picked;
    const options: [Where, string][] = [["model", t.notes.onModel]];
    if (clip) options.push(["moment", t.notes.atMoment]);
    if (picked) options.push(["point", t.notes.atPoint]);
    return html`<form @submit=${this.add}>
      <textarea aria-label=${t.notes.text} placeholder=${t.notes.text} maxlength="4000" required></textarea>
      <div class="row">
        <select class="button small" aria-label=${t.notes.where} @change=${(event: Event) => (this.where = (event.target as HTMLSelectElement).value as Where)}>
          ${options.map(([value, label]) => html`<option value=${value} .selected=${value === this.where}>${label}</option>`)}
        </select>
        <button class="button small primary">${t.notes.add}</button>
      </div>
      <small>${picked ? t.notes.pickedHint : t.notes.pickHint}</small>
    </form>`;
  }

  private renderNote(note: Note) {
    const clip = this.model?.value.clips.find(({ id }) => id === note.place?.clip);
    const when = new Date(note.createdAt).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
    return html`<li data-note=${note.id} class="${note.resolved ? "resolved" : ""} ${note.id === this.notes.value.focused ? "chosen" : ""}">
      <p>${note.text}</p>
      <small>${t.notes.by(note.author.name || note.author.id, when, note.version)}${note.hasPlace && !note.place ? html`. ${t.notes.lost}` : nothing}</small>
      <div class="row">
        ${note.place ? html`<button class="button small" @click=${() => this.show(note)}>${clip ? t.notes.showAt(clip.name, note.place.time ?? 0) : t.notes.show}</button>` : nothing}
        ${this.fixed
          ? nothing
          : html`<button class="button small" @click=${() => this.attempt(() => this.notes.change(note.id, { resolved: !note.resolved }), t.notes.changed)}>${note.resolved ? t.notes.reopen : t.notes.resolve}</button>
              <button class="button quiet small" aria-label=${t.notes.removeOne(note.text)} @click=${() => this.attempt(() => this.notes.remove(note.id), t.notes.removed)}>${t.notes.remove}</button>`}
      </div>
    </li>`;
  }
}
