import { pointOf, type Row } from "../model/row.ts";
import { segmentId } from "../model/segment.ts";
import { EMPTY, merged, withPoint, type Series } from "../model/series.ts";
import type { SeriesQuery, Source } from "./source.ts";

// The series on the page: fetched once however many look at them, a few at a time in the order in which they were asked for,
// and kept up to date by the rows of the stream.
export interface BoardSeries {
  readonly series: Series;
  readonly loaded: boolean;
  readonly error: string | null;
}
type Listener = (now: BoardSeries) => void;

interface Entry {
  readonly query: SeriesQuery;
  readonly segment: string;
  from: number | null; // what to ask for: moves on from query.from
  readonly listeners: Set<Listener>;
  now: BoardSeries;
  since: Series; // rows that came while a fetch was under way
  fetching: boolean;
  stale: boolean; // to be fetched (again)
  told: boolean; // listeners know of `now`
}

// A browser opens six connections to a host, and the stream has one of them.
const FETCHES_MAX = 4;
const TELL_MS = 200;
// A wall display runs for months: points that have left the range are forgotten.
const POINTS_KEPT_MAX = 20_000;

export class Board {
  private readonly entries = new Map<string, Entry>();
  private running = 0;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly source: Source) {}

  // Calls `listener` when the series is there and whenever it changes, until the function returned is called.
  watch(query: SeriesQuery, listener: Listener): () => void {
    const key = JSON.stringify({ ...query, segment: segmentId(query.segment) });
    let entry = this.entries.get(key);
    if (!entry) {
      entry = {
        query,
        segment: segmentId(query.segment),
        from: query.from,
        listeners: new Set(),
        now: { series: EMPTY, loaded: false, error: null },
        since: EMPTY,
        fetching: false,
        stale: true,
        told: true,
      };
      this.entries.set(key, entry);
    }
    const watched = entry;
    watched.listeners.add(listener);
    if (watched.now.loaded || watched.now.error !== null)
      queueMicrotask(() => {
        if (watched.listeners.has(listener)) listener(watched.now);
      });
    this.fetchNext();
    return () => {
      watched.listeners.delete(listener);
      // Whoever chooses anew asks first and lets go then, so what both need stays.
      queueMicrotask(() => {
        if (watched.listeners.size === 0) this.entries.delete(key);
      });
    };
  }

  takeRow(row: Row): void {
    const segment = segmentId(row.segment);
    for (const entry of this.entries.values()) {
      const { query } = entry;
      if (query.window !== row.window || query.horizon !== row.horizon || entry.segment !== segment) continue;
      if (query.to !== null && row.end > query.to) continue;
      const point = pointOf(row, query.metric);
      if (!point) continue;
      if (entry.fetching) entry.since = withPoint(entry.since, point);
      if (!entry.now.loaded) continue;
      const series = withPoint(entry.now.series, point);
      if (series === entry.now.series) continue;
      entry.now = { ...entry.now, series: { ...series, points: series.points.slice(-POINTS_KEPT_MAX) } };
      this.tell(entry, TELL_MS);
    }
  }

  // Rows may have been lost: everything shown is fetched again, and stays as it is until the answer is there. What is older
  // than `from` has left the range meanwhile, where that moves.
  refetch(from: number | null): void {
    for (const entry of this.entries.values()) {
      entry.stale = true;
      if (entry.query.to === null && entry.from !== null) entry.from = Math.max(entry.from, from ?? 0);
    }
    this.fetchNext();
  }

  private fetchNext(): void {
    for (const entry of this.entries.values()) {
      if (this.running >= FETCHES_MAX) return;
      if (entry.stale && !entry.fetching && entry.listeners.size > 0) void this.fetch(entry);
    }
  }

  private async fetch(entry: Entry): Promise<void> {
    this.running++;
    entry.fetching = true;
    entry.stale = false;
    entry.since = EMPTY;
    try {
      const series = await this.source.series({ ...entry.query, from: entry.from });
      entry.now = { series: merged(series, entry.since), loaded: true, error: null };
    } catch (error) {
      entry.now = { ...entry.now, error: error instanceof Error ? error.message : String(error) };
    }
    entry.fetching = false;
    this.running--;
    this.tell(entry, 0);
    this.fetchNext();
  }

  // Rows come in bursts, one for each segment: one look at all of them is enough.
  private tell(changed: Entry, waitMs: number): void {
    changed.told = false;
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      for (const entry of [...this.entries.values()]) {
        if (entry.told) continue;
        entry.told = true;
        for (const listener of [...entry.listeners]) listener(entry.now);
      }
    }, waitMs);
  }
}
