import { changeOf, REFERENCE_WINDOWS_MIN, referenceOf, type Change, type Reference } from "./judgement.ts";
import type { Point } from "./point.ts";

// A value that is not final yet is compared only with earlier windows as they stood when the same share of their lists had
// had its whole horizon: feedback still to come makes it lower (or higher) for that reason alone.

// The newest window that is unsettled and of which some tenth has matured.
export interface Unsettled {
  readonly point: Point;
  readonly tenth: number; // 0.1 to 0.9: the share that has matured, rounded down to tenths
}

export function tenthOf(matured: number): number {
  return Math.min(9, Math.floor(matured * 10 + 1e-9)) / 10;
}

export function newestComparable(points: readonly Point[]): Unsettled | null {
  for (let i = points.length - 1; i >= 0; i--) {
    const point = points[i] as Point;
    if (point.stage === "provisional" && tenthOf(point.matured) > 0) return { point, tenth: tenthOf(point.matured) };
  }
  return null;
}

export interface SameMaturity {
  readonly then: Point; // the window itself, as it stood when that tenth had matured
  readonly reference: Reference;
  readonly change: Change;
}

// `earlier`: windows as they stood at that tenth, the unsettled one among them. null: too few, or it is not there.
export function compareAtMaturity(unsettled: Unsettled, earlier: readonly Point[]): SameMaturity | null {
  const then = earlier.find((point) => point.start === unsettled.point.start);
  // Of rolling windows those that share lists with it would be compared with themselves.
  const apart = earlier.filter((point) => point.value !== null && point.end <= unsettled.point.start);
  const usable =
    apart.length >= REFERENCE_WINDOWS_MIN
      ? apart
      : earlier.filter((point) => point.value !== null && point.start < unsettled.point.start);
  const reference = referenceOf(usable);
  if (!then || then.value === null || !reference) return null;
  return { then, reference, change: changeOf(then, reference) };
}
