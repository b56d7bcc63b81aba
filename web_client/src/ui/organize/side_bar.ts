// Collections as a tree, tags, and the trash; each is a filter of the library.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { collectionRows } from "../../state/collections";
import { organization } from "../../state/organization";
import { emptyQuery, queryFromUrl, urlOfQuery } from "../../state/query";
import type { LibraryQuery } from "../../state/query";
import { router } from "../../state/router";
import { Watch } from "../../state/store";
import { shared } from "../../styles/shared";
import { icons } from "../../styles/icons";

@customElement("vt-side-bar")
export class SideBar extends LitElement {
  static override styles = [
    shared,
    css`
      nav {
        display: grid;
        gap: 4px;
        align-content: start;
      }
      h2 {
        margin: 14px 10px 2px;
        color: var(--ink-soft);
        font-size: 12px;
        font-weight: 600;
      }
      p {
        padding: 2px 10px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      li {
        display: flex;
        align-items: center;
        gap: 2px;
      }
      a {
        display: flex;
        flex: 1;
        align-items: center;
        gap: 8px;
        min-width: 0;
        min-height: 32px;
        padding: 4px 10px;
        border-radius: var(--radius-s);
        text-decoration: none;
      }
      a:hover {
        background: var(--hover);
      }
      a[aria-current] {
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
        font-weight: 600;
      }
      a span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      a small {
        margin-left: auto;
        font-size: 12px;
        font-variant-numeric: tabular-nums;
      }
      form {
        display: flex;
        gap: 6px;
        padding: 4px 0 4px 10px;
      }
      input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  @state() private naming = false;
  @query("input") private input!: HTMLInputElement | null;
  private readonly place = new Watch(this, router);
  private readonly watch = new Watch(this, organization);

  private async startNaming(): Promise<void> {
    this.naming = true;
    await this.updateComplete;
    this.input?.focus();
  }

  private async create(event: Event): Promise<void> {
    event.preventDefault();
    const name = this.input?.value.trim() ?? "";
    if (!name) return;
    await this.attempt(() => organizationApi.createCollection(name));
    this.naming = false;
  }

  private async discard({ id }: Collection): Promise<void> {
    await this.attempt(() => organizationApi.removeCollection(id));
    if (queryFromUrl(router.value.route.params).collection === id) router.replace("/");
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await organization.refresh();
  }

  override render() {
    const { collections, tags, loaded, error } = this.watch.value;
    const shown = queryFromUrl(this.place.value.route.params);
    return html`<nav aria-label=${t.organize.title}>
      ${error ? html`<p role="alert">${error}</p>` : nothing}
      <h2>${t.organize.collections}</h2>
      ${loaded && collections.length === 0 ? html`<p>${t.organize.noCollections}</p>` : nothing}
      <ul>
        ${collectionRows(collections).map(
          ({ collection, depth }) => html`<li .style=${`padding-left:${depth * 14}px`}>
            ${this.link(shown.collection === collection.id, { collection: collection.id }, collection.name, collection.assets)}
            <button class="button quiet small icon-only" aria-label=${t.organize.remove(collection.name)} @click=${() => this.discard(collection)}>${icons.close}</button>
          </li>`,
        )}
      </ul>
      ${this.naming ? this.renderForm() : html`<button class="button quiet small" @click=${this.startNaming}>${t.organize.newCollection}</button>`}
      <h2>${t.organize.tags}</h2>
      ${loaded && tags.length === 0 ? html`<p>${t.organize.noTags}</p>` : nothing}
      <ul>
        ${tags.map(({ name, assets }) => html`<li>${this.link(shown.tag === name, { tag: name }, name, assets)}</li>`)}
      </ul>
      <ul>
        <li>${this.link(shown.trash, { trash: true }, t.organize.trash)}</li>
      </ul>
    </nav>`;
  }

  // A second choice shows the whole library again.
  private link(current: boolean, changes: Partial<LibraryQuery>, name: string, count?: number) {
    const url = current ? "/" : urlOfQuery({ ...emptyQuery, ...changes });
    return html`<a href=${url} aria-current=${current ? "page" : nothing} aria-label=${count === undefined ? nothing : t.organize.show(name, count)}>
      <span>${name}</span>${count === undefined ? nothing : html`<small>${count.toLocaleString("en")}</small>`}
    </a>`;
  }

  private renderForm() {
    return html`<form @submit=${this.create}>
      <input class="field" aria-label=${t.organize.newName} maxlength="255" autocomplete="off" required />
      <button class="button small">${t.organize.create}</button>
    </form>`;
  }
}
