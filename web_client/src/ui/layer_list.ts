// The layers of the preview: clips blended over the one that plays, each with its weight and the joint that it is limited to.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Clip, Joint } from "../api/types";
import { t } from "../i18n";
import { addressOf, maxLayers } from "../preview/layers";
import type { Layer } from "../preview/layers";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { nestedPanelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { icons } from "../styles/icons";

@customElement("vt-layer-list")
export class LayerList extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
        align-items: center;
        gap: 6px 8px;
        padding: 8px 12px 10px;
      }
      li + li {
        box-shadow: 0 -1px 0 var(--line);
      }
      select.button {
        width: 100%;
        min-width: 0;
        text-align: left;
        text-overflow: ellipsis;
      }
      label {
        display: flex;
        align-items: center;
        gap: 8px;
        color: var(--ink-soft);
        font-size: 13px;
        white-space: nowrap;
      }
      .weight {
        grid-column: 1 / 2;
      }
      .weight input {
        flex: 1;
        min-width: 0;
        accent-color: var(--accent);
      }
      .weight output {
        width: 38px;
        text-align: right;
        color: var(--ink);
      }
      input[type="checkbox"] {
        accent-color: var(--accent);
      }
      .base {
        margin: 0 12px 4px;
        font-size: 13px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .base span {
        color: var(--ink-soft);
      }
      .add {
        margin: 0 4px;
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  @property({ attribute: false }) clips: Clip[] = []; // at least one
  @property({ attribute: false }) joints: Joint[] = [];
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  private get layers(): Layer[] {
    return this.model.value.layers;
  }

  private add(): void {
    const shown = this.model.ownClip;
    const clip = this.clips.find((_, index) => index !== shown) ?? this.clips[0]!;
    this.model.setLayers([...this.layers, { clip: clip.id, weight: 1, joint: null, additive: false }]);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("li:last-child select")?.focus());
  }

  private change(at: number, changes: Partial<Layer>): void {
    this.model.setLayers(this.layers.map((layer, index) => (index === at ? { ...layer, ...changes } : layer)));
  }

  private discard(at: number): void {
    this.model.setLayers(this.layers.filter((_, index) => index !== at));
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".add")?.focus());
  }

  override render() {
    return html`<h2>${t.layers.title}</h2>
      ${this.renderBase()}
      <ul aria-label=${t.layers.title}>${this.layers.map((layer, at) => this.renderLayer(layer, at))}</ul>
      <button class="button quiet small add" ?disabled=${this.layers.length >= maxLayers} @click=${() => this.add()}>${icons.overlay} ${t.layers.add}</button>`;
  }

  // What plays below the layers.
  private renderBase() {
    const { clip, ownClip } = this.model;
    const { lent } = this.model.value;
    const name = clip ? clip.name || (ownClip === null ? clip.id : t.clips.unnamed(ownClip)) : t.clips.static;
    return html`<p class="base" data-base=${String(this.model.view.clip)}><span>${t.layers.base}</span> ${lent ? t.layers.ofAsset(name, lent.assetName || lent.asset) : name}</p>`;
  }

  // Clips that a layer may play: those of the asset, and those of other assets that have played or are in a layer.
  private choices(layer: Layer): { id: string; name: string }[] {
    const own = this.clips.map((clip, index) => ({ id: clip.id, name: clip.name || t.clips.unnamed(index) }));
    const others = this.model.value.known.map((lent) => ({ id: addressOf(lent), name: t.layers.ofAsset(lent.clip.name || lent.clip.id, lent.assetName || lent.asset) }));
    const all = [...own, ...others];
    return all.some(({ id }) => id === layer.clip) ? all : [...all, { id: layer.clip, name: layer.clip }];
  }

  private renderLayer(layer: Layer, at: number) {
    const chosen = (event: Event) => (event.target as HTMLSelectElement).value;
    return html`<li>
      <select class="button small" aria-label=${t.layers.clip(at + 1)} @change=${(event: Event) => this.change(at, { clip: chosen(event) })}>
        ${this.choices(layer).map(({ id, name }) => html`<option value=${id} ?selected=${id === layer.clip}>${name}</option>`)}
      </select>
      ${this.joints.length ? this.renderMask(layer, at) : nothing}
      <button class="button quiet small icon-only" aria-label=${t.layers.remove(at + 1)} title=${t.layers.remove(at + 1)} @click=${() => this.discard(at)}>${icons.close}</button>
      <label class="weight"
        ><input type="range" min="0" max="1" step="0.05" .value=${String(layer.weight)} aria-label=${t.layers.weight(at + 1)}
          @input=${(event: Event) => this.change(at, { weight: (event.target as HTMLInputElement).valueAsNumber })} />
        <output class="numbers">${Math.round(100 * layer.weight)} %</output></label
      >
      <label title=${t.layers.additiveHint}
        ><input type="checkbox" .checked=${layer.additive} @change=${(event: Event) => this.change(at, { additive: (event.target as HTMLInputElement).checked })} />
        ${t.layers.additive}</label
      >
    </li>`;
  }

  private renderMask(layer: Layer, at: number) {
    const chosen = (event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      this.change(at, { joint: value === "" ? null : Number(value) });
    };
    return html`<select class="button small" aria-label=${t.layers.mask(at + 1)} @change=${chosen}>
      <option value="" ?selected=${layer.joint === null}>${t.layers.allJoints}</option>
      ${this.joints.map(({ node, name }) => html`<option value=${node} ?selected=${node === layer.joint}>${name || `#${node}`}</option>`)}
    </select>`;
  }
}
