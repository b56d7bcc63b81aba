// The collection that the library shows: its cover, its description, and what is inside.
import { LitElement, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import { assetUrl } from "../../api/client";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { access } from "../../state/access";
import { library } from "../../state/library_store";
import { organization } from "../../state/organization";
import { queryFromUrl, urlOfQuery, withGroup } from "../../state/query";
import { router } from "../../state/router";
import { shownCollection } from "../../state/shown_collection";
import { Watch } from "../../state/store";
import { collectionHeaderStyles } from "../../styles/collection_header_styles";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";
import "./collection_menu";

@customElement("vt-collection-header")
export class CollectionHeader extends LitElement {
  static override styles = [shared, collectionHeaderStyles];

  private readonly place = new Watch(this, router);
  private readonly groups = new Watch(this, organization);
  private readonly assets = new Watch(this, library);
  protected readonly access = new Watch(this, access);

  // The side bar, which reads the collections too, may be closed.
  protected override willUpdate(): void {
    const { route } = this.place.value;
    if (route.page === "library" && queryFromUrl(route.params).collection) organization.need();
  }

  override render() {
    const collection = shownCollection();
    if (!collection) return nothing;
    const above = pathTo(collection, this.groups.value.collections);
    const inside = this.groups.value.collections.filter(({ parent }) => parent === collection.id);
    return html`<section aria-labelledby="name">
      ${this.renderCover(collection)}
      <div class="text">
        ${above.length > 0 ? html`<nav aria-label=${t.organize.collection}>${above.map((one) => html`<a href=${this.urlOf(one.id)}>${one.name}</a><span aria-hidden="true">/</span>`)}</nav>` : nothing}
        <h2 id="name">${collection.name}</h2>
        ${collection.description ? html`<p class="description">${collection.description}</p>` : nothing}
        <p class="facts numbers">${t.organize.models(collection.assets)}${inside.length > 0 ? html` · ${t.organize.insideCount(inside.length)}` : nothing}</p>
        ${inside.length > 0 ? html`<ul>${inside.map((one) => html`<li><a class="inside" href=${this.urlOf(one.id)}>${icons.folder}${one.name}</a></li>`)}</ul>` : nothing}
      </div>
      <div class="acts">
        <vt-collection-menu .collection=${collection}></vt-collection-menu>
        <a class="button quiet icon-only" href=${this.urlOf("")} aria-label=${t.organize.leave} title=${t.organize.leave}>${icons.close}</a>
      </div>
    </section>`;
  }

  private urlOf(collection: string): string {
    return urlOfQuery(withGroup(queryFromUrl(this.place.value.route.params), { collection }));
  }

  // Without a chosen cover that of the first model that is shown.
  private renderCover({ cover }: Collection) {
    const first = this.assets.value.items.find(({ hasThumbnail }) => hasThumbnail);
    const asset = cover ?? first?.id;
    return html`<span class="cover">${asset ? html`<img src=${assetUrl(asset, "/thumbnail?size=256")} alt="" />` : icons.folder}</span>`;
  }
}

// Those above it, the outermost first.
export function pathTo({ parent }: Collection, collections: readonly Collection[]): Collection[] {
  const path: Collection[] = [];
  let id = parent;
  while (id !== null && path.length < 16) {
    const above = collections.find((one) => one.id === id);
    if (!above) break;
    path.unshift(above);
    id = above.parent;
  }
  return path;
}
