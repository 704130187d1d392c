import { apartOf } from "../model/apart.ts";
import type { Cumulated } from "./source.ts";

// What an evaluator or a report says of two segments over many windows, or over all lists of a log.
export function cumulatedOf(value: unknown): Cumulated | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  return {
    windows: Number(fields["windows"] ?? 0),
    start: Number(fields["start"]),
    end: Number(fields["end"]),
    ...apartOf(fields),
  };
}
