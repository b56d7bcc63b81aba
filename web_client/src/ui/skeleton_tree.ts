// The skeleton as a tree for keyboards and screen readers; search, collapse, properties of the selected joint.
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Joint } from "../api/types";
import { t } from "../i18n";
import { matchCount, visibleRows } from "../state/tree";
import type { Row } from "../state/tree";
import { panelStyles } from "../styles/panel";
import { shared } from "../styles/shared";
import { copyText } from "../state/clipboard";
import { formatCount } from "../util/format";
import { icons } from "../styles/icons";
import { skeletonStyles } from "../styles/skeleton";

@customElement("vt-skeleton-tree")
export class SkeletonTree extends LitElement {
  static override styles = [shared, panelStyles, skeletonStyles];

  @property({ attribute: false }) joints: Joint[] | null = null;
  @state() private search = "";
  @state() private collapsed: ReadonlySet<number> = new Set();
  @state() private active: number | null = null;
  @state() private chosen: number | null = null;

  private rows(): Row[] {
    return visibleRows(this.joints ?? [], this.collapsed, this.search);
  }

  private fold(index: number, folded: boolean): void {
    const next = new Set(this.collapsed);
    if (folded) next.add(index);
    else next.delete(index);
    this.collapsed = next;
  }

  private foldAll(): void {
    const joints = this.joints ?? [];
    const parents = new Set(joints.map((joint) => joint.parent).filter((parent): parent is number => parent !== null));
    this.collapsed = this.collapsed.size ? new Set() : parents;
  }

  private choose(index: number): void {
    this.active = index;
    this.chosen = this.chosen === index ? null : index;
  }

  private async focusRow(index: number): Promise<void> {
    this.active = index;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`[data-joint="${index}"]`)?.focus();
  }

  // Keyboard interaction of the tree pattern (ARIA APG).
  private keyed(event: KeyboardEvent): void {
    const rows = this.rows();
    const at = rows.findIndex((row) => row.joint.index === this.active);
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = this.keyTarget(event.key, rows, at, row);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (target) void this.focusRow(target.joint.index);
  }

  // Returns the row to select; null: the key was handled; undefined: the key is not handled.
  private keyTarget(key: string, rows: Row[], at: number, row: Row): Row | null | undefined {
    switch (key) {
      case "ArrowDown":
        return rows[at + 1] ?? null;
      case "ArrowUp":
        return rows[at - 1] ?? null;
      case "Home":
        return rows[0] ?? null;
      case "End":
        return rows[rows.length - 1] ?? null;
      case "ArrowRight":
        if (row.children > 0 && row.expanded) return rows[at + 1] ?? null;
        if (row.children > 0) this.fold(row.joint.index, false);
        return null;
      case "ArrowLeft":
        if (row.children > 0 && row.expanded && !this.search) this.fold(row.joint.index, true);
        else return rows.find((other) => other.joint.index === row.joint.parent) ?? null;
        return null;
      case "Enter":
      case " ":
        this.choose(row.joint.index);
        return null;
      default:
        return undefined;
    }
  }

  override render() {
    const { joints } = this;
    if (!joints) return html`<div class="loading">${Array.from({ length: 8 }, () => html`<div class="shimmer"></div>`)}</div>`;
    if (joints.length === 0) return html`<p class="empty">${t.skeleton.empty}</p>`;
    const rows = this.rows();
    const active = rows.some((row) => row.joint.index === this.active) ? this.active : (rows[0]?.joint.index ?? null);
    this.active = active;
    return html`
      <div class="tools">
        <input class="field" type="search" autocomplete="off" spellcheck="false" placeholder=${t.skeleton.search} aria-label=${t.skeleton.search} .value=${this.search} @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)} />
        <button class="button small quiet" @click=${this.foldAll}>${this.collapsed.size ? t.skeleton.expand : t.skeleton.collapse}</button>
      </div>
      <p class="count" role="status">${this.search ? t.skeleton.found(matchCount(joints, this.search)) : t.skeleton.count(joints.length)}</p>
      ${rows.length === 0
        ? html`<p class="empty">${t.skeleton.noMatch}</p>`
        : html`<div role="tree" aria-label=${t.skeleton.label} @keydown=${this.keyed}>
            ${repeat(rows, (row) => row.joint.index, (row) => this.renderRow(row, row.joint.index === active))}
          </div>`}
    `;
  }

  private renderRow(row: Row, active: boolean) {
    const { joint } = row;
    const chosen = this.chosen === joint.index;
    return html`<div
        role="treeitem"
        data-joint=${joint.index}
        class="row ${row.match ? "match" : ""}"
        aria-level=${row.level}
        aria-posinset=${row.position}
        aria-setsize=${row.siblings}
        aria-expanded=${row.children ? (row.expanded ? "true" : "false") : nothing}
        aria-selected=${chosen ? "true" : "false"}
        aria-label=${joint.name}
        tabindex=${active ? 0 : -1}
        .style=${`--level: ${row.level - 1}`}
        @click=${() => this.choose(joint.index)}
        @focus=${() => (this.active = joint.index)}
      >
        <span class="twist ${row.expanded ? "open" : ""}" aria-hidden="true" @click=${(event: Event) => this.twisted(event, row)}>${row.children ? icons.chevron : nothing}</span>
        <span class="name">${joint.name}</span>
        ${joint.vertices ? html`<span class="weight numbers" aria-hidden="true">${formatCount(joint.vertices)}</span>` : nothing}
      </div>
      ${chosen ? this.renderDetails(joint) : nothing}`;
  }

  private twisted(event: Event, row: Row): void {
    if (!row.children) return;
    event.stopPropagation();
    this.fold(row.joint.index, row.expanded);
  }

  private renderDetails(joint: Joint) {
    const numbers = (values: number[] | undefined) => (values ?? []).map((value) => Number(value.toFixed(4))).join("  ");
    return html`<div class="details" role="none">
      ${joint.vertices === undefined ? nothing : html`<p>${t.skeleton.vertices(joint.vertices.toLocaleString("en"))}</p>`}
      ${joint.local
        ? html`<dl class="mono">
            <dt>${t.skeleton.translation}</dt><dd>${numbers(joint.local.translation)}</dd>
            <dt>${t.skeleton.rotation}</dt><dd>${numbers(joint.local.rotation)}</dd>
            <dt>${t.skeleton.scale}</dt><dd>${numbers(joint.local.scale)}</dd>
          </dl>`
        : nothing}
      <button class="button small" tabindex="-1" @click=${() => void copyText(joint.name)}>${icons.copy}${t.skeleton.copyName}</button>
    </div>`;
  }
}
