import { curvePointOf, learningPointOf, type CurvePoint, type LearningPoint } from "../model/curve.ts";
import { definitionOf, type Definition } from "../model/definition.ts";
import { lookOf, type Look } from "../model/experiment.ts";
import { LISTS_MIN } from "../model/judgement.ts";
import { leagueOf } from "../model/league.ts";
import { betterOf } from "../model/metric_kind.ts";
import type { Outline, WindowShape } from "../model/outline.ts";
import { isSettled, type Point } from "../model/point.ts";
import { actedShareOf, metricsOf, pointOf, rowOf, type Row } from "../model/row.ts";
import { cutoffOf } from "../model/row_cutoff.ts";
import { segmentId, segmentOfObject, type Segment } from "../model/segment.ts";
import { EMPTY, seriesOf, slideOf, within, type Series } from "../model/series.ts";
import { spansOf } from "../model/span.ts";
import { statusOf, type Status } from "../model/status.ts";
import { parseDuration } from "../model/time_text.ts";
import { cumulatedOf } from "./compared.ts";
import type { Compared, CompareQuery, Cumulated, Looks, SeriesQuery, Source } from "./source.ts";

// The rows that a report carries: lines of JSON, each told by its `schema`. Lines that are not JSON are counted, not fatal: a
// file that was cut off still shows what it has.
export interface PageNote {
  readonly title: string;
  readonly version: string;
  readonly cutoff: number | null; // what half of the lists reach
}

const seriesKey = (window: string, horizon: string, segment: Segment): string =>
  JSON.stringify([window, horizon, segmentId(segment)]);

// Of two segments and all lists of the log: `a` against `b`.
interface ComparedLists {
  readonly metric: string;
  readonly horizon: string;
  readonly a: string; // segmentId()
  readonly b: string;
  readonly cumulated: Cumulated;
}

const comparedOf = (cumulated: Cumulated): Compared => ({ difference: EMPTY, relative: EMPTY, cumulated, experiment: null });

export class RowsSource implements Source {
  private readonly rows = new Map<string, Row[]>();
  private readonly known = new Map<string, Definition>();
  private readonly compared: ComparedLists[] = [];
  private readonly looksOf = new Map<string, Look[]>(); // of an experiment, oldest first
  private readonly whys = new Map<string, string>(); // by metric
  private report: Status | null = null;
  readonly curves: CurvePoint[] = [];
  readonly learning: LearningPoint[] = [];
  readonly isOver = true;
  readonly shape: Outline;
  note: PageNote = { title: "", version: "", cutoff: null };
  unread = 0;

  constructor(lines: string) {
    const all: Row[] = [];
    for (const line of lines.split("\n")) {
      if (line.trim() === "") continue;
      try {
        this.take(JSON.parse(line), all);
      } catch {
        this.unread++;
      }
    }
    for (const row of all) {
      const key = seriesKey(row.window, row.horizon, row.segment);
      const group = this.rows.get(key);
      if (group) group.push(row);
      else this.rows.set(key, [row]);
    }
    const shape = shapeOf(all, this.rows, this.note);
    const shownLane = this.report?.shownLane ?? null;
    this.shape = shape.hasLanes ? { ...shape, ...lanesOf(shape, all, this.known), shownLane } : shape;
  }

  private take(value: unknown, rows: Row[]): void {
    const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    const row = rowOf(value);
    const look = lookOf(value);
    const curve = curvePointOf(fields);
    const learning = learningPointOf(fields);
    if (curve) {
      this.curves.push(curve);
    } else if (learning) {
      this.learning.push(learning);
    } else if (look) {
      const before = this.looksOf.get(look.experiment);
      if (before) before.push(look);
      else this.looksOf.set(look.experiment, [look]);
    } else if (row) {
      rows.push(row);
    } else if (fields["schema"] === "recmeter.report/1") {
      this.report = statusOf(fields);
    } else if (fields["schema"] === "recmeter.comparison/1") {
      const cumulated = cumulatedOf(fields);
      if (cumulated === null) return;
      this.compared.push({
        metric: String(fields["metric"]),
        horizon: String(fields["horizon"]),
        a: segmentId(segmentOfObject(fields["a"])),
        b: segmentId(segmentOfObject(fields["b"])),
        cumulated,
      });
    } else if (fields["schema"] === "recmeter.why/1") {
      this.whys.set(String(fields["metric"]), String(fields["words"]));
    } else if (fields["schema"] === "recmeter.page/1") {
      this.note = {
        title: String(fields["title"] ?? ""),
        version: String(fields["version"] ?? ""),
        cutoff: typeof fields["cutoff"] === "number" ? fields["cutoff"] : null,
      };
      for (const one of Array.isArray(fields["definitions"]) ? fields["definitions"] : []) {
        const definition = definitionOf(one as Record<string, unknown>);
        this.known.set(definition.key, definition);
      }
    } else {
      this.unread++;
    }
  }

  async outline(): Promise<{ outline: Outline; status: Status | null }> {
    return { outline: this.shape, status: this.report };
  }

  async definitions(): Promise<ReadonlyMap<string, Definition>> {
    return this.known;
  }

  async series(query: SeriesQuery): Promise<Series> {
    const rows = this.rows.get(seriesKey(query.window, query.horizon, query.segment)) ?? [];
    const points = rows.map((row) => this.pointOf(row, query.metric)).filter((point): point is Point => point !== null);
    return within(seriesOf(points), query.from, query.to);
  }

  // A row holds all that was read if the log, without the gap before its end, would reach so far.
  private pointOf(row: Row, metric: string): Point | null {
    const point = pointOf(row, metric);
    const heldTo = this.report?.heldTo ?? null;
    const horizon = parseDuration(row.horizon);
    if (point === null || point.stage !== "truncated" || heldTo === null || horizon === null) return point;
    return row.end + horizon <= heldTo ? { ...point, stage: "held", matured: 1 } : point;
  }

  // Rows of a file have one value of a window.
  async seriesAtMaturity(): Promise<null> {
    return null;
  }

  // The interval of a difference needs the users of both sides, which rows do not have: it comes with the report, of all lists
  // of the log, where the report was made with them.
  async compare(query: CompareQuery): Promise<Compared | null> {
    const [a, b] = [segmentId(query.a), segmentId(query.b)];
    const found = this.compared.find(
      (one) => one.metric === query.metric && one.horizon === query.horizon && one.a === b && one.b === a,
    );
    return found ? comparedOf(found.cumulated) : null;
  }

  async why(metric: string): Promise<string | null> {
    return this.whys.get(metric) ?? null;
  }

  async experiments(): Promise<readonly Look[]> {
    return [...this.looksOf.values()].map((looks) => looks.at(-1) as Look);
  }

  async looks(experiment: string, metric: string, arm: string): Promise<Looks> {
    const resultOf = (look: Look | undefined) =>
      look?.metrics.find((one) => one.metric === metric)?.arms.find((one) => one.arm === arm);
    // One series has one scale, that of its newest look: looks at few events are absolute.
    const newest = resultOf(this.looksOf.get(experiment)?.at(-1));
    const isRelative = newest !== undefined && newest.relative !== null;
    const of = (interval: "cs" | "ci"): Point[] =>
      (this.looksOf.get(experiment) ?? []).map((look): Point => {
        const result = resultOf(look);
        const distance = (isRelative ? result?.relative : result?.absolute) ?? null;
        const [low, high] = distance?.[interval] ?? [null, null];
        const lists = look.arms.find((one) => one.arm === arm)?.lists ?? 0;
        return {
          start: look.end,
          end: look.end,
          value: distance?.value ?? null,
          low,
          high,
          lists,
          stage: "final",
          matured: 1,
          incomplete: [],
        };
      });
    return { all: of("cs"), one: of("ci") };
  }

  seriesLink(): null {
    return null;
  }
}

type Groups = ReadonlyMap<string, readonly Row[]>; // by seriesKey()

function shapeOf(rows: readonly Row[], groups: Groups, note: PageNote): Outline {
  const starts = new Map<string, { size: number; starts: Set<number> }>();
  const horizons = new Set<string>();
  const metrics = new Set<string>();
  const byKeys = new Map<string, Map<string, Segment>>();
  for (const row of rows) {
    const window = starts.get(row.window) ?? { size: row.end - row.start, starts: new Set() };
    window.starts.add(row.start);
    starts.set(row.window, window);
    horizons.add(row.horizon);
    for (const metric of metricsOf(row)) metrics.add(metric);
    if (row.segment.length === 0) continue;
    const keys = JSON.stringify(row.segment.map(([key]) => key));
    const segments = byKeys.get(keys) ?? new Map<string, Segment>();
    segments.set(segmentId(row.segment), row.segment);
    byKeys.set(keys, segments);
  }
  const first = rows[0]?.fields["evaluator"];
  const windows = [...starts].map(([name, { size, starts: all }]): WindowShape => {
    const points = [...all].sort((a, b) => a - b).map((start) => ({ start, end: start + size }));
    return { name, sizeMs: size, slideMs: Math.min(size, slideOf(points)) };
  });
  const whole = wholeOf(
    windows.filter(({ name }) => starts.get(name)?.starts.size === 1),
    windows,
    groups,
  );
  const wholeRows = rows.filter((row) => row.window === whole);
  return {
    name: typeof first === "string" ? first : "",
    version: note.version,
    begin: beginOf(
      windows.filter(({ name }) => name !== whole),
      rows,
    ),
    cutoff: note.cutoff ?? cutoffOf(whole === null ? rows : wholeRows),
    explained: [],
    windows,
    horizons: [...horizons],
    metrics: [...metrics],
    whole,
    actedShare: actedShareOf(wholeRows.find((row) => row.segment.length === 0)),
    hasLanes: rows.length > 0 && rows.every((row) => row.segment.length > 0),
    spans: spansOf(rows.filter(({ window }) => window !== whole)),
    shownLane: null,
    lanesBestFirst: new Map(),
    segmentations: [...byKeys].map(([keys, segments]) => ({
      keys: JSON.parse(keys) as string[],
      segments: [...segments.values()].sort((a, b) => (segmentId(a) < segmentId(b) ? -1 : 1)),
    })),
  };
}

const LANES: readonly string[] = ["recommender", "policy"];

// The order in which recommenders of a log stand, and the share of lists shown that were acted on.
function lanesOf(
  { whole, metrics }: Outline,
  rows: readonly Row[],
  known: ReadonlyMap<string, Definition>,
): Pick<Outline, "lanesBestFirst" | "actedShare"> {
  const lanes = rows.filter(
    ({ window, segment }) => window === whole && segment.length === 1 && LANES.includes(segment[0]?.[0] ?? ""),
  );
  const bestFirst = (metric: string): Segment[] =>
    leagueOf(
      lanes.map((row) => ({ segment: row.segment, point: pointOf(row, metric) })),
      betterOf(metric, known.get(metric)),
    ).map(({ segment }) => segment);
  const shares = lanes.map(actedShareOf).filter((share) => share !== null);
  return {
    lanesBestFirst: new Map(metrics.map((metric) => [metric, bestFirst(metric)])),
    actedShare: shares.length === 0 ? null : Math.max(...shares),
  };
}

// The shortest window half of which have enough lists to say something, else the longest: single lists make no course.
function beginOf(windows: readonly WindowShape[], rows: readonly Row[]): string | null {
  const keys = Math.min(...rows.map((row) => row.segment.length));
  const median = ({ name }: WindowShape): number => {
    const lists = rows.filter((row) => row.window === name && row.segment.length === keys).map((row) => row.lists);
    return lists.sort((a, b) => a - b)[lists.length >> 1] ?? 0;
  };
  const bySize = [...windows].sort((a, b) => a.sizeMs - b.sizeMs);
  return (bySize.find((window) => median(window) >= LISTS_MIN) ?? bySize.at(-1))?.name ?? null;
}

// The shortest window of which there is one alone, if it holds as many lists as those of any other name do together. A list
// is in several rolling windows.
function wholeOf(single: readonly WindowShape[], windows: readonly WindowShape[], groups: Groups): string | null {
  const slack = 1e-6; // of sums of fractions
  const listsOf = ({ name, slideMs, sizeMs }: WindowShape, horizon: string, segment: Segment): number =>
    ((groups.get(seriesKey(name, horizon, segment)) ?? []).reduce((sum, row) => sum + row.lists, 0) * slideMs) / sizeMs;
  const firsts = [...groups.values()].map((group) => group[0] as Row);
  const isWhole = (one: WindowShape): boolean =>
    firsts.every(({ window, horizon, segment }) => {
      const other = windows.find(({ name }) => name === window) ?? one;
      return listsOf(one, horizon, segment) + slack >= listsOf(other, horizon, segment);
    });
  return [...single].sort((a, b) => a.sizeMs - b.sizeMs).find(isWhole)?.name ?? null;
}

// The newest end of a window, final ones before others: where a range of the newest hours begins to count.
export function newestEnd(series: Series): number | null {
  return series.points.filter(isSettled).at(-1)?.end ?? series.points.at(-1)?.end ?? null;
}
