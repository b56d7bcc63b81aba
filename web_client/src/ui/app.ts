// The shell: header, the page of the route, drops anywhere, uploads, notices.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";

import { t } from "../i18n";
import { access } from "../state/access";
import { assetPath, router } from "../state/router";
import type { Route } from "../state/router";
import { library } from "../state/library_store";
import { queryFromUrl } from "../state/query";
import { mayUpload, uploadTarget } from "../state/shown_collection";
import { Watch } from "../state/store";
import "../state/theme";
import { shared } from "../styles/shared";
import { filesOfDrop } from "../upload/collect_files";
import { uploads } from "../upload/driver";
import { usePicked } from "../upload/picked";
import { announce, dismiss, notices } from "../state/announce";
import type { Toast } from "../state/announce";
import "./asset_page";
import "./compare_page";
import "./comparison_tray";
import "./header";
import { icons } from "../styles/icons";
import "./library";
import "./settings/settings_page";
import type { Library } from "./library";
import "./sharing/share_dialog";
import "./upload_panel";

@customElement("vt-app")
export class App extends LitElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-height: 100dvh;
      }
      .skip {
        position: fixed;
        left: 12px;
        top: -60px;
        z-index: 60;
      }
      .skip:focus {
        top: 12px;
      }
      main:focus {
        outline: none;
      }
      .drop {
        position: fixed;
        inset: 0;
        z-index: 50;
        display: grid;
        place-items: center;
        padding: 24px;
        background: color-mix(in srgb, var(--ground) 82%, transparent);
        backdrop-filter: blur(6px);
        pointer-events: none;
        animation: appear var(--calm);
      }
      .drop > div {
        display: grid;
        place-items: center;
        gap: 10px;
        width: min(640px, 100%);
        padding: 72px 24px;
        border: 2px dashed var(--accent);
        border-radius: var(--radius-l);
        background: var(--accent-soft);
        color: var(--accent-soft-ink);
        text-align: center;
      }
      .drop svg.icon {
        width: 44px;
        height: 44px;
        stroke-width: 1.3;
      }
      .drop strong {
        font-size: 22px;
        font-weight: 600;
        letter-spacing: -0.01em;
      }
      .toasts {
        position: fixed;
        left: 50%;
        top: calc(var(--header) + 12px);
        z-index: 55;
        display: grid;
        justify-items: center;
        gap: 8px;
        width: max-content;
        max-width: min(520px, calc(100vw - 28px));
        transform: translateX(-50%);
      }
      .toast {
        display: flex;
        align-items: center;
        gap: 10px;
        padding: 8px 8px 8px 16px;
        border-radius: var(--radius);
        background: var(--ink);
        color: var(--ground);
        box-shadow: var(--shadow-2);
        overflow-wrap: anywhere;
        animation: rise var(--calm);
      }
      .toast .button {
        color: inherit;
        background: none;
        border-color: transparent;
      }
      .toast .button:not(.icon-only) {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .toast .button:hover {
        background: color-mix(in srgb, var(--ground) 16%, transparent);
        color: inherit;
      }
      .toast.error {
        background: var(--danger);
        color: var(--surface);
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
      @keyframes rise {
        from {
          opacity: 0;
          transform: translateY(-8px);
        }
      }
    `,
  ];

  @state() private dropping = false;
  private depth = 0;
  private last: Route = router.value.route;
  private readonly place = new Watch(this, router);
  private readonly notes = new Watch(this, notices);
  protected readonly access = new Watch(this, access);

  override connectedCallback(): void {
    super.connectedCallback();
    router.subscribe(() => this.arrived());
    this.arrived();
    void access.ready.then(() => this.start());
  }

  // A share link has no events and no uploads, and that of an asset has no library.
  private start(): void {
    const { shared } = access;
    if (shared) {
      if (shared.asset && router.value.route.page !== "asset") router.replace(assetPath(shared.asset));
      return;
    }
    addEventListener("dragenter", this.entered);
    addEventListener("dragleave", this.left);
    addEventListener("dragover", this.over);
    addEventListener("drop", this.dropped);
    library.start();
  }

  private arrived(): void {
    const { route } = router.value;
    if (route.page === "library") {
      library.load(queryFromUrl(route.params), router.storedPlace());
      document.title = t.product;
    }
    if (route.page !== this.last.page) void this.moveFocus(this.last);
    this.last = route;
  }

  // The focused element was removed: moves the focus to the new page, or to the card of the previous model.
  private async moveFocus(from: Route): Promise<void> {
    await this.updateComplete;
    if (from.page === "library") this.renderRoot.querySelector("main")?.focus({ preventScroll: true });
    else if (from.page === "asset") requestAnimationFrame(() => (this.renderRoot.querySelector("vt-library") as Library | null)?.focusAsset(from.id));
  }

  private readonly entered = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    this.depth += 1;
    this.dropping = mayUpload();
  };

  private readonly left = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    this.depth = Math.max(0, this.depth - 1);
    if (this.depth === 0) this.dropping = false;
  };

  private readonly over = (event: DragEvent): void => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = mayUpload() ? "copy" : "none";
  };

  private readonly dropped = (event: DragEvent): void => {
    this.depth = 0;
    this.dropping = false;
    if (!event.dataTransfer || !carriesFiles(event)) return;
    event.preventDefault();
    if (!mayUpload()) return;
    const target = uploadTarget(); // where the files are dropped, wherever the user goes meanwhile
    void filesOfDrop(event.dataTransfer)
      .then((files) => uploads.add(usePicked(files), target))
      .catch(() => announce(t.errors.unknown));
  };

  private act(toast: Toast): void {
    dismiss(toast.key);
    toast.action?.run();
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.renderRoot.querySelector("main")?.focus();
  }

  override render() {
    const { route } = this.place.value;
    return html`
      <nav aria-label=${t.header.skip}><a class="skip button primary" href="#content" @click=${this.skip}>${t.header.skip}</a></nav>
      <vt-header></vt-header>
      <main id="content" tabindex="-1">
        <vt-library ?hidden=${route.page !== "library"} .active=${route.page === "library"}></vt-library>
        ${route.page === "compare" ? html`<vt-compare-page></vt-compare-page>` : nothing}
        ${route.page === "settings" ? html`<vt-settings-page .params=${route.params}></vt-settings-page>` : nothing}
        ${route.page === "asset" ? html`<vt-asset-page .assetId=${route.id}></vt-asset-page>` : nothing}
      </main>
      ${access.shared ? nothing : html`<vt-upload-panel></vt-upload-panel><vt-share-dialog></vt-share-dialog>`}
      ${route.page === "compare" || route.page === "settings" || access.shared ? nothing : html`<vt-comparison-tray></vt-comparison-tray>`}
      ${this.dropping ? this.renderDrop() : nothing}
      <section class="toasts" aria-label=${t.toast.title}>
        ${this.notes.value.toasts.map(
          (toast) => html`<div class="toast ${toast.kind}">
            <span>${toast.text}</span>
            ${toast.action ? html`<button class="button small" @click=${() => this.act(toast)}>${toast.action.label}</button>` : nothing}
            <button class="button small icon-only" aria-label=${t.toast.dismiss} @click=${() => dismiss(toast.key)}>${icons.close}</button>
          </div>`,
        )}
      </section>
      <div class="visually-hidden" role="status" aria-live="polite">${this.notes.value.spoken}</div>
    `;
  }

  private renderDrop() {
    const target = uploadTarget();
    return html`<div class="drop">
      <div>${icons.upload}<strong>${target ? t.upload.dropInto(target.name) : t.upload.drop}</strong><span>${t.upload.dropHint}</span></div>
    </div>`;
  }
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
