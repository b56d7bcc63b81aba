// Who has a role for a collection.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { grantsApi } from "../../api/grants";
import type { Collection, Grant, Role } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";
import { roleOptions } from "../settings/role_options";

const texts = t.organize.grants;

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
  @state() private grants: Grant[] | null = null;
  @state() private problem = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("form") private form!: HTMLFormElement;

  async show(collection: Collection): Promise<void> {
    this.collection = collection;
    this.grants = null;
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
    this.change(name, String(data.get("role")) as Role, () => this.form.reset());
  }

  private change(user: string, role: Role, done: () => void = () => undefined): void {
    const { collection } = this;
    if (!collection) return;
    void this.attempt(async () => {
      await grantsApi.put(collection.id, user, role);
      done();
      await this.read(collection);
    });
  }

  private revoke({ user }: Grant): void {
    const { collection } = this;
    if (!collection) return;
    void this.attempt(async () => {
      await grantsApi.remove(collection.id, user.id);
      toast(texts.removed(user.name));
      await this.read(collection);
      this.dialog.querySelector<HTMLElement>("input")?.focus();
    });
  }

  override render() {
    const { grants } = this;
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${texts.title(this.collection?.name ?? "")}</h2>
      <p>${texts.text}</p>
      ${grants?.length === 0 ? html`<p>${texts.none}</p>` : nothing}
      <ul>
        ${grants?.map((grant) => this.renderGrant(grant))}
      </ul>
      <form @submit=${this.add}>
        <label>${texts.name}<input class="field" name="name" required maxlength="64" autocomplete="off" spellcheck="false" /></label>
        <label>${t.settings.role}<select class="field" name="role">${roleOptions("viewer")}</select></label>
        <p role="alert">${this.problem}</p>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${texts.close}</button>
          <button class="button primary">${texts.add}</button>
        </div>
      </form>
    </dialog>`;
  }

  private renderGrant(grant: Grant) {
    const { user, role } = grant;
    return html`<li>
      <span>${user.name}${user.displayName ? html` <small>${user.displayName}</small>` : nothing}</span>
      <select class="field" aria-label=${texts.roleOf(user.name)} @change=${(event: Event) => this.change(user.id, (event.target as HTMLSelectElement).value as Role)}>
        ${roleOptions(role)}
      </select>
      <button class="button quiet icon-only" aria-label=${texts.remove(user.name)} title=${texts.remove(user.name)} @click=${() => this.revoke(grant)}>${icons.close}</button>
    </li>`;
  }
}
