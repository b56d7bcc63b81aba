// Collections and tags of the library, read while something shows them.
import { organizationApi } from "../api/organization";
import type { ServerEvent } from "../api/events";
import type { AssetRow, Collection, Tag } from "../api/types";
import { access } from "./access";
import { toast } from "./announce";
import { library, sentenceOf } from "./library_store";
import { selection } from "./selection";
import { Store } from "./store";

export interface OrganizationState {
  open: boolean; // the side bar
  collections: Collection[];
  tags: Tag[];
  loaded: boolean;
  error: string | null;
}

const firstPauseMs = 500; // after an event, for those that come with it
const pauseMs = 5000; // between the begins of two readings for events
const maxKnownAssets = 10_000;
const stored = "vitrine.sideBar";

class OrganizationStore extends Store<OrganizationState> {
  private timer = 0;
  private reading: Promise<void> | null = null;
  private isReadAgain = false; // after the current reading
  private isStale = false; // an event arrived since the last reading began
  private lastReading = -Infinity;
  private readonly known = new Map<string, string>(); // by asset, of the last event: what counts depend on

  constructor() {
    super({ open: localStorage.getItem(stored) === "open", collections: [], tags: [], loaded: false, error: null });
    library.onEvent((event) => {
      if (!this.concerns(event)) return;
      this.isStale = true;
      this.refreshSoon();
    });
    selection.subscribe(() => this.refreshSoon());
    if (this.value.open) void access.ready.then(() => (access.shared ? undefined : this.refresh()));
  }

  // For what shows collections while the side bar may be closed.
  need(): void {
    if (!this.value.loaded && !this.reading) void this.refresh();
  }

  toggle(): void {
    const open = !this.value.open;
    localStorage.setItem(stored, open ? "open" : "closed");
    this.patch({ open });
    if (open) void this.refresh();
  }

  // Ends when a reading that began after the call has ended.
  refresh(): Promise<void> {
    if (this.reading) this.isReadAgain = true;
    else this.reading = this.readUntilCurrent().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readUntilCurrent(): Promise<void> {
    do {
      this.isReadAgain = this.isStale = false;
      this.lastReading = performance.now();
      try {
        if (!access.value.known) await access.ready;
        const [collections, tags] = await Promise.all([organizationApi.collections(access.hasGrants), organizationApi.tags()]);
        this.patch({ collections, tags, loaded: true, error: null });
      } catch (error) {
        this.patch({ error: sentenceOf(error) });
      }
    } while (this.isReadAgain);
  }

  private get isShown(): boolean {
    return this.value.open || selection.value.ids.size > 0;
  }

  private refreshSoon(): void {
    if (!this.isStale || !this.isShown || !this.value.loaded || this.timer !== 0) return;
    const wait = Math.max(firstPauseMs, this.lastReading + pauseMs - performance.now());
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.isStale && this.isShown) void this.refresh();
    }, wait);
  }

  // Whether collections, tags or the numbers of their assets may have changed.
  private concerns(event: ServerEvent): boolean {
    if (event.type === "job" || event.type === "note") return false;
    if (event.type === "asset") return this.changesCounts(event.asset, event.created);
    if (event.type === "deleted" || event.type === "purged") this.known.delete(event.id);
    return true;
  }

  // Imports send several events of an asset, which leave its tags as they were.
  private changesCounts({ id, tags, deletedAt }: AssetRow, created: boolean): boolean {
    const facts = JSON.stringify([deletedAt ? 1 : 0, tags]);
    const before = this.known.get(id);
    this.known.delete(id); // to the end
    this.known.set(id, facts);
    if (this.known.size > maxKnownAssets) this.known.delete(this.known.keys().next().value as string);
    return before === undefined ? !created || tags.length > 0 : before !== facts;
  }
}

export const organization = new OrganizationStore();

// Changes collections or tags, and reads them again. False: the server has rejected it, which is shown.
export async function attemptChange(work: () => Promise<unknown>): Promise<boolean> {
  let done = true;
  try {
    await work();
  } catch (error) {
    toast(sentenceOf(error), "error");
    done = false;
  }
  await organization.refresh();
  return done;
}
