// Who has a role for a collection.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { grantsApi } from "../../api/grants";
import type { Collection, Grant, Grants, GroupGrant, Role } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";
import { roleOptions } from "../settings/role_options";

const texts = t.organize.grants;

interface GrantRow {
  name: string;
  detail: string;
  role: Role;
  put: (collection: string, role: Role) => Promise<unknown>;
  remove: (collection: string) => Promise<unknown>;
}

@customElement("vt-grants-dialog")
export class GrantsDialog extends LitElement {
  static override styles = [
    shared,
    dialogStyles,
    css`
      form {
        display: grid;
        gap: 12px;
        margin-top: 14px;
      }
      li {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 2px 0;
      }
      li span {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      li .field {
        width: auto;
      }
    `,
  ];

  @state() private collection: Collection | null = null;
  @state() private grants: Grants | null = null;
  @state() private isForGroup = false;
  @state() private problem = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("form") private form!: HTMLFormElement;

  async show(collection: Collection): Promise<void> {
    this.collection = collection;
    this.grants = null;
    this.isForGroup = false;
    this.problem = "";
    await this.updateComplete;
    this.form.reset();
    this.dialog.showModal();
    await this.attempt(() => this.read(collection));
  }

  private async read({ id }: Collection): Promise<void> {
    const grants = await grantsApi.list(id);
    if (this.collection?.id === id) this.grants = grants;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = sentenceOf(error);
    }
  }

  private add(event: SubmitEvent): void {
    event.preventDefault();
    const data = new FormData(this.form);
    const name = String(data.get("name") ?? "").trim();
    const role = String(data.get("role")) as Role;
    const { isForGroup } = this;
    this.change(
      (collection) => (isForGroup ? grantsApi.putGroup(collection, name, role) : grantsApi.put(collection, name, role)),
      () => this.resetForm(),
    );
  }

  private resetForm(): void {
    this.form.reset();
    this.isForGroup = false;
  }

  private change(work: (collection: string) => Promise<unknown>, done: () => void = () => undefined): void {
    const { collection } = this;
    if (!collection) return;
    void this.attempt(async () => {
      await work(collection.id);
      done();
      await this.read(collection);
    });
  }

  private revoke(name: string, work: (collection: string) => Promise<unknown>): void {
    this.change(work, () => {
      toast(texts.removed(name));
      this.dialog.querySelector<HTMLElement>("input")?.focus();
    });
  }

  override render() {
    const { grants } = this;
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${texts.title(this.collection?.name ?? "")}</h2>
      <p>${texts.text}</p>
      ${grants?.items.length === 0 && grants.groups.length === 0 ? html`<p>${texts.none}</p>` : nothing}
      <ul>
        ${grants?.items.map((grant) => this.renderUser(grant))}${grants?.groups.map((grant) => this.renderGroup(grant))}
      </ul>
      <form @submit=${this.add}>
        ${grants?.provider == null ? nothing : this.renderKind()}
        <label
          >${this.isForGroup ? texts.groupName(grants?.provider ?? "") : texts.name}<input class="field" name="name" required maxlength=${this.isForGroup ? 255 : 64} autocomplete="off" spellcheck="false"
        /></label>
        <label>${t.settings.role}<select class="field" name="role">${roleOptions("viewer")}</select></label>
        <p role="alert">${this.problem}</p>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${texts.close}</button>
          <button class="button primary">${texts.add}</button>
        </div>
      </form>
    </dialog>`;
  }

  private renderKind() {
    return html`<label
      >${texts.kind}<select class="field" name="kind" @change=${(event: Event) => (this.isForGroup = (event.target as HTMLSelectElement).value === "group")}>
        <option value="user">${texts.user}</option>
        <option value="group">${texts.group}</option>
      </select></label
    >`;
  }

  private renderUser({ user, role }: Grant) {
    return this.renderGrant({
      name: user.name,
      detail: user.displayName,
      role,
      put: (collection, wanted) => grantsApi.put(collection, user.id, wanted),
      remove: (collection) => grantsApi.remove(collection, user.id),
    });
  }

  private renderGroup(grant: GroupGrant) {
    return this.renderGrant({
      name: grant.group,
      detail: texts.groupOf,
      role: grant.role,
      put: (collection, wanted) => grantsApi.putGroup(collection, grant.group, wanted),
      remove: (collection) => grantsApi.removeGroup(collection, grant),
    });
  }

  private renderGrant({ name, detail, role, put, remove }: GrantRow) {
    return html`<li>
      <span>${name}${detail ? html` <small>${detail}</small>` : nothing}</span>
      <select
        class="field"
        aria-label=${texts.roleOf(name)}
        @change=${(event: Event) => {
          const wanted = (event.target as HTMLSelectElement).value as Role;
          this.change((collection) => put(collection, wanted));
        }}
      >
        ${roleOptions(role)}
      </select>
      <button class="button quiet icon-only" aria-label=${texts.remove(name)} title=${texts.remove(name)} @click=${() => this.revoke(name, remove)}>${icons.close}</button>
    </li>`;
  }
}
