import { describe, expect, it } from "vitest";

import { quotaBytes, quotaFields } from "../src/util/quota";

describe("a storage limit", () => {
  it("is entered with a unit", () => {
    expect(quotaBytes("1.5", "GB")).toBe(1_500_000_000);
    expect(quotaBytes("0", "TB")).toBe(0);
    for (const text of ["", " ", "x", "-1"]) expect(quotaBytes(text, "MB"), text).toBeNull();
  });

  it("is shown in the largest unit with a whole", () => {
    expect(quotaFields(2_500_000_000)).toEqual({ amount: "2.5", unit: "GB" });
    expect(quotaFields(1e12)).toEqual({ amount: "1", unit: "TB" });
    expect(quotaFields(500_000)).toEqual({ amount: "0.5", unit: "MB" });
    expect(quotaFields(null)).toEqual({ amount: "10", unit: "GB" });
    for (const bytes of [0, 1, 123_456_789]) {
      const { amount, unit } = quotaFields(bytes);
      expect(quotaBytes(amount, unit)).toBe(bytes);
    }
  });
});
