import { segmentId, segmentLabel, segmentOfObject, visible, type Segment } from "./segment.ts";

// Curves that are not over time: as a run writes their points, and as charts draw them.
type Fields = Readonly<Record<string, unknown>>;

// A point of a row, with the top k of each list shown. ROC: recall over fpr; precision over recall.
export interface CurvePoint {
  readonly window: string;
  readonly horizon: string;
  readonly segment: Segment;
  readonly k: number | null; // null: all of the catalogue
  readonly recall: number | null;
  readonly fpr: number | null;
  readonly precision: number | null;
}
// How well a recommender does by how much there was to learn from, or how right it is where it is so sure.
export interface LearningPoint {
  readonly recommender: string;
  readonly horizon: string;
  readonly k: number | null;
  readonly by: string; // events, user_events, item_events, item_age, confidence
  readonly bucket: string;
  readonly recall: number | null;
  readonly meanConfidence: number | null;
  readonly relevantShare: number | null;
}

export interface XyLine {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}
export interface XyContent {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly XyLine[];
  readonly buckets: readonly string[]; // x counts them; none: x is a number
  readonly diagonal: boolean; // chance, or perfect calibration
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function curvePointOf(of: Fields): CurvePoint | null {
  if (of["schema"] !== "recmeter.curve/1") return null;
  return {
    window: String(of["window"]),
    horizon: String(of["horizon"]),
    segment: segmentOfObject(of["segment"]),
    k: numberOf(of["k"]),
    recall: numberOf(of["recall"]),
    fpr: numberOf(of["fpr"]),
    precision: numberOf(of["precision"]),
  };
}

export function learningPointOf(of: Fields): LearningPoint | null {
  if (of["schema"] !== "recmeter.learning_curve/1") return null;
  return {
    recommender: String(of["recommender"]),
    horizon: String(of["horizon"]),
    k: numberOf(of["k"]),
    by: String(of["by"]),
    bucket: String(of["bucket"]),
    recall: numberOf(of["recall"]),
    meanConfidence: numberOf(of["mean_confidence"]),
    relevantShare: numberOf(of["relevant_share"]),
  };
}

// The lines of these segments, in this order; those without points are left out.
function curveOf(
  points: readonly CurvePoint[],
  segments: readonly Segment[],
  place: (point: CurvePoint) => readonly [number | null, number | null],
): XyLine[] {
  return segments
    .map((segment) => ({
      name: segmentLabel(segment),
      points: points
        .filter((point) => segmentId(point.segment) === segmentId(segment))
        .map(place)
        .flatMap(([x, y]) => (x === null || y === null ? [] : [{ x, y }])),
    }))
    .filter((line) => line.points.length > 1);
}

export function rocOf(points: readonly CurvePoint[], segments: readonly Segment[]): XyContent {
  return {
    title: "ROC: relevant items found for those shown in vain",
    xLabel: "false positive rate",
    yLabel: "recall",
    lines: curveOf(points, segments, ({ fpr, recall }) => [fpr, recall]),
    buckets: [],
    diagonal: true,
  };
}

export function precisionRecallOf(points: readonly CurvePoint[], segments: readonly Segment[]): XyContent {
  return {
    title: "Precision and recall, as lists grow",
    xLabel: "recall",
    yLabel: "precision",
    lines: curveOf(points, segments, ({ recall, precision }) => [recall, precision]),
    buckets: [],
    diagonal: false,
  };
}

const BY: Readonly<Record<string, string>> = {
  events: "events known in all",
  user_events: "events known of the user",
  item_events: "events known of the item",
  item_age: "age of the item",
};

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

// One chart for each way to count what was known.
export function learningOf(points: readonly LearningPoint[]): XyContent[] {
  return Object.entries(BY).flatMap(([by, xLabel]): XyContent[] => {
    const known = points.filter((point) => point.by === by);
    const buckets = distinct(known.map(({ bucket }) => bucket));
    const lines = distinct(known.map(({ recommender }) => recommender)).map((recommender) => ({
      name: visible(recommender),
      points: known.flatMap((point) =>
        point.recommender === recommender && point.recall !== null
          ? [{ x: buckets.indexOf(point.bucket), y: point.recall }]
          : [],
      ),
    }));
    const drawn = lines.filter((line) => line.points.length > 0);
    if (drawn.length === 0 || buckets.length < 2) return [];
    return [{ title: `Learning: recall by ${xLabel}`, xLabel, yLabel: "recall", lines: drawn, buckets, diagonal: false }];
  });
}

export function calibrationOf(points: readonly LearningPoint[]): XyContent {
  const known = points.filter((point) => point.by === "confidence" && point.bucket !== "all");
  const lines = distinct(known.map(({ recommender }) => recommender)).map((recommender) => ({
    name: visible(recommender),
    points: known.flatMap(({ recommender: of, meanConfidence: x, relevantShare: y }) =>
      of === recommender && x !== null && y !== null ? [{ x, y }] : [],
    ),
  }));
  return {
    title: "Calibration: how often it was right where it was so sure",
    xLabel: "confidence",
    yLabel: "share that came true",
    lines: lines.filter((line) => line.points.length > 0),
    buckets: [],
    diagonal: true,
  };
}
