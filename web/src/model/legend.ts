import type { Point } from "./point.ts";

// Nothing is explained that is not drawn.
export const hasInterval = (points: readonly Point[]): boolean =>
  points.some(({ low, high }) => low !== null && high !== null);

// The legend of looks at an experiment: intervals for all of them, and for one.
export function looksLegend(all: readonly Point[], one: readonly Point[]): string {
  const band = hasInterval(all) ? "Band: holds for all looks together, so look as often as you like." : "";
  return `${band} ${hasInterval(one) ? "Thin lines: for one look." : ""}`.trim();
}
