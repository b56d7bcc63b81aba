// Jobs, the newest first: their state and progress as they change; failed ones begin again, others are cancelled.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { api } from "../api/client";
import type { ServerEvent } from "../api/events";
import type { Job, JobState } from "../api/types";
import { t } from "../i18n";
import { access } from "../state/access";
import { toast } from "../state/announce";
import { library, sentenceOf } from "../state/library_store";
import { assetPath } from "../state/router";
import { shared } from "../styles/shared";
import { sentence } from "../util/format";
import { dialogStyles } from "../styles/dialog";
import { icons } from "../styles/icons";

const states: JobState[] = ["queued", "running", "succeeded", "failed", "cancelled"];

@customElement("vt-jobs-dialog")
export class JobsDialog extends LitElement {
  static override styles = [
    shared,
    dialogStyles,
    css`
      .head {
        display: flex;
        align-items: center;
        gap: 12px;
        margin-bottom: 12px;
      }
      h2 {
        flex: 1;
        margin: 0;
      }
      .head label {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: center;
        gap: 2px 12px;
        padding: 10px 0;
        border-top: 1px solid var(--line);
      }
      a {
        font-weight: 550;
        overflow-wrap: anywhere;
      }
      .facts {
        color: var(--ink-soft);
        font-size: 12px;
      }
      .failed .facts span:first-child {
        color: var(--danger);
      }
      .bar,
      .problem {
        grid-column: 1 / -1;
      }
      .problem {
        margin: 0;
        color: var(--danger);
        font-size: 12px;
        overflow-wrap: anywhere;
      }
      .more {
        width: 100%;
        margin-top: 8px;
      }
    `,
  ];

  @state() private jobs: Job[] | null = null;
  @state() private next: string | null = null;
  @state() private filter: JobState | "" = "";
  @state() private names = new Map<string, string>(); // of assets; empty: its name is not known yet
  @query("dialog") private dialog!: HTMLDialogElement;
  private release: (() => void) | null = null;

  show(): void {
    this.release ??= library.onEvent((event) => this.changed(event));
    void this.load();
    this.dialog.showModal();
  }

  private closed(): void {
    this.release?.();
    this.release = null;
    this.jobs = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.closed();
  }

  private changed(event: ServerEvent): void {
    if (event.type === "reset") return void this.load();
    if (event.type === "asset") this.names = new Map(this.names).set(event.asset.id, event.asset.name);
    if (event.type !== "job" || !this.jobs) return;
    const { job } = event;
    const others = this.jobs.filter(({ id }) => id !== job.id);
    const place = this.jobs.findIndex(({ id }) => id === job.id);
    if (this.filter && job.state !== this.filter) this.jobs = others;
    else if (place >= 0) this.jobs = this.jobs.map((one) => (one.id === job.id ? job : one));
    else this.insert(job);
    this.findNames();
  }

  // In the order of the list; what belongs to a page that is not shown comes with it.
  private insert(job: Job): void {
    const jobs = this.jobs ?? [];
    const place = jobs.findIndex(({ createdAt }) => createdAt <= job.createdAt);
    if (place < 0 && this.next !== null) return;
    const at = place < 0 ? jobs.length : place;
    this.jobs = [...jobs.slice(0, at), job, ...jobs.slice(at)];
  }

  private async load(): Promise<void> {
    const { filter } = this;
    const page = await api.jobs(filter, null).catch((error: unknown) => toast(sentenceOf(error), "error"));
    if (!page || filter !== this.filter) return;
    this.jobs = page.items;
    this.next = page.next;
    this.findNames();
  }

  private async loadMore(): Promise<void> {
    const { filter } = this;
    const page = await api.jobs(filter, this.next).catch((error: unknown) => toast(sentenceOf(error), "error"));
    if (!page || filter !== this.filter || !this.jobs) return;
    const known = new Set(this.jobs.map(({ id }) => id));
    this.jobs = [...this.jobs, ...page.items.filter(({ id }) => !known.has(id))];
    this.next = page.next;
    this.findNames();
  }

  private findNames(): void {
    for (const { asset } of this.jobs ?? []) {
      if (this.names.has(asset)) continue;
      this.names.set(asset, "");
      void api.asset(asset).then(
        ({ name }) => (this.names = new Map(this.names).set(asset, name)),
        () => undefined, // in the trash: its id is shown
      );
    }
  }

  private chosen(event: Event): void {
    this.filter = (event.target as HTMLSelectElement).value as JobState | "";
    void this.load();
  }

  private async act(work: Promise<Job>, text: string): Promise<void> {
    try {
      this.changed({ type: "job", job: await work });
      toast(text);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  override render() {
    return html`<dialog class="wide" aria-labelledby="title" @close=${() => this.closed()}>
      <div class="head">
        <h2 id="title">${t.jobs.title}</h2>
        <label>
          ${t.jobs.filter}
          <select class="field" @change=${(event: Event) => this.chosen(event)}>
            <option value="">${t.jobs.all}</option>
            ${states.map((value) => html`<option value=${value} ?selected=${value === this.filter}>${t.jobs.states[value]}</option>`)}
          </select>
        </label>
        <button class="button quiet icon-only" aria-label=${t.jobs.close} title=${t.jobs.close} @click=${() => this.dialog.close()}>${icons.close}</button>
      </div>
      ${this.renderList()}
    </dialog>`;
  }

  private renderList() {
    if (!this.jobs) return html`<span class="spinner"></span>`;
    if (this.jobs.length === 0) return html`<p><strong>${t.jobs.none}.</strong> ${t.jobs.noneText}</p>`;
    return html`<ul>${repeat(this.jobs, ({ id }) => id, (job) => this.renderJob(job))}</ul>
      ${this.next === null ? nothing : html`<button class="more button" @click=${() => void this.loadMore()}>${t.jobs.more}</button>`}`;
  }

  private renderJob(job: Job) {
    const name = this.names.get(job.asset) || job.asset;
    return html`<li class=${job.state}>
      <a href=${assetPath(job.asset)} @click=${() => this.dialog.close()}>${name}</a>
      ${this.renderAction(job, name)}
      <div class="facts numbers"><span>${t.jobs.states[job.state]}</span>${factsOf(job).map((fact) => html` · ${fact}`)}</div>
      ${job.state === "running" ? progressBar(job, name) : nothing}
      ${job.problem ? html`<p class="problem">${sentence(job.problem.detail)}</p>` : nothing}
    </li>`;
  }

  private renderAction(job: Job, name: string) {
    if (!access.mayEdit && !access.hasGrants) return html`<span></span>`;
    if (job.state === "queued" || job.state === "running")
      return html`<button class="button small" aria-label=${t.jobs.cancelOf(name)} @click=${() => void this.act(api.cancelJob(job.id), t.jobs.cancelling)}>${t.jobs.cancel}</button>`;
    if (job.state === "failed" || job.state === "cancelled")
      return html`<button class="button small" aria-label=${t.jobs.retryOf(name)} @click=${() => void this.act(api.retryJob(job.id), t.jobs.retrying)}>${icons.retry}${t.jobs.retry}</button>`;
    return html`<span></span>`;
  }
}

function factsOf(job: Job): string[] {
  const facts = [t.jobs.kinds[job.kind] ?? job.kind];
  if (job.state === "running") facts.push(t.stages[job.stage] ?? job.stage);
  if (job.priority === "bulk") facts.push(t.jobs.bulk);
  if (job.attempts > 1) facts.push(t.jobs.attempts(job.attempts));
  if (job.nextAttemptAt) facts.push(t.jobs.next(new Date(job.nextAttemptAt).toLocaleTimeString()));
  facts.push(new Date(job.createdAt).toLocaleString());
  return facts;
}

function progressBar({ progress }: Job, label: string) {
  return html`<div class="bar" role="progressbar" aria-label=${label} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(progress * 100)}>
    <span .style=${`--value: ${progress}`}></span>
  </div>`;
}
