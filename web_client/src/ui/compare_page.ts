// Several models side by side: one live preview on the left, the models with their clips on the right.
import { LitElement, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";

import { api } from "../api/client";
import type { Asset, AssetRow, Clip } from "../api/types";
import { t } from "../i18n";
import { initialCamera } from "../preview/camera";
import { maxRow, readRow, rowQuery, RowStore } from "../preview/row_store";
import type { RowModel, RowState } from "../preview/row_store";
import { stateFromUrl, stateToUrl } from "../preview/url";
import { announce } from "../state/announce";
import { comparison } from "../state/comparison";
import { assetPath, router } from "../state/router";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { assetPageStyles } from "../styles/asset_page_styles";
import { comparePageStyles } from "../styles/compare_page_styles";
import type { Shortcuts } from "./dialogs";
import { icons } from "../styles/icons";
import "./instance_form";
import { previewKey } from "./preview_keys";
import "./timeline";
import "./toolbar";
import "./viewport";

interface KnownModel {
  name: string;
  clips: Clip[];
}

const foundModels = 6;

@customElement("vt-compare-page")
export class ComparePage extends LitElement {
  static override styles = [shared, assetPageStyles, comparePageStyles];

  @state() private known = new Map<string, KnownModel>();
  @state() private model: RowStore | null = null;
  @state() private ready = false;
  @state() private found: AssetRow[] = [];
  @query("vt-shortcuts") private shortcuts!: Shortcuts;
  private watch: Watch<RowState> | null = null;
  private releases: (() => void)[] = [];
  private urlTimer = 0;
  private search = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
    document.title = `${t.compare.title} · ${t.product}`;
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed);
    clearTimeout(this.urlTimer);
    for (const release of this.releases.splice(0)) release();
    this.model?.stop();
    this.model = null;
  }

  private async open(): Promise<void> {
    const { params } = router.value.route;
    const first = new Map<string, string | null>();
    for (const asset of (await Promise.all([...new Set(params.getAll("asset"))].slice(0, maxRow).map(readAsset))).filter((asset) => asset !== null)) {
      this.learn(asset);
      first.set(asset.id, firstClip(asset));
    }
    if (!this.isConnected) return;
    const row = readRow(params, (asset) => first.get(asset) ?? null);
    this.ready = true;
    if (row.models.length > 0) this.show(row, params);
  }

  private show(row: Pick<RowState, "models" | "equal">, params: URLSearchParams): void {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const { view, time } = stateFromUrl(params, [], -1, still);
    this.model = new RowStore(row, { ...view, playing: time === null && !still }, time ?? 0);
    this.watch = new Watch(this, this.model.row);
    this.watch.hostConnected();
    this.releases.push(() => this.watch?.hostDisconnected(), this.model.subscribe(() => this.writeUrl()));
    this.writeUrl();
  }

  private learn(asset: Asset): void {
    this.known = new Map(this.known).set(asset.id, { name: asset.name, clips: asset.clips ?? [] });
  }

  // The row of the URL, and the view as on the page of a model.
  private writeUrl(): void {
    clearTimeout(this.urlTimer);
    this.urlTimer = window.setTimeout(() => {
      if (!this.model) return;
      const { view, live, home } = this.model;
      const params = stateToUrl(view, live.value.time, [], view.camera === initialCamera ? initialCamera : home, -1);
      params.delete("clip");
      const text = `${rowQuery(this.model.row.value)}&${params}`.replace(/&$/, "");
      history.replaceState(null, "", `/compare?${text.replace(/%2C/g, ",")}`);
    }, 250);
  }

  private arrange(models: readonly RowModel[]): void {
    comparison.keep(models.filter(({ asset }, at) => models.findIndex((other) => other.asset === asset) === at).map(({ asset }) => ({ id: asset, name: this.nameOf(asset) })));
    if (models.length === 0) {
      this.model?.stop();
      this.model = null;
      history.replaceState(null, "", "/compare");
    } else if (this.model) {
      this.model.arrange({ models });
      this.writeUrl();
    } else {
      this.show({ models, equal: false }, new URLSearchParams());
    }
  }

  private async add(id: string): Promise<void> {
    const asset = await readAsset(id);
    if (!asset) return;
    this.learn(asset);
    this.found = [];
    this.arrange([...(this.model?.row.value.models ?? []), { asset: id, clip: firstClip(asset) }]);
  }

  private async searched(event: Event): Promise<void> {
    const text = (event.target as HTMLInputElement).value.trim();
    const search = ++this.search;
    const page = text ? await api.listAssets(new URLSearchParams({ q: text, limit: String(foundModels) })).catch(() => null) : null;
    if (search === this.search) this.found = (page?.items ?? []).filter(({ status }) => status === "ready");
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !this.model) return;
    if (previewKey(event, this.model, () => this.shortcuts.show())) event.preventDefault();
  };

  private nameOf(asset: string): string {
    return this.known.get(asset)?.name ?? asset;
  }

  protected override updated(): void {
    const picked = this.model?.row.value.picked ?? null;
    const item = picked === null ? undefined : this.model?.row.value.models[picked];
    if (item) announce(t.compare.picked(this.nameOf(item.asset)));
  }

  override render() {
    return html`<div class="page">
        <div class="stage">${this.renderTitle()} ${this.renderStage()}</div>
        <aside aria-label=${t.compare.models}>${this.model ? this.renderModels(this.model) : nothing} ${this.ready ? this.renderSearch() : nothing}</aside>
      </div>
      <vt-shortcuts></vt-shortcuts>`;
  }

  private renderTitle() {
    return html`<div class="title">
      <a class="button quiet icon-only" href=${router.libraryUrl} aria-label=${t.asset.back} title=${t.asset.back}>${icons.back}</a>
      <h1>${t.compare.title}</h1>
    </div>`;
  }

  private renderStage() {
    if (!this.ready) return html`<div class="shimmer fill" aria-busy="true"></div>`;
    if (!this.model) return html`<div class="message"><h2>${t.compare.none}</h2><p>${t.compare.noneText}</p></div>`;
    return keyed(
      this.model,
      html`<vt-viewport .model=${this.model} .name=${t.compare.title}><vt-toolbar .model=${this.model} .name=${"comparison"}></vt-toolbar></vt-viewport>
        <vt-timeline .model=${this.model}></vt-timeline>`,
    );
  }

  private renderModels(model: RowStore) {
    const { models, equal } = model.row.value;
    return html`<div class="models">
      <div class="sizes" role="group" aria-label=${t.compare.sizes}>
        ${[false, true].map(
          (value) => html`<button class="button small" aria-pressed=${value === equal ? "true" : "false"} @click=${() => model.arrange({ equal: value })}>
            ${value ? t.compare.equal : t.compare.actual}
          </button>`,
        )}
      </div>
      <ol aria-label=${t.compare.models}>${models.map((item, at) => this.renderModel(model, item, at))}</ol>
      <vt-instance-form .model=${model}></vt-instance-form>
    </div>`;
  }

  private renderModel(model: RowStore, { asset, clip }: RowModel, at: number) {
    const { models, picked, shown } = model.row.value;
    const name = this.nameOf(asset);
    const box = shown?.items.length === models.length ? shown.items[at]?.bounds : null;
    const chosen = (event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      this.arrange(models.map((other, index) => (index === at ? { asset, clip: value || null } : other)));
    };
    return html`<li class=${picked === at ? "picked" : ""} aria-current=${picked === at ? "true" : nothing}>
      <a href=${assetPath(asset)} title=${name}>${name}</a>
      <span class="numbers">${box ? t.compare.meters((box.max[1] - box.min[1]).toPrecision(3)) : ""}</span>
      <button class="button quiet small icon-only" aria-label=${t.compare.without(name)} title=${t.compare.without(name)} @click=${() => this.arrange(models.filter((_, index) => index !== at))}>
        ${icons.close}
      </button>
      <select class="button small" aria-label=${t.compare.clip(name)} @change=${chosen}>
        <option value="" ?selected=${clip === null}>${t.clips.static}</option>
        ${(this.known.get(asset)?.clips ?? []).map((own, index) => html`<option value=${own.id} ?selected=${own.id === clip}>${own.name || t.clips.unnamed(index)}</option>`)}
      </select>
    </li>`;
  }

  private renderSearch() {
    if ((this.model?.row.value.models.length ?? 0) >= maxRow) return html`<p class="full">${t.compare.full}</p>`;
    return html`<div class="search">
      <label>${t.compare.find}<input class="field" type="search" placeholder=${t.compare.findHint} @input=${this.searched} /></label>
      <ul>${this.found.map(({ id, name }) => html`<li><button class="button quiet small" @click=${() => void this.add(id)}>${name}</button></li>`)}</ul>
    </div>`;
  }
}

// With its clips; null if it does not exist.
async function readAsset(id: string): Promise<Asset | null> {
  const asset = await api.asset(id).catch(() => null);
  if (!asset || asset.clips || !asset.counts?.clips) return asset;
  return { ...asset, clips: await api.clips(id).catch(() => []) };
}

// That of the thumbnail, otherwise the first one that moves.
function firstClip({ clips = [], representativeClip }: Asset): string | null {
  const shown = clips.find(({ id }) => id === representativeClip) ?? clips.find(({ duration }) => duration > 0);
  return shown?.id ?? null;
}

