// The upload queue, bottom right: progress per file, per request and in total; then the import state of each model.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { t } from "../i18n";
import { assetPath } from "../state/router";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { uploads } from "../upload/driver";
import { filesOfList } from "../upload/collect_files";
import { fileProgress, isActive, isHalted, outcomes, progressOf, totalProgress } from "../upload/queue";
import type { Upload, UploadedAsset } from "../upload/queue";
import { announce } from "../state/announce";
import { baseName, formatBytes, sentence } from "../util/format";
import { icons } from "../styles/icons";
import { uploadPanelStyles } from "../styles/upload_panel_styles";

// For a folder with hundreds of files, only those around the current one are shown.
const shownFiles = 20;

@customElement("vt-upload-panel")
export class UploadPanel extends LitElement {
  static override styles = [shared, uploadPanelStyles];

  @state() private collapsed = false;
  private readonly watch = new Watch(this, uploads);
  private readonly announced = new Set<string>();

  protected override updated(_changed: PropertyValues): void {
    for (const upload of this.watch.value.uploads) this.announce(upload);
  }

  // The end of each upload is announced once.
  private announce(upload: Upload): void {
    const key = `${upload.key}:${upload.phase}`;
    if (this.announced.has(key) || (upload.phase !== "done" && upload.phase !== "failed")) return;
    this.announced.add(key);
    if (upload.assets.length > 1) return announce(t.upload.announceOutcomes(upload.name, outcomesText(upload)));
    const broken = upload.assets.find((asset) => asset.state === "failed");
    const why = upload.error ?? broken?.problem;
    announce(why ? t.upload.announceFailed(upload.name, why) : t.upload.announceDone(upload.name));
  }

  override render() {
    const list = this.watch.value.uploads;
    if (list.length === 0) return nothing;
    const active = list.filter(isActive).length;
    const halted = list.filter(isHalted).length;
    const failed = list.reduce((sum, upload) => sum + (upload.phase === "failed" ? 1 : outcomes(upload).failed), 0);
    const title = active ? t.upload.active(active) : failed ? t.upload.someFailed(failed) : halted ? t.upload.halted(halted) : t.upload.allDone;
    const toggle = this.collapsed ? t.upload.expand : t.upload.collapse;
    return html`<section aria-label=${t.upload.title} class=${this.collapsed ? "collapsed" : ""}>
      <header>
        <h2>${title}</h2>
        <button class="button quiet small icon-only fold" aria-expanded=${this.collapsed ? "false" : "true"} aria-label=${toggle} title=${toggle} @click=${() => (this.collapsed = !this.collapsed)}>
          ${icons.chevron}
        </button>
        ${active || halted === list.length ? nothing : html`<button class="button quiet small icon-only" aria-label=${t.upload.clear} title=${t.upload.clear} @click=${() => uploads.clear()}>${icons.close}</button>`}
      </header>
      ${active ? html`<div class="total">${bar(totalProgress(list), t.upload.total)}</div>` : nothing}
      ${this.collapsed ? nothing : html`<ul>${repeat(list, (upload) => upload.key, (upload) => this.renderUpload(upload))}</ul>`}
    </section>`;
  }

  private renderUpload(upload: Upload) {
    const [only] = upload.assets;
    const problem = upload.error ?? (upload.assets.length === 1 && only?.state === "failed" ? (only.problem ?? t.card.failedText) : null);
    const count = t.upload.files(upload.files.length);
    const titled = upload.assets.length !== 1 && upload.name === count;
    return html`<li class=${upload.phase}>
      <div class="row">
        <span class="name" title=${upload.name}>${this.renderName(upload)}</span>
        ${this.renderActions(upload)}
      </div>
      <div class="state numbers">
        <span>${stateText(upload)}</span>
        ${upload.collection?.name ? html`<span>${t.upload.into(upload.collection.name)}</span>` : nothing}
        ${upload.files.length > 1 && !titled ? html`<span>${count}</span>` : nothing}
      </div>
      ${problem ? html`<p class="problem">${sentence(problem)}</p>` : nothing}
      ${isActive(upload) || isHalted(upload) ? bar(progressOf(upload), upload.name) : nothing}
      ${upload.assets.length === 0 && upload.files.length > 1 ? this.renderFiles(upload) : nothing}
      ${upload.assets.length > 1 ? this.renderAssets(upload) : nothing}
    </li>`;
  }

  private renderName(upload: Upload) {
    const [only, ...others] = upload.assets;
    if (!only || others.length > 0) return baseName(upload.name);
    return html`<a href=${assetPath(only.id)}>${only.name}</a>`;
  }

  private cancelButton(upload: Upload) {
    const label = `${t.upload.cancel}: ${upload.name}`;
    return html`<button class="button quiet small icon-only" aria-label=${label} title=${t.upload.cancel} @click=${() => uploads.cancel(upload.key)}>${icons.close}</button>`;
  }

  // A page cannot open files by itself after a reload: the user chooses them again.
  private chooseAgain(upload: Upload): void {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.webkitdirectory = upload.files.some(({ path }) => path.includes("/"));
    input.onchange = () => uploads.choose(upload.key, filesOfList(input.files ?? []).files);
    input.click();
  }

  private renderActions(upload: Upload) {
    if (upload.phase === "interrupted") {
      const label = `${t.upload.choose}: ${upload.name}`;
      return html`<button class="button quiet small" aria-label=${label} @click=${() => this.chooseAgain(upload)}>${icons.folder}${t.upload.choose}</button>${this.cancelButton(upload)}`;
    }
    if (upload.phase === "paused") {
      const label = `${t.upload.resume}: ${upload.name}`;
      return html`<button class="button quiet small icon-only" aria-label=${label} title=${t.upload.resume} @click=${() => uploads.resume(upload.key)}>${icons.play}</button>${this.cancelButton(upload)}`;
    }
    if (upload.phase === "waiting" || upload.phase === "sending" || upload.phase === "storing") {
      const label = `${t.upload.pause}: ${upload.name}`;
      const pause = upload.phase === "sending" && upload.inPieces;
      return html`${pause
        ? html`<button class="button quiet small icon-only" aria-label=${label} title=${t.upload.pause} @click=${() => uploads.pause(upload.key)}>${icons.pause}</button>`
        : nothing}${this.cancelButton(upload)}`;
    }
    if (upload.phase === "failed" || upload.phase === "cancelled") {
      const label = `${t.upload.retry}: ${upload.name}`;
      return html`<button class="button quiet small" aria-label=${label} @click=${() => uploads.retry(upload.key)}>${icons.retry}${t.upload.retry}</button>`;
    }
    const broken = outcomes(upload).failed > 0;
    if (upload.phase === "done") return html`<span class="mark ${broken ? "bad" : "good"}">${broken ? icons.failed : icons.check}</span>`;
    return nothing;
  }

  private renderFiles(upload: Upload) {
    const shares = fileProgress(upload);
    const current = Math.max(0, shares.findIndex((share) => share < 1));
    const from = Math.max(0, Math.min(current - 1, upload.files.length - shownFiles));
    const hidden = upload.files.length - shownFiles;
    return html`<ul class="files">
      ${upload.files.slice(from, from + shownFiles).map(
        (file, index) => html`<li>
          <span title=${file.path}>${baseName(file.path)}</span>
          ${isActive(upload) ? bar(shares[from + index] ?? 0, file.path) : nothing}
        </li>`,
      )}
      ${hidden > 0 ? html`<li>${t.upload.moreFiles(hidden)}</li>` : nothing}
    </ul>`;
  }

  private renderAssets(upload: Upload) {
    return html`<ul class="assets">
      ${upload.assets.map(
        (asset) => html`<li class=${asset.state}>
          <a href=${assetPath(asset.id)} title=${t.upload.open(asset.name)}>${asset.name}</a>
          <span>${assetText(asset)}</span>
          ${asset.state === "failed" ? html`<p class="problem">${sentence(asset.problem ?? t.card.failedText)}</p>` : nothing}
          ${asset.state === "importing" ? bar(asset.progress, asset.name) : nothing}
        </li>`,
      )}
    </ul>`;
  }
}

function assetText(asset: UploadedAsset): string {
  if (asset.state === "failed") return t.upload.failed;
  if (asset.state === "ready") return asset.known ? t.upload.known : t.upload.done;
  return t.stages[asset.stage] ?? t.card.importing;
}

function outcomesText(upload: Upload): string {
  const { ready, failed, importing } = outcomes(upload);
  return t.upload.outcomes(ready, failed, importing);
}

function stateText(upload: Upload): string {
  switch (upload.phase) {
    case "sending":
      return t.upload.sending(formatBytes(Math.round(upload.sent)), formatBytes(upload.size));
    case "paused":
      return t.upload.paused(formatBytes(Math.round(upload.sent)), formatBytes(upload.size));
    case "interrupted":
      return t.upload.interrupted(formatBytes(Math.round(upload.sent)), formatBytes(upload.size));
    case "importing":
    case "done": {
      const [only, ...others] = upload.assets;
      return only && others.length === 0 ? assetText(only) : outcomesText(upload);
    }
    default:
      return t.upload[upload.phase];
  }
}

function bar(value: number, label: string) {
  return html`<div class="bar" role="progressbar" aria-label=${label} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(value * 100)}>
    <span .style=${`--value: ${value}`}></span>
  </div>`;
}
