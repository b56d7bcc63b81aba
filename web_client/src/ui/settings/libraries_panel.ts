// Libraries: folders of the server, the state of their scans; a new one.
import { LitElement, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { librariesApi } from "../../api/libraries";
import type { Library } from "../../api/types";
import { t } from "../../i18n";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { libraryListStyles } from "../../styles/library_list_styles";
import { settingsStyles } from "../../styles/settings_styles";
import { shared } from "../../styles/shared";
import "./confirm_dialog";
import type { ConfirmDialog } from "./confirm_dialog";

const texts = t.settings.libraries;

// Between two reads of the list: there are no events of scans.
const scanningPauseMs = 1000;
const idlePauseMs = 15_000;

const isActive = ({ state }: Library) => state === "waiting" || state === "scanning";
const linesOf = (text: string) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

@customElement("vt-libraries-panel")
export class LibrariesPanel extends LitElement {
  static override styles = [shared, settingsStyles, libraryListStyles];

  @state() private libraries: Library[] | null = null;
  @state() private problem = "";
  private mostLeft = new Map<string, number>(); // files to read at the start of the scans that run
  private awaited = new Set<string>(); // libraries whose scan this page has asked for
  private timer = 0;
  @query("vt-confirm-dialog") private question!: ConfirmDialog;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.shown);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.shown);
    clearTimeout(this.timer);
  }

  private readonly shown = () => {
    if (!document.hidden) void this.load();
  };

  private async load(): Promise<void> {
    clearTimeout(this.timer);
    const libraries = await librariesApi.list().catch((error: unknown) => (this.libraries ? null : toast(sentenceOf(error), "error")));
    if (libraries) this.take(libraries);
    clearTimeout(this.timer); // of another call meanwhile
    if (!this.isConnected || document.hidden) return;
    const pause = this.libraries?.some(isActive) || this.awaited.size > 0 ? scanningPauseMs : idlePauseMs;
    this.timer = window.setTimeout(() => void this.load(), pause);
  }

  private take(libraries: Library[]): void {
    for (const library of libraries) {
      const { id, waiting } = library;
      if (library.state === "scanning") this.mostLeft.set(id, Math.max(this.mostLeft.get(id) ?? 0, waiting));
      else this.mostLeft.delete(id);
      const before = this.libraries?.find((one) => one.id === id);
      const hasEnded = !isActive(library) && (before === undefined || isActive(before) || before.scannedAt !== library.scannedAt);
      if (hasEnded && this.awaited.delete(id)) this.announce(library);
    }
    this.libraries = libraries;
  }

  private announce({ name, state, models }: Library): void {
    if (state === "ready") toast(texts.scanEnded(name, texts.models(models)));
    else toast(texts.scanFailed(name), "error");
  }

  private async scan(library: Library): Promise<void> {
    try {
      await librariesApi.scan(library.id);
      this.awaited.add(library.id);
      toast(texts.scanAsked(library.name));
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await this.load();
  }

  private async setPaused({ id }: Library, paused: boolean): Promise<void> {
    try {
      await librariesApi.setPaused(id, paused);
      if (paused) this.awaited.delete(id);
      else this.awaited.add(id);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
    await this.load();
  }

  private remove_(library: Library): void {
    const work = async () => {
      await librariesApi.remove(library.id).then(
        () => {
          this.awaited.delete(library.id);
          toast(texts.removed(library.name));
        },
        (error: unknown) => toast(sentenceOf(error), "error"),
      );
      await this.load();
    };
    this.question.show({ title: texts.removeTitle(library.name), text: texts.removeText(texts.models(library.models)), agree: texts.remove, work: () => void work() });
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    this.problem = "";
    try {
      const name = text("name") ? { name: text("name") } : {};
      const library = await librariesApi.create({ path: text("path"), ...name, include: linesOf(text("include")), ignore: linesOf(text("ignore")) });
      form.reset();
      this.awaited.add(library.id);
      toast(texts.added(library.name));
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    await this.load();
  }

  override render() {
    return html`<section>
        <h2>${t.settings.tabs.libraries}</h2>
        <p class="intro">${texts.intro}</p>
        ${this.renderLibraries()}
      </section>
      ${this.renderForm()}
      <vt-confirm-dialog></vt-confirm-dialog>`;
  }

  private renderLibraries() {
    if (!this.libraries) return html`<span class="spinner"></span>`;
    if (this.libraries.length === 0) return html`<p>${texts.none}</p>`;
    return html`<ul>${repeat(this.libraries, ({ id }) => id, (library) => this.renderLibrary(library))}</ul>`;
  }

  private renderLibrary(library: Library) {
    const { name, state } = library;
    const kind = { waiting: "", scanning: "", ready: "ready", unavailable: "danger", paused: "" }[state];
    return html`<li>
      <h3>${name} <span class="badge ${kind}">${texts.states[state]}</span></h3>
      <div class="facts">
        <p class="mono">${library.path}</p>
        <p class="numbers">${factsOf(library).join(" · ")}</p>
        ${patternsOf(texts.only, library.include)} ${patternsOf(texts.ignored, library.ignore)}
        ${library.skipped > 0 ? html`<p>${texts.skipped(library.skipped)}</p>` : nothing}
        ${library.problem ? html`<p class="problem">${library.problem}</p>` : nothing}
        ${state === "scanning" ? this.renderProgress(library) : nothing}
      </div>
      <div class="acts">
        ${state === "paused"
          ? html`<button class="button small" aria-label=${texts.resumeOf(name)} @click=${() => void this.setPaused(library, false)}>${texts.resume}</button>`
          : html`<button class="button small" aria-label=${texts.scanOf(name)} @click=${() => void this.scan(library)}>${texts.scan}</button>
              <button class="button small" aria-label=${texts.pauseOf(name)} @click=${() => void this.setPaused(library, true)}>${texts.pause}</button>`}
        <button class="button small" aria-label=${texts.removeOf(name)} @click=${() => this.remove_(library)}>${texts.remove}</button>
      </div>
    </li>`;
  }

  private renderProgress({ id, name, waiting }: Library) {
    const most = this.mostLeft.get(id) ?? 0;
    const done = most > 0 ? 1 - waiting / most : 0;
    return html`<div class="scan">
      <span class="spinner"></span><span class="numbers">${texts.left(waiting)}</span>
      ${most > 0
        ? html`<div class="bar" role="progressbar" aria-label=${texts.progressOf(name)} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(100 * done)}><span .style=${`--value: ${done}`}></span></div>`
        : nothing}
    </div>`;
  }

  private renderForm() {
    return html`<section>
      <h2>${texts.add}</h2>
      <form @submit=${this.add}>
        <label>${texts.path}<input class="field mono" name="path" required maxlength="4000" autocomplete="off" spellcheck="false" placeholder=${texts.pathExample} /></label>
        <label>${texts.name}<input class="field" name="name" maxlength="100" autocomplete="off" placeholder=${texts.nameHint} /></label>
        <label>${texts.include}<textarea class="field" name="include" rows="3" spellcheck="false" placeholder="*.fbx"></textarea><small>${texts.patterns}</small></label>
        <label>${texts.ignore}<textarea class="field" name="ignore" rows="3" spellcheck="false" placeholder="backup/"></textarea><small>${texts.patterns}</small></label>
        <button class="button primary">${texts.add}</button>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      </form>
    </section>`;
  }
}

function factsOf(library: Library): string[] {
  const facts = [texts.models(library.models), texts.files(library.files)];
  const { scannedAt, durationMs } = library;
  facts.push(scannedAt === null ? texts.notScanned : texts.scanned(new Date(scannedAt).toLocaleString(), durationMs ?? 0));
  return facts;
}

function patternsOf(label: string, patterns: string[]) {
  return patterns.length === 0 ? nothing : html`<p>${label}: ${patterns.map((pattern) => html`<code>${pattern}</code> `)}</p>`;
}
