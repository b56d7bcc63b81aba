// What the page may show and offer, by who it belongs to.
import { whoAmI } from "../api/client";
import type { Me } from "../api/types";
import { Store } from "./store";

type AnyRole = Me["role"];
// What the person has a role for; `role`: if the server was asked for it.
export interface RoleOwner {
  role?: AnyRole;
}

const order: AnyRole[] = ["link", "member", "viewer", "editor", "admin"];

function has(role: AnyRole, least: AnyRole): boolean {
  return order.indexOf(role) >= order.indexOf(least);
}

class AccessStore extends Store<{ me: Me | null; known: boolean }> {
  // When the server has said it, or does not.
  readonly ready: Promise<void>;

  constructor() {
    super({ me: null, known: false });
    this.ready = whoAmI().then((me) => this.patch({ me, known: true }));
  }

  // What the share link shows by which the page was opened; null: it was not.
  get shared(): Me["shared"] {
    return this.value.me?.shared ?? null;
  }

  // Whether there are roles besides that for the library: the server is asked for those of assets and collections.
  get hasGrants(): boolean {
    return (this.value.me?.collections ?? []).length > 0;
  }

  // Whether the role for the library is at least this one. A server that does not say who this is decides about each request.
  private is(least: AnyRole): boolean {
    const { me, known } = this.value;
    return known && (me === null || has(me.role, least));
  }

  // Uploads, changes and deletes anything in the library.
  get mayEdit(): boolean {
    return this.is("editor");
  }

  get isAdmin(): boolean {
    return this.value.me?.role === "admin";
  }

  // Whether the person may change this asset, or this collection and what is in it.
  mayChange(one: RoleOwner | null | undefined): boolean {
    return this.mayEdit || has(one?.role ?? "link", "editor");
  }

  // Deletes a collection: an editor of the library, or an admin of it.
  mayRemove(collection: RoleOwner): boolean {
    return this.mayEdit || has(collection.role ?? "link", "admin");
  }

  // Whether the person manages the roles for a collection.
  mayGrant(collection: RoleOwner): boolean {
    return this.isAdmin || collection.role === "admin";
  }

  get canShare(): boolean {
    return this.value.me !== null && this.mayEdit;
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
