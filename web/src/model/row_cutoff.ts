import { familiesOf } from "./metric_key.ts";
import { metricsOf, pointOf, type Row } from "./row.ts";

// The cutoff at which a reader of rows alone begins: that of the first table of a replay, which is the largest, at most 10,
// that half of the lists reach. Rows do not say how long lists are, but `short_list_share` does; and where no list is longer
// than a smaller cutoff, these are the same at both.
const CUTOFF_MAX = 10;
const GROWING = ["hit_rate", "mrr", "recall", "distinct_items", "catalog_coverage"];
const SHORT = "short_list_share";
const HALF = 0.5;

// null: no metric has a cutoff.
export function cutoffOf(rows: readonly Row[]): number | null {
  const families = familiesOf([...new Set(rows.flatMap(metricsOf))]);
  const valueOf = (row: Row, key: string): number | null => pointOf(row, key)?.value ?? null;
  const cutoffs = [...new Set(families.flatMap(({ keys }) => [...keys.keys()]))].filter((k) => k !== null);
  cutoffs.sort((a, b) => a - b);
  const usable = cutoffs.filter((k) => k <= CUTOFF_MAX);
  const short = families.find(({ name }) => name === SHORT)?.keys;
  const growing = families.filter(({ name }) => GROWING.includes(name));
  const isReached = (k: number, before: number | undefined): boolean => {
    const share = short?.get(k);
    if (share !== undefined) return rows.some((row) => (valueOf(row, share) ?? 1) <= HALF);
    if (before === undefined) return true;
    const both = growing.flatMap(({ keys }) => {
      const [key, smaller] = [keys.get(k), keys.get(before)];
      return key === undefined || smaller === undefined ? [] : [[key, smaller] as const];
    });
    return (
      both.length === 0 || both.some(([key, smaller]) => rows.some((row) => valueOf(row, key) !== valueOf(row, smaller)))
    );
  };
  const reached = usable.filter((k, i) => isReached(k, usable[i - 1]));
  return reached.at(-1) ?? cutoffs[0] ?? null;
}
