import { apartText, oneLookText, sentenceOf, type Apart } from "./apart.ts";
import type { CardText } from "./card_text.ts";
import { verdictText, verdictWord, type Look } from "./experiment.ts";
import type { Standing } from "./league.ts";
import { isExposure, type Better } from "./metric_kind.ts";
import { changeText, intervalText, listsText, shareText, valueText } from "./number_text.ts";
import type { Point } from "./point.ts";
import { nameOf, segmentLabel, visible, type Segment } from "./segment.ts";
import { windowText, zoneText, type Zone } from "./time_text.ts";
import type { TrustAssessment } from "./trust.ts";

// Users who acted, below which a value has no interval: 20 of 64 groups of users have to have acted. As the table of a replay says.
export const USERS_NEEDED = "25 to 30";

// Texts that a log that is over says first: how good it is, whether an arm is better, whether that can be trusted.

// As the table of a replay says it.
const NO_ACTION = "No action was read, so every list counts as not acted on: give the log of actions, too.";

// The card of the whole log; of a log whose rows have none, of its newest window. `isActedOn`: false: no action was read, so that
// a metric of quality is 0 whatever was shown.
export function valueCard(
  metric: string,
  segment: Segment,
  point: Point,
  isWhole: boolean,
  zone: Zone,
  isActedOn = true,
): CardText {
  const isKnown = isActedOn || isExposure(metric);
  const interval = intervalText(point.low, point.high);
  const span = `${listsText(point.lists)}, ${windowText(point.start, point.end, zone)} ${zoneText(zone)}`;
  return {
    question: `How good${isWhole ? "" : " at the end"}? ${visible(metric)} of ${segmentLabel(segment)}`,
    mood: isKnown ? "none" : "care",
    word: isKnown ? valueText(point.value) : "Cannot say",
    details: [
      ...(isKnown ? [point.low === null ? unsureText(metric) : `95 % interval: ${interval}.`] : [NO_ACTION]),
      `${span}${isWhole ? "" : ": no window is over the whole log (size: all)"}.`,
    ],
  };
}

const unsureText = (metric: string): string =>
  isExposure(metric)
    ? "There is no interval."
    : `There is too little to say how sure that is: ${USERS_NEEDED} users have to act.`;

// The card of what changed last, of the sentence that `recmeter why` says: what came about before the first colon, why behind
// it.
export function whyCard(words: string): CardText {
  const colon = words.indexOf(": ");
  const [what, why] =
    colon < 0 ? [words.replace(/\.$/, ""), []] : [words.slice(0, colon), words.slice(colon + 2).split("; ")];
  return {
    question: "What changed last, and why?",
    mood: "none",
    word: visible(what),
    details: why.map((part) => visible(part.charAt(0).toUpperCase() + part.slice(1)).replace(/\.?$/, ".")),
  };
}

export interface Sides {
  readonly metric: string;
  readonly better: Better;
  readonly a: Segment;
  readonly b: Segment;
  readonly isControl: boolean; // a is what b is to be better than
  readonly values: readonly [number | null, number | null];
  readonly apart: Apart | null; // b against a; null: intervals are not known
  readonly neverTogether?: string; // that the two never ran at the same time; "": they did
}

// How a page gets what it lacks: both are options of replay first.
export const WITH_LISTS = "run replay with --lists FILE, then report with the same";
const WITH_REPORT = "run replay with --report FILE, then report with the same";

// The card of two segments over all lists. Those of different times are not told apart by their values.
export function comparisonCard(sides: Sides): CardText {
  const { neverTogether = "" } = sides;
  const card = together(sides);
  if (neverTogether === "") return card;
  return { ...card, mood: "care", word: "Cannot say: not at the same time", details: [`${neverTogether}.`, ...card.details] };
}

function together(sides: Sides): CardText {
  const { metric, better, isControl, values, apart } = sides;
  const [a, b] = [nameOf(sides.a), nameOf(sides.b)];
  const isJudged = isControl && better !== "neither";
  const question = isJudged ? `Is ${b} better than ${a}?` : `Do ${b} and ${a} differ?`;
  const means = `${visible(metric)}: ${b} ${valueText(values[1])}, ${a} ${valueText(values[0])}`;
  const said = apart === null ? "" : visible(sentenceOf(apart));
  if (apart === null || apart.low === null || apart.high === null) {
    const [from, to] = values;
    const change = apart?.isShare ? apart.value : from !== null && to !== null && from > 0 ? to / from - 1 : null;
    const why =
      apart === null
        ? `Rows do not say how sure that is: ${WITH_LISTS}.`
        : `${said === "" ? "There is too little to say how sure that is" : said}.`;
    return { question, mood: "none", word: "Not known", details: [`${means} (${changeText(change)}).`, why] };
  }
  const { low, high } = apart;
  const details = [...(said === "" ? [`${means}: ${apartText(apart)}.`] : [`${means}.`, `${said}.`]), ONE_LOOK];
  if (low <= 0 && high >= 0) {
    return { question, mood: "none", word: "Not decided", details: [...details, ...planTexts(sides)] };
  }
  const decided = oneLookText(low, high, isJudged ? better : null);
  if (!isJudged) return { question, mood: "care", word: `Yes: ${b} is ${decided}`, details };
  const isBetter = low > 0 === (better === "higher");
  return { question, mood: isBetter ? "good" : "bad", word: `${isBetter ? "Yes" : "No"}: ${decided}`, details };
}

const ONE_LOOK = "That holds for one look. To look again and again, configure an experiment.";

// How long it takes to decide it. A key of a log that no shell would take as it is stands for itself.
function planTexts({ b, neverTogether = "" }: Sides): string[] {
  const [key, ...more] = b.map(([name]) => name);
  if (neverTogether !== "" || key === undefined || more.length > 0) return [];
  const by = /^[\w.-]+$/.test(key) ? key : "KEY";
  return [`How long a test has to last: recmeter compare --plan --by ${by} --mde 5% LOG`];
}

const NAMES_TOLD = 3; // of those that may be the best
const MOSTLY_JUDGED = 0.5;

// The card of recommenders, the best first; `apartOf`: another one against it, null where intervals are not known. It is the best
// if each other one is surely below it. `judgedOf`: the share of its items that were on the list shown then, if it is known:
// where one was hardly shown, that it is below says little.
export function leagueCard(
  metric: string,
  league: readonly Standing[],
  apartOf: (other: Standing) => Apart | null,
  judgedOf: (one: Standing) => number | undefined = () => undefined,
): CardText | null {
  const [first, second] = league;
  if (!first || (first.point?.value ?? null) === null) return null;
  const said = ({ segment, point }: Standing): string => `${nameOf(segment)} ${valueText(point?.value)}`;
  const question = `Which recommender is best? ${visible(metric)}`;
  const interval = intervalText(first.point?.low ?? null, first.point?.high ?? null);
  const details = [`${said(first)} (${interval}).`];
  if (!second) return { question, mood: "none", word: nameOf(first.segment), details };
  const apart = apartOf(second);
  details.push(`The second: ${said(second)}, ${apart === null ? "– (no interval)" : apartText(apart)}.`);
  const isBelow = (other: Standing): boolean => {
    const { low, high } = apartOf(other) ?? { low: null, high: null };
    return low !== null && high !== null && (low > 0 || high < 0);
  };
  const rivals = league.slice(1).filter((other) => !isBelow(other));
  const hardlyShown = league.find((one) => (judgedOf(one) ?? 1) < MOSTLY_JUDGED);
  if (hardlyShown !== undefined) {
    const share = shareText(judgedOf(hardlyShown) ?? 0);
    details.push(
      `Of the items of ${nameOf(hardlyShown.segment)} only ${share} were on the list shown then. The rest count as not relevant, ` +
        "so it may be better than this says.",
    );
  }
  const mood = hardlyShown === undefined ? "good" : "care";
  if (rivals.length === 0) return { question, mood, word: nameOf(first.segment), details };
  const names = [first, ...rivals].map(({ segment }) => nameOf(segment));
  const told = names.length > NAMES_TOLD ? `${names.length} of ${league.length}` : names.join(" or ");
  return { question, mood: "none", word: `Not decided: ${told}`, details };
}

// The card of an experiment, at its newest look.
export function experimentCard(look: Look, zone: Zone): CardText {
  const moods: Readonly<Record<string, CardText["mood"]>> = { ship: "good", hold: "care", stop: "bad" };
  const { verdict, arm } = look.counts;
  return {
    question: `Experiment ${visible(look.experiment)}`,
    mood: moods[verdict] ?? "none",
    word: `${verdictWord(verdict)} ${visible(arm)}`.trim(),
    details: [verdictText(look, zone)],
  };
}

// `invalid`: share of the events; null: nothing is known of the run. That counts are fine says nothing of what was logged:
// that the order shown was lost, for one.
export function trustCard({ trust, reasons }: TrustAssessment, invalid: number | null): CardText {
  const question = "Can it be trusted?";
  const line = reasons.join("; ");
  if (line === "" && invalid === null) {
    return { question, mood: "none", word: "Not known", details: [`Rows do not say what was left out: ${WITH_REPORT}.`] };
  }
  const words = { yes: "No fault in the counts", care: "With care", no: "No" } as const;
  const moods = { yes: "none", care: "care", no: "bad" } as const;
  const share = invalid ? `${shareText(invalid)} of the events are` : "No event is";
  const known = `${share} invalid; recmeter doctor LOG looks for more.`;
  return {
    question,
    mood: moods[trust],
    word: words[trust],
    details: [line === "" ? known : `${line.charAt(0).toUpperCase()}${line.slice(1)}.`],
  };
}
