// The actions of a model's page: favorite, cover, and those of the page itself.
import { html } from "lit";

import { organizationApi } from "../../api/organization";
import type { Cover, KnownAsset } from "../../api/types";
import { t } from "../../i18n";
import { coverOf } from "../../preview/cover";
import type { PreviewStore } from "../../preview/preview_store";
import { access } from "../../state/access";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import "../controls/menu";
import type { MenuItem } from "../controls/menu";
import "./favorite_button";

async function save(id: string, cover: Cover | null): Promise<void> {
  try {
    await organizationApi.change(id, { cover });
    toast(cover ? t.organize.coverSaved : t.organize.coverReset);
  } catch (error) {
    toast(sentenceOf(error), "error");
  }
}

function useView(id: string, model: PreviewStore): void {
  const cover = coverOf(model.view, model.live.value.time);
  if (cover) void save(id, cover);
  else toast(t.organize.noCoverOfLayers, "error");
}

function coverItems(asset: KnownAsset, model: PreviewStore | null): MenuItem[] {
  const items: MenuItem[] = model ? [{ label: t.organize.useAsCover, run: () => useView(asset.id, model) }] : [];
  if (asset.cover) items.push({ label: t.organize.resetCover, run: () => void save(asset.id, null) });
  return items;
}

// `items`: the last one comes after those of the cover, which only those have who may change the asset.
export function assetMenu(asset: KnownAsset, model: PreviewStore | null, items: MenuItem[]) {
  const covers = access.mayChange(asset) ? coverItems(asset, model) : [];
  return html`<vt-favorite .assetId=${asset.id} .name=${asset.name}></vt-favorite>
    <vt-menu label=${t.asset.actions} .items=${[...items.slice(0, -1), ...covers, ...items.slice(-1)]}></vt-menu>`;
}
