import type { Row } from "./row.ts";
import { nameOf, segmentId, type Segment } from "./segment.ts";
import { dayText, momentText, type Zone } from "./time_text.ts";

// From when to when a segment has lists: by the shortest windows, whose rows are of lists alone.
export interface Span {
  readonly start: number; // milliseconds
  readonly end: number;
}
export type Spans = ReadonlyMap<string, Span>; // by segmentId()

export function spansOf(rows: readonly Row[]): Spans {
  const size = rows.reduce((least, { start, end }) => Math.min(least, end - start), Infinity);
  const spans = new Map<string, Span>();
  for (const { start, end, segment, lists } of rows) {
    if (end - start !== size || lists === 0) continue;
    const known = spans.get(segmentId(segment)) ?? { start, end };
    spans.set(segmentId(segment), { start: Math.min(known.start, start), end: Math.max(known.end, end) });
  }
  return spans;
}

// "old has lists of 10 Dec to 15 Dec, new of 22 Jan to 3 Mar: they never ran at the same time, so that their difference may be that of
// the times"; "": they did, or it is not known.
export function neverTogetherText(spans: Spans, a: Segment, b: Segment, zone: Zone): string {
  const [of, other] = [spans.get(segmentId(a)), spans.get(segmentId(b))];
  if (!of || !other || (of.start < other.end && other.start < of.end)) return "";
  const isOfDays = Math.abs(of.start - other.start) >= 86_400_000;
  const text = (ms: number): string => (isOfDays ? dayText(ms, zone) : momentText(ms, zone));
  const range = ({ start, end }: Span): string => {
    const [first, last] = [text(start), text(isOfDays ? end - 1 : end)];
    return first === last ? first : `${first} to ${last}`;
  };
  return (
    `${nameOf(a)} has lists of ${range(of)}, ${nameOf(b)} of ${range(other)}: they never ran at the same time, so that their ` +
    "difference may be that of the times"
  );
}
