// The audit log, the newest entries first.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";

import { accessApi } from "../../api/access";
import type { AuditEntry } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";

const texts = t.settings.audit;

@customElement("vt-audit-panel")
export class AuditPanel extends LitElement {
  static override styles = [
    shared,
    settingsStyles,
    css`
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        margin-bottom: 12px;
      }
      h2 {
        margin: 0;
      }
      label {
        display: flex;
        align-items: center;
      }
    `,
  ];

  @state() private entries: AuditEntry[] | null = null;
  @state() private next: string | null = null;
  @state() private action = "";
  @state() private actions: string[] = []; // of the entries that were read
  private names = new Map([["token:server", texts.serverToken]]); // of principals

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  private async open(): Promise<void> {
    const [users, tokens] = await Promise.all([accessApi.users(), accessApi.tokens()]).catch(() => [[], []]);
    for (const { id, name } of users) this.names.set(`user:${id}`, name);
    for (const { id, name } of tokens) this.names.set(`token:${id}`, name);
    await this.load(null);
  }

  private async load(cursor: string | null): Promise<void> {
    const { action } = this;
    const page = await accessApi.audit(action, cursor).catch((error: unknown) => toast(sentenceOf(error), "error"));
    if (!page || action !== this.action) return;
    this.entries = cursor === null ? page.items : [...(this.entries ?? []), ...page.items];
    this.next = page.next;
    this.actions = [...new Set([...this.actions, ...page.items.map((entry) => entry.action)])].sort();
  }

  private chosen(event: Event): void {
    this.action = (event.target as HTMLSelectElement).value;
    void this.load(null);
  }

  override render() {
    return html`<section>
      <div class="head">
        <h2>${t.settings.tabs.audit}</h2>
        <label>
          ${texts.action}
          <select class="field" @change=${this.chosen}>
            <option value="">${texts.all}</option>
            ${this.actions.map((action) => html`<option value=${action} ?selected=${action === this.action}>${action}</option>`)}
          </select>
        </label>
      </div>
      ${this.renderEntries()}
      ${this.next === null ? nothing : html`<button class="more button" @click=${() => void this.load(this.next)}>${t.settings.more}</button>`}
    </section>`;
  }

  private renderEntries() {
    if (!this.entries) return html`<span class="spinner"></span>`;
    if (this.entries.length === 0) return html`<p>${texts.none}</p>`;
    const titles = [texts.time, texts.who, texts.action, texts.subject, texts.address];
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${t.settings.tabs.audit}><table>
      <thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${this.entries.map((entry) => this.renderEntry(entry))}</tbody>
    </table></div>`;
  }

  private renderEntry(entry: AuditEntry) {
    return html`<tr>
      <td class="time numbers">${new Date(entry.time).toLocaleString()}</td>
      <td>${this.names.get(entry.principal) ?? entry.principal}</td>
      <td class="mono">${entry.action}</td>
      <td>${entry.detail || entry.subject}${entry.detail && entry.subject ? html`<small class="mono">${entry.subject}</small>` : nothing}</td>
      <td class="numbers">${entry.address}</td>
    </tr>`;
  }
}
