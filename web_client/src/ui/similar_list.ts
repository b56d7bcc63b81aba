// Models that are nearly the same as one, by what the user chooses to compare.
import { LitElement, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { api, assetUrl } from "../api/client";
import type { KnownAsset, Similar, SimilarBy } from "../api/types";
import { t } from "../i18n";
import { toast } from "../state/announce";
import { sentenceOf } from "../state/library_store";
import { assetPath, versionOf } from "../state/router";
import { kindsOf } from "../state/similar";
import { icons } from "../styles/icons";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { similarListStyles } from "../styles/similar_list_styles";
import { sentence } from "../util/format";

@customElement("vt-similar-list")
export class SimilarList extends LitElement {
  static override styles = [shared, panelStyles, similarListStyles];

  @property({ attribute: false }) asset!: KnownAsset;
  @state() private by: SimilarBy | null = null; // null: the first kind
  @state() private items: Similar[] | null = null;
  @state() private next: string | null = null;
  @state() private complete = true;
  @state() private error = "";
  private shown = ""; // asset, its content and kind
  private abort = new AbortController();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.abort.abort();
    this.shown = "";
  }

  private get assetId(): string {
    return versionOf(this.asset.id)?.asset ?? this.asset.id;
  }

  private get kind(): SimilarBy {
    const kinds = kindsOf(this.asset);
    return this.by && kinds.includes(this.by) ? this.by : (kinds[0] ?? "bytes");
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const wanted = `${this.assetId} ${this.asset.version} ${this.kind}`;
    if (wanted !== this.shown) this.begin(wanted);
  }

  private begin(wanted: string): void {
    this.shown = wanted;
    this.items = this.next = null;
    this.abort.abort();
    this.abort = new AbortController();
    void this.read(null);
  }

  private async read(cursor: string | null): Promise<void> {
    const { signal } = this.abort;
    this.error = "";
    try {
      const page = await api.similar(this.assetId, this.kind, cursor, signal);
      if (signal.aborted) return;
      this.items = cursor === null ? page.items : [...(this.items ?? []), ...page.items];
      this.next = page.next;
      this.complete = page.complete;
    } catch (error) {
      if (signal.aborted) return;
      if (cursor === null) this.error = sentenceOf(error);
      else toast(sentenceOf(error), "error");
    }
  }

  override render() {
    const kind = this.kind;
    return html`<h2 id="title">${t.similar.title}</h2>
      <fieldset class="kinds">
        <legend class="visually-hidden">${t.similar.by}</legend>
        ${kindsOf(this.asset).map(
          (by) => html`<label>
            <input type="radio" name="by" value=${by} .checked=${by === kind} @change=${() => (this.by = by)} /><span>${t.similar.kinds[by]}</span>
          </label>`,
        )}
      </fieldset>
      <p class="hint">${t.similar.hints[kind]}</p>
      <div aria-live="polite" aria-busy=${this.items || this.error ? "false" : "true"}>${this.renderBody(kind)}</div>`;
  }

  private renderBody(kind: SimilarBy) {
    if (this.error)
      return html`<div class="empty" role="alert"><p>${sentence(this.error)}</p><button class="button small" @click=${() => void this.read(null)}>${t.similar.again}</button></div>`;
    if (!this.items) return html`<ul>${[1, 2, 3, 4].map(() => html`<li class="waiting"><span class="shimmer"></span></li>`)}</ul>`;
    if (this.items.length === 0) return html`<div class="empty"><span class="mark">${icons.cube}</span><p>${t.similar.none[kind]}</p><small>${t.similar.noneHint}</small></div>`;
    return html`<ul aria-labelledby="title">${repeat(this.items, ({ asset }) => asset.id, (item) => this.renderItem(item))}</ul>
      ${this.complete ? nothing : html`<p class="hint">${t.similar.cut}</p>`}
      ${this.next === null ? nothing : html`<button class="more button quiet small" @click=${() => void this.read(this.next)}>${t.similar.more}</button>`}`;
  }

  private renderItem({ asset, score, reason }: Similar) {
    return html`<li>
      <a href="${assetPath(asset.id)}?tab=similar">
        <span class="picture"><img src=${assetUrl(asset.id, "/thumbnail?size=128")} alt="" loading="lazy" decoding="async" @error=${hideImage} /></span>
        <span class="name" title=${asset.name}>${asset.name}</span>
        <span class="score numbers">${t.similar.percent(score)}</span>
        <span class="reason">${sentence(reason)}</span>
      </a>
    </li>`;
  }
}

function hideImage(event: Event): void {
  (event.target as HTMLImageElement).hidden = true;
}
