import { comparedText, valuesText, type Pair } from "../model/compared_text.ts";
import { allSegments } from "../model/outline.ts";
import { isSettled, type Point } from "../model/point.ts";
import { parseSegment, segmentId, segmentLabel, segmentText, WHOLE, type Segment } from "../model/segment.ts";
import { EMPTY, merged, newestFinal, type Series } from "../model/series.ts";
import type { Board } from "../source/board.ts";
import type { Compared, Source } from "../source/source.ts";
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
  private wholes: Pair<Point | undefined> = [undefined, undefined]; // of the whole log, where it is over
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
    this.wholes = [undefined, undefined];
    this.apart = NOTHING;
    const { whole } = scene.outline;
    this.watches.replace(() =>
      [a, b].flatMap((segment, side) => {
        const query = queryOf(scene, selection.metric, segment);
        const course = this.board.watch(query, ({ series }) => {
          this.sides = side === 0 ? [series, this.sides[1]] : [this.sides[0], series];
          this.show();
          this.fetchSoon(scene);
        });
        if (whole === null) return [course];
        const all = this.board.watch({ ...query, window: whole, from: null, to: null }, ({ series }) => {
          const point = series.points.at(-1);
          this.wholes = side === 0 ? [point, this.wholes[1]] : [this.wholes[0], point];
          this.show();
        });
        return [course, all];
      }),
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
          ? valuesText(this.wholes, [newestFinal(left.series), newestFinal(right.series)])
          : comparedText({ ...this.apart, relative }, names, scene.choice.zone, this.wholes)),
    );
  }
}

const together = (known: Compared, newer: Compared): Compared => ({
  difference: merged(known.difference, newer.difference),
  relative: merged(known.relative, newer.relative),
  cumulated: known.cumulated,
  experiment: newer.experiment,
});
