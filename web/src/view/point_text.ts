import { changeText, intervalText, listsText, shareText, valueText } from "../model/number_text.ts";
import { isSettled, type Point } from "../model/point.ts";
import { windowText, zoneText, type Zone } from "../model/time_text.ts";
import { incompleteText } from "../model/trust.ts";
import type { ChartContent } from "./chart_content.ts";

// One window in words: beside the chart, and what a screen reader says of it.
export function stageText(point: Point): string {
  if (point.stage === "held") return "not final, for a gap between records; its value holds";
  if (isSettled(point)) return "final";
  if (point.stage === "provisional") return `provisional, ${shareText(point.matured)} matured`;
  const whole = point.matured === 0 ? "no list had all its" : `${shareText(point.matured)} of the lists had all their`;
  return `cut off by the end of the log: ${whole} time for feedback`;
}

// A value as the chart's axis has it, and its interval.
export function valueTextOf(content: ChartContent, value: number | null | undefined): string {
  return content.isChange ? changeText(value ?? null) : valueText(value);
}
export function intervalTextOf(content: ChartContent, { low, high }: Point): string {
  if (!content.isChange) return intervalText(low, high);
  return low === null || high === null ? "no interval" : `${changeText(low)} to ${changeText(high)}`;
}

export function pointText(content: ChartContent, point: Point): string {
  const value =
    point.value === null ? "no value" : `${valueTextOf(content, point.value)} (${intervalTextOf(content, point)})`;
  // The oldest window begins before the log in every log.
  const reasons = point.incomplete.filter((reason) => reason !== "start");
  return `${value}${reasons.length === 0 ? "" : `; incomplete: ${reasons.map(incompleteText).join(", ")}`}`;
}

// Of all lines at one window. `end`: milliseconds.
export function readoutText(content: ChartContent, end: number, zone: Zone): string {
  const found = content.lines.map((line) => ({ line, point: line.points.find((point) => point.end === end) }));
  const some = found.find((f) => f.point)?.point;
  if (!some) return "";
  const values = found.map(({ line, point }) => {
    const name = content.lines.length > 1 ? `${line.name}: ` : "";
    if (content.isCount) return `${listsText(point?.lists)}`;
    return name + (point ? pointText(content, point) : "no lists");
  });
  const lists = content.lines.length === 1 && !content.isCount && some.lists > 0 ? ` · ${listsText(some.lists)}` : "";
  return `${windowText(some.start, some.end, zone)} ${zoneText(zone)} · ${values.join(" · ")}${lists} · ${stageText(some)}`;
}
