// Which axis of the file points up, where the file says otherwise.
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { organizationApi } from "../../api/organization";
import type { Asset, KnownAsset } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { shared } from "../../styles/shared";

const axes = ["y", "z", "x", "-y", "-z", "-x"] as const;

@customElement("vt-up-axis")
export class UpAxisSelect extends LitElement {
  static override styles = [
    shared,
    css`
      label {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        padding: 8px 12px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      select {
        color: var(--ink);
      }
    `,
  ];

  @property({ attribute: false }) asset!: KnownAsset;
  @state() private saving = false;

  // The page follows when the new version is imported.
  private async choose(event: Event): Promise<void> {
    const select = event.target as HTMLSelectElement;
    this.saving = true;
    try {
      await organizationApi.change(this.asset.id, { upAxis: (select.value || null) as Asset["upAxis"] });
      toast(t.organize.turning);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    this.saving = false;
  }

  override render() {
    const chosen = this.asset.upAxis ?? "";
    const option = (value: string, label: string) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
    return html`<label
      >${t.organize.upAxis}
      <select class="button small" .value=${live(chosen)} ?disabled=${this.saving || this.asset.status !== "ready"} @change=${this.choose}>
        ${option("", t.organize.axisOfFile)} ${axes.map((axis) => option(axis, axis.toUpperCase()))}
      </select></label
    >`;
  }
}
