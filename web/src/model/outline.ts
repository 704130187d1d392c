import { isArmName } from "./arm_name.ts";
import type { Choice } from "./choice.ts";
import { controlOf } from "./control.ts";
import { familiesOf, keyAt, type MetricFamily } from "./metric_key.ts";
import type { Spans } from "./span.ts";
import { LOGGED, sameSegment, segmentOfObject, WHOLE, type Segment } from "./segment.ts";

// What an evaluator has to show: its windows, horizons, metrics and segments.
export interface WindowShape {
  readonly name: string;
  readonly sizeMs: number;
  readonly slideMs: number;
}
export interface Segmentation {
  readonly keys: readonly string[];
  readonly segments: readonly Segment[];
}
export interface Outline {
  readonly name: string;
  readonly version: string;
  readonly windows: readonly WindowShape[];
  readonly horizons: readonly string[];
  readonly metrics: readonly string[];
  readonly begin: string | null; // the window to begin with; null: the first
  readonly cutoff: number | null; // the one to begin with; null: the largest
  readonly segmentations: readonly Segmentation[];
  readonly whole: string | null; // the window that has all of a log that is over
  readonly explained: readonly string[]; // windows of which the evaluator says why they changed
  readonly actedShare: number | null; // of the lists of a log that is over; null: not known
  readonly hasLanes: boolean; // each row is of a recommender or policy, and none of all lists
  readonly spans: Spans; // of a log that is over
  readonly shownLane: string | null; // the recommender whose lists were shown, of a log that is over; null: none, or not known
  readonly lanesBestFirst: ReadonlyMap<string, readonly Segment[]>; // by metric, of a log that is over
}

type Fields = Readonly<Record<string, unknown>>;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

// Of `evaluator` in `/api/v1/status`.
export function outlineOf(evaluator: unknown): Outline {
  const given = fields(evaluator);
  return {
    name: String(given["name"] ?? ""),
    version: String(given["version"] ?? ""),
    windows: list(given["windows"])
      .map(fields)
      .map((w) => ({
        name: String(w["name"]),
        sizeMs: Number(w["size_ms"]),
        slideMs: Number(w["slide_ms"] ?? w["size_ms"]),
      })),
    horizons: list(given["horizons"]).map(String),
    metrics: list(given["metrics"]).map(String),
    begin: null,
    cutoff: null,
    whole: null,
    explained: list(given["explained"]).map(String),
    actedShare: null,
    hasLanes: given["lanes"] === true,
    spans: new Map(),
    shownLane: null,
    lanesBestFirst: new Map(),
    segmentations: list(given["segments"])
      .map(fields)
      .map((s) => ({ keys: list(s["keys"]).map(String), segments: list(s["values"]).map(segmentOfObject) })),
  };
}

// The whole first or, where there are lanes, what was shown, if that is one of them.
export function allSegments(outline: Outline): Segment[] {
  const some = outline.segmentations.flatMap((s) => [...s.segments]);
  if (!outline.hasLanes) return [WHOLE, ...some];
  const others = some.filter((segment) => !sameSegment(segment, LOGGED));
  return some.length > 0 && others.length === some.length ? some : [LOGGED, ...others];
}

// The segments that are arms of one test: those of the key with such a name or, where there is one key alone, its only two. Those
// of other keys, as devices, nobody asks to be compared. Empty: there are none.
export function armsOf({ segmentations }: Outline): readonly Segment[] {
  const single = segmentations.filter(({ keys }) => keys.length === 1);
  const isOfArms = ({ keys }: Segmentation): boolean => isArmName(keys[0] ?? "");
  const named = single.find((one) => isOfArms(one) && one.segments.length > 1);
  const [only] = single;
  if (named) return named.segments;
  return single.length === 1 && only?.segments.length === 2 ? only.segments : [];
}

// A choice with nothing left open, of what there is. null: the evaluator has no windows, horizons or metrics.
export interface Selection {
  readonly window: WindowShape;
  readonly horizon: string;
  readonly family: MetricFamily;
  readonly cutoff: number | null;
  readonly metric: string; // the key
  readonly segment: Segment;
  readonly a: Segment | null;
  readonly b: Segment | null;
  readonly isAsked: boolean; // a and b are arms, or the reader chose them
}

export function selectionOf(outline: Outline, choice: Choice): Selection | null {
  const windowOf = (name: string | null): WindowShape | undefined => outline.windows.find((w) => w.name === name);
  const window = windowOf(choice.window) ?? windowOf(outline.begin) ?? outline.windows[0];
  const horizon = outline.horizons.find((h) => h === choice.horizon) ?? outline.horizons[0];
  const families = familiesOf(outline.metrics);
  const family = families.find((f) => f.name === choice.metric) ?? families[0];
  if (!window || horizon === undefined || !family) return null;
  const cutoff = choice.cutoff ?? outline.cutoff ?? [...family.keys.keys()].at(-1) ?? null;
  const known = allSegments(outline);
  const metric = keyAt(family, cutoff);
  // The best recommender first, with what was shown beside it or, where that is the best, with the second.
  const lanes = outline.lanesBestFirst.get(metric) ?? [];
  const beside = lanes.slice(1).find((lane) => lane[0]?.[1] === outline.shownLane) ?? lanes[1];
  // A segment without lists at this moment may have some tomorrow: a link to it holds.
  const arms = armsOf(outline);
  const pair = arms.length > 0 ? arms : (outline.segmentations.find((s) => s.segments.length > 1)?.segments ?? []);
  const a = choice.a ?? beside ?? controlOf(pair) ?? pair[0] ?? null;
  const other = [...lanes, ...pair].find((s) => a === null || !sameSegment(s, a));
  const b = choice.b ?? other ?? null;
  return {
    window,
    horizon,
    family,
    cutoff,
    metric,
    segment:
      known.find((s) => sameSegment(s, choice.segment)) ??
      (choice.segment.length > 0 ? choice.segment : (lanes[0] ?? known[0] ?? WHOLE)),
    a,
    b,
    isAsked: arms.length > 0 || choice.a !== null || choice.b !== null,
  };
}
