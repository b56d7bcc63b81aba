// Asks before assets are deleted for good.
import { LitElement, html } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { t } from "../../i18n";
import { shared } from "../../styles/shared";
import { dialogStyles } from "../../styles/dialog";

@customElement("vt-purge-dialog")
export class PurgeDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @property({ attribute: false }) confirm: () => void = () => undefined;
  @state() private count = 0;
  @query("dialog") private dialog!: HTMLDialogElement;

  show(count: number): void {
    this.count = count;
    this.dialog.showModal();
  }

  private agreed(): void {
    this.dialog.close();
    this.confirm();
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${t.organize.purgeTitle(this.count)}</h2>
      <p>${t.organize.purgeText}</p>
      <div class="buttons">
        <button class="button" @click=${() => this.dialog.close()}>${t.asset.cancel}</button>
        <button class="button danger" @click=${this.agreed}>${t.organize.purge}</button>
      </div>
    </dialog>`;
  }
}
