import type { Better } from "./metric_kind.ts";
import type { Point } from "./point.ts";
import type { Segment } from "./segment.ts";

// Recommenders in the order of their values over a whole log.
export interface Standing {
  readonly segment: Segment;
  readonly point: Point | null; // null: not known yet
}

// The best first; of a metric that is neither good nor bad, the largest. Those without a value come last, as they were.
export function leagueOf(standings: readonly Standing[], better: Better): Standing[] {
  const sign = better === "lower" ? 1 : -1;
  const place = ({ point }: Standing): number => ((point?.value ?? null) === null ? Infinity : sign * (point?.value ?? 0));
  return standings
    .map((standing, i) => ({ standing, i, at: place(standing) }))
    .sort((a, b) => (a.at === b.at ? a.i - b.i : a.at - b.at))
    .map(({ standing }) => standing);
}
