import type { Apart } from "../model/apart.ts";
import type { Definition } from "../model/definition.ts";
import type { Look } from "../model/experiment.ts";
import type { Outline } from "../model/outline.ts";
import type { Point } from "../model/point.ts";
import type { Segment } from "../model/segment.ts";
import type { Series } from "../model/series.ts";
import type { Status } from "../model/status.ts";

// Where the page has its numbers from: a running evaluator, or the rows of a report.
export interface SeriesQuery {
  readonly window: string;
  readonly metric: string; // the key
  readonly horizon: string;
  readonly segment: Segment;
  readonly from: number | null; // milliseconds; null: unbounded
  readonly to: number | null;
}
export interface CompareQuery extends Omit<SeriesQuery, "segment"> {
  readonly a: Segment;
  readonly b: Segment;
}

// First against second over all final windows of a range.
export interface Cumulated extends Apart {
  readonly windows: number; // 0: not of windows, but of all lists of a log
  readonly start: number; // milliseconds, of the first window; `end` of the last
  readonly end: number;
}
export interface Compared {
  readonly difference: Series; // first - second
  readonly relative: Series;
  readonly cumulated: Cumulated | null;
  readonly experiment: string | null; // that compares the two and may be looked at at any time
}

// How far an arm was from the control at each look, oldest first: with intervals for all looks together, and for one.
export interface Looks {
  readonly all: readonly Point[];
  readonly one: readonly Point[];
}

export interface Source {
  readonly isOver: boolean; // a file, to which nothing is added
  outline(): Promise<{ readonly outline: Outline; readonly status: Status | null }>;
  definitions(): Promise<ReadonlyMap<string, Definition>>; // by key
  series(query: SeriesQuery): Promise<Series>;
  // Windows as they stood when `tenth` of their lists had matured; null: not known of this source.
  seriesAtMaturity(query: SeriesQuery, tenth: number): Promise<Series | null>;
  // How b stands against a, with intervals; null: this source has the two only.
  compare(query: CompareQuery): Promise<Compared | null>;
  // Why the metric changed last, in a sentence; `window`: which, null: the longest that can be compared. null: it is not
  // known of this source, or the change may be chance.
  why(metric: string, window: string | null): Promise<string | null>;
  // The newest look of each experiment; none: there is no experiment.
  experiments(): Promise<readonly Look[]>;
  looks(experiment: string, metric: string, arm: string): Promise<Looks>;
  // Where a program gets the same from; null: nowhere, for a file.
  seriesLink(query: SeriesQuery): string | null;
}
