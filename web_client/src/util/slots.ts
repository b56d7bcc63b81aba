// Assigns reusable elements: a key keeps its slot while it is wanted; new keys get the slots of those that are no longer wanted.
export class Slots {
  private slots = new Map<string, number>();
  private made = 0;

  // Returns the slot of each key. Keys are distinct.
  assign(keys: readonly string[]): number[] {
    const wanted = new Set(keys);
    const free = [...this.slots].filter(([key]) => !wanted.has(key)).map(([, slot]) => slot).reverse();
    const next = new Map<string, number>();
    for (const key of keys) next.set(key, this.slots.get(key) ?? free.pop() ?? this.made++);
    this.slots = next;
    return keys.map((key) => next.get(key)!);
  }
}
