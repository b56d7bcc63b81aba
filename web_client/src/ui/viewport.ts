// The canvas of the live preview and its input: drag, pinch, wheel, double click. Draws nothing itself.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { t } from "../i18n";
import type { LiveState, PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatBytes, sentence } from "../util/format";
import { Late } from "../util/late";
import { Gestures } from "./gestures";
import { icons } from "../styles/icons";
import "./picked_panel";
import { viewportStyles } from "../styles/viewport_styles";

const stillPauseMs = 200; // after the last change of the view

@customElement("vt-viewport")
export class Viewport extends LitElement {
  static override styles = [shared, viewportStyles];

  @property({ attribute: false }) model!: PreviewStore;
  @property() name = "";
  @query("canvas") private canvas!: HTMLCanvasElement;
  private watches: { state: Watch<PreviewState>; live: Watch<LiveState> } | null = null;
  private gestures: Gestures | null = null;
  private readonly wait = new Late(this, () => !this.model.value.hasFrame);
  // The picture that replaces the live preview; shown as soon as it is loaded.
  @state() private still: { url: string; shown: boolean } | null = null;
  private stillTimer = 0;
  private wantedStill = "";
  private readonly sizes = new ResizeObserver(() => this.measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.watches ??= { state: new Watch(this, this.model), live: new Watch(this, this.model.live) };
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    this.gestures = new Gestures(this.canvas, this.model);
    this.sizes.observe(this);
    this.measure();
    this.model.start(this.canvas);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
    this.gestures?.release();
    clearTimeout(this.stillTimer);
  }

  // Without a live preview, pictures of the view replace it: the thumbnail at once, then what the user selects. The last live
  // frame stays while its view does.
  protected override willUpdate(_changed: PropertyValues): void {
    const { connection, hasFrame, variants, view } = this.model.value;
    const live = connection === "live" || (connection === "lost" && hasFrame);
    if (live) {
      clearTimeout(this.stillTimer);
      if (hasFrame) this.still = null;
      return;
    }
    if (view.width === 0 || (connection === "connecting" && !this.wait.isLate)) return;
    // The variant of an old URL may not exist any more; the live preview says which ones do.
    const isKnown = view.variant === null || variants.includes(view.variant);
    const wanted = isKnown || connection === "rejected" ? view.variant : null;
    this.still ??= hasFrame ? null : { url: this.model.thumbnailUrl(isKnown ? view.variant : null), shown: false };
    const width = Math.round(Math.min(1280, Math.max(64, view.width)));
    const url = this.model.pictureUrl({ format: "webp", width, automatic: true, variant: wanted });
    if (url === this.wantedStill) return;
    this.wantedStill = url;
    clearTimeout(this.stillTimer);
    this.stillTimer = window.setTimeout(() => void this.loadStill(url), stillPauseMs);
  }

  // The picture before stays until the new one is loaded; a server that is too busy for it keeps the old one.
  private async loadStill(url: string): Promise<void> {
    const image = new Image();
    image.src = url;
    try {
      await image.decode();
      if (url === this.wantedStill && this.isConnected) this.still = { url, shown: true };
    } catch {
      if (url === this.wantedStill) this.wantedStill = "";
    }
  }

  private measure(): void {
    const width = Math.round(this.clientWidth);
    const height = Math.round(this.clientHeight);
    if (width > 0 && height > 0) this.model.resize(width, height, Math.min(2, devicePixelRatio || 1));
  }

  override render() {
    const { hasFrame, picked, view } = this.model.value;
    const notice = this.notice();
    return html`
      <canvas
        tabindex="0"
        role="application"
        aria-roledescription="3D preview"
        aria-label=${t.viewport.label(this.name)}
        aria-description=${t.viewport.instructions}
        class=${view.background === "transparent" ? "checker" : ""}
        data-frame=${hasFrame ? "yes" : "no"}
      ></canvas>
      ${this.still ? this.renderStill(this.still) : nothing}
      ${hasFrame || this.still?.shown ? nothing : html`<div class="veil" aria-hidden="true"><span class="ghost">${icons.cube}</span></div>`}
      <slot></slot>
      ${picked ? html`<vt-picked .model=${this.model} .hit=${picked}></vt-picked>` : nothing}
      ${this.renderStats()}
      ${notice ? html`<div class="notice" role="status">${notice}</div>` : nothing}
    `;
  }

  private renderStill({ url, shown }: { url: string; shown: boolean }) {
    return html`<img
      class="still ${shown ? "shown" : ""}"
      src=${url}
      alt=${t.viewport.still(this.name)}
      draggable="false"
      @load=${() => (this.still = { url, shown: true })}
    />`;
  }

  private notice(): string | null {
    const { connection, rejection, hasFrame, problem } = this.model.value;
    switch (connection) {
      case "connecting":
        return this.wait.isSlow ? t.viewport.slow : t.viewport.connecting;
      case "live":
        return problem ? sentence(problem) : !hasFrame && this.wait.isSlow ? t.viewport.slow : null;
      case "rejected":
        return t.viewport.rejected(rejection?.problem.code ?? "", sentence(rejection?.problem.detail ?? ""));
      case "blocked":
        return t.viewport.blocked;
      case "lost":
      case "gone":
        return t.viewport.lost;
    }
  }

  private renderStats() {
    const { device } = this.model.value;
    const { reading, codec } = this.model.live.value;
    if (!device) return nothing;
    const idle = !reading || reading.framesPerSecond === 0;
    return html`<dl class="stats numbers" aria-label=${t.viewport.statsLabel}>
      <div class="device ${device.software ? "software" : "gpu"}" title=${device.name}>
        <dt class="visually-hidden">${t.viewport.software}</dt>
        <dd>${device.software ? t.viewport.software : t.viewport.gpu}</dd>
      </div>
      ${reading?.latencyMs != null
        ? html`<div title=${t.viewport.latencyTitle}><dt class="visually-hidden">${t.viewport.latencyTitle}</dt><dd>${t.viewport.latency(reading.latencyMs)}</dd></div>`
        : nothing}
      <div title=${t.viewport.fpsTitle}><dt class="visually-hidden">${t.viewport.fpsTitle}</dt><dd>${idle ? t.viewport.idle : t.viewport.fps(reading.framesPerSecond)}</dd></div>
      ${idle
        ? nothing
        : html`<div class="bandwidth" title=${t.viewport.bandwidthTitle}><dt class="visually-hidden">${t.viewport.bandwidthTitle}</dt><dd>${t.viewport.bandwidth(formatBytes(reading.bytesPerSecond))}</dd></div>
            <div class="codec" title=${t.viewport.codecTitle}><dt class="visually-hidden">${t.viewport.codecTitle}</dt><dd>${codec?.toUpperCase()}</dd></div>`}
    </dl>`;
  }
}
