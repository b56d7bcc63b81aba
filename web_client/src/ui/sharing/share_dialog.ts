// Makes, lists and revokes the share links of one asset or collection.
import { LitElement, css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";

import { sharingApi } from "../../api/sharing";
import type { NewShareLink, ShareLink } from "../../api/types";
import { t } from "../../i18n";
import { access } from "../../state/access";
import type { ShareTarget } from "../../state/access";
import { toast } from "../../state/announce";
import { sentenceOf } from "../../state/library_store";
import { dialogStyles } from "../../styles/dialog";
import { icons } from "../../styles/icons";
import { shared } from "../../styles/shared";
import { copyText } from "../../state/clipboard";

const pictureLifetime = 30 * 24 * 3600; // seconds
const maxPictureSide = 2048; // pixels, of signed URLs

@customElement("vt-share-dialog")
export class ShareDialog extends LitElement {
  static override styles = [
    shared,
    dialogStyles,
    css`
      form {
        display: grid;
        gap: 12px;
        margin-top: 14px;
      }
      .check {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      .made {
        display: flex;
        align-items: end;
        gap: 8px;
        margin-top: 14px;
      }
      .made label {
        flex: 1;
        min-width: 0;
      }
      h3 {
        margin: 18px 0 4px;
      }
      .addresses {
        margin-bottom: 8px;
        font-size: 13px;
      }
      .question {
        margin-top: 14px;
        padding: 12px 14px;
        border: 1px solid var(--danger);
        border-radius: var(--radius);
        background: var(--danger-soft);
      }
      .question h3 {
        margin: 0 0 4px;
        color: var(--ink);
        font-size: 14px;
      }
      .question p {
        margin-bottom: 10px;
        color: var(--ink);
        font-size: 13px;
      }
      li {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 2px 0;
        font-size: 13px;
      }
      li span {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @state() private target: ShareTarget = { name: "" };
  @state() private links: ShareLink[] | null = null;
  @state() private asking = false; // whether to revoke all addresses of pictures
  @state() private url = ""; // of the link that was made
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("form") private form!: HTMLFormElement;
  @query("#url") private field!: HTMLInputElement | null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("vt-share", this.show);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("vt-share", this.show);
  }

  private readonly show = (event: Event): void => {
    this.target = (event as CustomEvent<ShareTarget>).detail;
    this.url = "";
    this.asking = false;
    this.links = null;
    void this.updateComplete.then(() => {
      this.form.reset();
      this.dialog.showModal();
    });
    void this.attempt(() => this.read());
  };

  private get view(): string {
    const params = new URLSearchParams(this.target.asset ? location.search : "");
    params.delete("tab");
    return params.toString();
  }

  private async read(): Promise<void> {
    const { asset, collection } = this.target;
    const links = await sharingApi.links(new URLSearchParams(asset ? { asset } : { collection: collection ?? "" }));
    if (asset === this.target.asset && collection === this.target.collection) this.links = links;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  private created(event: Event): void {
    event.preventDefault();
    const fields = new FormData(this.form);
    const text = (name: string) => String(fields.get(name) ?? "");
    const link: NewShareLink = { name: text("name").trim() || this.target.name.slice(0, 25), downloads: fields.has("downloads") };
    if (this.target.asset) link.asset = this.target.asset;
    else link.collection = this.target.collection;
    if (fields.has("view") && this.view) link.view = this.view;
    if (text("expires")) link.expiresIn = Number(text("expires"));
    if (text("password")) link.password = text("password");
    void this.attempt(async () => {
      this.url = location.origin + (await sharingApi.create(link)).path;
      await this.read();
      await this.updateComplete;
      this.field?.focus();
      this.field?.select();
    });
  }

  private revoke(link: ShareLink): void {
    void this.attempt(async () => {
      await sharingApi.revoke(link.id);
      toast(t.share.revoked);
      await this.read();
      this.dialog.querySelector<HTMLElement>(".close")?.focus();
    });
  }

  private copyPicture(): void {
    const { asset, picture } = this.target;
    if (!asset || !picture) return;
    const parameters = Object.fromEntries(new URL(picture, location.origin).searchParams);
    for (const side of ["w", "h"]) if (Number(parameters[side]) > maxPictureSide) parameters[side] = String(maxPictureSide);
    void this.attempt(async () => copyText(location.origin + (await sharingApi.signPicture(asset, parameters, pictureLifetime)).url));
  }

  override render() {
    const { name, asset, picture } = this.target;
    return html`<dialog aria-labelledby="title">
      <h2 id="title">${asset ? t.share.title(name) : t.share.collection(name)}</h2>
      <p>${t.share.text}</p>
      <form @submit=${this.created}>
        <label>${t.share.name}<input class="field" name="name" maxlength="25" autocomplete="off" placeholder=${name.slice(0, 25)} /></label>
        <label>${t.share.expires}<select class="field" name="expires">
          ${["604800", "86400", "2592000", ""].map((seconds) => html`<option value=${seconds}>${t.share.lifetimes[seconds]}</option>`)}
        </select></label>
        <label>${t.share.password}<input class="field" name="password" type="password" minlength="8" maxlength="64" autocomplete="new-password" /></label>
        <label class="check"><input type="checkbox" name="downloads" />${t.share.downloads}</label>
        ${asset && this.view ? html`<label class="check"><input type="checkbox" name="view" checked />${t.share.view}</label>` : nothing}
        <div><button class="button primary">${t.share.create}</button></div>
      </form>
      ${this.url
        ? html`<div class="made" role="status">
            <label>${t.share.created}<input id="url" class="field" readonly .value=${this.url} /></label>
            <button class="button" @click=${() => void copyText(this.url)}>${icons.copy}${t.share.copy}</button>
          </div>`
        : nothing}
      ${this.renderLinks()} ${asset && access.isAdmin ? this.renderAddresses() : nothing}
      <div class="buttons">
        ${picture ? html`<button class="button" title=${t.share.pictureHint} @click=${this.copyPicture}>${t.share.picture}</button>` : nothing}
        <button class="button close" @click=${() => this.dialog.close()}>${t.share.close}</button>
      </div>
    </dialog>`;
  }

  // By new keys of the catalog: of all models, and so for admins alone.
  private revokeAddresses(): void {
    this.asking = false;
    void this.attempt(async () => {
      await sharingApi.revokeSignedUrls();
      toast(t.share.allRevoked);
    });
  }

  private async ask(asking: boolean): Promise<void> {
    this.asking = asking;
    await this.updateComplete;
    this.dialog.querySelector<HTMLElement>(asking ? ".agree" : ".revoke-all")?.focus();
  }

  private renderAddresses() {
    if (!this.asking)
      return html`<h3>${t.share.addresses}</h3>
        <p class="addresses">${t.share.addressesText}</p>
        <button class="button small revoke-all" @click=${() => this.ask(true)}>${t.share.revokeAll}</button>`;
    return html`<div class="question" role="group" aria-labelledby="question">
      <h3 id="question">${t.share.revokeAllTitle}</h3>
      <p>${t.share.revokeAllText}</p>
      <button class="button small" @click=${() => this.ask(false)}>${t.share.cancel}</button>
      <button class="button danger small agree" @click=${this.revokeAddresses}>${t.share.revokeAll}</button>
    </div>`;
  }

  private renderLinks() {
    if (!this.links) return nothing;
    return html`<h3>${t.share.links}</h3>
      ${this.links.length === 0 ? html`<p>${t.share.none}</p>` : nothing}
      <ul>
        ${this.links.map(
          (link) => html`<li>
            <span>${link.name}: ${factsOf(link).join(", ")}</span>
            <button class="button quiet small icon-only" aria-label=${t.share.revoke(link.name)} @click=${() => this.revoke(link)}>${icons.close}</button>
          </li>`,
        )}
      </ul>`;
  }
}

function factsOf({ expiresAt, hasPassword, downloads, uses }: ShareLink): string[] {
  const facts = [t.share.used(uses)];
  if (expiresAt) facts.push(new Date(expiresAt).getTime() <= Date.now() ? t.share.ended : t.share.until(new Date(expiresAt).toLocaleDateString("en")));
  if (hasPassword) facts.push(t.share.locked);
  if (downloads) facts.push(t.share.downloads.toLowerCase());
  return facts;
}
