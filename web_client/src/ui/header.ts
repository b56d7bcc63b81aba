// Product name, search, upload, theme. On every page.
import { LitElement, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { t } from "../i18n";
import { access } from "../state/access";
import { organization } from "../state/organization";
import { router } from "../state/router";
import { library } from "../state/library_store";
import { emptyQuery, queryFromUrl, urlOfQuery, withWords } from "../state/query";
import { Watch } from "../state/store";
import { mayUpload, uploadTarget } from "../state/shown_collection";
import { theme } from "../state/theme";
import { headerStyles } from "../styles/header_styles";
import { shared } from "../styles/shared";
import { filesOfList } from "../upload/collect_files";
import { usePicked } from "../upload/picked";
import { uploads } from "../upload/driver";
import { isTyping } from "../util/keys";
import { Late } from "../util/late";
import "./account_button";
import { icons, logo } from "../styles/icons";
import "./jobs_dialog";
import type { JobsDialog } from "./jobs_dialog";

const typingPause = 120;

@customElement("vt-header")
export class Header extends LitElement {
  static override styles = [shared, headerStyles];

  @query("#search") private field!: HTMLInputElement;
  @query("#files") private files!: HTMLInputElement | null;
  @query("#folder") private folder!: HTMLInputElement;
  @query("vt-jobs-dialog") private jobs!: JobsDialog;
  @state() private text = "";
  private timer = 0;
  private readonly place = new Watch(this, router);
  private readonly themes = new Watch(this, theme);
  private readonly access = new Watch(this, access);
  protected readonly groups = new Watch(this, organization); // for the role of the shown collection
  private readonly assets = new Watch(this, library);
  private readonly wait = new Late(this, () => this.assets.value.loading === "first");

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keyed);
    addEventListener("vt-pick", this.pick);
    router.subscribe(() => this.fromUrl());
    this.fromUrl();
  }

  // The URL change caused by typing must not reset the text.
  private fromUrl(): void {
    const { route } = router.value;
    if (this.timer === 0) this.text = route.page === "library" ? (route.params.get("q") ?? "") : "";
  }

  private readonly pick = (): void => this.files?.click();

  private readonly keyed = (event: KeyboardEvent): void => {
    const control = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    const slash = event.key === "/" && !isTyping(event) && !event.ctrlKey && !event.metaKey;
    if (!control && !slash) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  };

  private typed(): void {
    this.text = this.field.value;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.search(), typingPause);
  }

  private search(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const { route } = router.value;
    const base = route.page === "library" ? queryFromUrl(route.params) : emptyQuery;
    const url = urlOfQuery(withWords(base, this.text));
    if (route.page === "library") router.replace(url);
    else router.go(url);
  }

  private searchKey(event: KeyboardEvent): void {
    if (event.key === "Enter") this.search();
    if (event.key === "Escape") {
      if (this.text) this.clear();
      else this.field.blur();
    }
  }

  private clear(): void {
    this.text = "";
    this.search();
    this.field.focus();
  }

  private picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    if (input.files) uploads.add(usePicked(filesOfList(input.files)), uploadTarget());
    input.value = "";
  }

  override render() {
    const { choice } = this.themes.value;
    const themeIcon = { auto: icons.auto, light: icons.sun, dark: icons.moon }[choice];
    const home = this.place.value.route.page === "library" ? "/" : router.libraryUrl;
    return html`<header>
      <a class="brand" href=${home} aria-label=${t.header.home}>${logo}<span>${t.product}</span></a>
      <div class="search" role="search" ?hidden=${!!access.shared?.asset}>
        ${this.wait.isLate ? html`<span class="spinner"></span>` : icons.search}
        <input
          id="search"
          type="search"
          autocomplete="off"
          spellcheck="false"
          placeholder=${t.header.search}
          aria-label=${t.header.search}
          aria-keyshortcuts="Control+K /"
          .value=${this.text}
          @input=${this.typed}
          @keydown=${this.searchKey}
        />
        ${this.text
          ? html`<button class="clear button quiet small icon-only" aria-label=${t.header.clearSearch} @click=${this.clear}>${icons.close}</button>`
          : html`<kbd aria-hidden="true">Ctrl K</kbd>`}
      </div>
      <div class="tools">
        ${this.assets.value.connected || access.shared ? nothing : html`<span class="offline" title=${t.header.offline}><span>${t.header.offline}</span></span>`}
        <button class="button quiet icon-only" aria-label=${t.header.theme[choice]} title=${t.header.theme[choice]} @click=${() => theme.cycle()}>
          ${themeIcon}
        </button>
        <a class="help button quiet icon-only" href="/docs" aria-label=${t.header.help} title=${t.header.help}>${icons.help}</a>
        <vt-account></vt-account>
        ${this.access.value.me?.shared ? nothing : this.renderJobs()} ${mayUpload() ? this.renderUploads() : nothing}
      </div>
    </header>
    <vt-jobs-dialog></vt-jobs-dialog>`;
  }

  private renderJobs() {
    return html`<button class="jobs button quiet icon-only" aria-label=${t.jobs.open} title=${t.jobs.open} aria-haspopup="dialog" @click=${() => this.jobs.show()}>
          ${icons.jobs}
        </button>`;
  }

  private renderUploads() {
    return html`<button class="folder button quiet icon-only" aria-label=${t.header.uploadFolder} title=${t.header.uploadFolder} @click=${() => this.folder.click()}>
          ${icons.folder}
        </button>
        <button class="upload button primary" title=${t.header.uploadTitle} aria-label=${t.header.upload} @click=${this.pick}>
          ${icons.upload}<span>${t.header.upload}</span>
        </button>
        <input id="files" type="file" multiple hidden @change=${this.picked} />
        <input id="folder" type="file" webkitdirectory hidden @change=${this.picked} />`;
  }
}
