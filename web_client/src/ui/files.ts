// The uploaded files, with download links.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { assetUrl } from "../api/client";
import type { AssetFile } from "../api/types";
import { t } from "../i18n";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { formatBytes } from "../util/format";
import { icons } from "../styles/icons";

@customElement("vt-files")
export class Files extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      a {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto 18px;
        align-items: center;
        gap: 12px;
        padding: 9px 12px;
        border-radius: var(--radius-s);
        text-decoration: none;
      }
      a:hover {
        background: var(--hover);
      }
      .name {
        overflow-wrap: anywhere;
        font-weight: 500;
      }
      .badge {
        margin-left: 8px;
        vertical-align: 1px;
      }
      .size {
        color: var(--ink-soft);
        font-size: 12px;
      }
      svg.icon {
        color: var(--ink-faint);
      }
    `,
  ];

  @property() assetId = "";
  @property() mainFile = "";
  @property({ attribute: false }) files: AssetFile[] | null = null;
  @property() glb = ""; // name of the model if it can be exported as GLB

  override render() {
    if (!this.files) return html`<div class="loading">${[1, 2, 3].map(() => html`<div class="shimmer"></div>`)}</div>`;
    if (this.files.length === 0) return html`<p class="empty">${t.files.empty}</p>`;
    return html`<ul>
        ${this.files.map((file) => {
        const path = file.name.split("/").map(encodeURIComponent).join("/");
        return html`<li>
          <a href=${file.url ?? assetUrl(this.assetId, `/files/${path}`)} download=${file.name.split("/").pop() ?? ""} aria-label=${t.files.download(file.name)}>
            <span class="name">${file.name}${(file.main ?? file.name === this.mainFile) ? html`<span class="badge">${t.files.main}</span>` : nothing}</span>
            <span class="size numbers">${formatBytes(file.sizeBytes)}</span>
            ${icons.download}
          </a>
        </li>`;
      })}
      </ul>
      ${this.glb ? this.renderGlb() : nothing}`;
  }

  private renderGlb() {
    return html`<h2>${t.files.converted}</h2>
      <ul>
        <li>
          <a href=${assetUrl(this.assetId, "/export.glb")} download aria-label=${t.files.download(`${this.glb}.glb`)}>
            <span class="name">${t.files.whole}</span>
            <span class="size">GLB</span>
            ${icons.download}
          </a>
        </li>
      </ul>`;
  }
}
