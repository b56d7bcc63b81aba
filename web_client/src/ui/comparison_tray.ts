// The models that were chosen to compare, on every page but that of the comparison.
import { LitElement, css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import { t } from "../i18n";
import { comparePath, comparison } from "../state/comparison";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";

@customElement("vt-comparison-tray")
export class ComparisonTray extends LitElement {
  static override styles = [
    shared,
    css`
      section {
        position: fixed;
        left: 20px;
        bottom: 20px;
        z-index: 30;
        display: flex;
        align-items: center;
        gap: 8px;
        max-width: calc(100vw - 40px);
        padding: 8px 8px 8px 14px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--raised);
        box-shadow: var(--shadow-3);
      }
    `,
  ];

  private readonly watch = new Watch(this, comparison);

  override render() {
    const { models } = this.watch.value;
    if (models.length === 0) return nothing;
    return html`<section aria-label=${t.compare.title}>
      ${models.length === 1
        ? html`<span>${t.compare.one}</span>`
        : html`<a class="button primary" title=${models.map(({ name }) => name).join(", ")} href=${comparePath(models.map(({ id }) => id))}>${t.compare.open(models.length)}</a>`}
      <button class="button quiet small" @click=${() => comparison.keep([])}>${t.compare.clear}</button>
    </section>`;
  }
}
