// What `/api/v1/status` says of the run; what it does not say is null or empty.
export interface Partition {
  readonly name: string;
  readonly records: number;
  readonly watermark: number | null; // milliseconds of event time
  readonly lagRecords: number | null;
  readonly lagSeconds: number | null;
  readonly idle: boolean;
  readonly disorderMs: number | null; // 99.9 % of events came at most so much late
}
export interface Waiting {
  readonly window: string;
  readonly horizon: string;
  readonly start: number;
  readonly end: number;
  readonly finalAt: number | null;
  readonly needsMs: number | null; // of event time, until it is final
  readonly why: string;
}
export interface Status {
  readonly events: ReadonlyMap<string, number>; // fates
  readonly feedback: ReadonlyMap<string, number>; // outcomes
  readonly invalidReasons: ReadonlyMap<string, number>;
  readonly duplicateReasons: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, number>;
  readonly heldTo: number | null; // of a log that counts as ended before a gap: where it would end without
  readonly lists: number | null;
  readonly eventsPerSecond: number | null;
  readonly complete: boolean | null;
  readonly watermark: number | null;
  readonly heldBackBy: string | null;
  readonly partitions: readonly Partition[];
  readonly stateBytes: number | null;
  readonly memoryBytes: number | null;
  readonly waiting: readonly Waiting[];
  readonly ready: boolean | null;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[]; // of a run that is over
  readonly judged: JudgedShares; // of recommenders that were not live; empty: nothing is known
  readonly shownLane: string | null; // the recommender whose lists were shown; null: none, or not known
}

// By recommender and cutoff: the share of its items that were on the list shown then.
export type JudgedShares = ReadonlyMap<string, ReadonlyMap<number, number>>;

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function counts(value: unknown): Map<string, number> {
  return new Map(Object.entries(fields(value)).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

function judgedShares(recommenders: unknown): JudgedShares {
  const of = ({ judged_share: shares }: Fields): [number, number][] =>
    [...counts(shares)].map(([cutoff, share]) => [Number(cutoff), share]);
  return new Map(list(recommenders).map((one) => [text(fields(one)["name"]) ?? "", new Map(of(fields(one)))]));
}

// Of a status, or of a run report (`recmeter.report/1`), which is the part of it that a file has.
export function statusOf(value: unknown): Status {
  const given = fields(value);
  const state = fields(given["state"]);
  const recommenders = list(fields(given["prequential"])["recommenders"]).map(fields);
  return {
    events: counts(given["events"]),
    feedback: counts(given["feedback"]),
    invalidReasons: counts(given["invalid_reasons"]),
    duplicateReasons: counts(fields(given["events"])["duplicates"]),
    rows: counts(given["rows"]),
    heldTo: number(fields(given["gap_at_end"])["to"]),
    lists: number(given["lists"]),
    eventsPerSecond: number(given["events_per_second"]),
    complete: typeof given["complete"] === "boolean" ? given["complete"] : null,
    watermark: number(given["watermark"]),
    heldBackBy: text(given["held_back_by"]),
    partitions: list(given["partitions"])
      .map(fields)
      .map((p) => ({
        name: text(p["name"]) ?? "",
        records: number(p["records"]) ?? 0,
        watermark: number(p["watermark"]),
        lagRecords: number(p["lag_records"]),
        lagSeconds: number(p["lag_seconds"]),
        idle: p["idle"] === true,
        disorderMs: number(fields(p["disorder"])["p999"]),
      })),
    stateBytes: number(state["bytes"]),
    memoryBytes: number(state["memory_bytes"]),
    waiting: list(given["waiting"])
      .map(fields)
      .map((w) => ({
        window: text(w["window"]) ?? "",
        horizon: text(w["horizon"]) ?? "",
        start: number(w["start"]) ?? 0,
        end: number(w["end"]) ?? 0,
        finalAt: number(w["final_at"]),
        needsMs: number(w["needs_ms"]),
        why: text(w["why"]) ?? "",
      })),
    ready: typeof given["ready"] === "boolean" ? given["ready"] : null,
    reasons: list(given["reasons"]).map(String),
    warnings: list(given["warnings"]).map(String),
    judged: judgedShares(fields(given["prequential"])["recommenders"]),
    shownLane: text(recommenders.find(({ kind }) => kind === "shown")?.["name"]),
  };
}
