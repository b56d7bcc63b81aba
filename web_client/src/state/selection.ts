// The assets that are selected in the library.
import { Store } from "./store";

export interface SelectionState {
  active: boolean; // cards are selected instead of opened
  ids: ReadonlySet<string>;
}

class Selection extends Store<SelectionState> {
  constructor() {
    super({ active: false, ids: new Set() });
  }

  start(): void {
    this.patch({ active: true });
  }

  stop(): void {
    this.set({ active: false, ids: new Set() });
  }

  toggle(id: string): void {
    const ids = new Set(this.value.ids);
    if (!ids.delete(id)) ids.add(id);
    this.patch({ ids });
  }

  add(more: Iterable<string>): void {
    this.patch({ ids: new Set([...this.value.ids, ...more]) });
  }

  clear(): void {
    this.patch({ ids: new Set() });
  }
}

export const selection = new Selection();
