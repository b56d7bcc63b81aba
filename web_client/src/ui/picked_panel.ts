// Result of a pick: joint, node, material; joint weights as a heat map.
import { LitElement, css, html, nothing } from "lit";
import type { PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n";
import type { PreviewState } from "../preview/preview_state";
import { turnOf } from "../preview/joint_turns";
import type { PreviewStore } from "../preview/preview_store";
import type { Hit } from "../preview/protocol";
import { Watch } from "../state/store";
import { shared } from "../styles/shared";
import { announce } from "../state/announce";
import { icons } from "../styles/icons";

@customElement("vt-picked")
export class PickedPanel extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        position: absolute;
        right: 12px;
        bottom: 12px;
        z-index: 2;
        width: min(260px, calc(100% - 24px));
        padding: 8px 8px 12px 14px;
        border-radius: 10px;
        background: color-mix(in srgb, var(--raised) 94%, transparent);
        box-shadow: var(--shadow-2), 0 0 0 1px color-mix(in srgb, var(--line) 70%, transparent);
        backdrop-filter: blur(10px);
        font-size: 13px;
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        color: var(--ink-soft);
        font-size: 12px;
        font-weight: 600;
      }
      header .button {
        width: 28px;
        height: 28px;
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 4px 12px;
        margin: 2px 6px 0 0;
      }
      dt {
        color: var(--ink-soft);
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .parts,
      .weights,
      .reset-turns {
        margin-top: 10px;
      }
      @media (max-width: 720px) {
        :host {
          right: 8px;
          bottom: 40px;
        }
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  @property({ attribute: false }) hit!: Hit;
  private watch: Watch<PreviewState> | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("hit")) announce(this.sentence());
  }

  private sentence(): string {
    const { joint, node } = this.hit;
    return joint ? t.picked.announce(joint.name || t.picked.unnamed(joint.node)) : t.picked.announce(node.name || t.picked.unnamed(node.index));
  }

  private toggle(name: "weights" | "trails", node: number): void {
    announce(t.viewport.announceOverlay(t.viewport.overlays[name].label, this.model.toggleOverlayOf(name, node)));
  }

  override render() {
    const { joint, node, material } = this.hit;
    return html`<header>
        <span>${t.picked.title}</span>
        <button class="button quiet icon-only" aria-label=${t.picked.close} title=${t.picked.close} @click=${() => this.model.forgetPicked()}>${icons.close}</button>
      </header>
      <dl>
        ${joint ? html`<dt>${t.picked.joint}</dt><dd data-picked="joint">${joint.name || t.picked.unnamed(joint.node)} <span class="numbers">${t.picked.share(joint.weight)}</span></dd>` : nothing}
        ${joint ? html`<dt>${t.picked.turn}</dt><dd data-picked="turn" class="numbers" title=${t.picked.turnHint}>${t.picked.degrees(...turnOf(this.model.view.turn, joint.node))}</dd>` : nothing}
        <dt>${t.picked.node}</dt>
        <dd data-picked="node">${node.name || t.picked.unnamed(node.index)}</dd>
        <dt>${t.picked.material}</dt>
        <dd data-picked="material">${material ? material.name || t.picked.unnamed(material.index) : t.picked.noMaterial}</dd>
      </dl>
      <div class="parts">
        <button class="button" @click=${() => this.model.chooseLook({ hide: [...(this.model.view.hide ?? []), node.index] })}>${t.picked.hidePart}</button>
        <button class="button" @click=${() => this.model.chooseLook({ hide: null, only: [node.index] })}>${t.picked.isolatePart}</button>
      </div>
      ${joint ? this.renderOverlay("weights", joint.node) : nothing}
      ${joint && this.model.clip ? this.renderOverlay("trails", joint.node) : nothing}
      ${this.model.view.turn.length > 0 ? html`<button class="button reset-turns" @click=${() => this.model.resetTurns()}>${t.picked.resetTurns}</button>` : nothing}`;
  }

  private renderOverlay(name: "weights" | "trails", node: number) {
    const on = this.model.view.overlays.includes(`${name}:${node}`);
    const label = on ? t.picked.hide[name] : t.picked.show[name];
    return html`<button class="button weights" aria-pressed=${on ? "true" : "false"} @click=${() => this.toggle(name, node)}>${icons[name]} ${label}</button>`;
  }
}
