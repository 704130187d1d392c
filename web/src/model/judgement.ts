import type { Better } from "./metric_kind.ts";
import { shareText, valueText } from "./number_text.ts";
import { isSettled, type Point } from "./point.ts";

// Whether the newest windows differ from earlier ones, by a rule that fits into a sentence: the older half of the range is
// the reference; a window is lower than usual when its value is below nine tenths of the reference and its whole interval
// below the reference's median; higher likewise. One such window in twenty comes about by chance, so a change counts once
// windows in a row span one and a half of their size: two that follow each other, more of rolling ones, which share most of
// their lists.
//
// A window that is incomplete, not final or of fewer than 30 lists takes no part.
export type Change = "lower" | "higher" | "usual";

export interface Reference {
  readonly median: number;
  readonly low: number; // a tenth of the windows are below
  readonly high: number; // a tenth of the windows are above
  readonly windows: number;
  readonly from: number; // milliseconds: start of the first, end of the last
  readonly to: number;
}

export interface Judgement {
  readonly newest: Point;
  readonly reference: Reference;
  readonly change: Change;
  readonly run: number; // windows in a row with that change, the newest the last
  readonly since: number; // milliseconds: start of the first of them
  readonly relative: number | null; // (value - median) / median
}

export const REFERENCE_WINDOWS_MIN = 8;
export const LISTS_MIN = 30; // of a window that something is said of

const judged = (point: Point): boolean =>
  isSettled(point) && point.value !== null && point.incomplete.length === 0 && point.lists >= LISTS_MIN;

export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

export function referenceOf(points: readonly Point[]): Reference | null {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < REFERENCE_WINDOWS_MIN) return null;
  const sorted = points.map((point) => point.value as number).sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.1),
    high: quantile(sorted, 0.9),
    windows: points.length,
    from: first.start,
    to: last.end,
  };
}

export function changeOf(point: Point, reference: Reference): Change {
  const value = point.value;
  if (value === null) return "usual";
  if (value < reference.low && (point.high ?? value) < reference.median) return "lower";
  if (value > reference.high && (point.low ?? value) > reference.median) return "higher";
  return "usual";
}

// null: too little to judge by.
export function judge(points: readonly Point[]): Judgement | null {
  const whole = points.filter(judged);
  const newest = whole.at(-1);
  const half = Math.floor(whole.length / 2);
  const reference = referenceOf(whole.slice(0, half));
  if (!newest || !reference) return null;
  const change = changeOf(newest, reference);
  let first = whole.length - 1;
  while (first - 1 >= half && changeOf(whole[first - 1] as Point, reference) === change) first--;
  return {
    newest,
    reference,
    change,
    run: whole.length - first,
    since: (whole[first] as Point).start,
    relative: reference.median === 0 ? null : ((newest.value as number) - reference.median) / Math.abs(reference.median),
  };
}

// Says whether the newest value lies where four in five of the reference do; a value that is as usual and does not has an
// interval that reaches the median.
export function isInRange({ newest, reference }: Judgement): boolean {
  const value = newest.value;
  return value !== null && value >= reference.low && value <= reference.high;
}

// How the newest value stands to the usual one, in numbers that say the same as the word above them.
export function besideUsual(judgement: Judgement): string {
  const { change, reference, relative } = judgement;
  const median = valueText(reference.median);
  if (change !== "usual") {
    if (relative === null) return `, usual is ${median}`;
    return `, ${shareText(Math.abs(relative))} ${relative < 0 ? "below" : "above"} the usual ${median}`;
  }
  const range = `${valueText(reference.low)} to ${valueText(reference.high)}`;
  return isInRange(judgement) ? `; usual is ${range}` : `; usual is ${range}, and ${median} is within its interval`;
}

// warming: it changes at the beginning of every log, so nothing is said of it.
export type Answer = "worse" | "better" | "changed" | "perhaps" | "usual" | "unknown" | "warming";

export function answerOf(judgement: Judgement | null, better: Better): Answer {
  if (!judgement) return "unknown";
  if (judgement.change === "usual") return "usual";
  const { newest, since } = judgement;
  if (newest.end - since < 1.5 * (newest.end - newest.start)) return "perhaps";
  if (better === "neither") return "changed";
  return judgement.change === better ? "better" : "worse";
}
