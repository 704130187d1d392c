// What `/api/v1/definitions` tells of a published key; as `recmeter metrics --format json`, with `key`, `title` and `better`.
export interface Definition {
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly formula: string;
  readonly range: readonly [number | null, number | null];
  readonly unit: string;
  readonly scope: string;
  readonly averaged: string;
  readonly evidence: string;
  readonly says: string;
  readonly source: string;
  readonly better: "higher" | "lower" | "neither" | null;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const bound = (value: unknown): number | null => (typeof value === "number" ? value : null);

// Of anything: what is missing is empty.
export function definitionOf(object: Readonly<Record<string, unknown>>): Definition {
  const range = Array.isArray(object["range"]) ? object["range"] : [];
  const better = object["better"];
  return {
    key: text(object["key"]) || text(object["name"]),
    name: text(object["name"]),
    title: text(object["title"]) || text(object["key"]) || text(object["name"]),
    formula: text(object["formula"]),
    range: [bound(range[0]), bound(range[1])],
    unit: text(object["unit"]) || text(object["units"]),
    scope: text(object["scope"]),
    averaged: text(object["averaged"]),
    evidence: text(object["evidence"]),
    says: text(object["says"]),
    source: text(object["source"]),
    better: better === "higher" || better === "lower" || better === "neither" ? better : null,
  };
}

export function rangeText(range: Definition["range"]): string {
  const [low, high] = range;
  return `${low === null ? "(−∞" : `[${low}`}, ${high === null ? "∞)" : `${high}]`}`;
}
