// Several models in one image: a crowd of copies, and ghosts of earlier and later times (text of the parameter `ghosts` of the API).

export interface Ghosts {
  before: number;
  after: number;
  seconds: number; // from one to the next
}

export const maxCrowd = 10000;
export const maxGhosts = 16; // on each side
export const ghostSeconds = { least: 0.001, most: 60, usual: 0.1 };

export function ghostsText({ before, after, seconds }: Ghosts): string | null {
  return before + after > 0 ? `${before},${after}@${Number(seconds.toFixed(3))}` : null;
}

// Reads BEFORE[,AFTER][@SECONDS]; other texts, and numbers that the API rejects, are no ghosts.
export function readGhosts(text: string | null): Ghosts {
  const none = { before: 0, after: 0, seconds: ghostSeconds.usual };
  const [match, first, second, time] = /^(\d{1,2})(?:,(\d{1,2}))?(?:@(\d+(?:\.\d+)?))?$/.exec(text ?? "") ?? [];
  if (match === undefined) return none;
  const [before, after, seconds] = [Number(first), Number(second ?? first), Number(time ?? ghostSeconds.usual)];
  const isPossible = Math.max(before, after) <= maxGhosts && seconds >= ghostSeconds.least && seconds <= ghostSeconds.most;
  return isPossible ? { before, after, seconds } : none;
}

export function readCrowd(text: string | null): number {
  const count = Number(text ?? 1);
  return Number.isInteger(count) && count >= 1 && count <= maxCrowd ? count : 1;
}
