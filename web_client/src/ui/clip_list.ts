// The clips of a model; choosing one plays it.
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Clip } from "../api/types";
import { t } from "../i18n";
import type { PreviewModel, PreviewState } from "../preview/model";
import { lastFrame, rateOf } from "../preview/playback";
import { Watch } from "../state/store";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { formatSeconds } from "../util/format";

@customElement("vt-clip-list")
export class ClipList extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      li button {
        display: grid;
        grid-template-columns: 3px minmax(0, 1fr) auto;
        align-items: center;
        gap: 0 12px;
        width: 100%;
        padding: 9px 12px 9px 10px;
        border: 0;
        border-radius: var(--radius-s);
        background: none;
        text-align: left;
        cursor: pointer;
        transition: background var(--quick);
      }
      li button::before {
        content: "";
        grid-row: span 2;
        width: 3px;
        height: 28px;
        border-radius: 2px;
      }
      li button:hover {
        background: var(--hover);
      }
      li button[aria-pressed="true"] {
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
      }
      li button[aria-pressed="true"]::before {
        background: var(--accent);
      }
      .name {
        font-weight: 550;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .facts {
        grid-column: 2;
        font-size: 12px;
        color: var(--ink-soft);
      }
      [aria-pressed="true"] .facts {
        color: inherit;
      }
      .duration {
        grid-column: 3;
        grid-row: 1;
        font-size: 12px;
      }
    `,
  ];

  @property({ attribute: false }) model: PreviewModel | null = null;
  @property({ attribute: false }) clips: Clip[] = [];
  private watch: Watch<PreviewState> | null = null;

  protected override willUpdate(): void {
    if (this.model && !this.watch) this.watch = new Watch(this, this.model);
  }

  override render() {
    if (this.clips.length === 0) return html`<p class="empty">${t.clips.empty}</p>`;
    const chosen = this.model?.view.clip;
    return html`<ul>
      ${this.clips.map((clip, index) => this.renderClip(clip, index, index === chosen))}
      <li>
        <button aria-pressed=${chosen === null ? "true" : "false"} ?disabled=${!this.model} @click=${() => this.model?.chooseClip(null)}>
          <span class="name">${t.clips.static}</span>
          <span class="facts">${t.clips.staticHint}</span>
        </button>
      </li>
    </ul>`;
  }

  private renderClip(clip: Clip, index: number, chosen: boolean) {
    return html`<li>
      <button aria-pressed=${chosen ? "true" : "false"} ?disabled=${!this.model} @click=${() => this.model?.chooseClip(index)}>
        <span class="name" title=${clip.name}>${clip.name || t.clips.unnamed(index)}</span>
        <span class="facts numbers">${clipFacts(clip)}</span>
        <span class="duration numbers">${formatSeconds(clip.duration)} s</span>
      </button>
    </li>`;
  }
}

// Curves without a frame rate of their own (glTF) have keys, not frames.
function clipFacts(clip: Clip): string {
  if (clip.frameRate && clip.frames) return t.clips.facts(clip.frames, clip.frameRate);
  if (clip.keys) return t.clips.keys(clip.keys);
  return t.clips.facts(lastFrame(clip) + 1, rateOf(clip));
}
