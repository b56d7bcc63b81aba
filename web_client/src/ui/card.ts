// One asset in the grid. Plays its sprite on hover or keyboard focus.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { assetUrl } from "../api/client";
import type { Asset, Job } from "../api/types";
import { t } from "../i18n";
import { assetPath } from "../router";
import { shared } from "../styles/shared";
import { isBlank } from "../util/asset";
import { formatCount, formatLabel, hueOf, sentence } from "../util/format";
import { cardStyles } from "./card_styles";
import { icons } from "./icons";
import { SpritePlayer, loadSheet } from "./sprite";

const hoverPause = 90;

@customElement("vt-card")
export class Card extends LitElement {
  static override styles = [shared, cardStyles];

  @property({ attribute: false }) asset!: Asset;
  @property({ attribute: false }) job: Job | null = null;
  @state() private thumbnailReady = false;
  @state() private thumbnailFailed = false;
  @state() private playing = false;
  private timer = 0;
  private abort: AbortController | null = null;
  private player: SpritePlayer | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.rest();
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector("a")?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("asset");
    if (before && (before.version !== this.asset.version || before.hasThumbnail !== this.asset.hasThumbnail)) {
      this.thumbnailFailed = false;
      this.thumbnailReady &&= before.version === this.asset.version;
    }
  }

  // A click focuses too; only keyboard focus starts playback.
  private focused(): void {
    if (this.renderRoot.querySelector("a:focus-visible")) this.wake();
  }

  private wake(): void {
    clearTimeout(this.timer);
    if (this.asset.status !== "ready" || this.abort) return;
    this.timer = window.setTimeout(() => void this.move(), hoverPause);
  }

  private async move(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    try {
      const sheet = await loadSheet(this.asset.id, this.asset.version, abort.signal);
      const canvas = this.renderRoot.querySelector("canvas");
      if (abort.signal.aborted || !canvas) return;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.player = new SpritePlayer(canvas, sheet, still);
      this.playing = true;
    } catch {
      // No sprite sheet: the thumbnail stays. The next hover tries again.
      if (this.abort === abort) this.abort = null;
    }
  }

  private rest(): void {
    if (this.isConnected && this.renderRoot.querySelector("a:focus-visible")) return;
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
    this.player?.stop();
    this.player = null;
    this.playing = false;
  }

  // Touch scrolls; it does not hover.
  private pointed(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    this.player?.scrub((event.clientX - box.left) / box.width);
  }

  override render() {
    const { asset } = this;
    return html`<a
      class=${asset.status}
      href=${assetPath(asset.id)}
      @pointerenter=${this.wake}
      @pointerleave=${this.rest}
      @pointermove=${this.pointed}
      @focus=${this.focused}
      @blur=${this.rest}
    >
      <div class="thumbnail ${this.playing ? "playing" : ""}" .style=${`--hue: ${hueOf(asset.id)}`}>${this.renderThumbnail()}</div>
      <div class="text">
        <div class="head">
          <h2 title=${asset.name}>${asset.name}</h2>
          ${asset.format ? html`<span class="badge">${formatLabel(asset.format)}</span>` : nothing}
        </div>
        ${this.renderSummary()}
      </div>
    </a>`;
  }

  private renderThumbnail() {
    const { asset } = this;
    if (asset.status === "failed") return html`<span class="stamp failed">${icons.failed}</span>`;
    const thumbnail = asset.hasThumbnail && !this.thumbnailFailed;
    return html`
      ${thumbnail
        ? html`<img
            class=${this.thumbnailReady ? "ready" : ""}
            src=${assetUrl(asset.id, "/thumbnail?size=256")}
            srcset="${assetUrl(asset.id, "/thumbnail?size=256")} 256w, ${assetUrl(asset.id, "/thumbnail?size=512")} 512w"
            sizes="260px"
            alt=""
            loading="lazy"
            decoding="async"
            draggable="false"
            @load=${() => (this.thumbnailReady = true)}
            @error=${() => (this.thumbnailFailed = true)}
          />`
        : html`<span class="stamp">${icons.cube}</span>`}
      <canvas aria-hidden="true"></canvas>
    `;
  }

  private renderSummary() {
    const { asset } = this;
    if (asset.status === "failed") return html`<p class="problem">${sentence(asset.problem?.detail ?? t.card.failedText)}</p>`;
    if (asset.status === "importing") return this.renderProgress();
    const { triangles, joints } = asset.counts ?? {};
    const clips = asset.counts?.clips ?? asset.clips?.length ?? 0;
    if (isBlank(asset)) return html`<p class="summary">${t.card.blank}</p>`;
    return html`<p class="summary numbers">
      ${triangles === undefined ? nothing : html`<span>${t.card.triangles(formatCount(triangles))}</span>`}
      ${joints ? html`<span class="joints">${t.card.joints(formatCount(joints))}</span>` : nothing}
      <span>${clips ? t.card.clips(clips) : t.card.static}</span>
    </p>`;
  }

  private renderProgress() {
    const stage = this.job?.state === "queued" ? "queued" : (this.job?.stage ?? "queued");
    const progress = this.job?.progress ?? 0;
    const label = t.stages[stage] ?? t.card.importing;
    return html`<div class="progress">
      <span>${label}</span>
      <div class="bar" role="progressbar" aria-label=${label} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(progress * 100)}>
        <span .style=${`--value: ${Math.max(0.04, progress)}`}></span>
      </div>
    </div>`;
  }
}
