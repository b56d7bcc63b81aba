// Users: their roles, passwords and states; a new one.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";

import { accessApi } from "../../api/access";
import type { Me, StorageOfUser, User, UserChange, UserRole } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import { formatBytes } from "../../util/format";
import "./confirm_dialog";
import type { ConfirmDialog } from "./confirm_dialog";
import "./password_dialog";
import type { PasswordDialog } from "./password_dialog";
import "./quota_dialog";
import type { QuotaDialog } from "./quota_dialog";
import { userRoleOptions } from "./role_options";

const texts = t.settings.members;

@customElement("vt-members-panel")
export class MembersPanel extends LitElement {
  static override styles = [
    shared,
    settingsStyles,
    css`
      select {
        height: 32px;
      }
      .storage {
        white-space: nowrap;
      }
      meter {
        display: block;
        width: 110px;
        height: 10px;
        margin-top: 4px;
      }
      form select {
        height: 36px;
      }
    `,
  ];

  @property({ attribute: false }) me!: Me;
  @state() private users: User[] | null = null;
  @state() private storage = new Map<string, StorageOfUser>();
  @state() private problem = "";
  @query("vt-confirm-dialog") private question!: ConfirmDialog;
  @query("vt-password-dialog") private passwords!: PasswordDialog;
  @query("vt-quota-dialog") private quotas!: QuotaDialog;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.users = await accessApi.users().catch((error: unknown) => (toast(sentenceOf(error), "error"), this.users));
    const storage = await accessApi.storageOfUsers().catch(() => []);
    this.storage = new Map(storage.map((one) => [one.user, one]));
  }

  // Reads the list again in each case: it then shows what the server has.
  private async act(work: Promise<unknown>, text: string): Promise<void> {
    try {
      await work;
      toast(text);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await this.load();
  }

  private change(user: User, change: UserChange, text: string = t.settings.saved): Promise<void> {
    return this.act(accessApi.changeUser(user.id, change), text);
  }

  private removeUser(user: User): void {
    this.question.show({
      title: texts.removeTitle(user.name),
      text: texts.removeText,
      agree: texts.remove,
      work: () => void this.act(accessApi.removeUser(user.id), texts.removed(user.name)),
    });
  }

  private setQuota(user: User): void {
    const { name, quotaBytes: quota } = user;
    const used = this.storage.get(user.id)?.usedBytes ?? 0;
    void this.quotas.show({ name, quota, used, save: (quotaBytes) => void this.change(user, { quotaBytes }, texts.quotaSet(name)) });
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "");
    this.problem = "";
    try {
      const user = await accessApi.createUser({ name: text("name").trim(), displayName: text("displayName").trim(), role: text("role") as UserRole, password: text("password"), disabled: false });
      form.reset();
      toast(texts.added(user.name));
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    await this.load();
  }

  override render() {
    return html`<section>
        <h2>${t.settings.tabs.members}</h2>
        ${this.renderUsers()}
      </section>
      <section>
        <h2>${texts.add}</h2>
        <form @submit=${this.add}>
          <label>${t.settings.name}<input class="field" name="name" required maxlength="64" autocomplete="off" spellcheck="false" /></label>
          <label>${t.settings.displayName}<input class="field" name="displayName" maxlength="100" autocomplete="off" /></label>
          <label>${t.settings.role}<select class="field" name="role">${userRoleOptions("viewer")}</select></label>
          <label>${t.settings.password}<input class="field" name="password" type="password" required minlength="8" maxlength="256" autocomplete="new-password" /></label>
          <button class="button primary">${texts.add}</button>
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </form>
      </section>
      <vt-confirm-dialog></vt-confirm-dialog>
      <vt-password-dialog></vt-password-dialog>
      <vt-quota-dialog></vt-quota-dialog>`;
  }

  private renderUsers() {
    if (!this.users) return html`<span class="spinner"></span>`;
    if (this.users.length === 0) return html`<p>${texts.none}</p>`;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${t.settings.tabs.members}><table>
      <thead><tr><th scope="col">${t.settings.name}</th><th scope="col">${t.settings.role}</th><th scope="col">${texts.storage}</th><th scope="col"><span class="visually-hidden">${t.settings.actions}</span></th></tr></thead>
      <tbody>${repeat(this.users, ({ id }) => id, (user) => this.renderUser(user))}</tbody>
    </table></div>`;
  }

  private renderUser(user: User) {
    const isMe = user.id === this.me.id;
    return html`<tr>
      <td class="name">
        ${user.name} ${isMe ? html`<span class="badge">${texts.you}</span>` : nothing}
        ${user.disabled ? html`<span class="badge warn">${texts.disabled}</span>` : nothing}
        ${user.hasPassword ? nothing : html`<span class="badge">${texts.noPassword}</span>`}
        ${user.displayName ? html`<small>${user.displayName}</small>` : nothing}
      </td>
      <td>
        <select class="field" aria-label=${texts.roleOf(user.name)} .value=${live(user.role)} @change=${(event: Event) => void this.change(user, { role: (event.target as HTMLSelectElement).value as UserRole })}>
          ${userRoleOptions(user.role)}
        </select>
      </td>
      <td class="numbers storage">${this.renderStorage(user)}</td>
      <td><div class="acts">${this.renderActions(user)}</div></td>
    </tr>`;
  }

  private renderStorage(user: User) {
    const storage = this.storage.get(user.id);
    if (!storage) return nothing;
    const { usedBytes, quotaBytes } = storage;
    const used = formatBytes(usedBytes);
    if (quotaBytes === null) return used;
    const text = texts.storageOf(used, formatBytes(quotaBytes));
    const most = Math.max(quotaBytes, 1);
    return html`${text}<meter aria-label=${texts.storage} min="0" max=${most} high=${0.9 * most} optimum="0" .value=${quotaBytes === 0 ? most : Math.min(usedBytes, most)}>${text}</meter>`;
  }

  private renderActions(user: User) {
    const { name, disabled } = user;
    return html`<button class="button small" aria-label=${texts.setPasswordOf(name)} @click=${() => this.passwords.show(name, (password) => void this.change(user, { password }, texts.passwordSet(name)))}>${texts.setPassword}</button>
      <button class="button small" aria-label=${texts.quotaOf(name)} @click=${() => this.setQuota(user)}>${texts.quota}</button>
      <button class="button small" aria-label=${disabled ? texts.enableOf(name) : texts.disableOf(name)} @click=${() => void this.change(user, { disabled: !disabled })}>${disabled ? texts.enable : texts.disable}</button>
      <button class="button small" aria-label=${texts.removeOf(name)} @click=${() => this.removeUser(user)}>${texts.remove}</button>`;
  }
}
