// The canvas of the live preview and its input: drag, pinch, wheel, double click. Draws nothing itself.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { t } from "../i18n";
import type { LiveState, PreviewStore, PreviewState } from "../preview/preview_store";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatBytes, sentence } from "../util/format";
import { Gestures } from "./gestures";
import { icons } from "./icons";
import "./picked_panel";
import { viewportStyles } from "./viewport_styles";

@customElement("vt-viewport")
export class Viewport extends LitElement {
  static override styles = [shared, viewportStyles];

  @property({ attribute: false }) model!: PreviewStore;
  @property() name = "";
  @query("canvas") private canvas!: HTMLCanvasElement;
  private watches: { state: Watch<PreviewState>; live: Watch<LiveState> } | null = null;
  private gestures: Gestures | null = null;
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
  }

  private measure(): void {
    const width = Math.round(this.clientWidth);
    const height = Math.round(this.clientHeight);
    if (width > 0 && height > 0) this.model.resize(width, height, Math.min(2, devicePixelRatio || 1));
  }

  override render() {
    const { connection, hasFrame, picked, problem, view } = this.model.value;
    const notice = connection === "lost" ? t.viewport.lost : connection === "connecting" ? t.viewport.connecting : problem && sentence(problem);
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
      ${hasFrame ? nothing : html`<div class="veil" aria-hidden="true"><span class="ghost">${icons.cube}</span></div>`}
      <slot></slot>
      ${picked ? html`<vt-picked .model=${this.model} .hit=${picked}></vt-picked>` : nothing}
      ${this.renderStats()}
      ${notice ? html`<div class="notice" role="status">${notice}</div>` : nothing}
    `;
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
