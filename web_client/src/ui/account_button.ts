// The link to the settings of who is signed in, and the button that signs out. Nothing on a server that requires no sign-in.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";

import { api, whoAmI } from "../api/client";
import type { Me } from "../api/types";
import { t } from "../i18n";
import { shared } from "../styles/shared";
import { icons } from "../styles/icons";

@customElement("vt-account")
export class AccountButton extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: contents;
      }
    `,
  ];

  @state() private me: Me | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void whoAmI().then((me) => (this.me = me)); // without an answer there is no button
  }

  // Reloads in each case: the server then shows the sign-in page, or that the browser is still signed in.
  private readonly signOut = async (): Promise<void> => {
    const next = this.me && (await api.signOut(this.me).catch(() => "/"));
    location.assign(next ?? "/");
  };

  override render() {
    if (!this.me || this.me.kind === "open" || this.me.kind === "link") return nothing;
    const label = t.header.signOut(this.me.displayName || this.me.name || "");
    return html`<a class="button quiet icon-only" href="/settings" aria-label=${t.settings.title} title=${t.settings.title}>${icons.person}</a>
      <button class="button quiet icon-only" aria-label=${label} title=${label} @click=${this.signOut}>
      ${icons.signOut}
    </button>`;
  }
}
