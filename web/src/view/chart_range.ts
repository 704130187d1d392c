import { isSettled, type Point } from "../model/point.ts";
import { countText } from "../model/number_text.ts";
import { windowText, type Zone } from "../model/time_text.ts";
import type { ChartContent } from "./chart_content.ts";

// The height of a chart.

// All that is drawn, with a little air; never a range of nothing.
export function yRangeOf(content: ChartContent, isFitted: boolean): [number, number] {
  // Where nothing is final yet, and of counts, all windows are to be seen.
  const fits = isFitted && !content.isCount && content.lines.some((line) => line.points.some(isSettled));
  let [low, high] = content.zero ? [0, 0] : [Infinity, -Infinity];
  const take = (value: number | null | undefined): void => {
    if (value === null || value === undefined) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  const takePoint = (point: Point): void => {
    [point.value, point.low, point.high].forEach(take);
  };
  // The first looks at an experiment know next to nothing, and would press the others flat.
  const seen = (points: readonly Point[]): readonly Point[] =>
    content.isChange ? points.slice(Math.floor(points.length / 4)) : points;
  content.lines.forEach((line) =>
    seen(line.points)
      .filter((point) => !fits || isSettled(point))
      .forEach(takePoint),
  );
  seen(content.bounds ?? []).forEach(takePoint);
  if (!fits) content.ghost?.points.forEach((point) => take(point.value));
  take(content.reference?.value);
  if (low > high) return [0, 1];
  const air = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.1 || 0.1;
  const isCountFromZero = content.zero && low === 0;
  return [isCountFromZero ? 0 : low - air, high + air];
}

export function outsideOf({ lines }: ChartContent, [low, high]: readonly [number, number]): Point[] {
  const isOutside = ({ value }: Point): boolean => value !== null && (value < low || value > high);
  return lines.flatMap(({ points }) => points.filter((point) => !isSettled(point) && isOutside(point)));
}

// "30 Nov is not final and lies outside this height."; "": none does.
export function outsideText(points: readonly Point[], zone: Zone): string {
  const [first, ...more] = points;
  if (first === undefined) return "";
  if (more.length === 0) return `${windowText(first.start, first.end, zone)} is not final and lies outside this height.`;
  return `${countText(points.length)} windows are not final and lie outside this height.`;
}
