// What a user has: storage with its limit, and access tokens, which the user may revoke.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { accessApi } from "../../api/access";
import type { OwnToken, UserStorage } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { rowListStyles } from "../../styles/row_list_styles";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import { formatBytes } from "../../util/format";

const texts = t.settings.account;

@customElement("vt-own-access")
export class OwnAccess extends LitElement {
  static override styles = [
    shared,
    settingsStyles,
    rowListStyles,
    css`
      meter {
        width: 100%;
        height: 12px;
        margin-top: 8px;
      }
    `,
  ];

  @state() private storage: UserStorage | null = null;
  @state() private tokens: OwnToken[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    accessApi.ownStorage().then(
      (storage) => (this.storage = storage),
      (error: unknown) => toast(sentenceOf(error), "error"),
    );
  }

  private async load(): Promise<void> {
    this.tokens = await accessApi.ownTokens().catch((error: unknown) => (toast(sentenceOf(error), "error"), this.tokens));
  }

  private async revoke(token: OwnToken): Promise<void> {
    await accessApi.revokeOwnToken(token.id).then(
      () => toast(t.settings.tokens.revoked(token.name)),
      (error: unknown) => toast(sentenceOf(error), "error"),
    );
    await this.load();
  }

  override render() {
    return html`${this.storage ? this.renderStorage(this.storage) : nothing}
      <section>
        <h2>${texts.tokens}</h2>
        <p>${texts.tokensText}</p>
        <ul>
          ${repeat(this.tokens, ({ id }) => id, (token) => this.renderToken(token))}
        </ul>
      </section>`;
  }

  private renderStorage({ usedBytes, quotaBytes }: UserStorage) {
    const used = formatBytes(usedBytes);
    const text = quotaBytes === null ? texts.storageUsed(used) : texts.storageOf(used, formatBytes(quotaBytes));
    const bar = (most: number) =>
      html`<meter aria-label=${texts.storage} min="0" max=${Math.max(most, 1)} high=${0.9 * most} optimum="0" .value=${Math.min(usedBytes, most)}>${text}</meter>`;
    return html`<section>
      <h2>${texts.storage}</h2>
      <p>${text}</p>
      ${quotaBytes === null ? nothing : bar(quotaBytes)}
    </section>`;
  }

  private renderToken(token: OwnToken) {
    const facts = [t.settings.roles[token.role], texts.since(new Date(token.createdAt).toLocaleString())];
    facts.push(token.lastUsedAt === null ? texts.neverUsed : texts.used(new Date(token.lastUsedAt).toLocaleString()));
    if (token.expiresAt !== null) facts.push(texts.expires(new Date(token.expiresAt).toLocaleString()));
    return html`<li>
      <span>${token.name}<small>${facts.join(" · ")}</small></span>
      <button class="button small" aria-label=${t.settings.tokens.revokeOf(token.name)} @click=${() => void this.revoke(token)}>${t.settings.tokens.revoke}</button>
    </li>`;
  }
}
