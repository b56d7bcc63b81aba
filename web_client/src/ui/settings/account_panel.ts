// Who uses this browser; for users their display name, password and the browsers in which they are signed in.
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { accessApi } from "../../api/access";
import type { Me, Session } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { rowListStyles } from "../../styles/row_list_styles";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import "./own_access";

const texts = t.settings.account;

@customElement("vt-account-panel")
export class AccountPanel extends LitElement {
  static override styles = [shared, settingsStyles, rowListStyles];

  @property({ attribute: false }) me!: Me;
  @state() private sessions: Session[] = [];
  @state() private problem = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.me.kind === "user") void this.load();
  }

  private async load(): Promise<void> {
    this.sessions = await accessApi.sessions().catch((error: unknown) => (toast(sentenceOf(error), "error"), []));
  }

  private async rename(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const displayName = String(new FormData(event.target as HTMLFormElement).get("displayName") ?? "").trim();
    try {
      this.dispatchEvent(new CustomEvent("vt-changed", { detail: await accessApi.changeMe({ displayName }) }));
      toast(t.settings.saved);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  private async changePassword(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    this.problem = "";
    try {
      await accessApi.changeMe({ oldPassword: String(data.get("old")), password: String(data.get("new")) });
      form.reset();
      toast(texts.passwordChanged);
      await this.load();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
  }

  private async end(session: Session): Promise<void> {
    try {
      await accessApi.endSession(session.id);
      if (session.current) return location.assign("/");
      toast(texts.ended);
      await this.load();
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  override render() {
    return html`<section>
        <h2>${t.settings.tabs.account}</h2>
        <p>${sentencesOf(this.me)}</p>
      </section>
      ${this.me.kind === "user" ? this.renderUser() : nothing}`;
  }

  private renderUser() {
    return html`<section>
        <h2>${t.settings.displayName}</h2>
        <form @submit=${this.rename}>
          <label>${t.settings.displayName}<input class="field" name="displayName" maxlength="100" autocomplete="name" .value=${this.me.displayName ?? ""} /></label>
          <button class="button">${t.settings.save}</button>
        </form>
      </section>
      <section>
        <h2>${texts.changePassword}</h2>
        <form @submit=${this.changePassword}>
          <label>${texts.oldPassword}<input class="field" name="old" type="password" required maxlength="256" autocomplete="current-password" /></label>
          <label>${texts.newPassword}<input class="field" name="new" type="password" required minlength="8" maxlength="256" autocomplete="new-password" /></label>
          <button class="button">${texts.changePassword}</button>
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </form>
      </section>
      <section>
        <h2>${texts.sessions}</h2>
        <ul>
          ${this.sessions.map((session) => this.renderSession(session))}
        </ul>
      </section>
      <vt-own-access></vt-own-access>`;
  }

  private renderSession(session: Session) {
    const agent = session.agent || session.address;
    const facts = [session.address, texts.since(new Date(session.createdAt).toLocaleString()), texts.used(new Date(session.lastUsedAt).toLocaleString())];
    if (session.current) facts.unshift(texts.current);
    return html`<li>
      <span>${agent}<small>${facts.join(" · ")}</small></span>
      <button class="button small" aria-label=${texts.endOf(agent)} @click=${() => void this.end(session)}>${texts.end}</button>
    </li>`;
  }
}

function sentencesOf(me: Me): string {
  const role = me.role === "link" ? t.settings.roles.viewer : t.settings.roles[me.role];
  const expires = me.expiresAt && me.kind === "token" ? ` ${texts.expires(new Date(me.expiresAt).toLocaleString())}` : "";
  if (me.kind === "open") return texts.open;
  if (me.kind === "user") return texts.signedIn(me.displayName || me.name || "", role);
  return (me.id === null ? texts.serverToken : texts.token(me.name ?? "", role)) + expires;
}
