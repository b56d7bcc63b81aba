// Measurements of the page: frames and bytes of the last second, and the time from an input to its frame.
export interface MeterReading {
  framesPerSecond: number;
  bytesPerSecond: number;
  latencyMs: number | null;
}

export class Meter {
  private shown: { at: number; bytes: number }[] = [];
  private sent = new Map<number, number>();
  private latencies: number[] = [];

  input(number: number, now: number): void {
    this.sent.set(number, now);
    if (this.sent.size > 240) this.sent.delete(this.sent.keys().next().value as number);
  }

  // A frame answers its input and all earlier ones.
  frame(input: number, bytes: number, now: number): void {
    this.shown.push({ at: now, bytes });
    const at = this.sent.get(input);
    if (at !== undefined) this.latencies.push(now - at);
    if (this.latencies.length > 20) this.latencies.shift();
    for (const number of [...this.sent.keys()]) if (number <= input) this.sent.delete(number);
  }

  read(now: number): MeterReading {
    this.shown = this.shown.filter((entry) => entry.at > now - 1000);
    const sorted = [...this.latencies].sort((a, b) => a - b);
    return {
      framesPerSecond: this.shown.length,
      bytesPerSecond: this.shown.reduce((sum, entry) => sum + entry.bytes, 0),
      latencyMs: sorted.length ? (sorted[sorted.length >> 1] ?? null) : null,
    };
  }
}
