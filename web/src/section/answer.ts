import type { CardText, Mood } from "../model/card_text.ts";
import {
  besideUsual,
  isInRange,
  LISTS_MIN,
  type Answer as Word,
  type Judgement,
  type Reference,
} from "../model/judgement.ts";
import { changeText, countText, intervalText, shareText, valueText } from "../model/number_text.ts";
import type { SameMaturity, Unsettled } from "../model/maturity.ts";
import { whyCard } from "../model/outcome.ts";
import { isSettled } from "../model/point.ts";
import { momentText, windowText, type Zone } from "../model/time_text.ts";
import type { TrustAssessment } from "../model/trust.ts";
import type { Board } from "../source/board.ts";
import type { Source } from "../source/source.ts";
import { Card } from "../view/card.ts";
import { element } from "../view/element.ts";
import type { Opening } from "./opening.ts";
import { queryOf, Watches, type Scene } from "./scene.ts";

// The first thing on the page of an evaluator that runs: did it get worse, where, can that be trusted, and why.
export interface Change {
  readonly word: Word;
  readonly judgement: Judgement | null;
  readonly isLoaded: boolean;
  readonly error: string | null;
  readonly unsettled: Unsettled | null;
  readonly sameMaturity: SameMaturity | null;
  readonly zone: Zone;
}
export interface PlaceAnswer {
  readonly label: string;
  readonly word: Word;
  readonly relative: number | null;
  readonly isBad: boolean; // the way in which the metric should not go, or either where both are alike
}

// A card whose question stays.
class Asked {
  private readonly card: Card;
  readonly root: HTMLElement;

  constructor(private readonly question: string) {
    this.card = new Card(question);
    this.root = this.card.root;
  }

  show(mood: Mood, word: string, details: readonly string[]): void {
    this.card.show({ question: this.question, mood, word, details });
  }
}

export class Answer implements Opening {
  private readonly change = new Asked("Did it get worse?");
  private readonly where = new Asked("Where?");
  private readonly trust = new Asked("Can it be trusted?");
  private readonly why = new Card("");
  readonly root = element("div", { class: "answer" }, this.change.root, this.where.root, this.trust.root, this.why.root);
  private readonly watches = new Watches();
  private scene: Scene | null = null;

  constructor(
    private readonly board: Board,
    private readonly source: Source,
  ) {
    this.why.root.hidden = true;
  }

  // The sentence is of all lists, and there is another one with each final window.
  choose(scene: Scene): void {
    this.scene = scene;
    this.why.root.hidden = true;
    const { metric, segment } = scene.selection;
    const isAsked = scene.outline.explained.length > 0 && segment.length === 0;
    let last: number | null = null;
    this.watches.replace(() =>
      isAsked
        ? [
            this.board.watch(queryOf(scene, metric, segment), ({ series }) => {
              const end = series.points.filter(isSettled).at(-1)?.end ?? null;
              if (this.scene !== scene || end === last) return;
              last = end;
              void this.explain(scene);
            }),
          ]
        : [],
    );
  }

  private async explain(scene: Scene): Promise<void> {
    const { metric, window } = scene.selection;
    const isOfWindow = scene.outline.explained.includes(window.name);
    // Nothing to compare yet is no fault of the page.
    const words = await this.source.why(metric, isOfWindow ? window.name : null).catch(() => null);
    if (this.scene !== scene) return;
    this.why.root.hidden = words === null;
    if (words !== null) this.why.show(whyCard(words));
  }

  showLeague(): void {}
  restyle(): void {}

  showChange(change: Change): void {
    const { mood, word, details } = changeCard(change);
    this.change.show(mood, word, details);
  }

  // `more`: segments that were not looked at.
  showPlaces(places: readonly PlaceAnswer[], more: number): void {
    const known = places.filter((place) => place.word !== "unknown" && place.word !== "warming");
    const looked = more > 0 ? [`${countText(more)} more segments were not looked at; the table below can.`] : [];
    if (places.length === 0) return this.where.show("none", "No segments", ["The evaluator has no segments: set segments."]);
    if (known.length === 0) {
      const isWarming = places.every((place) => place.word === "warming");
      return this.where.show("none", isWarming ? "Cannot say" : "Too early to say", looked);
    }
    const bad = known.filter((place) => place.word === "worse" || place.word === "changed");
    const size = (place: PlaceAnswer): number => (place.isBad ? 1e6 : 0) + Math.abs(place.relative ?? 0);
    const perhaps = known.filter((place) => place.word === "perhaps").sort((a, b) => size(b) - size(a));
    const name = (place: PlaceAnswer): string => `${place.label}: ${changeText(place.relative)}`;
    if (bad.length === 0) {
      const details = perhaps.slice(0, 3).map((place) => `Perhaps ${name(place)}`);
      const judged = `${countText(known.length)} segments are judged.`;
      const isDoubtful = perhaps.some((place) => place.isBad);
      const words = isDoubtful ? "In none for sure" : "In no segment";
      return this.where.show(isDoubtful ? "care" : "calm", words, [...details, judged, ...looked]);
    }
    const word =
      bad.length === known.length && known.length > 1
        ? "In every segment"
        : bad.length === 1
          ? (bad[0] as PlaceAnswer).label
          : `In ${bad.length} of ${known.length} segments`;
    const mood = bad.some((place) => place.word === "worse") ? "bad" : "care";
    this.where.show(mood, word, [...bad.slice(0, 4).map(name), ...looked]);
  }

  showTrust({ trust, reasons }: TrustAssessment): void {
    const words: Record<TrustAssessment["trust"], [Mood, string]> = {
      yes: ["calm", "Yes"],
      care: ["care", "With care"],
      no: ["bad", "Not now"],
    };
    const details = reasons.map((reason) => reason.charAt(0).toUpperCase() + reason.slice(1));
    this.trust.show(...words[trust], details.length > 0 ? details : [WHOLE_INPUT]);
  }
}

export function changeCard(change: Change): CardText {
  const question = "Did it get worse?";
  const { judgement, word, zone } = change;
  if (change.error !== null && !change.isLoaded)
    return { question, mood: "care", word: "Cannot say", details: [change.error] };
  if (!change.isLoaded) return { question, mood: "none", word: "…", details: [] };
  if (word === "warming") return { question, mood: "none", word: "Cannot say", details: [WARMING] };
  const details = [...(judgement ? judgementTexts(judgement, zone) : []), ...unsettledTexts(change)];
  if (!judgement) {
    details.unshift(`Fewer than 16 whole final windows of ${LISTS_MIN} lists in this range: choose a longer one, or wait.`);
    return { question, mood: "none", word: "Too early to say", details };
  }
  const since = momentText(judgement.since, zone);
  const words: Record<Word, [Mood, string]> = {
    worse: ["bad", `Yes, since ${since}`],
    better: ["good", `No: better since ${since}`],
    changed: ["care", `It is ${judgement.change} since ${since}`],
    perhaps: ["care", `Perhaps: ${judgement.change} at the end`],
    usual: ["calm", isInRange(judgement) ? "No, it is as usual" : "Not for sure"],
    warming: ["none", "Cannot say"],
    unknown: ["none", "Too early to say"],
  };
  const [mood, said] = words[word];
  return { question, mood, word: said, details };
}

const WHOLE_INPUT = "Input is whole, in time, and read to its end; recmeter doctor LOG looks for what else may be wrong.";

const WARMING =
  "It looks back at earlier events, of which there are few where a log begins: it changes there in every log, which is no trend.";

function judgementTexts(judgement: Judgement, zone: Zone): string[] {
  const { newest, reference, run } = judgement;
  const interval = intervalText(newest.low, newest.high);
  return [
    `${valueText(newest.value)} (${interval}) in ${windowText(newest.start, newest.end, zone)}${besideUsual(judgement)}.`,
    ...(judgement.change === "usual" ? [] : [`${countText(run)} final ${run === 1 ? "window" : "windows"} in a row.`]),
    `Usual: the ${countText(reference.windows)} windows of ${momentText(reference.from, zone)} to ` +
      `${momentText(reference.to, zone)}, the older half shown.`,
  ];
}

function unsettledSide(reference: Reference, change: "lower" | "higher" | "usual"): string {
  const [low, high] = [valueText(reference.low), valueText(reference.high)];
  if (change === "usual") return `mostly had ${low} to ${high}`;
  return `had ${valueText(reference.median)}, so it is ${change},`;
}

function unsettledTexts({ unsettled, sameMaturity, zone }: Change): string[] {
  if (!unsettled) return [];
  const window = windowText(unsettled.point.start, unsettled.point.end, zone);
  const matured = shareText(unsettled.tenth);
  if (!sameMaturity) return [`Not final: ${window}, ${matured} matured; no earlier windows are known as they stood then.`];
  const { then, reference, change } = sameMaturity;
  return [
    `Not final: ${window} had ${valueText(then.value)} when ${matured} had matured; ` +
      `${countText(reference.windows)} earlier windows ${unsettledSide(reference, change)} at that stage.`,
  ];
}
