// The key of a value in a row, taken apart: `precision@10`, `recall@5/pooled`, `empty_list_share`.
export interface MetricKey {
  readonly name: string; // with what follows the cutoff: "recall/pooled"
  readonly cutoff: number | null;
}

export function parseMetricKey(key: string): MetricKey {
  const match = /^([^@]*)@(\d+)(.*)$/.exec(key);
  if (!match) return { name: key, cutoff: null };
  return { name: `${match[1]}${match[3]}`, cutoff: Number(match[2]) };
}

// A metric and the keys it has at its cutoffs, smallest first; null where it has none.
export interface MetricFamily {
  readonly name: string;
  readonly keys: ReadonlyMap<number | null, string>;
}

// In the order in which names first appear.
export function familiesOf(keys: readonly string[]): MetricFamily[] {
  const families = new Map<string, Map<number | null, string>>();
  for (const key of keys) {
    const { name, cutoff } = parseMetricKey(key);
    const family = families.get(name) ?? new Map<number | null, string>();
    family.set(cutoff, key);
    families.set(name, family);
  }
  return [...families].map(([name, byCutoff]) => ({
    name,
    keys: new Map([...byCutoff].sort(([a], [b]) => (a ?? 0) - (b ?? 0))),
  }));
}

// The key of a family at a cutoff, or at the one of its cutoffs that is nearest.
export function keyAt(family: MetricFamily, cutoff: number | null): string {
  const exact = family.keys.get(cutoff);
  if (exact !== undefined) return exact;
  let best = "";
  let distance = Infinity;
  for (const [own, key] of family.keys) {
    const away = Math.abs((own ?? 0) - (cutoff ?? 0));
    if (away < distance) [best, distance] = [key, away];
  }
  return best;
}
