import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Late } from "../src/util/late";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("reports a late answer after a while, and a slow one later", () => {
  let waits = false;
  const host = { updates: 0, addController() {}, removeController() {}, updateComplete: Promise.resolve(true), requestUpdate: () => void (host.updates += 1) };
  const late = new Late(host, () => waits);
  const update = () => {
    late.hostUpdate();
    return [late.isLate, late.isSlow];
  };
  expect(update()).toEqual([false, false]);
  waits = true;
  expect(update()).toEqual([false, false]);
  vi.advanceTimersByTime(500);
  expect(host.updates).toBe(1);
  expect(update()).toEqual([true, false]);
  vi.advanceTimersByTime(5000);
  expect(host.updates).toBe(2);
  expect(update()).toEqual([true, true]);
  waits = false;
  expect(update()).toEqual([false, false]);
  waits = true;
  update();
  vi.advanceTimersByTime(300);
  waits = false;
  update();
  vi.advanceTimersByTime(10_000);
  expect(host.updates).toBe(2);
});
