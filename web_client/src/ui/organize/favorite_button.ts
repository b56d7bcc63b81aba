// A star that marks one asset as a favorite.
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../../i18n";
import { favorites } from "../../state/favorites";
import { Watch } from "../../state/store";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";

@customElement("vt-favorite")
export class FavoriteButton extends LitElement {
  static override styles = [
    shared,
    css`
      button[aria-pressed="true"] {
        color: var(--accent);
      }
      button[aria-pressed="true"] .icon {
        fill: currentColor;
      }
    `,
  ];

  @property() assetId = "";
  @property() name = "";
  @property({ type: Boolean }) skipped = false; // by the Tab key: something beside it has a key for it
  private readonly watch = new Watch(this, favorites);

  override connectedCallback(): void {
    super.connectedCallback();
    void favorites.read();
  }

  override render() {
    const isFavorite = this.watch.value.ids.has(this.assetId);
    const label = t.organize.favorite(this.name);
    return html`<button class="button quiet icon-only small" tabindex=${this.skipped ? -1 : 0} aria-pressed=${isFavorite ? "true" : "false"} aria-label=${label} title=${label} @click=${() => favorites.toggle(this.assetId)}>${icons.star}</button>`;
  }
}
