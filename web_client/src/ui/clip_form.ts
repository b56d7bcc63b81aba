// Form that cuts a frame range of one of the file's clips into a clip with its own rate.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { api, ApiError } from "../api/client";
import type { Clip } from "../api/types";
import { t } from "../i18n";
import { lastCutFrame, rateOf } from "../preview/playback";
import { sentenceOf } from "../state/library_store";
import { shared } from "../styles/shared";
import { toast } from "../state/announce";
import { icons } from "../styles/icons";

@customElement("vt-clip-form")
export class ClipForm extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        margin-top: 8px;
        padding-top: 10px;
        border-top: 1px solid var(--line);
      }
      form {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 12px;
        padding: 6px 12px 4px;
      }
      .whole {
        grid-column: 1 / -1;
      }
      p {
        color: var(--ink-soft);
        font-size: 13px;
      }
      label {
        display: grid;
        align-content: end;
        gap: 6px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      label input,
      label select.button {
        width: 100%;
        color: var(--ink);
        font-size: 14px;
      }
      .problem {
        color: var(--danger);
      }
      .buttons {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
      }
    `,
  ];

  @property() assetId = "";
  @property({ attribute: false }) clips: Clip[] = []; // clips of the file, at least one
  @property({ attribute: false }) chosen: Clip | null = null; // initial selection
  @property({ attribute: false }) changed: (clips: Clip[], name: string) => void = () => undefined;
  @state() private open = false;
  @state() private busy = false;
  @state() private problem = "";
  @state() private source = "";
  @state() private first = 0;
  @query("button.open") private opener!: HTMLButtonElement;
  @query("form") private form!: HTMLFormElement | null;

  private get clip(): Clip {
    return this.clips.find((clip) => clip.id === this.source) ?? this.clips[0]!;
  }

  private async show(): Promise<void> {
    this.source = (this.chosen ?? this.clips[0]!).id;
    this.first = 0;
    this.problem = "";
    this.open = true;
    await this.updateComplete;
    this.form?.querySelector("input")?.focus();
  }

  private async hide(): Promise<void> {
    this.open = false;
    await this.updateComplete;
    this.opener.focus();
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const data = new FormData(this.form!);
    const number = (name: string) => Number(data.get(name));
    const name = String(data.get("name")).trim();
    this.busy = true;
    this.problem = "";
    try {
      const cut = { name, clip: this.clip.id, firstFrame: number("first"), lastFrame: number("last"), frameRate: number("rate") };
      this.changed(await api.cutClip(this.assetId, cut), name);
      toast(t.clips.added(name));
      this.open = false;
    } catch (error) {
      this.problem = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  override render() {
    if (!this.open)
      return html`<button class="button quiet small open" aria-expanded="false" @click=${() => void this.show()}>${icons.cut} ${t.clips.cut}</button>`;
    const last = lastCutFrame(this.clip);
    return html`<form aria-label=${t.clips.cut} @submit=${(event: Event) => void this.submit(event)} @keydown=${this.pressed}>
      <p class="whole">${t.clips.cutHint}</p>
      <label class="whole">${t.clips.cutName}<input class="field" name="name" required maxlength="255" pattern=".*\\S.*" autocomplete="off" spellcheck="false" /></label>
      ${this.clips.length > 1 ? this.renderSources() : nothing}
      <label>${t.clips.cutFirst}<input class="field numbers" name="first" type="number" required min="0" max=${Math.max(0, last - 1)} step="1" .value=${"0"} @input=${this.firstChanged} /></label>
      <label>${t.clips.cutLast}<input class="field numbers" name="last" type="number" required min=${this.first + 1} max=${last} step="1" .value=${String(last)} /></label>
      <label>${t.clips.cutRate}<input class="field numbers" name="rate" type="number" required min="0.01" max="1000" step="any" .value=${String(Number(rateOf(this.clip).toFixed(3)))} /></label>
      <p class="problem whole" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      <div class="buttons whole">
        <button type="button" class="button small" @click=${() => void this.hide()}>${t.clips.cutCancel}</button>
        <button class="button small primary" aria-disabled=${this.busy ? "true" : "false"}>${t.clips.cutAdd}</button>
      </div>
    </form>`;
  }

  private renderSources() {
    return html`<label class="whole"
      >${t.clips.cutSource}<select class="button" name="clip" @change=${(event: Event) => (this.source = (event.target as HTMLSelectElement).value)}>
        ${this.clips.map((clip, index) => html`<option value=${clip.id} ?selected=${clip.id === this.source}>${clip.name || t.clips.unnamed(index)}</option>`)}
      </select></label
    >`;
  }

  private readonly firstChanged = (event: Event): void => {
    this.first = Math.max(0, Math.floor((event.target as HTMLInputElement).valueAsNumber) || 0);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    void this.hide();
  };
}

// The server reports errors per member.
function failureText(error: unknown): string {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  if (errors.length === 0) return sentenceOf(error);
  return errors.map(({ detail }) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`).join(" ");
}
