// Toolbar over the preview: view presets, overlays, background, copy, full screen.
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n";
import type { Preset } from "../preview/camera";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { overlayNames } from "../preview/protocol";
import type { OverlayName } from "../preview/protocol";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { announce } from "../state/announce";
import { copyText, curlCommand } from "../state/clipboard";
import { icons, overlayIcon } from "../styles/icons";
import "./controls/menu";

export const backgrounds: readonly { name: keyof typeof t.viewport.backgrounds; value: string | null }[] = [
  { name: "studio", value: null },
  { name: "light", value: "#f4f4f1" },
  { name: "gray", value: "#8d908e" },
  { name: "dark", value: "#1c1e1d" },
  { name: "transparent", value: "transparent" },
];

const presetNames: readonly Preset[] = ["threeQuarter", "front", "side", "top"];

@customElement("vt-toolbar")
export class Toolbar extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        position: absolute;
        inset: 12px 12px auto 12px;
        z-index: 2;
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        align-items: flex-start;
        gap: 8px;
        pointer-events: none;
      }
      .set {
        display: flex;
        flex-wrap: wrap;
        gap: 2px;
        padding: 3px;
        border-radius: 10px;
        background: color-mix(in srgb, var(--raised) 90%, transparent);
        box-shadow: var(--shadow-1), 0 0 0 1px color-mix(in srgb, var(--line) 70%, transparent);
        backdrop-filter: blur(10px);
        pointer-events: auto;
      }
      .button {
        height: 30px;
        border-radius: 7px;
      }
      .button.icon-only {
        width: 32px;
      }
      @media (max-width: 720px) {
        :host {
          inset: 8px 8px auto 8px;
        }
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  @property() name = "";
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  private preset(name: Preset): void {
    this.model.preset(name);
    announce(t.viewport.announceView(t.viewport.presets[name]));
  }

  private overlay(name: OverlayName): void {
    const on = this.model.toggleOverlay(name);
    announce(t.viewport.announceOverlay(t.viewport.overlays[name].label, on));
  }

  private copy(path: string, ending: string): void {
    const file = `${this.name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_") || "model"}${ending}`;
    void copyText(curlCommand(new URL(path, location.href).href, file));
  }

  private fullscreen(): void {
    const host = this.closest("vt-viewport");
    if (document.fullscreenElement) void document.exitFullscreen();
    else void host?.requestFullscreen?.();
  }

  override render() {
    const { view } = this.model.value;
    const copies = [
      { label: t.viewport.copyRender, run: () => this.copy(this.model.pictureUrl({ format: "png", width: 1024 }), ".png") },
      { label: t.viewport.copyThumbnail, run: () => this.copy(this.model.thumbnailUrl(view.variant), ".webp") },
    ];
    return html`
      <div class="set" role="group" aria-label=${t.viewport.overlaysLabel}>
        ${overlayNames.map((name) => {
          const overlay = t.viewport.overlays[name];
          const label = `${overlay.label} (${overlay.key.toUpperCase()})`;
          const on = this.model.hasOverlay(name);
          return html`<button class="button quiet icon-only" data-overlay=${name} aria-pressed=${on ? "true" : "false"} aria-label=${label} title=${label} @click=${() => this.overlay(name)}>
            ${overlayIcon(name)}
          </button>`;
        })}
      </div>
      <div class="set">
        <vt-menu .icon=${icons.cube} label=${t.viewport.views} .items=${presetNames.map((name) => ({ label: t.viewport.presets[name], run: () => this.preset(name) }))}></vt-menu>
        <button class="button quiet icon-only" aria-label="${t.viewport.fit} (F)" title="${t.viewport.fit} (F)" @click=${() => this.model.fit()}>${icons.fit}</button>
        <vt-menu
          .icon=${icons.palette}
          label=${t.viewport.background}
          .items=${backgrounds.map(({ name, value }) => ({ label: t.viewport.backgrounds[name], checked: view.background === value, run: () => this.model.setBackground(value) }))}
        ></vt-menu>
        <vt-menu .icon=${icons.copy} label=${t.viewport.copy} .items=${copies}></vt-menu>
        <button class="button quiet icon-only" aria-label=${t.viewport.fullscreen} title=${t.viewport.fullscreen} @click=${this.fullscreen}>${icons.expand}</button>
      </div>
    `;
  }
}
