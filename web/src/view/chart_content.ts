import type { Point } from "../model/point.ts";
import type { Zone } from "../model/time_text.ts";

// What a chart shows, as values: the chart draws it, its table lists it, its words say it.
export interface ChartLine {
  readonly name: string;
  readonly points: readonly Point[]; // oldest first
}
export interface ChartContent {
  readonly title: string;
  readonly yLabel: string; // beside the axis of values
  readonly lines: readonly ChartLine[]; // one or two
  readonly slideMs: number;
  // How long before its end a point stands: a window where its newest part begins, so that a day is read on its own date; a look
  // at its end.
  readonly leadMs: number;
  readonly from: number | null; // milliseconds; null: where the points begin
  readonly to: number | null;
  readonly finalUntil: number | null;
  readonly reference: { readonly value: number; readonly label: string } | null; // a level to compare with
  readonly ghost: ChartLine | null; // earlier windows at the maturity that the newest has
  readonly bounds?: readonly Point[]; // a second, narrower interval of the first line, drawn as two thin lines
  readonly zero: boolean; // 0 belongs to the picture
  readonly isCount: boolean; // whole numbers of lists, without interval
  readonly isChange?: boolean; // shares by which one thing is above another: in percent, with a sign
  readonly zone: Zone;
}

export const NO_CONTENT: ChartContent = {
  title: "",
  yLabel: "",
  lines: [],
  slideMs: 60_000,
  leadMs: 60_000,
  from: null,
  to: null,
  finalUntil: null,
  reference: null,
  ghost: null,
  zero: false,
  isCount: false,
  zone: "utc",
};

// Where a point stands on the axis of time, in milliseconds.
export const placeOf = (content: ChartContent, end: number): number => end - content.leadMs;

// Ends of all windows shown, rising; where the keyboard goes.
export function endsOf(content: ChartContent): number[] {
  const ends = new Set(content.lines.flatMap((line) => line.points.map((point) => point.end)));
  return [...ends].sort((a, b) => a - b);
}
