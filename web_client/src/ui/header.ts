// Product name, search, upload, theme. On every page.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { t } from "../i18n";
import { access } from "../state/access";
import { router } from "../state/router";
import { library } from "../state/library_store";
import { emptyQuery, queryFromUrl, urlOfQuery, withWords } from "../state/query";
import { Watch } from "../state/store";
import { theme } from "../state/theme";
import { shared } from "../styles/shared";
import { filesOfList } from "../upload/collect_files";
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
  static override styles = [
    shared,
    css`
      :host {
        position: sticky;
        top: 0;
        z-index: 20;
        display: block;
        background: color-mix(in srgb, var(--ground) 88%, transparent);
        backdrop-filter: blur(14px) saturate(1.4);
        border-bottom: 1px solid var(--line);
      }
      header {
        display: flex;
        align-items: center;
        gap: 16px;
        height: var(--header);
        padding: 0 24px;
        max-width: 1760px;
        margin: 0 auto;
      }
      .brand {
        display: flex;
        align-items: center;
        gap: 10px;
        font-size: 17px;
        font-weight: 650;
        letter-spacing: -0.02em;
        text-decoration: none;
        border-radius: 8px;
      }
      .search {
        position: relative;
        flex: 1;
        max-width: 520px;
        margin: 0 auto;
      }
      .search svg {
        position: absolute;
        left: 11px;
        top: 9px;
        color: var(--ink-faint);
        pointer-events: none;
      }
      .search .spinner {
        position: absolute;
        left: 12px;
        top: 10px;
        color: var(--accent);
        pointer-events: none;
      }
      .search input {
        width: 100%;
        height: 36px;
        padding: 0 64px 0 38px;
        border: 1px solid transparent;
        border-radius: var(--radius);
        background: var(--sunken);
        transition:
          background var(--quick),
          border-color var(--quick);
      }
      .search input::placeholder {
        color: var(--ink-faint);
        opacity: 1;
      }
      .search input:placeholder-shown {
        text-overflow: ellipsis;
      }
      .search input:hover {
        border-color: var(--line);
      }
      .search input:focus {
        background: var(--surface);
        border-color: var(--accent);
        outline: 2px solid color-mix(in srgb, var(--focus) 35%, transparent);
        outline-offset: 0;
      }
      input::-webkit-search-cancel-button {
        display: none;
      }
      kbd,
      .clear {
        position: absolute;
        right: 8px;
        top: 8px;
      }
      kbd {
        height: 20px;
        padding: 0 6px;
        border: 1px solid var(--line);
        border-radius: 5px;
        background: var(--surface);
        color: var(--ink-faint);
        font: 500 11px/18px var(--font);
        pointer-events: none;
      }
      .clear {
        top: 4px;
        right: 4px;
      }
      .clear svg {
        position: static;
        color: inherit;
      }
      .tools {
        display: flex;
        align-items: center;
        gap: 6px;
      }
      .offline {
        display: inline-flex;
        align-items: center;
        gap: 7px;
        color: var(--warn);
        font-size: 13px;
      }
      .offline::before {
        content: "";
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: currentColor;
      }
      @media (max-width: 720px) {
        header {
          gap: 10px;
          padding: 0 14px;
        }
        .brand span,
        .upload span,
        .jobs,
        .folder,
        kbd {
          display: none;
        }
        .upload {
          width: 36px;
          padding: 0;
        }
        .search input {
          padding-right: 36px;
        }
        .offline span {
          position: absolute;
          clip-path: inset(50%);
        }
      }
    `,
  ];

  @query("#search") private field!: HTMLInputElement;
  @query("#files") private files!: HTMLInputElement | null;
  @query("#folder") private folder!: HTMLInputElement;
  @query("vt-jobs-dialog") private jobs!: JobsDialog;
  @state() private text = "";
  private timer = 0;
  private readonly place = new Watch(this, router);
  private readonly themes = new Watch(this, theme);
  private readonly access = new Watch(this, access);
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
    if (input.files) uploads.add(filesOfList(input.files));
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
        <vt-account></vt-account>
        ${this.access.value.me?.shared ? nothing : this.renderUploads()}
      </div>
    </header>
    <vt-jobs-dialog></vt-jobs-dialog>`;
  }

  private renderUploads() {
    return html`<button class="jobs button quiet icon-only" aria-label=${t.jobs.open} title=${t.jobs.open} aria-haspopup="dialog" @click=${() => this.jobs.show()}>
          ${icons.jobs}
        </button>
        <button class="folder button quiet icon-only" aria-label=${t.header.uploadFolder} title=${t.header.uploadFolder} @click=${() => this.folder.click()}>
          ${icons.folder}
        </button>
        <button class="upload button primary" title=${t.header.uploadTitle} aria-label=${t.header.upload} @click=${this.pick}>
          ${icons.upload}<span>${t.header.upload}</span>
        </button>
        <input id="files" type="file" multiple hidden @change=${this.picked} />
        <input id="folder" type="file" webkitdirectory hidden @change=${this.picked} />`;
  }
}
