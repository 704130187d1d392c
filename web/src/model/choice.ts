import { parseDuration, type Zone } from "./time_text.ts";
import { parseSegment, segmentText, WHOLE, type Segment } from "./segment.ts";

// What the reader has chosen to see. All of it is in the address of the page, so that a link shows another the same.
export type Theme = "auto" | "light" | "dark";

export interface Choice {
  readonly window: string | null; // null: the first the evaluator has; likewise below
  readonly horizon: string | null;
  readonly metric: string | null; // name without cutoff
  readonly cutoff: number | null;
  readonly segment: Segment;
  readonly a: Segment | null; // what is compared; null: the first two values
  readonly b: Segment | null;
  readonly range: string; // "6h", the newest so much; "auto": the larger of 6h and 48 windows; "all"; "fixed": from and to
  readonly from: number | null; // milliseconds
  readonly to: number | null;
  readonly zone: Zone;
  readonly wall: boolean;
  readonly theme: Theme | null; // null: as chosen on this machine before
}

export const RANGES = ["auto", "1h", "3h", "6h", "12h", "1d", "2d", "7d", "all"] as const;
export const USUAL_RANGE = "auto";

// An assessment takes 16 final windows: six hours have too few of an hour's size.
const AUTO_MS = 6 * 3_600_000;
const AUTO_WINDOWS = 48;

// How much the range is, in milliseconds, of windows that begin `slideMs` apart; null: no such length, as of "all".
export function rangeMs(range: string, slideMs: number): number | null {
  return range === "auto" ? Math.max(AUTO_MS, AUTO_WINDOWS * slideMs) : parseDuration(range);
}

export const NOTHING_CHOSEN: Choice = {
  window: null,
  horizon: null,
  metric: null,
  cutoff: null,
  segment: WHOLE,
  a: null,
  b: null,
  range: USUAL_RANGE,
  from: null,
  to: null,
  zone: "utc",
  wall: false,
  theme: null,
};

// Of a query string, with or without "?". What cannot be understood is as if it were not there. `usualRange`: what is shown
// unless somebody chose, and is not in the address.
export function parseChoice(query: string, usualRange: string = USUAL_RANGE): Choice {
  const given = new URLSearchParams(query);
  const number = (name: string): number | null => {
    const text = given.get(name);
    return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
  };
  const segment = (name: string): Segment | null => {
    const text = given.get(name);
    return text === null ? null : parseSegment(text);
  };
  const [from, to] = [number("from"), number("to")];
  const fixed = from !== null && to !== null && from < to;
  const range = given.get("range") ?? usualRange;
  const theme = given.get("theme");
  return {
    window: given.get("window"),
    horizon: given.get("horizon"),
    metric: given.get("metric"),
    cutoff: number("k"),
    segment: segment("segment") ?? WHOLE,
    a: segment("a"),
    b: segment("b"),
    range: fixed ? "fixed" : range === "all" || range === "auto" || parseDuration(range) !== null ? range : usualRange,
    from: fixed ? from : null,
    to: fixed ? to : null,
    zone: given.get("zone") === "local" ? "local" : "utc",
    wall: given.get("wall") === "1",
    theme: theme === "auto" || theme === "light" || theme === "dark" ? theme : null,
  };
}

// "?window=minute&...", what is as usual left out; parseChoice() gives the same choice again.
export function choiceQuery(choice: Choice, usualRange: string = USUAL_RANGE): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | null): void => {
    if (value !== null && value !== "") query.set(name, value);
  };
  put("window", choice.window);
  put("horizon", choice.horizon);
  put("metric", choice.metric);
  put("k", choice.cutoff === null ? null : String(choice.cutoff));
  put("segment", segmentText(choice.segment));
  if (choice.a) query.set("a", segmentText(choice.a));
  if (choice.b) query.set("b", segmentText(choice.b));
  if (choice.range === "fixed") {
    put("from", String(choice.from));
    put("to", String(choice.to));
  } else if (choice.range !== usualRange) {
    put("range", choice.range);
  }
  put("zone", choice.zone === "local" ? "local" : null);
  put("wall", choice.wall ? "1" : null);
  put("theme", choice.theme);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

// From and to in milliseconds, null: unbounded. `newest`: event time that the evaluator has come to; the clock on the wall
// has no say, for a replay may show last month.
export function boundsOf(choice: Choice, newest: number | null, slideMs: number): { from: number | null; to: number | null } {
  if (choice.range === "fixed") return { from: choice.from, to: choice.to };
  const length = rangeMs(choice.range, slideMs);
  return { from: length === null || newest === null ? null : newest - length, to: null };
}
