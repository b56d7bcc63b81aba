// Play, step, scrub, speed, loop; the playhead follows the displayed frames.
import { LitElement, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n";
import type { PreviewStore } from "../preview/preview_store";
import { fractionAt, frameAt, lastFrame, rateOf, speeds, stepFrame, tickSpacing, timeAtFraction } from "../preview/playback";
import type { LoopMode } from "../preview/protocol";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { formatSeconds } from "../util/format";
import { icons } from "../styles/icons";
import { timelineStyles } from "../styles/timeline_styles";

const loops: readonly LoopMode[] = ["repeat", "pingpong", "once"];

@customElement("vt-timeline")
export class Timeline extends LitElement {
  static override styles = [shared, timelineStyles];

  @property({ attribute: false }) model!: PreviewStore;
  private watches: Watch<object>[] | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watches ??= [new Watch(this, this.model), new Watch(this, this.model.live), new Watch(this, this.model.keys)];
  }

  private pointed(event: PointerEvent): void {
    const track = event.currentTarget as HTMLElement;
    if (event.type === "pointerdown") {
      track.setPointerCapture(event.pointerId);
      this.model.beginScrub();
    } else if (!track.hasPointerCapture(event.pointerId)) return;
    const box = track.getBoundingClientRect();
    this.model.scrub(timeAtFraction(this.model.clip, (event.clientX - box.left) / box.width));
  }

  private keyed(event: KeyboardEvent): void {
    const { clip } = this.model;
    const { time } = this.model.live.value;
    const steps: Record<string, () => number> = {
      ArrowRight: () => stepFrame(clip, time, 1),
      ArrowUp: () => stepFrame(clip, time, 1),
      ArrowLeft: () => stepFrame(clip, time, -1),
      ArrowDown: () => stepFrame(clip, time, -1),
      PageUp: () => time + 10 / rateOf(clip),
      PageDown: () => time - 10 / rateOf(clip),
      Home: () => 0,
      End: () => clip?.duration ?? 0,
    };
    const target = steps[event.key];
    if (!target || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.model.seek(target());
  }

  private nextLoop(): void {
    const at = loops.indexOf(this.model.view.loop);
    this.model.setLoop(loops[(at + 1) % loops.length] ?? "repeat");
  }

  override render() {
    const { clip, view } = this.model;
    if (!clip) return html`<div class="still">${t.timeline.staticPose}</div>`;
    const loopLabel = `${t.timeline.loop}: ${t.timeline.loops[view.loop]}`;
    const playLabel = view.playing ? t.timeline.pause : t.timeline.play;
    return html`<div class="timeline" role="group" aria-label=${t.timeline.label}>
      <div class="buttons">
        <button class="button quiet icon-only step" aria-label=${t.timeline.previousKey} title="${t.timeline.previousKey} (,)" @click=${() => this.model.keys.step(-1)}>${icons.keyBack}</button>
        <button class="button quiet icon-only step" aria-label=${t.timeline.previous} title=${t.timeline.previous} @click=${() => this.model.step(-1)}>${icons.stepBack}</button>
        <button class="button primary icon-only play" aria-label=${playLabel} title="${playLabel} (Space)" @click=${() => this.model.togglePlay()}>
          ${view.playing ? icons.pause : icons.play}
        </button>
        <button class="button quiet icon-only step" aria-label=${t.timeline.next} title=${t.timeline.next} @click=${() => this.model.step(1)}>${icons.stepNext}</button>
        <button class="button quiet icon-only step" aria-label=${t.timeline.nextKey} title="${t.timeline.nextKey} (.)" @click=${() => this.model.keys.step(1)}>${icons.keyNext}</button>
      </div>
      ${this.renderTrack()} ${this.renderReadout()}
      <div class="buttons">
        <button class="button quiet icon-only" aria-label=${loopLabel} title=${loopLabel} @click=${this.nextLoop}>${icons[view.loop]}</button>
        <select class="button quiet speed numbers" aria-label=${t.timeline.speed} @change=${(event: Event) => this.model.setSpeed(Number((event.target as HTMLSelectElement).value))}>
          ${speeds.map((speed) => html`<option value=${speed} ?selected=${speed === view.speed}>${speed}×</option>`)}
        </select>
      </div>
    </div>`;
  }

  private renderTrack() {
    const { clip } = this.model;
    const { time } = this.model.live.value;
    const duration = clip?.duration ?? 0;
    const spacing = tickSpacing(duration);
    const ticks = duration > 0 ? Array.from({ length: Math.floor(duration / spacing + 1e-6) + 1 }, (_, index) => index * spacing) : [];
    return html`<div
      class="track"
      role="slider"
      tabindex="0"
      aria-label=${t.timeline.position}
      aria-valuemin="0"
      aria-valuemax=${Number(duration.toFixed(3))}
      aria-valuenow=${Number(time.toFixed(3))}
      aria-valuetext=${t.timeline.positionText(formatSeconds(time), frameAt(clip, time))}
      .style=${`--at: ${fractionAt(clip, time)}`}
      @pointerdown=${this.pointed}
      @pointermove=${this.pointed}
      @pointerup=${() => this.model.endScrub()}
      @pointercancel=${() => this.model.endScrub()}
      @keydown=${this.keyed}
    >
      <div class="rail"><span></span></div>
      ${ticks.map((at) => html`<i .style=${`left: ${(100 * at) / duration}%`}><b>${Number(at.toFixed(3))}</b></i>`)}
      <div class="head"></div>
    </div>`;
  }

  private renderReadout() {
    const { clip, view } = this.model;
    const { time } = this.model.live.value;
    const place = this.model.keys.at(view.clip, time);
    return html`<div class="readout numbers">
      <span class="time">${t.timeline.seconds(formatSeconds(time), formatSeconds(clip?.duration ?? 0))}</span>
      <span class="frame">${t.timeline.frame(frameAt(clip, time), lastFrame(clip))}</span>
      ${place ? html`<span class="key" role="status">${t.timeline.keyPlace(place.from.key, place.to.key, place.blend, place.interpolation)}</span>` : nothing}
    </div>`;
  }
}
