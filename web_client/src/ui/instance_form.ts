// How many copies of the model the preview shows, and the ghosts of other times around each.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n";
import { ghostSeconds, ghostsText, maxCrowd, maxGhosts, readGhosts } from "../preview/instances";
import type { Ghosts } from "../preview/instances";
import type { PreviewState } from "../preview/preview_state";
import type { PreviewStore } from "../preview/preview_store";
import { Watch } from "../state/store";
import { nestedPanelStyles } from "../styles/panel";
import { shared } from "../styles/shared";

interface Range {
  min: number;
  max: number;
  step: number;
}

@customElement("vt-instance-form")
export class InstanceForm extends LitElement {
  static override styles = [
    shared,
    nestedPanelStyles,
    css`
      div {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(120px, 1fr));
        gap: 10px 12px;
        padding: 6px 12px 8px;
      }
      label {
        display: grid;
        align-content: end;
        gap: 4px;
        color: var(--ink-soft);
        font-size: 13px;
      }
      input {
        width: 100%;
        color: var(--ink);
        font-size: 14px;
      }
      input:invalid {
        border-color: var(--danger);
      }
    `,
  ];

  @property({ attribute: false }) model!: PreviewStore;
  private watch: Watch<PreviewState> | null = null;
  // Kept while there are no ghosts, whose text has it.
  private seconds: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch ??= new Watch(this, this.model);
  }

  private get ghosts(): Ghosts {
    const ghosts = readGhosts(this.model.view.ghosts);
    return this.model.view.ghosts === null && this.seconds !== null ? { ...ghosts, seconds: this.seconds } : ghosts;
  }

  private changeGhosts(changes: Partial<Ghosts>): void {
    const ghosts = { ...this.ghosts, ...changes };
    this.seconds = ghosts.seconds;
    this.model.showInstances({ ghosts: ghostsText(ghosts) });
    this.requestUpdate();
  }

  override render() {
    const { crowd } = this.model.view;
    const { before, after, seconds } = this.ghosts;
    const count: Range = { min: 0, max: maxGhosts, step: 1 };
    return html`<h2>${t.instances.title}</h2>
      <div role="group" aria-label=${t.instances.title}>
        ${this.renderField(t.instances.crowd, t.instances.crowdHint, crowd, { min: 1, max: maxCrowd, step: 1 }, (value) => this.model.showInstances({ crowd: value }))}
        ${this.model.clip
          ? html`${this.renderField(t.instances.before, t.instances.ghostsHint, before, count, (value) => this.changeGhosts({ before: value }))}
            ${this.renderField(t.instances.after, t.instances.ghostsHint, after, count, (value) => this.changeGhosts({ after: value }))}
            ${this.renderField(t.instances.interval, t.instances.intervalHint, seconds, { min: ghostSeconds.least, max: ghostSeconds.most, step: 0.001 }, (value) => this.changeGhosts({ seconds: value }))}`
          : nothing}
      </div>`;
  }

  // A number that is not valid is marked, and the image stays.
  private renderField(label: string, hint: string, value: number, { min, max, step }: Range, use: (value: number) => void) {
    const changed = (event: Event) => {
      const field = event.target as HTMLInputElement;
      if (field.validity.valid) use(field.valueAsNumber);
    };
    return html`<label title=${hint}>${label}<input class="field numbers" type="number" required min=${min} max=${max} step=${step} .value=${String(value)} @change=${changed} /></label>`;
  }
}
