// A small menu button: arrow keys move, Escape closes, focus returns.
import { LitElement, css, html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { shared } from "../../styles/shared";
import { icons } from "../../styles/icons";

export interface MenuItem {
  label: string;
  run: () => void;
  checked?: boolean;
  danger?: boolean;
}

@customElement("vt-menu")
export class Menu extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        display: inline-flex;
      }
      .button {
        height: var(--menu-button, 30px);
        border-radius: 7px;
      }
      [role="menu"] {
        position: absolute;
        right: 0;
        top: calc(100% + 6px);
        z-index: 10;
        min-width: 168px;
        padding: 5px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--raised);
        box-shadow: var(--shadow-2);
        animation: open var(--quick);
      }
      .title {
        padding: 5px 10px 6px;
        color: var(--ink-faint);
        font-size: 12px;
      }
      [role^="menuitem"] {
        display: flex;
        align-items: center;
        gap: 10px;
        width: 100%;
        min-height: 34px;
        padding: 0 10px;
        border: 0;
        border-radius: 6px;
        background: none;
        text-align: left;
        white-space: nowrap;
        cursor: pointer;
      }
      [role^="menuitem"]:hover,
      [role^="menuitem"]:focus-visible {
        background: var(--hover);
      }
      [role^="menuitem"]:focus-visible {
        outline-offset: -2px;
      }
      .danger {
        color: var(--danger);
      }
      .tick {
        margin-left: auto;
        color: var(--accent);
        display: flex;
      }
      @keyframes open {
        from {
          opacity: 0;
          transform: translateY(-4px);
        }
      }
    `,
  ];

  @property() label = "";
  @property({ attribute: false }) icon: TemplateResult = icons.more;
  @property({ attribute: false }) items: MenuItem[] = [];
  @state() private open = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pointerdown", this.outside, true);
  }

  private async show(): Promise<void> {
    this.open = true;
    addEventListener("pointerdown", this.outside, true);
    await this.updateComplete;
    this.entries()[0]?.focus();
  }

  private hide(refocus: boolean): void {
    this.open = false;
    removeEventListener("pointerdown", this.outside, true);
    if (refocus) this.renderRoot.querySelector<HTMLElement>("button")?.focus();
  }

  private readonly outside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.hide(false);
  };

  private entries(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  }

  private keyed(event: KeyboardEvent): void {
    const entries = this.entries();
    const at = entries.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const last = entries.length - 1;
    const next: Record<string, number> = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last };
    if (event.key === "Escape" || event.key === "Tab") this.hide(event.key === "Escape");
    else if (event.key in next) {
      event.preventDefault();
      entries[next[event.key] ?? 0]?.focus();
    } else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
  }

  private choose(item: MenuItem): void {
    this.hide(true);
    item.run();
  }

  override render() {
    return html`
      <button
        class="button quiet icon-only"
        aria-haspopup="menu"
        aria-expanded=${this.open ? "true" : "false"}
        aria-label=${this.label}
        title=${this.label}
        @click=${() => (this.open ? this.hide(true) : void this.show())}
      >
        ${this.icon}
      </button>
      ${this.open
        ? html`<div role="menu" aria-label=${this.label} @keydown=${this.keyed}>
            ${this.items.map(
              (item) => html`<button
                role=${item.checked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked=${item.checked === undefined ? nothing : item.checked ? "true" : "false"}
                class=${item.danger ? "danger" : ""}
                tabindex="-1"
                @click=${() => this.choose(item)}
              >
                ${item.label}${item.checked ? html`<span class="tick">${icons.check}</span>` : nothing}
              </button>`,
            )}
          </div>`
        : nothing}
    `;
  }
}
