import { isSettled, stageOf, type Point } from "./point.ts";

// The windows of one metric, window, horizon and segment, oldest first, at most one for each start.
export interface Series {
  readonly points: readonly Point[];
  readonly finalUntil: number | null; // every window that ends at or before it is final; null: none is
}

export const EMPTY: Series = { points: [], finalUntil: null };

// What `/api/v1/series` gives, column by column.
export function seriesOfColumns(columns: Readonly<Record<string, readonly unknown[]>>, finalUntil: number | null): Series {
  const column = (name: string): readonly unknown[] => columns[name] ?? [];
  const number = (name: string, i: number): number | null => {
    const value = column(name)[i];
    return typeof value === "number" ? value : null;
  };
  const points = column("start").map((start, i): Point => {
    const incomplete = column("incomplete")[i];
    return {
      start: Number(start),
      end: number("end", i) ?? Number(start),
      value: number("value", i),
      low: number("low", i),
      high: number("high", i),
      lists: number("lists", i) ?? 0,
      stage: stageOf(column("stage")[i]),
      matured: number("matured", i) ?? 1,
      incomplete: Array.isArray(incomplete) ? incomplete.map(String) : [],
    };
  });
  return { points: points.sort((a, b) => a.start - b.start), finalUntil };
}

// With `point` in its place. What is final stays: a provisional value that arrives after it is old news.
export function withPoint(series: Series, point: Point): Series {
  const { points } = series;
  let at = points.length;
  while (at > 0 && (points[at - 1] as Point).start >= point.start) at--;
  const old = points[at]?.start === point.start ? points[at] : undefined;
  if (old && isSettled(old) && !isSettled(point)) return series;
  const changed = [...points.slice(0, at), point, ...points.slice(old ? at + 1 : at)];
  const finalUntil = isSettled(point) ? Math.max(series.finalUntil ?? point.end, point.end) : series.finalUntil;
  return { points: changed, finalUntil };
}

// Of points in any order; of several with one start a final one counts, else the last.
export function seriesOf(points: readonly Point[], finalUntil: number | null = null): Series {
  const byStart = new Map<number, Point>();
  let until = finalUntil;
  for (const point of points) {
    if (isSettled(point)) until = Math.max(until ?? point.end, point.end);
    const old = byStart.get(point.start);
    if (!old || !isSettled(old) || isSettled(point)) byStart.set(point.start, point);
  }
  return { points: [...byStart.values()].sort((a, b) => a.start - b.start), finalUntil: until };
}

export function merged(base: Series, newer: Series): Series {
  const until = Math.max(base.finalUntil ?? -Infinity, newer.finalUntil ?? -Infinity);
  return seriesOf([...base.points, ...newer.points], Number.isFinite(until) ? until : null);
}

// Windows that end within (from, to]; null: without that bound.
export function within(series: Series, from: number | null, to: number | null): Series {
  const points = series.points.filter((p) => (from === null || p.end > from) && (to === null || p.end <= to));
  return { points, finalUntil: series.finalUntil };
}

// Milliseconds from one window to the next where nobody says it: the smallest step there is.
export function slideOf(points: readonly Pick<Point, "start" | "end">[]): number {
  let slide = Infinity;
  for (let i = 1; i < points.length; i++) {
    slide = Math.min(slide, (points[i]?.start ?? 0) - (points[i - 1]?.start ?? 0));
  }
  const first = points[0];
  return Number.isFinite(slide) ? slide : first ? first.end - first.start : 60_000;
}

export const newestFinal = (series: Series): Point | undefined => series.points.filter(isSettled).at(-1);
