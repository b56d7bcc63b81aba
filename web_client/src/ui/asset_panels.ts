// The tabs beside the preview of one model: clips, skeleton, materials, properties, files, versions, notes, similar models.
import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";

import type { AssetFile, Clip, Joint, KnownAsset, Material, Warning } from "../api/types";
import { t } from "../i18n";
import type { PreviewStore } from "../preview/preview_store";
import { access, hidesFiles } from "../state/access";
import { versionOf } from "../state/router";
import "./asset_properties";
import "./clip_facts";
import "./clip_list";
import "./files";
import "./findings";
import "./fitting_list";
import "./instance_form";
import "./layer_list";
import "./materials";
import "./notes/note_markers";
import "./notes/note_panel";
import "./organize/asset_facts";
import "./organize/field_values";
import "./organize/up_axis_select";
import "./similar_list";
import "./skeleton_tree";
import "./stale_facts";
import "./tabs";
import "./versions";

export type Tab = keyof typeof t.asset.tabs;

// null: not received yet.
export interface PanelData {
  asset: KnownAsset;
  model: PreviewStore | null;
  clips: Clip[];
  joints: Joint[] | null;
  materials: Material[] | null;
  warnings: Warning[] | null;
  files: AssetFile[] | null;
}

export type ReplaceClips = (clips: Clip[], chosen?: string) => void;

// `selected`: null, or a tab that this asset lacks: the first one with content is shown.
export function assetPanels(data: PanelData, selected: Tab | null, choose: (tab: Tab) => void, replaceClips: ReplaceClips) {
  const { asset } = data;
  const failed = asset.status === "failed";
  const versionsTab = { id: "versions" as const, label: t.asset.tabs.versions };
  const tabs: { id: Tab; label: string; count?: number }[] = failed
    ? [{ id: "files", label: t.asset.tabs.files }, { id: "properties", label: t.asset.tabs.properties }, versionsTab]
    : [
        { id: "clips", label: t.asset.tabs.clips, count: data.clips.length },
        { id: "skeleton", label: t.asset.tabs.skeleton, count: asset.counts?.joints },
        { id: "materials", label: t.asset.tabs.materials, count: asset.counts?.materials },
        { id: "properties", label: t.asset.tabs.properties },
        { id: "files", label: t.asset.tabs.files, count: data.files?.length },
        versionsTab,
        { id: "notes", label: t.asset.tabs.notes },
        { id: "similar", label: t.asset.tabs.similar },
      ];
  const { shared } = access;
  const hidden: Tab[] = [...(hidesFiles() ? ["files" as const] : []), ...(shared ? (["versions", "notes", "similar"] as const) : [])];
  const shown = tabs.filter(({ id }) => !hidden.includes(id));
  const first = failed ? "files" : asset.counts?.clips === 0 ? "properties" : "clips";
  const chosen = shown.find((tab) => tab.id === selected)?.id ?? first;
  return html`${asset.facts ? keyed(asset.id, html`<vt-stale-facts .assetId=${asset.id}></vt-stale-facts>`) : nothing}
    <vt-tabs .tabs=${shown} .chosen=${chosen} @vt-choose=${(event: CustomEvent<Tab>) => choose(event.detail)}>${panel(chosen, data, replaceClips)}</vt-tabs>`;
}

function motionPanels(asset: KnownAsset, model: PreviewStore, clips: Clip[], joints: Joint[]) {
  const rigged = (asset.counts?.joints ?? 0) > 0;
  const motionOnly = clips.length > 0 && asset.counts?.vertices === 0;
  return html`<div class="motion">
    ${clips.length ? html`<vt-layer-list .model=${model} .clips=${clips} .joints=${joints}></vt-layer-list>` : nothing}
    ${motionOnly || asset.counts?.vertices === 0 ? nothing : html`<vt-instance-form .model=${model}></vt-instance-form>`}
    ${motionOnly && !access.shared ? html`<vt-fitting-list characters .assetId=${asset.id} .model=${model}></vt-fitting-list>` : nothing}
    <vt-clip-facts .assetId=${asset.id} .model=${model}></vt-clip-facts>
    ${rigged && !access.shared ? html`<vt-fitting-list .assetId=${asset.id} .model=${model}></vt-fitting-list>` : nothing}
    <vt-findings .assetId=${asset.id} .model=${model}></vt-findings>
  </div>`;
}

function panel(tab: Tab, { asset, model, clips, joints, materials, warnings, files }: PanelData, replaceClips: ReplaceClips) {
  const isVersion = versionOf(asset.id) !== null;
  const fixed = isVersion || !access.mayChange(asset);
  switch (tab) {
    case "clips":
      return keyed(model, html`<vt-clip-list .assetId=${asset.id} .fixed=${fixed} .clips=${clips} .model=${model} .changed=${replaceClips}></vt-clip-list>${model ? motionPanels(asset, model, clips, joints ?? []) : nothing}`);
    case "skeleton":
      return html`<vt-skeleton-tree .joints=${joints}></vt-skeleton-tree>`;
    case "materials":
      return html`<vt-materials .materials=${materials} .count=${asset.counts?.materials ?? 0}></vt-materials>`;
    case "properties":
      return html`${isVersion || access.shared ? nothing : html`<div class="facts"><vt-asset-facts .asset=${asset} ?fixed=${fixed}></vt-asset-facts><vt-field-values .asset=${asset} ?fixed=${fixed}></vt-field-values>${fixed ? nothing : html`<vt-up-axis .asset=${asset}></vt-up-axis>`}</div>`}${keyed(model, html`<vt-properties .asset=${asset} .model=${model} .warnings=${warnings}></vt-properties>`)}`;
    case "notes":
      return keyed(model ?? asset.id, html`<vt-notes .assetId=${asset.id} .model=${model} ?fixed=${fixed}></vt-notes>`);
    case "similar":
      return html`<vt-similar-list .asset=${asset}></vt-similar-list>`;
    case "versions":
      return html`<vt-versions .assetId=${asset.id} .name=${asset.name} ?fixed=${!access.mayChange(asset)}></vt-versions>`;
    case "files":
      return html`<vt-files .assetId=${asset.id} .mainFile=${asset.mainFile ?? ""} .files=${files} .glb=${asset.status === "ready" ? asset.name : ""}></vt-files>`;
  }
}
