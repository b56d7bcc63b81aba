// Asks for the new password of a member.
import { LitElement, html } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { t } from "../../i18n";
import { dialogStyles } from "../../styles/dialog";
import { shared } from "../../styles/shared";

@customElement("vt-password-dialog")
export class PasswordDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @state() private name = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("input") private input!: HTMLInputElement;
  private save: (password: string) => void = () => undefined;

  show(name: string, save: (password: string) => void): void {
    this.name = name;
    this.save = save;
    this.input.value = "";
    this.dialog.showModal();
  }

  private submit(event: Event): void {
    event.preventDefault();
    this.dialog.close();
    this.save(this.input.value);
    this.input.value = "";
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <form @submit=${this.submit}>
        <h2 id="title">${t.settings.members.setPasswordOf(this.name)}</h2>
        <label>${t.settings.account.newPassword}<input class="field" type="password" required minlength="8" maxlength="256" autocomplete="new-password" /></label>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${t.settings.cancel}</button>
          <button class="button primary">${t.settings.save}</button>
        </div>
      </form>
    </dialog>`;
  }
}
