import type { Cumulated } from "./source.ts";

// What an evaluator or a report says of two segments over many windows, or over all lists of a log.
export function cumulatedOf(value: unknown): Cumulated | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  const number = (of: unknown): number | null => (typeof of === "number" ? of : null);
  const ci = Array.isArray(fields["relative_ci"]) ? fields["relative_ci"] : [null, null];
  return {
    windows: Number(fields["windows"] ?? 0),
    start: Number(fields["start"]),
    end: Number(fields["end"]),
    relative: number(fields["relative"]),
    low: number(ci[0]),
    high: number(ci[1]),
  };
}
