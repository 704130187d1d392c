import type { Point } from "./point.ts";

// Windows as comma-separated values, in full precision, a record for each line of the chart and window. RFC 4180.
export interface CsvLine {
  readonly name: string;
  readonly points: readonly Point[];
}

const HEAD = ["series", "start", "end", "value", "low", "high", "lists", "stage", "matured", "incomplete"];

// A text that a spreadsheet would take for a formula is given a quote that says it is text.
function cell(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csvOf(lines: readonly CsvLine[]): string {
  const records = lines.flatMap(({ name, points }) =>
    points.map((p) => [
      name,
      new Date(p.start).toISOString(),
      new Date(p.end).toISOString(),
      p.value,
      p.low,
      p.high,
      p.lists,
      p.stage === "held" ? "truncated" : p.stage, // as rows have it
      p.matured,
      p.incomplete.join(" "),
    ]),
  );
  return [HEAD, ...records].map((record) => `${record.map(cell).join(",")}\r\n`).join("");
}
