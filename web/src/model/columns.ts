import { isSettled, type Point } from "./point.ts";

// A chart's numbers as columns over one axis of time: settled and unsettled values apart, and an empty place wherever a
// window is missing, so that a line breaks there instead of claiming what nobody measured.
export interface LineColumns {
  readonly low: (number | null)[]; // interval of settled values
  readonly high: (number | null)[];
  readonly settled: (number | null)[];
  readonly unsettled: (number | null)[];
}
export interface Columns {
  readonly ends: number[]; // of windows, in milliseconds, rising
  readonly lines: LineColumns[];
}

// `slide`: milliseconds from one window to the next.
export function columnsOf(lines: readonly (readonly Point[])[], slide: number): Columns {
  const places = new Set<number>();
  for (const points of lines) {
    points.forEach((point, i) => {
      const before = points[i - 1];
      if (before && point.end - before.end > slide * 1.5) places.add(before.end + slide);
      places.add(point.end);
    });
  }
  const ends = [...places].sort((a, b) => a - b);
  return { ends, lines: lines.map((points) => lineOf(points, ends)) };
}

function lineOf(points: readonly Point[], ends: readonly number[]): LineColumns {
  const byEnd = new Map(points.map((point) => [point.end, point]));
  const line: LineColumns = { low: [], high: [], settled: [], unsettled: [] };
  for (const end of ends) {
    const point = byEnd.get(end);
    const settled = point !== undefined && isSettled(point);
    const whole = settled && point.low !== null && point.high !== null;
    line.low.push(whole ? point.low : null);
    line.high.push(whole ? point.high : null);
    line.settled.push(settled ? point.value : null);
    line.unsettled.push(point && !settled ? point.value : null);
  }
  return line;
}

// Windows that should be there and are not, between the first and the last.
export function missingWindows(points: readonly Point[], slide: number): number {
  let missing = 0;
  for (let i = 1; i < points.length; i++) {
    const steps = Math.round(((points[i] as Point).start - (points[i - 1] as Point).start) / slide);
    missing += Math.max(0, steps - 1);
  }
  return missing;
}
