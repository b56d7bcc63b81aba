// The tree of collections as rows.
import type { Collection } from "../api/types";

// A collection and its depth in the tree, from 0.
export interface CollectionRow {
  collection: Collection;
  depth: number;
}

// Each followed by those below it, in the order of their names.
export function collectionRows(collections: readonly Collection[]): CollectionRow[] {
  const below = new Map<string | null, Collection[]>();
  for (const collection of collections) {
    const siblings = below.get(collection.parent) ?? [];
    siblings.push(collection);
    below.set(collection.parent, siblings);
  }
  const rows: CollectionRow[] = [];
  const add = (parent: string | null, depth: number): void => {
    for (const collection of (below.get(parent) ?? []).sort((a, b) => a.name.localeCompare(b.name, "en"))) {
      rows.push({ collection, depth });
      add(collection.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}
