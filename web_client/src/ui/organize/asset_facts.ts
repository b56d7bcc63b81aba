// Tags, license, author and source of one model, to be changed.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { AssetFacts } from "../../api/organization";
import type { KnownAsset } from "../../api/types";
import { t } from "../../i18n";
import { announce, toast } from "../../state/announce";
import { changeTags, withTags } from "../../state/asset_tags";
import type { TagChange } from "../../state/asset_tags";
import { sentenceOf } from "../../state/library_store";
import { nestedPanelStyles } from "../../styles/panel";
import { shared } from "../../styles/shared";
import { icons } from "../../styles/icons";

@customElement("vt-asset-facts")
export class AssetFactsForm extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        padding: 0 12px;
      }
      li {
        display: flex;
        align-items: center;
        padding-left: 10px;
        border: 1px solid var(--line);
        border-radius: 16px;
        font-size: 13px;
      }
      .fixed li {
        padding: 3px 10px;
      }
      form {
        display: grid;
        gap: 8px;
        padding: 8px 12px;
      }
      form.tag {
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: center;
      }
      label {
        display: grid;
        grid-template-columns: 72px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      label input {
        color: var(--ink);
      }
    `,
  ];

  @property({ attribute: false }) asset!: KnownAsset;
  @property({ type: Boolean }) fixed = false; // is shown, and not changed
  @state() private tags: string[] | null = null; // after a change, until the asset is read again
  @query("form.tag input") private input!: HTMLInputElement;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("asset")) this.tags = null;
  }

  private async save(facts: AssetFacts): Promise<void> {
    try {
      await organizationApi.change(this.asset.id, facts);
      announce(t.organize.saved);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  private async change(change: TagChange): Promise<void> {
    const { id } = this.asset;
    const problem = await changeTags(id, change);
    if (problem !== null) return toast(problem, "error");
    announce(t.organize.saved);
    if (id === this.asset.id) this.tags = withTags(this.shownTags(), change);
  }

  private shownTags(): string[] {
    return this.tags ?? this.asset.tags;
  }

  private addTag(event: Event): void {
    event.preventDefault();
    const name = this.input.value.trim();
    this.input.value = "";
    if (name) void this.change({ op: "tag", tags: [name] });
  }

  private saveFacts(event: Event): void {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(data.get(name) ?? "").trim() || null;
    const entered = { license: text("license"), author: text("author"), sourceUrl: text("source") };
    // What the file declares stays the file's unless it is changed.
    const changed = Object.entries(entered).filter(([name, value]) => value !== this.asset[name as keyof AssetFacts]);
    void this.save(Object.fromEntries(changed));
  }

  override render() {
    if (this.fixed) return this.renderFixed();
    const { license, author, sourceUrl } = this.asset;
    return html`<h2>${t.organize.tags}</h2>
      <ul>
        ${this.shownTags().map(
          (tag) => html`<li>
            ${tag}<button class="button quiet small icon-only" aria-label=${t.organize.removeTag(tag)} @click=${() => this.change({ op: "untag", tags: [tag] })}>${icons.close}</button>
          </li>`,
        )}
      </ul>
      <form class="tag" @submit=${this.addTag}>
        <input class="field" aria-label=${t.organize.newTag} placeholder=${t.organize.newTag} maxlength="64" autocomplete="off" />
        <button class="button small">${t.organize.addTag}</button>
      </form>
      <h2>${t.organize.about}</h2>
      <form @submit=${this.saveFacts}>
        <label>${t.organize.license}<input class="field" name="license" maxlength="255" .value=${license ?? ""} /></label>
        <label>${t.organize.author}<input class="field" name="author" maxlength="255" .value=${author ?? ""} /></label>
        <label>${t.organize.source}<input class="field" name="source" type="url" pattern="https?://.+" title=${t.organize.badSource} maxlength="2000" .value=${sourceUrl ?? ""} /></label>
        <button class="button small">${t.organize.save}</button>
      </form>`;
  }

  private renderFixed() {
    const { license, author, sourceUrl } = this.asset;
    const tags = this.shownTags();
    const given = [[t.organize.license, license], [t.organize.author, author]].filter(([, value]) => value);
    return html`${tags.length > 0 ? html`<h2>${t.organize.tags}</h2><ul class="fixed">${tags.map((tag) => html`<li>${tag}</li>`)}</ul>` : nothing}
      ${given.length > 0 || sourceUrl
        ? html`<h2>${t.organize.about}</h2>
            <dl class="table">
              ${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
              ${sourceUrl ? html`<div><dt>${t.organize.source}</dt><dd>${linkOrText(sourceUrl)}</dd></div>` : nothing}
            </dl>`
        : nothing}`;
  }
}

// Sources may come from the file: only web addresses are links.
function linkOrText(source: string) {
  return /^https?:\/\//.test(source) ? html`<a href=${source} target="_blank" rel="noopener noreferrer">${source}</a>` : source;
}
