// Counts, size, origin, warnings of a model; and the box of the displayed pose.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { assetUrl } from "../api/client";
import type { Asset, Bounds, Warning } from "../api/types";
import { t } from "../i18n";
import { versionOf } from "../state/router";
import type { LiveState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { formatBytes, formatLabel, formatLength, sentence } from "../util/format";
import { icons } from "../styles/icons";

@customElement("vt-properties")
export class AssetProperties extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      .counts {
        display: grid;
        grid-template-columns: repeat(4, 1fr);
        gap: 8px;
        padding: 0 4px;
      }
      .counts div {
        display: flex;
        flex-direction: column-reverse;
        padding: 9px 8px 8px 10px;
        border-radius: var(--radius-s);
        background: var(--ground);
        min-width: 0;
      }
      .counts dt {
        color: var(--ink-soft);
        font-size: 11.5px;
      }
      .counts dd {
        font-size: 15px;
        font-weight: 600;
        letter-spacing: -0.01em;
        font-variant-numeric: tabular-nums;
      }
      .warnings li {
        display: grid;
        grid-template-columns: 18px minmax(0, 1fr);
        gap: 2px 10px;
        padding: 9px 12px;
        color: var(--ink);
      }
      .warnings svg {
        color: var(--warn);
        margin-top: 2px;
      }
      .warnings li + li {
        box-shadow: 0 -1px 0 var(--line);
      }
      .warnings small {
        grid-column: 2;
        color: var(--ink-soft);
        overflow-wrap: anywhere;
      }
      .declared {
        overflow-wrap: anywhere;
      }
      .clean {
        padding: 4px 12px;
        color: var(--ink-soft);
      }
    `,
  ];

  @property({ attribute: false }) asset!: Asset;
  @property({ attribute: false }) model: PreviewStore | null = null;
  @property({ attribute: false }) warnings: Warning[] | null = null;
  private watch: Watch<LiveState> | null = null;

  protected override willUpdate(): void {
    if (this.model && !this.watch) this.watch = new Watch(this, this.model.live);
  }

  override render() {
    const { asset } = this;
    return html`
      ${this.renderWarnings()}
      ${asset.counts
        ? html`<h2>${t.properties.counts}</h2>
            <dl class="counts">
              ${Object.entries(t.properties.names).map(([name, label]) => {
                const value = asset.counts?.[name as keyof typeof asset.counts];
                return value === undefined ? nothing : html`<div><dt>${label}</dt><dd>${value.toLocaleString("en")}</dd></div>`;
              })}
            </dl>`
        : nothing}
      ${asset.bounds ? this.renderBounds(asset.bounds) : nothing}
      <h2>${t.properties.file}</h2>
      <dl class="table">${this.fileRows().map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${this.renderAttribution()}
    `;
  }

  private renderAttribution() {
    const { attribution } = this.asset;
    const names = Object.keys(t.properties.attribution) as (keyof typeof t.properties.attribution)[];
    const declared = names.filter((name) => attribution?.[name]);
    if (declared.length === 0) return nothing;
    return html`<h2>${t.properties.declared}</h2>
      <dl class="table">
        ${declared.map((name) => html`<div><dt>${t.properties.attribution[name]}</dt><dd class="declared">${attribution?.[name]}</dd></div>`)}
      </dl>`;
  }

  private fileRows(): [string, unknown][] {
    const { asset } = this;
    const unit = asset.fileSpace?.unitMetres;
    const rows: [string, unknown][] = [
      [t.properties.format, formatLabel(asset.format)],
      [t.properties.generator, asset.generator],
      [t.properties.upAxis, asset.fileSpace?.upAxis?.toUpperCase()],
      [t.properties.unit, unit === undefined ? null : t.properties.meters(String(Number(unit.toPrecision(6))))],
      [t.properties.bytes, asset.sizeBytes === undefined ? null : formatBytes(asset.sizeBytes)],
      [t.properties.added, new Date(asset.createdAt).toLocaleString(t.locale, { dateStyle: "medium", timeStyle: "short" })],
      [t.properties.version, asset.version],
      [t.properties.id, html`<span class="mono">${versionOf(asset.id)?.asset ?? asset.id}</span>`],
    ];
    return rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  }

  private renderBounds(bounds: Bounds) {
    const now = this.model?.live.value.bounds;
    const point = (values: number[]) => values.map((value) => Number(value.toFixed(3))).join(", ");
    return html`<h2>${t.properties.size}</h2>
      <dl class="table">
        <div><dt title=${t.properties.dimensionsHint}>${t.properties.dimensions}</dt><dd>${dimensions(bounds)}</dd></div>
        <div><dt>${t.properties.from}</dt><dd>${point(bounds.min)}</dd></div>
        <div><dt>${t.properties.to}</dt><dd>${point(bounds.max)}</dd></div>
        ${now ? html`<div><dt>${t.properties.pose}</dt><dd class="pose">${dimensions(now)}</dd></div>` : nothing}
      </dl>`;
  }

  private renderWarnings() {
    const { asset, warnings } = this;
    const count = Array.isArray(asset.warnings) ? asset.warnings.length : (asset.warnings ?? 0);
    const list = Array.isArray(asset.warnings) ? asset.warnings : (warnings ?? []);
    if (count === 0) return nothing;
    return html`<h2>${t.properties.warnings}</h2>
      ${list.length
        ? html`<ul class="warnings">
            ${list.map(
              (warning) => html`<li>
                ${icons.warning}<span>${sentence(warning.message)}</span>
                <small class="mono">${warning.code}${warning.where ? html` · ${warning.where}` : nothing}</small>
              </li>`,
            )}
          </ul>`
        : html`<p class="clean"><a href=${assetUrl(asset.id, "/warnings")}>${t.properties.moreWarnings(count)}</a></p>`}`;
  }
}

function dimensions(bounds: Bounds): string {
  return [0, 1, 2].map((axis) => formatLength((bounds.max[axis] ?? 0) - (bounds.min[axis] ?? 0))).join(" × ");
}
