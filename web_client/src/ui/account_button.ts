// Who is signed in, and the button that signs out. Nothing on a server that requires no sign-in.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";

import { api } from "../api/client";
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
    void api.me().then(
      (me) => (this.me = me),
      () => {}, // without an answer there is no button; the page's other requests report it
    );
  }

  // Reloads in each case: the server then shows the sign-in page, or that the browser is still signed in.
  private readonly signOut = async (): Promise<void> => {
    await api.signOut().catch(() => {});
    location.assign("/");
  };

  override render() {
    if (!this.me || this.me.kind === "open") return nothing;
    const label = t.header.signOut(this.me.displayName || this.me.name || "");
    return html`<button class="button quiet icon-only" aria-label=${label} title=${label} @click=${this.signOut}>
      ${icons.signOut}
    </button>`;
  }
}
