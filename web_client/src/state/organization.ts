// Collections and tags of the library, read while something shows them.
import { organizationApi } from "../api/organization";
import type { Collection, Tag } from "../api/types";
import { library, sentenceOf } from "./library_store";
import { Store } from "./store";

export interface OrganizationState {
  open: boolean; // the side bar
  collections: Collection[];
  tags: Tag[];
  loaded: boolean;
  error: string | null;
}

const pauseMs = 1000; // between two readings for events
const stored = "vitrine.sideBar";

class Organization extends Store<OrganizationState> {
  private timer = 0;

  constructor() {
    super({ open: localStorage.getItem(stored) === "open", collections: [], tags: [], loaded: false, error: null });
    library.onEvent(() => this.refreshSoon());
    if (this.value.open) void this.refresh();
  }

  toggle(): void {
    const open = !this.value.open;
    localStorage.setItem(stored, open ? "open" : "closed");
    this.patch({ open });
    if (open) void this.refresh();
  }

  async refresh(): Promise<void> {
    try {
      const [collections, tags] = await Promise.all([organizationApi.collections(), organizationApi.tags()]);
      this.patch({ collections, tags, loaded: true, error: null });
    } catch (error) {
      this.patch({ error: sentenceOf(error) });
    }
  }

  private refreshSoon(): void {
    if (!this.value.loaded || this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      void this.refresh();
    }, pauseMs);
  }
}

export const organization = new Organization();
