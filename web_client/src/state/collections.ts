// The tree of collections as rows.
import type { Collection } from "../api/types";

// A collection and its depth in the tree, from 0.
export interface CollectionRow {
  collection: Collection;
  depth: number;
}

// Where a collection may be: not in itself, and in none below it.
export function placesFor(moved: Collection, rows: readonly CollectionRow[]): CollectionRow[] {
  const at = rows.findIndex(({ collection }) => collection.id === moved.id);
  const depth = rows[at]?.depth ?? 0;
  const after = rows.findIndex((row, index) => index > at && row.depth <= depth);
  return rows.filter((_, index) => index < at || (after >= 0 && index >= after));
}

// Those with the same parent, in their order, with the collection itself.
export function siblingsOf({ parent }: Collection, collections: readonly Collection[]): Collection[] {
  return collections.filter((other) => other.parent === parent);
}

// The list with the entry at `from` at the place `to`.
export function withMoved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

// Each followed by those below it; those with the same parent in the order of the list.
export function collectionRows(collections: readonly Collection[]): CollectionRow[] {
  const below = new Map<string | null, Collection[]>();
  for (const collection of collections) {
    const siblings = below.get(collection.parent) ?? [];
    siblings.push(collection);
    below.set(collection.parent, siblings);
  }
  const rows: CollectionRow[] = [];
  const add = (parent: string | null, depth: number): void => {
    for (const collection of below.get(parent) ?? []) {
      rows.push({ collection, depth });
      add(collection.id, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}
