// What the checks find in a model, first in the clip that plays.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { api } from "../api/client";
import type { Finding } from "../api/types";
import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { nestedPanelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { sentence } from "../util/format";
import { icons } from "../styles/icons";

const shownFindings = 20;

@customElement("vt-findings")
export class Findings extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      .findings li {
        position: relative; /* else the hidden words make the page as high as the list */
        display: grid;
        grid-template-columns: 18px minmax(0, 1fr);
        gap: 2px 10px;
        padding: 8px 12px;
      }
      .findings li + li {
        box-shadow: 0 -1px 0 var(--line);
      }
      .findings svg {
        margin-top: 1px;
        color: var(--ink-soft);
      }
      .findings .warning svg {
        color: var(--warn);
      }
      .findings .error svg {
        color: var(--danger);
      }
      small {
        grid-column: 2;
        color: var(--ink-soft);
      }
      p {
        padding: 4px 12px;
        color: var(--ink-soft);
      }
    `,
  ];

  @property() assetId = "";
  @property({ attribute: false }) model!: PreviewStore;
  @state() private findings: Finding[] | null = null;
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("assetId")) void this.readFindings(this.assetId);
  }

  private async readFindings(id: string): Promise<void> {
    const checks = await api.checks(id).catch(() => null);
    if (id === this.assetId) this.findings = checks?.items ?? null;
  }

  override render() {
    const { findings } = this;
    if (!findings) return nothing;
    if (findings.length === 0) return html`<h2>${t.facts.findings}</h2><p>${t.facts.noFindings}</p>`;
    const clip = this.model.ownClip;
    const own = (finding: Finding) => clip !== null && (finding.path === `/clips/${clip}` || finding.path.startsWith(`/clips/${clip}/`));
    const ordered = [...findings.filter(own), ...findings.filter((finding) => !own(finding))];
    return html`<h2>${t.facts.findings}</h2>
      <ul class="findings" aria-label=${t.facts.findings}>
        ${ordered.slice(0, shownFindings).map(
          (finding) => html`<li class=${finding.severity}>
            ${icons.warning}<span><span class="visually-hidden">${t.facts.severities[finding.severity]}: </span>${sentence(finding.message)}</span>
            <small class="mono">${finding.rule}${finding.path ? html` · ${finding.path}` : nothing}</small>
          </li>`,
        )}
      </ul>
      ${ordered.length > shownFindings ? html`<p>${t.facts.more(ordered.length - shownFindings)}</p>` : nothing}`;
  }
}
