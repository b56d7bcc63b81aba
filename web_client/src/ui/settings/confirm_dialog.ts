// Asks before something is removed.
import { LitElement, html } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { t } from "../../i18n";
import { dialogStyles } from "../../styles/dialog";
import { shared } from "../../styles/shared";

export interface Question {
  title: string;
  text: string;
  agree: string; // label of the button
  work: () => void;
}

@customElement("vt-confirm-dialog")
export class ConfirmDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @state() private question: Question | null = null;
  @query("dialog") private dialog!: HTMLDialogElement;

  show(question: Question): void {
    this.question = question;
    this.dialog.showModal();
  }

  private agreed(): void {
    this.dialog.close();
    this.question?.work();
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${this.question?.title}</h2>
      <p>${this.question?.text}</p>
      <div class="buttons">
        <button class="button" @click=${() => this.dialog.close()}>${t.settings.cancel}</button>
        <button class="button danger" @click=${this.agreed}>${this.question?.agree}</button>
      </div>
    </dialog>`;
  }
}
