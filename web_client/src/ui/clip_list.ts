// The clips of a model; selecting one plays it. User clips can be deleted.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { api } from "../api/client";
import type { Clip } from "../api/types";
import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { lastFrame, rateOf } from "../preview/playback";
import { sentenceOf } from "../state/library_store";
import { Watch } from "../state/store";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { toast } from "../state/announce";
import { formatSeconds } from "../util/format";
import "./clip_form";
import { icons } from "../styles/icons";

@customElement("vt-clip-list")
export class ClipList extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      ul {
        max-height: max(280px, 45dvh); /* layers, facts and findings stay in sight */
        overflow-y: auto;
      }
      li {
        display: flex;
        align-items: center;
        gap: 4px;
      }
      li .choose {
        display: grid;
        grid-template-columns: 3px minmax(0, 1fr) auto;
        align-items: center;
        gap: 0 12px;
        flex: 1;
        min-width: 0;
        padding: 9px 12px 9px 10px;
        border: 0;
        border-radius: var(--radius-s);
        background: none;
        text-align: left;
        cursor: pointer;
        transition: background var(--quick);
      }
      li .choose::before {
        content: "";
        grid-row: span 2;
        width: 3px;
        height: 28px;
        border-radius: 2px;
      }
      li .choose:hover {
        background: var(--hover);
      }
      li .choose[aria-pressed="true"] {
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
      }
      li .choose[aria-pressed="true"]::before {
        background: var(--accent);
      }
      .name {
        font-weight: 550;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .summary {
        grid-column: 2;
        font-size: 12px;
        color: var(--ink-soft);
      }
      [aria-pressed="true"] .summary {
        color: inherit;
      }
      .duration {
        grid-column: 3;
        grid-row: 1;
        font-size: 12px;
      }
    `,
  ];

  @property({ attribute: false }) model: PreviewStore | null = null;
  @property({ attribute: false }) clips: Clip[] = [];
  @property() assetId = "";
  @property({ type: Boolean }) fixed = false; // of an older version
  // Called with the clips after a change, and the name of the one to show; undefined: unchanged.
  @property({ attribute: false }) changed: (clips: Clip[], name?: string) => void = () => undefined;
  private watch: Watch<PreviewState> | null = null;

  protected override willUpdate(): void {
    if (this.model && !this.watch) this.watch = new Watch(this, this.model);
  }

  async focusChosen(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.choose[aria-pressed="true"]')?.focus();
  }

  override render() {
    if (this.clips.length === 0) return html`<p class="empty">${t.clips.empty}</p>`;
    const chosen = this.model?.ownClip;
    return html`<ul>
      ${this.clips.map((clip, index) => this.renderClip(clip, index, index === chosen))}
      <li>
        <button class="choose" aria-pressed=${this.model?.view.clip === null ? "true" : "false"} ?disabled=${!this.model} @click=${() => this.model?.chooseClip(null)}>
          <span class="name">${t.clips.static}</span>
          <span class="summary">${t.clips.staticHint}</span>
        </button>
      </li>
    </ul>
    ${this.renderForm(chosen ?? -1)}`;
  }

  private renderForm(chosen: number) {
    const own = [...this.clips.filter((clip) => !clip.cutFrom && clip.duration > 0), ...this.wholeFile()];
    if (this.fixed || !this.model || own.length === 0) return nothing;
    const shown = this.clips[chosen] ?? null;
    return html`<vt-clip-form .assetId=${this.assetId} .clips=${own} .chosen=${shown && own.includes(shown) ? shown : null} .changed=${this.changed}></vt-clip-form>`;
  }

  // All frames of a file with several clips, as a source of clips.
  private wholeFile(): Clip[] {
    const frames = this.model?.value.frames ?? 0;
    const frameRate = this.clips[0]?.frameRate ?? 0;
    if (frames < 2 || frameRate <= 0 || this.clips.filter((clip) => !clip.cutFrom).length < 2) return [];
    return [{ id: "frames", name: t.clips.allFrames, duration: (frames - 1) / frameRate, frameRate, frames }];
  }

  private async discard(clip: Clip): Promise<void> {
    const shown = this.model?.clip;
    const source = this.clips.find((other) => other.id === clip.cutFrom?.clip);
    try {
      this.changed(await api.removeClip(this.assetId, clip.id), shown?.id === clip.id ? source?.name : undefined);
      toast(t.clips.removed(clip.name));
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  private renderClip(clip: Clip, index: number, chosen: boolean) {
    return html`<li>
      <button class="choose" aria-pressed=${chosen ? "true" : "false"} ?disabled=${!this.model} @click=${() => this.model?.chooseClip(index)}>
        <span class="name" title=${clip.name}>${clip.name || t.clips.unnamed(index)}</span>
        <span class="summary numbers">${clipSummary(clip)}</span>
        <span class="duration numbers">${formatSeconds(clip.duration)} s</span>
      </button>
      ${clip.cutFrom && !this.fixed ? this.renderRemove(clip, clip.cutFrom) : nothing}
    </li>`;
  }

  private renderRemove(clip: Clip, { clip: source, firstFrame, lastFrame }: NonNullable<Clip["cutFrom"]>) {
    const from = source === "frames" ? t.clips.allFrames : (this.clips.find((other) => other.id === source)?.name ?? source);
    return html`<button
      class="button quiet small icon-only"
      aria-label=${t.clips.remove(clip.name)}
      title="${t.clips.remove(clip.name)} (${t.clips.cutFrom(firstFrame, lastFrame, from)})"
      @click=${() => void this.discard(clip)}
    >
      ${icons.trash}
    </button>`;
  }
}

// Clips without a frame rate (glTF) have keys, not frames.
function clipSummary(clip: Clip): string {
  if (clip.frameRate && clip.frames) return t.clips.summary(clip.frames, clip.frameRate);
  if (clip.keys) return t.clips.keys(clip.keys);
  return t.clips.summary(lastFrame(clip) + 1, rateOf(clip));
}
