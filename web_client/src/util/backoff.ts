// Delay before the n-th attempt (from 0): doubles up to the limit, with jitter so that pages do not reconnect simultaneously.
export function backoffMs(attempt: number, random: () => number = Math.random, first = 300, limit = 8000): number {
  const full = Math.min(limit, first * 2 ** attempt);
  return Math.round(full * (0.6 + 0.4 * random()));
}
