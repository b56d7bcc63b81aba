// One model: live preview on the left, contents of the file on the right. Stacked below 980 px.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";

import { api, ApiError } from "../api/client";
import type { ServerEvent } from "../api/events";
import type { AssetFile, Clip, Job, Joint, KnownAsset, Material, Warning } from "../api/types";
import { t } from "../i18n";
import { PreviewStore } from "../preview/preview_store";
import { defaultClip, stateFromUrl, stateToUrl } from "../preview/url";
import { comparison } from "../state/comparison";
import { assetPath, router, versionOf } from "../state/router";
import { library, sentenceOf } from "../state/library_store";
import { shared } from "../styles/shared";
import { toast } from "../state/announce";
import { isBlank } from "../state/asset";
import { access, hidesFiles, openShareDialog } from "../state/access";
import { discardAsset } from "../state/asset_actions";
import { formatLabel } from "../util/format";
import { Late } from "../util/late";
import { assetPageStyles } from "../styles/asset_page_styles";
import { assetPanels } from "./asset_panels";
import type { Tab } from "./asset_panels";
import { assetMenu } from "./organize/asset_menu";
import { blankState, failedState, importingState, missingState, versionBadge, waitingState } from "./asset_states";
import { ClipList } from "./clip_list";
import "./dialogs";
import type { RemoveDialog, RenameDialog, Shortcuts } from "./dialogs";
import { icons } from "../styles/icons";
import { previewKey } from "./preview_keys";
import "./timeline";
import "./toolbar";
import "./variant_select";
import "./viewport";

@customElement("vt-asset-page")
export class AssetPage extends LitElement {
  static override styles = [shared, assetPageStyles];

  @property() assetId = "";
  @state() private asset: KnownAsset | null = null;
  @state() private failure: { status: number; text: string } | null = null;
  @state() private job: Job | null = null;
  @state() private reimporting = false;
  @state() private clips: Clip[] = [];
  private firstClip = -1;
  @state() private joints: Joint[] | null = null;
  @state() private materials: Material[] | null = null;
  @state() private warnings: Warning[] | null = null;
  @state() private files: AssetFile[] | null = null;
  @state() private model: PreviewStore | null = null;
  @state() private tab: Tab | null = null; // null: not selected yet
  @query("vt-rename-dialog") private renameDialog!: RenameDialog;
  @query("vt-remove-dialog") private removeDialog!: RemoveDialog;
  @query("vt-clip-list") private clipList!: ClipList | null;
  @query("vt-shortcuts") private shortcuts!: Shortcuts;
  private readonly wait = new Late(this, () => this.asset === null && this.failure === null);
  private releases: (() => void)[] = [];
  private urlTimer = 0;
  private preparedFor = "";

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
    this.releases.push(library.onEvent((event) => this.receive(event)), access.subscribe(() => this.requestUpdate()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed);
    for (const release of this.releases.splice(0)) release();
    this.close();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("assetId") && this.assetId) {
      this.close();
      this.asset = library.value.items.find((item) => item.id === this.assetId) ?? null;
      this.failure = null;
      const tab = router.value.route.params.get("tab") as Tab | null;
      this.tab = tab && tab in t.asset.tabs ? tab : null;
      void this.load();
    }
  }

  private close(): void {
    clearTimeout(this.urlTimer);
    this.model?.stop();
    this.model = null;
    this.preparedFor = "";
    this.clips = [];
    this.joints = this.materials = this.warnings = this.files = null;
  }

  private async load(): Promise<void> {
    const id = this.assetId;
    try {
      const asset = await access.ready.then(() => api.asset(id, access.hasGrants));
      if (id === this.assetId && this.isConnected) this.refresh(asset);
    } catch (error) {
      if (id !== this.assetId) return;
      this.failure = { status: error instanceof ApiError ? error.status : 0, text: sentenceOf(error) };
    }
  }

  private accept(asset: KnownAsset): void {
    const before = this.asset;
    this.asset = before?.role ? { role: before.role, ...asset } : asset; // events have no role
    document.title = `${asset.name} · ${t.product}`;
    const key = `${asset.id}/${asset.version ?? 0}/${asset.status}`;
    if (asset.status === "importing") return;
    if (key === this.preparedFor) {
      if (before?.facts && !asset.facts) void this.fetchDetails(asset); // refreshed
      else if (before?.counts?.clips !== asset.counts?.clips) void this.readClips(asset.id); // cut or deleted, possibly by another client
      return;
    }
    this.preparedFor = key;
    void this.fetchDetails(asset);
    if (asset.status === "ready" && !isBlank(asset)) this.openPreview(asset);
  }

  private openPreview(asset: KnownAsset): void {
    this.model?.stop();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.clips = asset.clips ?? [];
    this.firstClip = defaultClip(this.clips, asset.representativeClip);
    const { view, time } = stateFromUrl(router.value.route.params, this.clips, this.firstClip, still);
    this.model = new PreviewStore(asset.id, view, this.clips, asset.bounds ?? null, time ?? 0);
    this.watchModel(this.model);
  }

  private watchModel(model: PreviewStore): void {
    this.releases.push(
      model.subscribe(() => {
        if (model.value.connection === "gone" && model === this.model) this.gone();
        else this.writeUrl();
      }),
    );
  }

  // Each panel is filled when its response arrives; a failure does not affect the others.
  private async fetchDetails(asset: KnownAsset): Promise<void> {
    const { id } = asset;
    const keep = <T>(promise: Promise<T>, use: (value: T) => void) =>
      promise.then((value) => id === this.assetId && use(value)).catch(() => undefined);
    const tasks = [access.ready.then(() => hidesFiles() ? false : keep(api.files(id), (files) => (this.files = files)))];
    if (asset.status === "ready") {
      if (asset.counts?.joints) tasks.push(keep(api.skeleton(id), (joints) => (this.joints = joints)));
      else this.joints = [];
      if (asset.counts?.clips) tasks.push(keep(api.clips(id), (clips) => this.useClips(clips)));
      if (asset.counts?.materials) tasks.push(keep(api.materials(id), (materials) => (this.materials = materials)));
      if (asset.warnings) tasks.push(keep(api.warnings(id), (warnings) => (this.warnings = warnings)));
    }
    await Promise.all(tasks);
  }

  private useClips(clips: Clip[]): void {
    this.clips = clips;
    this.model?.setClips(clips);
  }

  private async readClips(id: string): Promise<void> {
    const clips = await api.clips(id).catch(() => null);
    if (clips && id === this.assetId) this.replaceClips(clips);
  }

  // A new clip is appended to the file's clips. The running preview does not know it, so it is replaced.
  private readonly replaceClips = (clips: Clip[], chosen?: string): void => {
    const known = clips.length === this.clips.length && clips.every((clip, index) => clip.name === this.clips[index]!.name);
    this.clips = clips;
    if (!this.model || !this.asset) return;
    const lent = chosen === undefined && this.model.value.lent ? this.model.view.clip : null; // plays on
    const at = lent ? -1 : clips.findIndex((clip) => clip.name === (chosen ?? this.model?.clip?.name));
    const focused = this.shadowRoot?.activeElement instanceof ClipList;
    if (!known) this.previewAgain(this.model, clips, at < 0 ? lent : at, chosen === undefined ? this.model.live.value.time : 0);
    else if (chosen !== undefined) this.model.chooseClip(at < 0 ? null : at);
    if (focused && (!known || chosen !== undefined))
      void this.updateComplete.then(() => this.clipList?.focusChosen()); // the list may have been replaced too
  };

  private previewAgain(old: PreviewStore, clips: Clip[], clip: PreviewStore["view"]["clip"], time: number): void {
    old.stop();
    this.model = new PreviewStore(old.asset, { ...old.view, clip }, clips, this.asset?.bounds ?? null, time);
    this.watchModel(this.model);
    this.writeUrl();
  }

  private receive(event: ServerEvent): void {
    if (event.type === "reset" || event.type === "tag") void this.load();
    else if (event.type === "asset" && event.asset.id === this.assetId) this.refresh(event.asset);
    else if (event.type === "job" && event.job.asset === this.assetId) this.job = event.job;
    else if (event.type === "deleted" && event.id === this.assetId && this.asset) this.gone();
  }

  private refresh(asset: KnownAsset): void {
    if (!this.asset?.updatedAt || !asset.updatedAt || asset.updatedAt >= this.asset.updatedAt) this.accept(asset);
  }

  private gone(): void {
    this.close();
    this.failure = { status: 404, text: t.asset.notFoundText };
  }

  private writeUrl(): void {
    clearTimeout(this.urlTimer);
    this.urlTimer = window.setTimeout(() => {
      const { model } = this;
      const params = model ? stateToUrl(model.view, model.live.value.time, model.value.clips, model.home, this.firstClip) : new URLSearchParams();
      if (this.tab) params.set("tab", this.tab);
      const text = params.toString().replace(/%2C/g, ",");
      history.replaceState(null, "", assetPath(this.assetId) + (text ? `?${text}` : ""));
    }, 250);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !this.model) return;
    if (previewKey(event, this.model, () => this.shortcuts.show())) event.preventDefault();
  };

  private async rename(name: string): Promise<void> {
    if (!this.asset || name === this.asset.name) return;
    try {
      this.accept({ ...this.asset, ...(await api.rename(this.asset, name)) });
      toast(t.asset.renamed);
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 412;
      toast(stale ? t.asset.changed : sentenceOf(error), "error");
      if (stale) void this.load();
    }
  }

  // The event of the import shows its progress.
  private async reimport(): Promise<void> {
    this.reimporting = true;
    try {
      await api.reimport(this.assetId);
      await this.load();
    } catch (error) {
      toast(sentenceOf(error), "error");
    } finally {
      this.reimporting = false;
    }
  }

  private choose(tab: Tab): void {
    this.tab = tab;
    this.writeUrl();
  }

  override render() {
    const { asset, model, clips, joints, materials, warnings, files } = this;
    if (this.failure || !asset) return this.failure ? missingState(this.failure) : waitingState(this.wait.isSlow);
    return html`<div class="page">
        <div class="stage">${this.renderTitle(asset)} ${this.renderStage(asset)}</div>
        <aside aria-label=${t.asset.sections}>
          ${this.model ? keyed(this.model, html`<vt-variant-select .model=${this.model} .skins=${asset.format === "md2" || asset.format === "md3"}></vt-variant-select>`) : nothing}
          ${assetPanels({ asset, model, clips, joints, materials, warnings, files }, this.tab, (tab) => this.choose(tab), this.replaceClips)}
        </aside>
      </div>
      <vt-rename-dialog .save=${(name: string) => void this.rename(name)}></vt-rename-dialog>
      <vt-remove-dialog .confirm=${() => this.asset && void discardAsset(this.asset)}></vt-remove-dialog>
      <vt-shortcuts></vt-shortcuts>`;
  }

  private renderTitle(asset: KnownAsset) {
    const warnings = Array.isArray(asset.warnings) ? asset.warnings.length : (asset.warnings ?? 0);
    return html`<div class="title">
      <a class="button quiet icon-only" ?hidden=${!!access.shared?.asset} href=${router.libraryUrl} aria-label=${t.asset.back} title=${t.asset.back}>${icons.back}</a>
      <h1 title=${asset.name}>${asset.name}</h1>
      ${asset.format ? html`<span class="badge">${formatLabel(asset.format)}</span>` : nothing}
      ${warnings ? html`<button class="badge warn" @click=${() => this.choose("properties")}>${t.asset.warnings(warnings)}</button>` : nothing}
      ${versionBadge(this.assetId)}
      <span class="space"></span>
      <button ?hidden=${!this.model} class="button quiet icon-only keys" aria-label="${t.viewport.shortcuts} (?)" title="${t.viewport.shortcuts} (?)" @click=${() => this.shortcuts.show()}>${icons.keyboard}</button>
      ${versionOf(this.assetId) || access.shared ? nothing : this.renderMenu(asset)}
    </div>`;
  }

  private renderMenu(asset: KnownAsset) {
    const compare = { label: t.compare[comparison.has(asset.id) ? "remove" : "add"], run: () => comparison.toggle(asset) };
    const share = { label: t.share.action, run: () => openShareDialog({ asset: asset.id, name: asset.name, picture: this.model?.pictureUrl({ format: "webp", width: 1024 }) }) };
    const rename = { label: t.asset.rename, run: () => this.renameDialog.show(asset.name) };
    const remove = { label: t.asset.remove, danger: true, run: () => this.removeDialog.show(asset.name) };
    return assetMenu(asset, this.model, [compare, ...(access.canShare ? [share] : []), ...(access.mayChange(asset) ? [rename, remove] : [])]);
  }

  private renderStage(asset: KnownAsset) {
    if (asset.status === "failed") return failedState(asset, this.reimporting, access.mayChange(asset) ? () => void this.reimport() : null);
    if (isBlank(asset)) return blankState();
    if (!this.model) return importingState(this.job);
    // A new session must not reuse elements of the old one.
    return keyed(
      this.model,
      html`<vt-viewport .model=${this.model} .name=${asset.name}><vt-toolbar .model=${this.model} .name=${asset.name}></vt-toolbar>${access.shared ? nothing : html`<vt-note-markers .model=${this.model} .assetId=${this.assetId} @vt-note=${() => this.choose("notes")}></vt-note-markers>`}</vt-viewport>
        ${this.clips.length || asset.counts?.joints ? html`<vt-timeline .model=${this.model}></vt-timeline>` : nothing}`,
    );
  }
}
