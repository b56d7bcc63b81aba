// Selects what the preview shows of the model: material variant or skin, level of detail, surface; shows hidden parts again.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";

@customElement("vt-variant-select")
export class VariantSelect extends LitElement {
  static override styles = [
    shared,
    css`
      label,
      .parts {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 10px 14px;
        border-bottom: 1px solid var(--line);
        color: var(--ink-soft);
        font-size: 13px;
        white-space: nowrap;
      }
      select.button {
        flex: 1;
        min-width: 0;
        color: var(--ink);
        text-align: left;
        text-overflow: ellipsis;
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  @property({ type: Boolean }) skins = false; // the format calls variants skins
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  // The first option is the default materials of the file. The preview selects variants by name: equal names are one option.
  private changed(event: Event, names: readonly string[]): void {
    const { selectedIndex } = event.target as HTMLSelectElement;
    this.model.chooseLook({ variant: names[selectedIndex - 1] ?? null });
  }

  override render() {
    return [this.renderVariants(), this.renderLevels(), this.renderSurface(), this.renderParts()];
  }

  private renderVariants() {
    const { variants, view } = this.model.value;
    if (variants.length === 0) return nothing;
    const names = [...new Set(variants)];
    return html`<label
      >${this.skins ? t.variants.skin : t.variants.label}<select class="button" data-look="variant" @change=${(event: Event) => this.changed(event, names)}>
        <option .selected=${view.variant === null}>${t.variants.none}</option>
        ${names.map((name, index) => html`<option .selected=${view.variant === name}>${name || t.variants.unnamed(index)}</option>`)}
      </select></label
    >`;
  }

  private renderLevels() {
    const { levels, view } = this.model.value;
    if (levels < 2) return nothing;
    const numbers = Array.from({ length: levels }, (_, level) => level);
    return html`<label
      >${t.variants.level}<select class="button" data-look="lod" @change=${(event: Event) => this.chooseLevel(event)}>
        ${numbers.map((level) => html`<option .selected=${(view.lod ?? 0) === level}>${level === 0 ? t.variants.mostDetailed : level}</option>`)}
      </select></label
    >`;
  }

  private chooseLevel(event: Event): void {
    this.model.chooseLook({ lod: (event.target as HTMLSelectElement).selectedIndex || null });
  }

  private renderSurface() {
    const clay = this.model.view.surface === "clay";
    const choose = (event: Event) => this.model.chooseLook({ surface: (event.target as HTMLSelectElement).selectedIndex === 1 ? "clay" : null });
    return html`<label
      >${t.variants.surface}<select class="button" data-look="surface" @change=${choose}>
        <option .selected=${!clay}>${t.variants.materials}</option>
        <option .selected=${clay}>${t.variants.clay}</option>
      </select></label
    >`;
  }

  private renderParts() {
    const { hide, only } = this.model.view;
    if (!hide && !only) return nothing;
    return html`<div class="parts">
      ${t.variants.partsLeftOut}<button class="button" @click=${() => this.model.chooseLook({ hide: null, only: null })}>${t.variants.showAll}</button>
    </div>`;
  }
}
