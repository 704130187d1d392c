import type { Compared, Cumulated } from "../source/source.ts";
import { apartText, oneLookText, sentenceOf } from "./apart.ts";
import { changeText, countText, valueText } from "./number_text.ts";
import { WITH_LISTS } from "./outcome.ts";
import type { Point } from "./point.ts";
import { visible } from "./segment.ts";
import { newestFinal } from "./series.ts";
import { momentText, windowText, type Zone } from "./time_text.ts";

// Words for two segments side by side.
export type Pair<T> = readonly [T, T];

// The two values of a log that is over are those of all of it, where there are such rows.
export function valuesText(wholes: Pair<Point | undefined>, newest: Pair<Point | undefined>): string {
  const of = ([a, b]: Pair<Point | undefined>): string => (a && b ? `A ${valueText(a.value)}, B ${valueText(b.value)}` : "");
  const [all, last] = [of(wholes), of(newest)];
  if (all === "" && last === "") return "The two have no final windows here.";
  const values = all === "" ? `Newest final window: ${last}` : `Over the whole log: ${all}`;
  return `${values}. Rows do not say how sure their difference is: ${WITH_LISTS}.`;
}

const ONE_LOOK =
  "That holds for one look: whoever looks until the interval is on one side of 0 finds differences where there are none.";

// "B (variant=B) is +45% relative (+26% to +64%) against A (variant=A)": how far first, then whether it can be chance.
// `wholes`: of all lists of a log.
export function comparedText(
  apart: Compared,
  names: Pair<string>,
  zone: Zone,
  wholes: Pair<Point | undefined> = [undefined, undefined],
): string {
  const { cumulated, relative } = apart;
  if (cumulated === null) return "No final window with lists of both in this range yet.";
  const since = momentText(cumulated.start, zone);
  if (cumulated.words !== "") {
    const [a, b] = wholes.map((point) => valueText(point?.value));
    return `${visible(sentenceOf(cumulated))}. Over all lists since ${since}: A ${a}, B ${b}. ${ONE_LOOK}`;
  }
  const windows = `${countText(cumulated.windows)} final ${cumulated.windows === 1 ? "window" : "windows"}`;
  const over = `over ${cumulated.windows === 0 ? "all lists" : windows} since ${since}`;
  const parts = [`B (${names[1]}) is ${apartText(cumulated)} against A (${names[0]}), ${over}: ${readingText(cumulated)}.`];
  const newest = newestFinal(relative);
  if (cumulated.windows > 1 && newest && newest.value !== null) {
    parts.push(`In the newest, ${windowText(newest.start, newest.end, zone)}, it is ${changeText(newest.value)}.`);
  }
  parts.push(ONE_LOOK);
  return parts.join(" ");
}

function readingText({ low, high }: Cumulated): string {
  if (low === null || high === null) return "too little to say which is higher";
  const decided = oneLookText(low, high, null);
  return decided === "not decided" ? decided : `B is ${decided}`;
}
