// Facts of the clip that plays.
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { api } from "../api/client";
import type { ClipFacts } from "../api/types";
import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { nestedPanelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { formatLength, formatSeconds } from "../util/format";

const shownContacts = 8;

@customElement("vt-clip-facts")
export class ClipFactsPanel extends LitElement {
  static override styles = [shared, nestedPanelStyles];

  @property() assetId = "";
  @property({ attribute: false }) model!: PreviewStore;
  @state() private facts: { clip: string; asset: string; found: ClipFacts } | null = null;
  private watch: Watch<PreviewState> | null = null;
  private wanted = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  // The asset and the clip that plays: it may be one of another asset.
  private get shown(): { asset: string; clip: string } | null {
    const { clip } = this.model;
    return clip ? { asset: this.model.value.lent?.asset ?? this.assetId, clip: clip.id } : null;
  }

  protected override willUpdate(): void {
    const { shown } = this;
    const key = shown ? `${shown.asset}/${shown.clip}` : "";
    if (key === this.wanted) return;
    this.wanted = key;
    if (shown) void this.readFacts(shown.asset, shown.clip, key);
  }

  private async readFacts(asset: string, clip: string, key: string): Promise<void> {
    const found = await api.clipFacts(asset, clip).catch(() => null);
    if (found && key === this.wanted) this.facts = { asset, clip, found };
  }

  override render() {
    const { shown, facts } = this;
    if (!shown || facts?.asset !== shown.asset || facts.clip !== shown.clip) return nothing;
    return html`<h2>${t.facts.title(this.model.clip?.name || t.facts.thisClip)}</h2>
      <dl class="table facts">
        ${rowsOf(facts.found).map(([name, value, hint]) => html`<div><dt title=${hint ?? nothing}>${name}</dt><dd>${value}</dd></div>`)}
      </dl>`;
  }

}

type Row = [name: string, value: unknown, hint?: string];

function rowsOf(facts: ClipFacts): Row[] {
  const range = facts.loopRange as [number, number] | null;
  const best = range && !facts.loops ? t.facts.bestLoop(formatSeconds(range[0]), formatSeconds(range[1])) : t.facts.no;
  const rows: Row[] = [
    [t.facts.loops, facts.loops ? t.facts.yes : best, t.facts.loopsHint],
    [t.facts.inPlace, facts.inPlace ? t.facts.yes : t.facts.no],
    [t.facts.speed, t.facts.metersPerSecond(Number(facts.rootSpeed.toFixed(2)))],
    [t.facts.travels, lengthOf(facts.rootDistance)],
  ];
  if (facts.footContacts.length) {
    rows.push([t.facts.contacts, contactLines(facts)]);
    rows.push([t.facts.slide, lengthOf(facts.footSlide), t.facts.slideHint]);
  }
  if (facts.frozen) rows.push([t.facts.frozen, t.facts.yes]);
  rows.push([t.facts.keys, facts.keys.toLocaleString(t.locale)]);
  return rows;
}

// Without what rounding leaves.
function lengthOf(meters: number): string {
  return formatLength(Math.abs(meters) < 1e-4 ? 0 : meters);
}

function contactLines({ footContacts }: ClipFacts) {
  const lines = footContacts.slice(0, shownContacts).map(
    ({ joint, from, to }) => html`<div>${joint} ${t.facts.span(formatSeconds(from), formatSeconds(to))}</div>`,
  );
  return html`${lines}${footContacts.length > shownContacts ? html`<div>${t.facts.more(footContacts.length - shownContacts)}</div>` : nothing}`;
}
