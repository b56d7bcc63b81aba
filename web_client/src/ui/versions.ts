// The versions of an asset: look at one, upload a new one, make an older one the newest.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { api, assetUrl } from "../api/client";
import type { Version } from "../api/types";
import { t } from "../i18n";
import { announce, toast } from "../state/announce";
import { library, sentenceOf } from "../state/library_store";
import { assetPath, versionOf } from "../state/router";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { filesOfList } from "../upload/collect_files";
import { usePicked } from "../upload/picked";
import { uploads } from "../upload/driver";
import { formatBytes, sentence } from "../util/format";
import { icons } from "../styles/icons";

@customElement("vt-versions")
export class Versions extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      .new {
        margin: 0 12px 10px;
      }
      li {
        display: grid;
        grid-template-columns: 56px minmax(0, 1fr) auto;
        align-items: center;
        gap: 4px 12px;
        padding: 8px 12px;
        border-radius: var(--radius-s);
      }
      li.shown {
        background: var(--accent-soft);
      }
      img,
      .still {
        width: 56px;
        height: 56px;
        border-radius: var(--radius-s);
        background: var(--hover);
        object-fit: contain;
      }
      a {
        font-weight: 550;
      }
      .badge {
        margin-left: 8px;
      }
      .facts {
        color: var(--ink-soft);
        font-size: 12px;
      }
      .problem {
        margin: 0;
        color: var(--danger);
        font-size: 12px;
      }
    `,
  ];

  @property() assetId = ""; // also of one version
  @property() name = "";
  @property({ type: Boolean }) fixed = false; // nothing is written
  @state() private versions: Version[] | null = null;
  @state() private restoring = 0;
  @query("input") private input!: HTMLInputElement;
  private release: (() => void) | null = null;

  private get asset(): string {
    return versionOf(this.assetId)?.asset ?? this.assetId;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = library.onEvent((event) => {
      if (event.type === "reset" || (event.type === "asset" && event.asset.id === this.asset)) void this.load();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release?.();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("assetId") && this.assetId) void this.load();
  }

  private async load(): Promise<void> {
    const { asset } = this;
    const versions = await api.versions(asset).catch(() => null);
    if (versions && asset === this.asset) this.versions = versions;
  }

  private async restore(number: number): Promise<void> {
    this.restoring = number;
    try {
      await api.restoreVersion(this.asset, number);
      toast(t.versions.restoring(number));
      await this.load();
    } catch (error) {
      toast(sentenceOf(error), "error");
    } finally {
      this.restoring = 0;
    }
  }

  private picked(): void {
    const files = this.input.files ? usePicked(filesOfList(this.input.files)) : [];
    this.input.value = "";
    if (files.length === 0) return;
    uploads.addVersion(this.asset, this.name, files);
    announce(t.versions.uploading);
  }

  override render() {
    if (!this.versions) return html`<div class="loading">${[1, 2].map(() => html`<div class="shimmer"></div>`)}</div>`;
    return html`${this.fixed
        ? nothing
        : html`<button class="new button" title=${t.versions.newTitle} @click=${() => this.input.click()}>${icons.upload}${t.versions.new}</button>
            <input type="file" multiple hidden aria-label=${t.versions.new} @change=${() => this.picked()} />`}
      <ul>
        ${this.versions.map((version) => this.renderVersion(version))}
      </ul>`;
  }

  private renderVersion(version: Version) {
    const { version: number, current, status } = version;
    const path = `${this.asset}/versions/${number}`;
    const named = versionOf(this.assetId)?.number;
    const shown = named === undefined ? current : named === number;
    const title = t.versions.name(number);
    return html`<li class=${shown ? "shown" : ""}>
      ${status === "ready" ? html`<img src=${assetUrl(path, "/thumbnail?size=128")} alt="" loading="lazy" />` : html`<span class="still"></span>`}
      <div>
        ${status === "ready" ? html`<a href="${assetPath(current ? this.asset : path)}?tab=versions" aria-current=${shown ? "page" : nothing}>${title}</a>` : html`<span>${title}</span>`}
        ${current ? html`<span class="badge">${t.versions.current}</span>` : nothing}
        <div class="facts numbers">${factsOf(version)}</div>
        ${version.problem ? html`<p class="problem">${sentence(version.problem.detail)}</p>` : nothing}
      </div>
      ${status === "ready" && !current && !this.fixed
        ? html`<button class="button small" ?disabled=${this.restoring !== 0} aria-label=${t.versions.restoreOf(number)} @click=${() => void this.restore(number)}>${t.versions.restore}</button>`
        : nothing}
    </li>`;
  }
}

function factsOf(version: Version): string {
  const parts = [new Date(version.createdAt).toLocaleString(), formatBytes(version.sizeBytes)];
  if (version.restoredFrom !== null) parts.push(t.versions.from(version.restoredFrom));
  if (version.status === "importing") parts.push(t.card.importing);
  if (version.status === "failed") parts.push(t.card.failed);
  return parts.join(" · ");
}
