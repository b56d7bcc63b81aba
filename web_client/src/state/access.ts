// What the page may show and offer, by who it belongs to.
import { whoAmI } from "../api/client";
import type { Me } from "../api/types";
import { Store } from "./store";

class AccessStore extends Store<{ me: Me | null }> {
  // When the server has said it, or does not.
  readonly ready: Promise<void>;

  constructor() {
    super({ me: null });
    this.ready = whoAmI().then((me) => this.patch({ me }));
  }

  // What the share link shows by which the page was opened; null: it was not.
  get shared(): Me["shared"] {
    return this.value.me?.shared ?? null;
  }

  // Whether the page's user manages the roles for a collection. The server also lets admins of one above it.
  mayGrant(collection: string): boolean {
    const me = this.value.me;
    return me?.role === "admin" || (me?.collections ?? []).some((grant) => grant.collection === collection && grant.role === "admin");
  }

  get canShare(): boolean {
    const role = this.value.me?.role;
    return role === "editor" || role === "admin";
  }
}

export const access = new AccessStore();

// Whether a share link without downloads is all that the page has.
export function hidesFiles(): boolean {
  return access.shared?.downloads === false;
}

export interface ShareTarget {
  asset?: string; // id
  collection?: string;
  name: string;
  picture?: string; // address of the picture that is shown
}

export function openShareDialog(target: ShareTarget): void {
  dispatchEvent(new CustomEvent<ShareTarget>("vt-share", { detail: target }));
}
