import { definitionOf, type Definition } from "../model/definition.ts";
import { lookOf, type Look } from "../model/experiment.ts";
import { outlineOf, type Outline } from "../model/outline.ts";
import { segmentText } from "../model/segment.ts";
import { type Point } from "../model/point.ts";
import { seriesOfColumns, type Series } from "../model/series.ts";
import { statusOf, type Status } from "../model/status.ts";
import { request } from "./access.ts";
import { cumulatedOf } from "./compared.ts";
import type { Compared, CompareQuery, Looks, SeriesQuery, Source } from "./source.ts";

// A running evaluator, by its API (web/API.md). Rejects with a sentence for people.
type Fields = Readonly<Record<string, unknown>>;

const REQUEST_MS_MAX = 30_000;

async function get(path: string): Promise<Fields> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), REQUEST_MS_MAX);
  try {
    const response = await request(path, { accept: "application/json" }, abort.signal);
    return (await response.json()) as Fields;
  } catch (error) {
    if (abort.signal.aborted) throw new Error(`no answer within ${REQUEST_MS_MAX / 1000} s`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function queryText(query: Omit<SeriesQuery, "segment">, more: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams({ window: query.window, metric: query.metric, horizon: query.horizon, ...more });
  if (query.from !== null) text.set("from", String(query.from));
  if (query.to !== null) text.set("to", String(query.to));
  return text.toString();
}

const columnsOf = (answer: Fields): Readonly<Record<string, readonly unknown[]>> =>
  (answer["columns"] ?? {}) as Readonly<Record<string, readonly unknown[]>>;
const finalUntilOf = (answer: Fields): number | null =>
  typeof answer["final_until"] === "number" ? answer["final_until"] : null;

export class LiveSource implements Source {
  readonly isOver = false;

  // `base`: "" or what a proxy puts before the paths.
  constructor(private readonly base: string) {}

  async outline(): Promise<{ outline: Outline; status: Status }> {
    const answer = await get(`${this.base}/api/v1/status`);
    return { outline: outlineOf(answer["evaluator"]), status: statusOf(answer) };
  }

  async definitions(): Promise<ReadonlyMap<string, Definition>> {
    const answer = await get(`${this.base}/api/v1/definitions`);
    const given = Array.isArray(answer["definitions"]) ? (answer["definitions"] as Fields[]) : [];
    return new Map(given.map(definitionOf).map((definition) => [definition.key, definition]));
  }

  async series(query: SeriesQuery): Promise<Series> {
    return this.seriesWith(query, {});
  }

  async seriesAtMaturity(query: SeriesQuery, tenth: number): Promise<Series> {
    return this.seriesWith(query, { matured: tenth.toFixed(1) });
  }

  private async seriesWith(query: SeriesQuery, more: Record<string, string>): Promise<Series> {
    if (query.segment.length > 0) more["segment"] = segmentText(query.segment);
    const answer = await get(`${this.base}/api/v1/series?${queryText(query, more)}`);
    return seriesOfColumns(columnsOf(answer), finalUntilOf(answer));
  }

  // The API compares its `a` with its `b`; the page says how B stands against A.
  async compare(query: CompareQuery): Promise<Compared> {
    const sides = { a: segmentText(query.b), b: segmentText(query.a) };
    const answer = await get(`${this.base}/api/v1/compare?${queryText(query, sides)}`);
    const columns = columnsOf(answer);
    const series = (value: string, low: string, high: string): Series =>
      seriesOfColumns(
        { ...columns, value: columns[value] ?? [], low: columns[low] ?? [], high: columns[high] ?? [] },
        finalUntilOf(answer),
      );
    return {
      difference: series("difference", "low", "high"),
      relative: series("relative", "relative_low", "relative_high"),
      cumulated: cumulatedOf(answer["cumulated"]),
      experiment: typeof answer["experiment"] === "string" ? answer["experiment"] : null,
    };
  }

  async why(metric: string, window: string | null): Promise<string | null> {
    const query = new URLSearchParams(window === null ? { metric } : { metric, window });
    const answer = await get(`${this.base}/api/v1/why?${query}`);
    return typeof answer["words"] === "string" && answer["may_be_chance"] === false ? answer["words"] : null;
  }

  async experiments(): Promise<readonly Look[]> {
    const answer = await get(`${this.base}/api/v1/experiments`);
    const rows = Array.isArray(answer["experiments"]) ? answer["experiments"] : [];
    return rows.map(lookOf).filter((look): look is Look => look !== null);
  }

  async looks(experiment: string, metric: string, arm: string): Promise<Looks> {
    const query = new URLSearchParams({ metric, arm });
    const columns = columnsOf(await get(`${this.base}/api/v1/experiments/${encodeURIComponent(experiment)}?${query}`));
    const number = (name: string, at: number): number | null => {
      const value = columns[name]?.[at];
      return typeof value === "number" ? value : null;
    };
    const of = (interval: "cs" | "ci"): Point[] =>
      (columns["end"] ?? []).map((end, at): Point => ({
        start: Number(end),
        end: Number(end),
        value: number("difference", at),
        low: number(`${interval}_low`, at),
        high: number(`${interval}_high`, at),
        lists: number("lists", at) ?? 0,
        stage: "final",
        matured: 1,
        incomplete: [],
      }));
    return { all: of("cs"), one: of("ci") };
  }

  seriesLink(query: SeriesQuery): string {
    const segment: Record<string, string> = query.segment.length > 0 ? { segment: segmentText(query.segment) } : {};
    return `${this.base}/api/v1/series?${queryText(query, segment)}`;
  }
}
