// Says that what the page lists about a model was found by another version of Vitrine, and what happens about it.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { api } from "../api/client";
import type { Job } from "../api/types";
import { t } from "../i18n";
import { library } from "../state/library_store";
import { shared } from "../styles/shared";
import { sentence } from "../util/format";
import { icons } from "../styles/icons";

@customElement("vt-stale-facts")
export class StaleFacts extends LitElement {
  static override styles = [
    shared,
    css`
      p {
        display: grid;
        grid-template-columns: 18px minmax(0, 1fr);
        gap: 2px 10px;
        margin: 12px 12px 0;
        padding: 9px 12px;
        border-radius: var(--radius-s);
        background: var(--sunken);
        color: var(--ink-soft);
        font-size: 13px;
        overflow-wrap: anywhere;
      }
      strong {
        color: var(--ink);
        font-weight: 600;
      }
      svg {
        margin-top: 2px;
      }
      .failed {
        color: var(--warn);
      }
    `,
  ];

  @property() assetId = "";
  @state() private job: Job | null = null; // the newest refresh
  private release = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.release = library.onEvent((event) => {
      if (event.type === "job" && event.job.asset === this.assetId && event.job.kind === "refresh") this.job = event.job;
      if (event.type === "reset") void this.read();
    });
    void this.read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.release();
  }

  // An event that has arrived meanwhile is newer.
  private async read(): Promise<void> {
    const before = this.job;
    const job = await api.newestRefresh(this.assetId).catch(() => null);
    if (job && this.job === before) this.job = job;
  }

  override render() {
    const state = this.job?.state;
    const isDue = state === "queued" || state === "running";
    const isFailed = state === "failed" || state === "cancelled";
    const text = isDue ? t.staleFacts.due : isFailed ? t.staleFacts.failed : t.staleFacts.other;
    const detail = this.job?.problem?.detail;
    return html`<p role="status">
      ${isDue ? html`<span class="spinner"></span>` : html`<span class=${isFailed ? "failed" : ""}>${icons.warning}</span>`}
      <span><strong>${text.title}</strong> ${text.text}${isFailed && detail ? html` ${sentence(detail).replace(/\.?$/, ".")}` : nothing}</span>
    </p>`;
  }
}
