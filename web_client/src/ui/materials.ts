// Materials with their base colors.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Material } from "../api/types";
import { t } from "../i18n";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { cssColor } from "../util/color";

@customElement("vt-materials")
export class Materials extends LitElement {
  static override styles = [
    shared,
    panelStyles,
    css`
      li {
        display: grid;
        grid-template-columns: 36px minmax(0, 1fr);
        align-items: center;
        gap: 2px 12px;
        padding: 8px 10px;
      }
      li + li {
        box-shadow: 0 -1px 0 var(--line);
      }
      .swatch {
        grid-row: span 2;
        width: 36px;
        height: 36px;
        border-radius: 50%;
        box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 16%, transparent);
        background: radial-gradient(circle at 32% 28%, rgb(255 255 255 / 55%), transparent 46%), var(--color);
      }
      .textured {
        background:
          radial-gradient(circle at 32% 28%, rgb(255 255 255 / 55%), transparent 46%),
          repeating-conic-gradient(rgb(0 0 0 / 10%) 0 25%, transparent 0 50%) 0 0 / 12px 12px,
          var(--color);
      }
      .name {
        font-weight: 550;
        overflow-wrap: anywhere;
      }
      .summary {
        grid-column: 2;
        color: var(--ink-soft);
        font-size: 12px;
      }
    `,
  ];

  @property({ attribute: false }) materials: Material[] | null = null;
  @property({ type: Number }) count = 0;

  override render() {
    if (this.materials?.length) return html`<ul>${this.materials.map((material) => this.renderMaterial(material))}</ul>`;
    return html`<p class="empty">${this.count ? t.materials.unknown(this.count) : t.materials.empty}</p>`;
  }

  private renderMaterial(material: Material) {
    const textured = hasTexture(material);
    const summary = [
      hexOf(material),
      textured ? t.materials.textured : "",
      material.metallic === undefined ? "" : t.materials.metal(tidy(material.metallic)),
      material.roughness === undefined ? "" : t.materials.rough(tidy(material.roughness)),
      material.emissive?.some((value) => value > 0) ? t.materials.emissive : "",
      material.extensions?.clearcoat ? t.materials.clearcoat : "",
      material.extensions?.sheen.some((value) => value > 0) ? t.materials.sheen : "",
      material.extensions?.transmission ? t.materials.transparent : "",
      material.alphaMode && material.alphaMode.toLowerCase() !== "opaque" ? t.materials.blends : "",
      material.doubleSided ? t.materials.twoSided : "",
    ].filter(Boolean);
    return html`<li>
      <span class="swatch ${textured ? "textured" : ""}" .style=${`--color: ${cssColor(material.baseColor)}`}></span>
      <span class="name">${material.name || t.materials.unnamed}</span>
      ${summary.length ? html`<span class="summary numbers">${summary.join(" · ")}</span>` : nothing}
    </li>`;
  }
}

function tidy(value: number): string {
  return String(Number(value.toFixed(2)));
}

function hexOf(material: Material): string {
  return material.baseColor ? cssColor(material.baseColor) : "";
}

function hasTexture(material: Material): boolean {
  return Boolean(material.baseColorTexture);
}
