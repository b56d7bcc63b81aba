// Whether an answer is late, so that an element can say so: not at once, because most answers arrive before a sign could be read.
import type { ReactiveController, ReactiveControllerHost } from "lit";

const signMs = 400;
const slowMs = 5000;

export class Late implements ReactiveController {
  private since: number | null = null;
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly waits: () => boolean,
  ) {
    host.addController(this);
  }

  // A sign is due.
  get isLate(): boolean {
    return this.age >= signMs;
  }

  // A sentence is due.
  get isSlow(): boolean {
    return this.age >= slowMs;
  }

  hostUpdate(): void {
    if (this.waits() === (this.since !== null)) return;
    if (this.since !== null) this.stop();
    else {
      this.since = performance.now();
      this.timers = [signMs, slowMs].map((ms) => setTimeout(() => this.host.requestUpdate(), ms + 1));
    }
  }

  hostDisconnected(): void {
    this.stop();
  }

  private get age(): number {
    return this.since === null ? 0 : performance.now() - this.since;
  }

  private stop(): void {
    this.since = null;
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }
}
