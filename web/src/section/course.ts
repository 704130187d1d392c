import { answerOf, judge } from "../model/judgement.ts";
import { hasInterval } from "../model/legend.ts";
import { compareAtMaturity, newestComparable, type Unsettled } from "../model/maturity.ts";
import { betterOf, warmsUp } from "../model/metric_kind.ts";
import { shareText, valueText } from "../model/number_text.ts";
import type { Point } from "../model/point.ts";
import { segmentLabel } from "../model/segment.ts";
import { EMPTY, type Series } from "../model/series.ts";
import type { Board, BoardSeries } from "../source/board.ts";
import type { Source } from "../source/source.ts";
import { Chart, hasUnsettled } from "../view/chart.ts";
import type { ChartContent } from "../view/chart_content.ts";
import { outsideText } from "../view/chart_range.ts";
import { element, setText } from "../view/element.ts";
import type { Terms } from "../view/term.ts";
import type { Change } from "./answer.ts";
import { LOOKS_BACK } from "./metrics.ts";
import { queryOf, shown, Watches, type Scene, type Section } from "./scene.ts";

// The course of the chosen metric in the chosen segment, and how many lists each window has.
const FIRST_CHART = "recmeter-first-chart"; // in the browser's timeline, for tests and for whoever finds it slow

export interface CourseListener {
  changed(change: Change, points: readonly Point[]): void;
  zoomed(from: number, to: number): void;
}

export class Course implements Section {
  readonly root = element("section", { class: "course", "aria-labelledby": "course-title" });
  private readonly title = element("h2", { id: "course-title" });
  private readonly legend = element("p", { class: "legend" });
  private readonly fit = element(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": "true",
      title: "The height is that of final values; those that are not final may lie outside",
    },
    "Fit to final values",
  );
  private readonly outside = element("span", { class: "quiet" });
  private readonly chart: Chart;
  private readonly lists: Chart;
  private readonly watches = new Watches();
  private scene: Scene | null = null;
  private now: BoardSeries = { series: EMPTY, loaded: false, error: null };
  private ghost: { key: string; tenth: number; points: readonly Point[] } | null = null;

  constructor(
    private readonly board: Board,
    private readonly source: Source,
    private readonly terms: Terms,
    private readonly listener: CourseListener,
  ) {
    const onZoom = (from: number, to: number): void => listener.zoomed(from, to);
    this.chart = new Chart({
      name: "Course",
      heightPx: 300,
      wallHeightPx: 460,
      head: [this.title, this.legend, this.fit, this.outside],
      onZoom,
    });
    this.fit.addEventListener("click", () => {
      const isFitted = this.fit.getAttribute("aria-pressed") !== "true";
      this.fit.setAttribute("aria-pressed", String(isFitted));
      this.chart.fit(isFitted);
      this.showOutside();
    });
    this.lists = new Chart({
      name: "Lists in each window",
      heightPx: 110,
      head: [element("h3", {}, "Lists in each window")],
      onZoom,
    });
    this.lists.root.classList.add("lists");
    this.root.append(this.chart.root, this.lists.root);
  }

  choose(scene: Scene): void {
    this.scene = scene;
    this.ghost = null;
    const { metric, segment, window, horizon } = scene.selection;
    this.title.replaceChildren(
      this.terms.term(metric),
      ` of ${segmentLabel(segment)}`,
      element("span", { class: "quiet" }, ` window ${window.name}, horizon ${horizon}`),
    );
    this.now = { series: EMPTY, loaded: false, error: null };
    this.root.setAttribute("aria-busy", "true");
    this.watches.replace(() => [
      this.board.watch(queryOf(scene, metric, segment), (now) => {
        this.now = now;
        this.show();
      }),
    ]);
  }

  restyle(): void {
    this.chart.restyle();
    this.lists.restyle();
  }

  private show(): void {
    const { scene, now } = this;
    if (!scene) return;
    const { series, from, to } = shown(scene, now.series);
    const { metric, segment, window } = scene.selection;
    const isWarming = warmsUp(metric, this.terms.definition(metric));
    const judgement = isWarming ? null : judge(series.points);
    const unsettled = newestComparable(series.points);
    this.updateGhost(scene, unsettled);
    const content: ChartContent = {
      title: `${metric} of ${segmentLabel(segment)}`,
      lines: [{ name: segmentLabel(segment), points: series.points }],
      yLabel: metric,
      slideMs: window.slideMs,
      leadMs: window.slideMs,
      from,
      to,
      finalUntil: series.finalUntil,
      zero: false,
      isCount: false,
      zone: scene.choice.zone,
      reference: judgement && { value: judgement.reference.median, label: `usual ${valueText(judgement.reference.median)}` },
      ghost: this.ghost && { name: "earlier", points: this.ghost.points },
    };
    this.chart.show(content);
    this.lists.show({
      ...content,
      title: "Lists in each window",
      yLabel: "lists",
      lines: [listsLine(series)],
      zero: true,
      isCount: true,
      reference: null,
      ghost: null,
    });
    this.fit.hidden = !hasUnsettled(content);
    this.showOutside();
    this.showLegend(content, isWarming, now.error);
    this.root.setAttribute("aria-busy", String(!now.loaded));
    if (now.loaded && performance.getEntriesByName(FIRST_CHART).length === 0) performance.mark(FIRST_CHART);
    const better = betterOf(metric, this.terms.definition(metric));
    this.listener.changed(
      {
        word: isWarming ? "warming" : answerOf(judgement, better),
        judgement,
        isLoaded: now.loaded,
        error: now.error,
        unsettled,
        sameMaturity: unsettled && this.ghost ? compareAtMaturity(unsettled, this.ghost.points) : null,
        zone: scene.choice.zone,
      },
      series.points,
    );
  }

  private showOutside(): void {
    setText(this.outside, outsideText(this.chart.outside(), this.scene?.choice.zone ?? "utc"));
  }

  private showLegend(content: ChartContent, isWarming: boolean, error: string | null): void {
    const hasBand = content.lines.some((line) => hasInterval(line.points));
    const keys = [
      hasBand
        ? element("span", { class: "key settled" }, "final, with its interval")
        : element("span", { class: "key" }, "final"),
    ];
    if (hasUnsettled(content)) keys.push(element("span", { class: "key open" }, openText(content)));
    if (this.ghost?.points.some((point) => point.value !== null)) {
      keys.push(element("span", { class: "key ghost" }, `earlier windows when ${shareText(this.ghost.tenth)} had matured`));
    }
    if (isWarming) keys.push(element("span", {}, LOOKS_BACK));
    if (error !== null) keys.push(element("span", { class: "fault" }, error));
    const words = keys.map((key) => key.textContent).join();
    if (this.legend.dataset["words"] === words) return;
    this.legend.dataset["words"] = words;
    setText(this.legend, "");
    this.legend.append(...keys);
  }

  // Asks how earlier windows stood at the maturity that the newest comparable one has, once for each of its tenths.
  private updateGhost(scene: Scene, unsettled: Unsettled | null): void {
    if (!unsettled) {
      this.ghost = null;
      return;
    }
    const key = `${unsettled.point.start}@${unsettled.tenth}`;
    if (this.ghost?.key === key) return;
    this.ghost = { key, tenth: unsettled.tenth, points: this.ghost?.tenth === unsettled.tenth ? this.ghost.points : [] };
    const { metric, segment } = scene.selection;
    this.source.seriesAtMaturity(queryOf(scene, metric, segment), unsettled.tenth).then(
      (series) => {
        if (this.scene !== scene || this.ghost?.key !== key) return;
        this.ghost = { key, tenth: unsettled.tenth, points: series?.points ?? [] };
        this.show();
      },
      () => undefined,
    ); // the course stands without it, and the answer says that nothing is known
  }
}

function listsLine(series: Series): { name: string; points: readonly Point[] } {
  return { name: "lists", points: series.points.map((point) => ({ ...point, value: point.lists, low: null, high: null })) };
}

function openText(content: ChartContent): string {
  const isCutOff = content.lines.some((line) => line.points.some((point) => point.stage === "truncated"));
  return isCutOff ? "cut off: the log ends before all feedback could come" : "not final: feedback is still to come";
}
