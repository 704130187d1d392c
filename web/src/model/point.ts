// One window of one series: a value with its interval and what says how far to trust it.
// held: not final for a gap between records alone, so that its value holds.
export type Stage = "final" | "provisional" | "truncated" | "held";

export interface Point {
  readonly start: number; // milliseconds; `end` excluded
  readonly end: number;
  readonly value: number | null; // null: there is no such value, which is not 0
  readonly low: number | null; // of the interval; null: too little to say
  readonly high: number | null;
  readonly lists: number;
  readonly stage: Stage;
  readonly matured: number; // share of the lists that had their whole horizon; 1 when final
  readonly incomplete: readonly string[];
}

// Says whether the value will not change.
export const isSettled = ({ stage }: Point): boolean => stage === "final" || stage === "held";

export function stageOf(word: unknown): Stage {
  return word === "provisional" || word === "truncated" ? word : "final";
}
