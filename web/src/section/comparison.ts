import { changeText, countText, valueText } from "../model/number_text.ts";
import { allSegments } from "../model/outline.ts";
import { isSettled } from "../model/point.ts";
import { parseSegment, segmentId, segmentLabel, segmentText, WHOLE, type Segment } from "../model/segment.ts";
import { EMPTY, merged, newestFinal, type Series } from "../model/series.ts";
import { momentText, windowText, type Zone } from "../model/time_text.ts";
import type { Board } from "../source/board.ts";
import type { Compared, Cumulated, Source } from "../source/source.ts";
import { Chart } from "../view/chart.ts";
import { element, setText } from "../view/element.ts";
import { Select } from "../view/select.ts";
import { queryOf, shown, Watches, type Scene, type Section } from "./scene.ts";

// Two segments side by side and how B stands against A, with its interval: it comes from the user groups of both, so it is
// narrower or wider than the two intervals suggest, and rows alone cannot tell.
const REFRESH_MS = 3000;
const NOTHING: Compared = { difference: EMPTY, relative: EMPTY, cumulated: null, experiment: null };

export class Comparison implements Section {
  readonly root = element("section", { class: "comparison", "aria-labelledby": "comparison-title" });
  private readonly title = element("h2", { id: "comparison-title" }, "Compare");
  private readonly summary = element("p", { class: "summary", "aria-live": "polite" });
  // What may be looked at as often as one likes, where there is that.
  private readonly experiment = element("a", { href: "#experiment" });
  private readonly offer = element("p", { class: "summary" }, this.experiment, " may be looked at as often as you like.");
  private readonly a: Select;
  private readonly b: Select;
  private readonly both: Chart;
  private readonly difference: Chart;
  private readonly watches = new Watches();
  private scene: Scene | null = null;
  private sides: [Series, Series] = [EMPTY, EMPTY];
  private apart: Compared | null = NOTHING;
  private fault: string | null = null;
  private refresh: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly board: Board,
    private readonly source: Source,
    onChoice: (a: Segment, b: Segment) => void,
    onZoom: (from: number, to: number) => void,
  ) {
    const chosen = (): void => {
      const [a, b] = [parseSegment(this.a.input.value), parseSegment(this.b.input.value)];
      if (a && b) onChoice(a, b);
    };
    this.a = new Select("A", chosen);
    this.b = new Select("B", chosen);
    this.both = new Chart({ name: "Side by side", heightPx: 220, head: [element("h3", {}, "Side by side")], onZoom });
    this.difference = new Chart({ name: "Difference", heightPx: 180, head: [element("h3", {}, "Difference B − A")], onZoom });
    this.root.append(
      this.title,
      element("div", { class: "controls" }, this.a.root, this.b.root),
      this.summary,
      this.offer,
      element("div", { class: "pair" }, this.both.root, this.difference.root),
    );
  }

  choose(scene: Scene): void {
    this.scene = scene;
    const { selection } = scene;
    const { a, b } = selection;
    const isPossible = a !== null && b !== null;
    this.root.hidden = !isPossible;
    if (!isPossible) return this.watches.replace(() => []);
    const known = allSegments(scene.outline);
    const options = [...known, ...[a, b].filter((s) => !known.some((k) => segmentId(k) === segmentId(s)))].map((segment) => ({
      value: segmentText(segment),
      label: segmentLabel(segment),
    }));
    this.a.show(options, segmentText(a));
    this.b.show(options, segmentText(b));
    setText(this.title, `Compare ${selection.metric}`);
    this.sides = [EMPTY, EMPTY];
    this.apart = NOTHING;
    this.watches.replace(() =>
      [a, b].map((segment, side) =>
        this.board.watch(queryOf(scene, selection.metric, segment), ({ series }) => {
          this.sides = side === 0 ? [series, this.sides[1]] : [this.sides[0], series];
          this.show();
          this.fetchSoon(scene);
        }),
      ),
    );
    clearTimeout(this.refresh);
    this.refresh = undefined;
    void this.fetch(scene, null);
  }

  restyle(): void {
    this.both.restyle();
    this.difference.restyle();
  }

  // Everything anew: rows may have been lost.
  refetch(): void {
    if (this.scene && !this.root.hidden) void this.fetch(this.scene, null);
  }

  // What has changed can only be where windows were not final, or behind them.
  private fetchSoon(scene: Scene): void {
    this.refresh ??= setTimeout(() => {
      this.refresh = undefined;
      if (this.scene !== scene || this.apart === null) return;
      void this.fetch(scene, this.isSettledSince(scene) ? null : this.openSince());
    }, REFRESH_MS);
  }

  // What is cumulated changes with every window that became final, and is asked for as a whole.
  private isSettledSince(scene: Scene): boolean {
    const known = this.apart?.difference.points.filter(isSettled).at(-1)?.end ?? -Infinity;
    return this.sides.every((side) => (newestFinal(shown(scene, side).series)?.end ?? -Infinity) > known);
  }

  private openSince(): number | null {
    const points = this.apart?.difference.points ?? [];
    return (points.find((point) => !isSettled(point)) ?? points.at(-1))?.start ?? null;
  }

  private async fetch(scene: Scene, from: number | null): Promise<void> {
    const { a, b, metric } = scene.selection;
    if (!a || !b) return;
    try {
      const { segment: _, ...query } = queryOf(scene, metric, WHOLE);
      const answer = await this.source.compare({ ...query, from: from ?? query.from, a, b });
      if (this.scene !== scene) return;
      this.apart = answer && (from === null ? answer : together(this.apart ?? NOTHING, answer));
      this.fault = null;
    } catch (error) {
      if (this.scene !== scene) return;
      this.fault = error instanceof Error ? error.message : String(error);
    }
    this.show();
  }

  private show(): void {
    const { scene } = this;
    if (!scene?.selection.a || !scene.selection.b) return;
    const { a, b, metric, window } = scene.selection;
    const [left, right] = this.sides.map((side) => shown(scene, side)) as [
      ReturnType<typeof shown>,
      ReturnType<typeof shown>,
    ];
    const base = {
      slideMs: window.slideMs,
      leadMs: window.slideMs,
      from: left.from,
      to: left.to,
      finalUntil: left.series.finalUntil,
      reference: null,
      ghost: null,
      isCount: false,
      zone: scene.choice.zone,
    };
    const names = [segmentLabel(a), segmentLabel(b)] as const;
    this.both.show({
      ...base,
      title: `${metric} of ${names[0]} and ${names[1]}`,
      yLabel: metric,
      zero: false,
      lines: [
        { name: names[0], points: left.series.points },
        { name: names[1], points: right.series.points },
      ],
    });
    this.difference.root.hidden = this.apart === null || (this.apart.cumulated !== null && this.apart.difference === EMPTY);
    const apart = this.apart && shown(scene, this.apart.difference).series;
    if (apart) {
      this.difference.show({
        ...base,
        title: `${metric}: ${names[1]} − ${names[0]}`,
        yLabel: "B − A",
        zero: true,
        lines: [{ name: "B − A", points: apart.points }],
      });
    }
    const experiment = this.apart?.experiment ?? null;
    this.offer.hidden = experiment === null;
    setText(this.experiment, `Experiment ${experiment}`);
    const relative = this.apart && shown(scene, this.apart.relative).series;
    setText(
      this.summary,
      this.fault ??
        (this.apart === null || relative === null
          ? valuesText(left.series, right.series)
          : comparedText({ ...this.apart, relative }, names, scene.choice.zone)),
    );
  }
}

const together = (known: Compared, newer: Compared): Compared => ({
  difference: merged(known.difference, newer.difference),
  relative: merged(known.relative, newer.relative),
  cumulated: known.cumulated,
  experiment: newer.experiment,
});

function valuesText(a: Series, b: Series): string {
  const [left, right] = [newestFinal(a), newestFinal(b)];
  if (!left || !right) return "The two have no final windows here.";
  return (
    `Newest final window: A ${valueText(left.value)}, B ${valueText(right.value)}. Rows do not say how sure their ` +
    "difference is: a running evaluator does, and so does a report made with --lists."
  );
}

// "B (variant=B) is +45% (+26% to +64%) against A (variant=A)": how far first, then whether it can be chance.
export function comparedText(apart: Compared, names: readonly [string, string], zone: Zone): string {
  const { cumulated, relative } = apart;
  if (cumulated === null) return "No final window with lists of both in this range yet.";
  const over =
    cumulated.windows === 0
      ? `over all lists since ${momentText(cumulated.start, zone)}`
      : `over ${countText(cumulated.windows)} final ${cumulated.windows === 1 ? "window" : "windows"} since ${momentText(cumulated.start, zone)}`;
  const parts = [`B (${names[1]}) is ${betweenText(cumulated)} against A (${names[0]}), ${over}: ${readingText(cumulated)}.`];
  const newest = newestFinal(relative);
  if (cumulated.windows > 1 && newest && newest.value !== null) {
    parts.push(`In the newest, ${windowText(newest.start, newest.end, zone)}, it is ${changeText(newest.value)}.`);
  }
  parts.push("The interval is for one look: watching until it excludes 0 finds differences where there are none.");
  return parts.join(" ");
}

function betweenText({ relative, low, high }: Cumulated): string {
  const range = low === null || high === null ? "no interval" : `${changeText(low)} to ${changeText(high)}`;
  return `${changeText(relative)} (${range})`;
}

function readingText({ low, high }: Cumulated): string {
  if (low === null || high === null) return "too little to say which is higher";
  return low > 0 ? "B is higher" : high < 0 ? "A is higher" : "no difference is seen";
}
