import { countText, intervalText, signedText, valueText } from "../model/number_text.ts";
import { allSegments } from "../model/outline.ts";
import { isSettled, type Point } from "../model/point.ts";
import { parseSegment, segmentId, segmentLabel, segmentText, WHOLE, type Segment } from "../model/segment.ts";
import { EMPTY, merged, newestFinal, type Series } from "../model/series.ts";
import { windowText } from "../model/time_text.ts";
import type { Board } from "../source/board.ts";
import type { Source } from "../source/source.ts";
import { Chart } from "../view/chart.ts";
import { element, setText } from "../view/element.ts";
import { Select } from "../view/select.ts";
import { queryOf, shown, Watches, type Scene, type Section } from "./scene.ts";

// Two segments side by side and, from a running evaluator, their difference with its interval: users of both sides are alike,
// so it is narrower or wider than the two intervals suggest and only the evaluator can tell.
const REFRESH_MS = 3000;

export class Comparison implements Section {
  readonly root = element("section", { class: "comparison", "aria-labelledby": "comparison-title" });
  private readonly title = element("h2", { id: "comparison-title" }, "Compare");
  private readonly summary = element("p", { class: "summary", "aria-live": "polite" });
  private readonly a: Select;
  private readonly b: Select;
  private readonly both: Chart;
  private readonly difference: Chart;
  private readonly watches = new Watches();
  private scene: Scene | null = null;
  private sides: [Series, Series] = [EMPTY, EMPTY];
  private apart: Series | null = EMPTY;
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
    this.difference = new Chart({ name: "Difference", heightPx: 180, head: [element("h3", {}, "Difference A − B")], onZoom });
    this.root.append(
      this.title,
      element("div", { class: "controls" }, this.a.root, this.b.root),
      this.summary,
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
    const known = [WHOLE, ...allSegments(scene.outline)];
    const options = [...known, ...[a, b].filter((s) => !known.some((k) => segmentId(k) === segmentId(s)))].map((segment) => ({
      value: segmentText(segment),
      label: segmentLabel(segment),
    }));
    this.a.show(options, segmentText(a));
    this.b.show(options, segmentText(b));
    setText(this.title, `Compare ${selection.metric}`);
    this.sides = [EMPTY, EMPTY];
    this.apart = EMPTY;
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
      const open = this.apart.points.find((point) => !isSettled(point)) ?? this.apart.points.at(-1);
      void this.fetch(scene, open ? open.start : null);
    }, REFRESH_MS);
  }

  private async fetch(scene: Scene, from: number | null): Promise<void> {
    const { a, b, metric } = scene.selection;
    if (!a || !b) return;
    try {
      const { segment: _, ...query } = queryOf(scene, metric, WHOLE);
      const answer = await this.source.difference({ ...query, from: from ?? query.from, a, b });
      if (this.scene !== scene) return;
      this.apart = answer && (from === null ? answer : merged(this.apart ?? EMPTY, answer));
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
      zero: false,
      lines: [
        { name: names[0], points: left.series.points },
        { name: names[1], points: right.series.points },
      ],
    });
    this.difference.root.hidden = this.apart === null;
    const apart = this.apart && shown(scene, this.apart).series;
    if (apart) {
      this.difference.show({
        ...base,
        title: `${metric}: ${names[0]} − ${names[1]}`,
        zero: true,
        lines: [{ name: "A − B", points: apart.points }],
      });
    }
    setText(this.summary, this.fault ?? summaryText(left.series, right.series, apart, names, scene));
  }
}

function summaryText(a: Series, b: Series, apart: Series | null, names: readonly [string, string], scene: Scene): string {
  if (apart === null) {
    const [left, right] = [newestFinal(a), newestFinal(b)];
    if (!left || !right) return "The two have no final windows here.";
    return (
      `Newest final window: A ${valueText(left.value)}, B ${valueText(right.value)}. Rows do not say how sure their ` +
      "difference is; a running evaluator does."
    );
  }
  const newest = newestFinal(apart);
  if (!newest || newest.value === null) return "No final window with lists of both in this range yet.";
  const known = apart.points.filter((point) => isSettled(point) && point.low !== null && point.high !== null);
  const side = (sign: (point: Point) => boolean): number => known.filter(sign).length;
  const [above, below] = [side((p) => (p.low as number) > 0), side((p) => (p.high as number) < 0)];
  const verdict =
    newest.low === null || newest.high === null
      ? "too little to say which is higher"
      : newest.low > 0
        ? `${names[0]} is higher`
        : newest.high < 0
          ? `${names[1]} is higher`
          : "the interval holds 0: no difference seen";
  return (
    `${windowText(newest.start, newest.end, scene.choice.zone)}: A − B is ${signedText(newest.value)} ` +
    `(${intervalText(newest.low, newest.high)}), ${verdict}. Of ${countText(known.length)} final windows A was clearly ` +
    `higher in ${countText(above)}, B in ${countText(below)}.`
  );
}
