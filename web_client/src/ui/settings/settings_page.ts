// Settings: the own account for everybody; members, access tokens, libraries and the audit log for admins.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { accessApi } from "../../api/access";
import type { Me } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import "./account_panel";
import "./audit_panel";
import "./libraries_panel";
import "./members_panel";
import "./tokens_panel";

type Tab = keyof typeof t.settings.tabs;
const tabs = Object.keys(t.settings.tabs) as Tab[];

@customElement("vt-settings-page")
export class SettingsPage extends LitElement {
  static override styles = [
    shared,
    settingsStyles,
    css`
      :host {
        display: block;
        max-width: 1040px;
        margin: 0 auto;
        padding: 28px 24px 64px;
      }
      h1 {
        margin-bottom: 16px;
        font-size: 24px;
        font-weight: 650;
        letter-spacing: -0.02em;
      }
      nav {
        display: flex;
        gap: 20px;
        margin-bottom: 20px;
        border-bottom: 1px solid var(--line);
        overflow-x: auto;
      }
      nav a {
        padding: 8px 0;
        border-bottom: 2px solid transparent;
        color: var(--ink-soft);
        font-weight: 500;
        text-decoration: none;
        white-space: nowrap;
      }
      nav a:focus-visible {
        outline-offset: -2px;
      }
      nav a[aria-current] {
        border-color: var(--accent);
        color: var(--ink);
      }
    `,
  ];

  @property({ attribute: false }) params = new URLSearchParams();
  @state() private me: Me | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.settings.title} · ${t.product}`;
    void accessApi.me().then(
      (me) => (this.me = me),
      (error: unknown) => toast(sentenceOf(error), "error"),
    );
  }

  override render() {
    const { me } = this;
    if (!me) return html`<h1>${t.settings.title}</h1><span class="spinner"></span>`;
    const shown: Tab[] = me.role === "admin" ? tabs : ["account"];
    const asked = tabs.find((tab) => tab === this.params.get("tab")) ?? "account";
    return html`<h1>${t.settings.title}</h1>
      ${shown.length === 1
        ? nothing
        : html`<nav aria-label=${t.settings.title}>
            ${shown.map((tab) => html`<a href=${tab === "account" ? "/settings" : `/settings?tab=${tab}`} aria-current=${tab === asked ? "page" : nothing}>${t.settings.tabs[tab]}</a>`)}
          </nav>`}
      ${shown.includes(asked) ? this.renderPanel(asked, me) : html`<section><p>${t.settings.adminsOnly}</p></section>`}`;
  }

  private renderPanel(tab: Tab, me: Me) {
    switch (tab) {
      case "account":
        return html`<vt-account-panel .me=${me} @vt-changed=${(event: CustomEvent<Me>) => (this.me = event.detail)}></vt-account-panel>`;
      case "members":
        return html`<vt-members-panel .me=${me}></vt-members-panel>`;
      case "tokens":
        return html`<vt-tokens-panel></vt-tokens-panel>`;
      case "libraries":
        return html`<vt-libraries-panel></vt-libraries-panel>`;
      case "audit":
        return html`<vt-audit-panel></vt-audit-panel>`;
    }
  }
}
