// Access tokens of scripts and plug-ins; the secret of a new one is shown once.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { accessApi } from "../../api/access";
import type { AccessToken, CreatedAccessToken, Role } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { icons } from "../../styles/icons";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import "./confirm_dialog";
import type { ConfirmDialog } from "./confirm_dialog";
import { roleOptions } from "./role_options";

const texts = t.settings.tokens;

@customElement("vt-tokens-panel")
export class TokensPanel extends LitElement {
  static override styles = [
    shared,
    settingsStyles,
    css`
      .secret {
        border-color: var(--accent);
      }
      .secret div {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        margin-top: 10px;
      }
      .secret input {
        flex: 1 1 260px;
      }
    `,
  ];

  @state() private tokens: AccessToken[] | null = null;
  @state() private created: CreatedAccessToken | null = null;
  @state() private problem = "";
  @query("vt-confirm-dialog") private question!: ConfirmDialog;
  @query(".secret input") private secret!: HTMLInputElement;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.tokens = await accessApi.tokens().catch((error: unknown) => (toast(sentenceOf(error), "error"), this.tokens));
  }

  private revoke(token: AccessToken): void {
    const work = async () => {
      await accessApi.revokeToken(token.id).then(
        () => toast(texts.revoked(token.name)),
        (error: unknown) => toast(sentenceOf(error), "error"),
      );
      await this.load();
    };
    this.question.show({ title: texts.revokeTitle(token.name), text: texts.revokeText, agree: texts.revoke, work: () => void work() });
  }

  private async create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    this.problem = "";
    try {
      const expires = text("lifetime") ? { expiresIn: Number(text("lifetime")) } : {};
      this.created = await accessApi.createToken({ name: text("name"), role: text("role") as Role, ...expires });
      form.reset();
      await this.updateComplete;
      this.secret.select();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    await this.load();
  }

  // Pages over plain http on hosts other than localhost have no clipboard.
  private async copy(): Promise<void> {
    this.secret.select();
    await navigator.clipboard?.writeText(this.secret.value).then(
      () => toast(texts.copied),
      () => toast(texts.copyFailed, "error"),
    );
  }

  override render() {
    return html`${this.created ? this.renderSecret(this.created) : nothing}
      <section>
        <h2>${t.settings.tabs.tokens}</h2>
        ${this.renderTokens()}
      </section>
      <section>
        <h2>${texts.add}</h2>
        <form @submit=${this.create}>
          <label>${texts.purpose}<input class="field" name="name" required maxlength="100" autocomplete="off" /></label>
          <label>${t.settings.role}<select class="field" name="role">${roleOptions("viewer")}</select></label>
          <label>${texts.lifetime}<select class="field" name="lifetime">${Object.entries(texts.lifetimes).map(([seconds, name]) => html`<option value=${seconds} ?selected=${seconds === "7776000"}>${name}</option>`)}</select></label>
          <button class="button primary">${texts.create}</button>
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </form>
      </section>
      <vt-confirm-dialog></vt-confirm-dialog>`;
  }

  private renderSecret({ name, token }: CreatedAccessToken) {
    return html`<section class="secret" role="status">
      <h2>${texts.secret(name)}</h2>
      <p>${texts.secretText}</p>
      <div>
        <input class="field mono" readonly aria-label=${texts.secret(name)} .value=${token} />
        <button class="button" @click=${() => void this.copy()}>${icons.copy}${texts.copy}</button>
        <button class="button" @click=${() => (this.created = null)}>${texts.done}</button>
      </div>
    </section>`;
  }

  private renderTokens() {
    if (!this.tokens) return html`<span class="spinner"></span>`;
    if (this.tokens.length === 0) return html`<p>${texts.none}</p>`;
    const titles = [t.settings.name, t.settings.role, texts.created, texts.used, texts.expires];
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${t.settings.tabs.tokens}><table>
      <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}<th scope="col"><span class="visually-hidden">${t.settings.actions}</span></th></tr></thead>
      <tbody>${repeat(this.tokens, ({ id }) => id, (token) => this.renderToken(token))}</tbody>
    </table></div>`;
  }

  private renderToken(token: AccessToken) {
    const expired = token.expiresAt !== null && Date.parse(token.expiresAt) < Date.now();
    return html`<tr>
      <td class="name">${token.name} ${expired ? html`<span class="badge warn">${texts.expired}</span>` : nothing}</td>
      <td>${t.settings.roles[token.role]}</td>
      ${[token.createdAt, token.lastUsedAt, token.expiresAt].map((time) => html`<td class="time numbers">${time === null ? t.settings.never : new Date(time).toLocaleDateString()}</td>`)}
      <td><div class="acts"><button class="button small" aria-label=${texts.revokeOf(token.name)} @click=${() => this.revoke(token)}>${texts.revoke}</button></div></td>
    </tr>`;
  }
}
