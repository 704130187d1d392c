import { stageOf, type Point } from "./point.ts";
import { segmentOfObject, type Segment } from "./segment.ts";

// A result row (`recmeter.window/1`), as it comes on the stream and in files.
export interface Row {
  readonly window: string;
  readonly start: number;
  readonly end: number;
  readonly horizon: string;
  readonly segment: Segment;
  readonly lists: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

// null: not a row.
export function rowOf(value: unknown): Row | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Fields;
  const { window, start, end, horizon } = fields as Record<string, unknown>;
  if (typeof window !== "string" || typeof horizon !== "string") return null;
  if (typeof start !== "number" || typeof end !== "number" || typeof fields["metrics"] !== "object") return null;
  const lists = typeof fields["lists"] === "number" ? fields["lists"] : 0;
  return { window, start, end, horizon, segment: segmentOfObject(fields["segment"]), lists, fields };
}

export const metricsOf = (row: Row): string[] => Object.keys((row.fields["metrics"] as Fields | null) ?? {});

// The row's value of one metric; null: the row does not have that metric.
export function pointOf(row: Row, metric: string): Point | null {
  const metrics = row.fields["metrics"] as Fields | null;
  if (!metrics || !Object.prototype.hasOwnProperty.call(metrics, metric)) return null;
  const found = metrics[metric] as Fields;
  const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
  const ci = Array.isArray(found["ci"]) ? found["ci"] : [];
  const incomplete = row.fields["incomplete"];
  return {
    start: row.start,
    end: row.end,
    value: number(found["value"]),
    low: number(ci[0]),
    high: number(ci[1]),
    lists: row.lists,
    stage: stageOf(row.fields["stage"]),
    matured: number(row.fields["matured"]) ?? 1,
    incomplete: Array.isArray(incomplete) ? incomplete.map(String) : [],
  };
}

// The share of the row's lists that were acted on in a way that counts, by a metric over all lists; null: none says it.
export function actedShareOf(row: Row | undefined): number | null {
  const metrics = (row?.fields["metrics"] ?? {}) as Readonly<Record<string, Fields>>;
  const found = Object.entries(metrics).find(([key]) => /^(precision|hit_rate|mrr|map_list|ndcg_list)(@|$)/.test(key));
  const share = found?.[1]["relevant_share"];
  return typeof share === "number" ? share : null;
}
