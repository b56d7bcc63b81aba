// One position of the grid: an asset, or a placeholder until it is read. The element is used again for other assets. Plays the
// asset's sprite on hover or keyboard focus.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { cache } from "lit/directives/cache.js";

import { assetUrl } from "../api/client";
import type { AssetRow, Job } from "../api/types";
import { t } from "../i18n";
import { access } from "../state/access";
import { favorites } from "../state/favorites";
import { assetPath } from "../state/router";
import { selection } from "../state/selection";
import { Watch } from "../state/store";
import { library } from "../state/library_store";
import { shared } from "../styles/shared";
import { isBlank } from "../state/asset";
import { formatCount, formatLabel, hueOf, sentence } from "../util/format";
import { cardStyles } from "../styles/card_styles";
import { icons } from "../styles/icons";
import "./organize/favorite_button";
import { SpritePlayer, loadSheet } from "./sprite";

const hoverPause = 90;

@customElement("vt-card")
export class Card extends LitElement {
  static override styles = [shared, cardStyles];

  @property({ attribute: false }) asset: AssetRow | null = null;
  @property({ attribute: false }) position = 0;
  // The grid scrolls too fast to load images; those that are shown stay.
  @property({ type: Boolean }) quick = false;
  @property({ attribute: false }) job: Job | null = null;
  @state() private thumbnailReady = false;
  @state() private thumbnailFailed = false;
  @state() private playing = false;
  private readonly chosen = new Watch(this, selection);
  private readonly access = new Watch(this, access);
  private hasImage = false;
  private image = 0; // number of the image that is wanted
  private shownImage = 0; // of the last one that was requested
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
    if (changed.has("asset")) this.assetChanged(changed.get("asset") ?? null);
    this.hasImage = this.asset !== null && this.asset.hasThumbnail && !this.asset.deletedAt && !this.thumbnailFailed && (this.hasImage || !this.quick);
  }

  private assetChanged(before: AssetRow | null): void {
    const { asset } = this;
    const same = before?.id === asset?.id && before?.version === asset?.version;
    if (same && before?.coverKey === asset?.coverKey && before?.hasThumbnail === asset?.hasThumbnail) return;
    this.thumbnailFailed = this.thumbnailReady = this.hasImage = false;
    this.image += 1;
    if (same) return;
    if (before) this.rest();
  }

  // The element shows its image as soon as that is decoded; a new address cancels the request of the old one.
  protected override updated(_changed: PropertyValues): void {
    if (!this.hasImage || this.shownImage === this.image) return;
    this.shownImage = this.image;
    void this.showImage(this.image);
  }

  private async showImage(image: number): Promise<void> {
    try {
      await this.renderRoot.querySelector("img")?.decode();
      if (image === this.image) this.thumbnailReady = true;
    } catch {
      if (image === this.image) this.thumbnailFailed = true;
    }
  }

  // A click focuses too; only keyboard focus starts playback.
  private focused(): void {
    if (this.renderRoot.querySelector("a:focus-visible")) this.wake();
  }

  private wake(): void {
    clearTimeout(this.timer);
    if (this.asset?.status !== "ready" || this.asset.deletedAt || this.abort) return;
    this.timer = window.setTimeout(() => void this.move(), hoverPause);
  }

  private async move(): Promise<void> {
    const { asset } = this;
    if (!asset) return;
    const abort = new AbortController();
    this.abort = abort;
    try {
      const sheet = await loadSheet(asset.id, asset.version, abort.signal);
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

  // Elements are used again, also those of the placeholder: a quick scroll must not make garbage for each card that passes.
  override render() {
    return cache(this.asset ? this.renderAsset(this.asset) : this.renderPlaceholder());
  }

  private renderAsset(asset: AssetRow) {
    return html`<a
      class=${asset.status}
      href=${assetPath(asset.id)}
      @pointerenter=${this.wake}
      @pointerleave=${this.rest}
      @pointermove=${this.pointed}
      @focus=${this.focused}
      @blur=${this.rest}
      @click=${this.clicked}
      @keydown=${this.keyed}
      aria-keyshortcuts=${this.access.value.me?.shared ? nothing : "F"}
    >
      <div class="thumbnail ${this.playing ? "playing" : ""}" .style=${`--hue: ${hueOf(asset.id)}`}>${this.renderThumbnail(asset)}</div>
      <div class="text">
        <div class="head">
          <h2 title=${asset.name}>${asset.name}</h2>
          <span class="badge" ?hidden=${!asset.format}>${formatLabel(asset.format)}</span>
        </div>
        ${this.renderSummary(asset)}
      </div>
    </a>${this.isSelecting() ? this.renderPick(asset) : this.renderStar(asset)}`;
  }

  private renderStar({ id, name }: AssetRow) {
    return access.shared ? nothing : html`<vt-favorite skipped .assetId=${id} .name=${name}></vt-favorite>`;
  }

  // In the trash there is nothing to open.
  private isSelecting(): boolean {
    return this.chosen.value.active || library.value.query.trash;
  }

  private clicked(event: MouseEvent): void {
    if (!this.asset || !this.isSelecting() || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    selection.toggle(this.asset.id);
  }

  private keyed(event: KeyboardEvent): void {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || !this.asset || this.asset.deletedAt || access.shared) return;
    event.preventDefault();
    void favorites.toggle(this.asset.id);
  }

  private renderPick({ id, name }: AssetRow) {
    return html`<input class="pick" type="checkbox" aria-label=${t.organize.selectOne(name)} .checked=${this.chosen.value.ids.has(id)} @change=${() => selection.toggle(id)} />`;
  }

  // Without animation while it would be one of many that pass by.
  private renderPlaceholder() {
    const shimmer = this.quick ? "" : "shimmer";
    return html`<div class="placeholder">
      <div class="thumbnail ${shimmer}"></div>
      <div class="text"><i class="line ${shimmer}"></i><i class="line ${shimmer}"></i></div>
      <span class="visually-hidden">${t.library.loading}</span>
    </div>`;
  }

  private renderThumbnail(asset: AssetRow) {
    if (asset.status === "failed")
      return html`<div class="failure">
        <span class="stamp failed">${icons.failed}</span>
        <p class="problem">${sentence(asset.problem?.detail ?? t.card.failedText)}</p>
      </div>`;
    if (!asset.hasThumbnail || this.thumbnailFailed || asset.deletedAt) return html`<span class="stamp">${icons.cube}</span><canvas aria-hidden="true"></canvas>`;
    // Another address for each version and cover: the browser keeps images of a page by their address.
    const id = asset.version > 1 ? `${asset.id}/versions/${asset.version}` : asset.id;
    const cover = asset.coverKey ? `&cover=${asset.coverKey}` : "";
    const url = (size: number) => assetUrl(id, `/thumbnail?size=${size}${cover}`);
    return html`<img
        class=${this.thumbnailReady ? "ready" : ""}
        src=${this.hasImage ? url(256) : nothing}
        srcset=${this.hasImage ? `${url(256)} 256w, ${url(512)} 512w` : nothing}
        sizes="260px"
        alt=""
        decoding="async"
        draggable="false"
      /><canvas aria-hidden="true"></canvas>`;
  }

  private renderSummary(asset: AssetRow) {
    if (asset.status === "failed") return html`<p class="summary">${t.card.failed}</p>`;
    if (asset.status === "importing") return this.renderProgress();
    const { triangles, joints, clips } = asset.counts ?? {};
    if (asset.match && asset.match.in !== "name")
      return html`<p class="summary match" title=${asset.match.text}>${t.card.matches[asset.match.in]} <b>${asset.match.text}</b></p>`;
    if (isBlank(asset)) return html`<p class="summary">${t.card.blank}</p>`;
    return html`<p class="summary numbers">
      <span ?hidden=${triangles === undefined}>${t.card.triangles(formatCount(triangles ?? 0))}</span>
      <span class="joints" ?hidden=${!joints}>${t.card.joints(formatCount(joints ?? 0))}</span>
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
