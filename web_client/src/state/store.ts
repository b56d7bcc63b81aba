// A value with listeners, and its connection to a Lit element.
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class Store<T extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(private current: T) {}

  get value(): Readonly<T> {
    return this.current;
  }

  set(next: T): void {
    if (next === this.current) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener();
  }

  patch(changes: Partial<T>): void {
    this.set({ ...this.current, ...changes });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

// Renders the host again when the store changes, while the host is connected.
export class Watch<T extends object> implements ReactiveController {
  private release: (() => void) | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly store: Store<T>,
  ) {
    host.addController(this);
  }

  get value(): Readonly<T> {
    return this.store.value;
  }

  hostConnected(): void {
    this.release = this.store.subscribe(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.release?.();
  }
}
