// Selects the material variant of the preview; nothing for models without variants.
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
      label {
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
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  // The first option is the default materials of the file. The preview selects variants by name: equal names are one option.
  private changed(event: Event, names: readonly string[]): void {
    const { selectedIndex } = event.target as HTMLSelectElement;
    this.model.chooseVariant(names[selectedIndex - 1] ?? null);
  }

  override render() {
    const { variants, view } = this.model.value;
    if (variants.length === 0) return nothing;
    const names = [...new Set(variants)];
    return html`<label
      >${t.variants.label}<select class="button" @change=${(event: Event) => this.changed(event, names)}>
        <option .selected=${view.variant === null}>${t.variants.none}</option>
        ${names.map((name, index) => html`<option .selected=${view.variant === name}>${name || t.variants.unnamed(index)}</option>`)}
      </select></label
    >`;
  }
}
