import type { Definition } from "../model/definition.ts";
import type { Outline } from "../model/outline.ts";
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

export interface Source {
  outline(): Promise<{ readonly outline: Outline; readonly status: Status | null }>;
  definitions(): Promise<ReadonlyMap<string, Definition>>; // by key
  series(query: SeriesQuery): Promise<Series>;
  // Windows as they stood when `tenth` of their lists had matured; null: not known of this source.
  seriesAtMaturity(query: SeriesQuery, tenth: number): Promise<Series | null>;
  // The difference a − b with its interval; null: this source has the two only.
  difference(query: CompareQuery): Promise<Series | null>;
}
