// Rename, delete, keys: native dialogs, so that focus stays inside and Escape closes.
import { LitElement, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { t } from "../i18n";
import { overlayNames } from "../preview/protocol";
import { dialogStyles } from "../styles/dialog";
import { shared } from "../styles/shared";

@customElement("vt-rename-dialog")
export class RenameDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @property({ attribute: false }) save: (name: string) => void = () => undefined;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("input") private input!: HTMLInputElement;

  show(name: string): void {
    this.input.value = name;
    this.dialog.showModal();
    this.input.select();
  }

  private submit(event: Event): void {
    event.preventDefault();
    const name = this.input.value.trim();
    this.dialog.close();
    if (name) this.save(name);
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <form @submit=${this.submit}>
        <h2 id="title">${t.asset.renameTitle}</h2>
        <label>${t.asset.renameLabel}<input class="field" required maxlength="255" autocomplete="off" spellcheck="false" /></label>
        <div class="buttons">
          <button type="button" class="button" @click=${() => this.dialog.close()}>${t.asset.cancel}</button>
          <button class="button primary">${t.asset.save}</button>
        </div>
      </form>
    </dialog>`;
  }
}

@customElement("vt-remove-dialog")
export class RemoveDialog extends LitElement {
  static override styles = [shared, dialogStyles];
  @property({ attribute: false }) confirm: () => void = () => undefined;
  @state() private name = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  show(name: string): void {
    this.name = name;
    this.dialog.showModal();
  }

  override render() {
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${t.asset.removeTitle(this.name)}</h2>
      <p>${t.asset.removeText}</p>
      <div class="buttons">
        <button class="button" @click=${() => this.dialog.close()}>${t.asset.cancel}</button>
        <button class="button danger" @click=${this.agreed}>${t.asset.remove}</button>
      </div>
    </dialog>`;
  }

  private agreed(): void {
    this.dialog.close();
    this.confirm();
  }
}

const items = t.shortcuts.items;
const sheet: { title: string; keys: [string[], string][] }[] = [
  { title: t.shortcuts.playback, keys: [[["Space"], items.space], [["←", "→"], items.arrows], [[",", "."], items.commaDot], [["Home", "End"], items.homeEnd], [["[", "]"], items.bracket]] },
  {
    title: t.shortcuts.camera,
    keys: [
      [["1"], items.one],
      [["3"], items.three],
      [["7"], items.seven],
      [["0"], items.zero],
      [["F"], items.f],
      [["Shift", "← ↑ ↓ →"], items.orbit],
      [["+", "−"], items.plusMinus],
    ],
  },
  { title: t.shortcuts.overlays, keys: overlayNames.map((name) => [[t.viewport.overlays[name].key.toUpperCase()], t.viewport.overlays[name].label]) },
  { title: t.shortcuts.everywhere, keys: [[["/", "Ctrl K"], items.search], [["?"], items.help]] },
];

@customElement("vt-shortcuts")
export class Shortcuts extends LitElement {
  static override styles = [shared, dialogStyles];
  @query("dialog") private dialog!: HTMLDialogElement;

  show(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  override render() {
    return html`<dialog class="wide" aria-labelledby="title">
      <h2 id="title">${t.shortcuts.title}</h2>
      <div class="columns">
        ${sheet.map(
          (group) => html`<section>
            <h3>${group.title}</h3>
            <dl>
              ${group.keys.map(
                ([keys, meaning]) => html`<div>
                  <dt>${meaning}</dt>
                  <dd>${keys.map((key, index) => html`${index ? " " : nothing}<kbd>${key}</kbd>`)}</dd>
                </div>`,
              )}
            </dl>
          </section>`,
        )}
      </div>
      <div class="buttons"><button class="button" @click=${() => this.dialog.close()}>${t.shortcuts.close}</button></div>
    </dialog>`;
  }
}
