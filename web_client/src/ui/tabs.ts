// Tabs according to the ARIA pattern; the panel is the slot. Many tabs take two rows of a narrow page, so that all of them are visible.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { shared } from "../styles/shared";

interface TabItem {
  id: string;
  label: string;
  count?: number;
}

const maxInOneRow = 5;

@customElement("vt-tabs")
export class Tabs extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100%;
        container-type: inline-size;
      }
      [role="tablist"] {
        display: flex;
        flex: none;
        min-height: 52px;
        padding: 0 6px;
        border-bottom: 1px solid var(--line);
      }
      [role="tab"] {
        position: relative;
        flex: none;
        padding: 0 7px;
        border: 0;
        background: none;
        color: var(--ink-soft);
        font-weight: 500;
        font-size: 13px;
        white-space: nowrap;
        cursor: pointer;
        transition: color var(--quick);
      }
      [role="tab"]:hover {
        color: var(--ink);
      }
      [role="tab"]:focus-visible {
        outline-offset: -4px;
      }
      [aria-selected="true"] {
        color: var(--ink);
      }
      [aria-selected="true"]::after {
        content: "";
        position: absolute;
        left: 7px;
        right: 7px;
        bottom: 0;
        height: 2px;
        border-radius: 2px 2px 0 0;
        background: var(--accent);
      }
      small {
        margin-left: 4px;
        color: var(--ink-faint);
        font-size: 11.5px;
      }
      @container (max-width: 620px) {
        .two-rows {
          display: grid;
          grid-template-columns: repeat(var(--columns), minmax(max-content, 1fr));
          grid-auto-rows: 38px;
          padding: 4px 6px 0;
        }
      }
      @container (max-width: 360px) {
        small {
          display: none;
        }
      }
      [role="tabpanel"] {
        flex: 1;
        min-height: 0;
        overflow-y: auto;
      }
    `,
  ];

  @property({ attribute: false }) tabs: TabItem[] = [];
  @property() chosen = "";

  private choose(id: string | undefined): void {
    if (id && id !== this.chosen) this.dispatchEvent(new CustomEvent("vt-choose", { detail: id }));
  }

  private async keyed(event: KeyboardEvent): Promise<void> {
    const at = this.tabs.findIndex((tab) => tab.id === this.chosen);
    const last = this.tabs.length - 1;
    const next: Record<string, number> = { ArrowRight: at >= last ? 0 : at + 1, ArrowLeft: at <= 0 ? last : at - 1, Home: 0, End: last };
    const target = next[event.key];
    if (target === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.tabs[target]?.id);
    await this.updateComplete;
    this.renderRoot.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  }

  override render() {
    const inTwoRows = this.tabs.length > maxInOneRow;
    return html`
      <div role="tablist" class=${inTwoRows ? "two-rows" : ""} .style=${`--columns: ${Math.ceil(this.tabs.length / 2)}`} @keydown=${this.keyed}>
        ${this.tabs.map((tab) => {
          const chosen = tab.id === this.chosen;
          return html`<button role="tab" id="tab-${tab.id}" aria-controls="panel" aria-selected=${chosen ? "true" : "false"} tabindex=${chosen ? 0 : -1} @click=${() => this.choose(tab.id)}>
            ${tab.label}${tab.count ? html`<small class="numbers">${tab.count}</small>` : nothing}
          </button>`;
        })}
      </div>
      <div role="tabpanel" id="panel" tabindex="0" aria-labelledby="tab-${this.chosen}"><slot></slot></div>
    `;
  }
}
