// A storage limit as people enter it.
export const quotaUnits = ["MB", "GB", "TB"] as const;
export type QuotaUnit = (typeof quotaUnits)[number];

const bytesOf: Record<QuotaUnit, number> = { MB: 1e6, GB: 1e9, TB: 1e12 };

// Null: the text is no amount.
export function quotaBytes(amount: string, unit: QuotaUnit): number | null {
  const value = Number(amount);
  return amount.trim() !== "" && Number.isFinite(value) && value >= 0 ? Math.round(value * bytesOf[unit]) : null;
}

// In the largest unit that leaves at least 1; without a limit an example.
export function quotaFields(bytes: number | null): { amount: string; unit: QuotaUnit } {
  if (bytes === null) return { amount: "10", unit: "GB" };
  const unit = [...quotaUnits].reverse().find((one) => bytes >= bytesOf[one]) ?? "MB";
  return { amount: String(bytes / bytesOf[unit]), unit };
}
