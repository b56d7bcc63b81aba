// Clips of other assets that the model plays, and for a file with nothing but clips the characters that play them.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { api } from "../api/client";
import type { Fitting, Page } from "../api/types";
import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { assetPath } from "../state/router";
import { sentenceOf } from "../state/library_store";
import { Watch } from "../state/store";
import { nestedPanelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { toast } from "../state/announce";
import { formatSeconds } from "../util/format";

const leastFit = 0.25; // of what the list shows; the list is sorted

@customElement("vt-fitting-list")
export class FittingList extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      .entry {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0 12px;
        width: 100%;
        padding: 7px 12px;
        border: 0;
        border-radius: var(--radius-s);
        background: none;
        text-align: left;
        text-decoration: none;
        cursor: pointer;
        transition: background var(--quick);
      }
      .entry:hover {
        background: var(--hover);
      }
      .entry[aria-pressed="true"] {
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
      }
      .name,
      .of {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .name {
        font-weight: 550;
      }
      .of,
      .share {
        color: var(--ink-soft);
        font-size: 12px;
      }
      [aria-pressed="true"] :is(.of, .share) {
        color: inherit;
      }
      .more {
        margin: 4px;
      }
    `,
  ];

  @property() assetId = "";
  @property({ attribute: false }) model!: PreviewStore;
  @property({ type: Boolean }) characters = false; // lists characters instead of clips
  @state() private items: Fitting[] = [];
  @state() private next: string | null = null;
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("assetId") && !changed.has("characters")) return;
    this.items = [];
    void this.read(null).catch(() => undefined); // without the list, nothing is shown
  }

  private async read(cursor: string | null): Promise<void> {
    const { assetId, characters } = this;
    const page: Page<Fitting> = await (characters ? api.fittingCharacters(assetId, cursor) : api.fittingClips(assetId, cursor));
    if (assetId !== this.assetId || characters !== this.characters) return;
    const fitting = page.items.filter(({ fit }) => fit >= leastFit);
    this.items = cursor === null ? fitting : [...this.items, ...fitting];
    this.next = fitting.length === page.items.length ? page.next : null;
  }

  private play({ asset, clip }: Fitting): void {
    if (!clip) return;
    const { id, name = "", duration = 0, frameRate = 0 } = clip;
    this.model.playLent({ asset: asset.id, assetName: asset.name, clip: { id, name, duration, frameRate } });
  }

  override render() {
    if (this.items.length === 0) return nothing;
    const title = this.characters ? t.fitting.characters : t.fitting.clips;
    return html`<h2>${title}</h2>
      <ul aria-label=${title}>${this.items.map((item) => html`<li>${this.characters ? this.renderCharacter(item) : this.renderClip(item)}</li>`)}</ul>
      ${this.next === null ? nothing : html`<button class="button quiet small more" @click=${() => void this.readMore()}>${t.fitting.more}</button>`}`;
  }

  private async readMore(): Promise<void> {
    await this.read(this.next).catch((error: unknown) => toast(sentenceOf(error), "error"));
  }

  private renderClip(item: Fitting) {
    const { lent } = this.model.value;
    const pressed = lent?.asset === item.asset.id && lent.clip.id === item.clip?.id;
    return html`<button class="entry" aria-pressed=${pressed ? "true" : "false"} @click=${() => this.play(item)}>
      <span class="name">${item.clip?.name || item.clip?.id}</span>
      <span class="share numbers">${formatSeconds(item.clip?.duration ?? 0)} s</span>
      <span class="of">${item.asset.name}</span>
      <span class="share numbers">${shareOf(item)}</span>
    </button>`;
  }

  private renderCharacter(item: Fitting) {
    return html`<a class="entry" href=${assetPath(item.asset.id)}>
      <span class="name">${item.asset.name}</span>
      <span class="share numbers">${shareOf(item)}</span>
    </a>`;
  }
}

function shareOf({ fit, by }: Fitting): string {
  return t.fitting.share(Math.round(100 * fit), by);
}
