// What can be done with a collection by the person, with the dialogs for it.
import { LitElement, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { organizationApi } from "../../api/organization";
import type { Collection } from "../../api/types";
import { t } from "../../i18n";
import { access, openShareDialog } from "../../state/access";
import { moveCollection } from "../../state/collection_order";
import { attemptChange, organization } from "../../state/organization";
import { siblingsOf } from "../../state/collections";
import { queryFromUrl, urlOfQuery, withGroup } from "../../state/query";
import { router } from "../../state/router";
import { Watch } from "../../state/store";
import { shared } from "../../styles/shared";
import "../controls/menu";
import type { MenuItem } from "../controls/menu";
import "./arrange_dialog";
import type { ArrangeDialog } from "./arrange_dialog";
import "./collection_dialog";
import type { CollectionDialog } from "./collection_dialog";
import { downloadForm } from "./download";
import "./field_dialog";
import type { FieldDialog } from "./field_dialog";
import "./grants_dialog";
import type { GrantsDialog } from "./grants_dialog";

interface CollectionDialogElement extends LitElement {
  show(collection: Collection): unknown;
}

@customElement("vt-collection-menu")
export class CollectionMenu extends LitElement {
  static override styles = [shared];

  @property({ attribute: false }) collection!: Collection;
  @state() private hasDialogs = false; // from the first one on
  @query("vt-collection-dialog") private editor!: CollectionDialog;
  @query("vt-arrange-dialog") private order!: ArrangeDialog;
  @query("vt-field-dialog") private fields!: FieldDialog;
  @query("vt-grants-dialog") private grants!: GrantsDialog;
  protected readonly access = new Watch(this, access);

  private async open(dialog: () => CollectionDialogElement): Promise<void> {
    this.hasDialogs = true;
    await this.updateComplete;
    await dialog().updateComplete;
    dialog().show(this.collection);
  }

  private async discard(): Promise<void> {
    const { id } = this.collection;
    await attemptChange(() => organizationApi.removeCollection(id));
    const query = queryFromUrl(router.value.route.params);
    if (query.collection === id) router.replace(urlOfQuery(withGroup(query, { collection: "" })));
  }

  private editItems(): MenuItem[] {
    const { collection } = this;
    const siblings = siblingsOf(collection, organization.value.collections);
    const at = siblings.findIndex(({ id }) => id === collection.id);
    return [
      { label: t.organize.editShort, run: () => void this.open(() => this.editor) },
      ...(collection.assets > 1 ? [{ label: t.organize.arrange, run: () => void this.open(() => this.order) }] : []),
      ...(at > 0 ? [{ label: t.organize.moveUp, run: () => void moveCollection(collection, at - 1) }] : []),
      ...(at >= 0 && at + 1 < siblings.length ? [{ label: t.organize.moveDown, run: () => void moveCollection(collection, at + 1) }] : []),
    ];
  }

  private items(): MenuItem[] {
    const { collection } = this;
    const { id, name } = collection;
    return [
      ...(access.mayChange(collection) ? this.editItems() : []),
      ...(access.mayEdit ? [{ label: t.fields.manage, run: () => void this.open(() => this.fields) }] : []),
      ...(access.canShare ? [{ label: t.share.action, run: () => openShareDialog({ collection: id, name }) }] : []),
      ...(access.mayGrant(collection) ? [{ label: t.organize.grants.action, run: () => void this.open(() => this.grants) }] : []),
      { label: t.organize.downloadCollection, run: () => downloadForm({ collection: id, descendants: "true" }) },
      { label: t.organize.exportCollection, run: () => downloadForm({ collection: id, descendants: "true", format: "glb" }) },
      ...(access.mayRemove(collection) ? [{ label: t.organize.removeCollection, danger: true, run: () => void this.discard() }] : []),
    ];
  }

  override render() {
    return html`<vt-menu label=${t.organize.collectionActions(this.collection.name)} .items=${this.items()}></vt-menu>
      ${this.hasDialogs
        ? html`<vt-collection-dialog></vt-collection-dialog><vt-arrange-dialog></vt-arrange-dialog><vt-field-dialog></vt-field-dialog><vt-grants-dialog></vt-grants-dialog>`
        : nothing}`;
  }
}
