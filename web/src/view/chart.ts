import uPlot from "uplot";
import { columnsOf, type Columns } from "../model/columns.ts";
import { isSettled, type Point } from "../model/point.ts";
import { newestFinal } from "../model/series.ts";
import { countText, valueText } from "../model/number_text.ts";
import { visible } from "../model/segment.ts";
import { clockText, dayText } from "../model/time_text.ts";
import { endsOf, NO_CONTENT, placeOf, type ChartContent } from "./chart_content.ts";
import { ChartTable } from "./chart_table.ts";
import { outsideOf, yRangeOf } from "./chart_range.ts";
import { drawBehind, drawInFront } from "./chart_paint.ts";
import { element, setText } from "./element.ts";
import { paletteOf, type Palette } from "./palette.ts";
import { readoutText } from "./point_text.ts";

// A chart of one or two lines over event time: settled values as a line with the band of their intervals, unsettled ones
// dashed, hollow and with whiskers on a shaded ground. With the pointer or the arrow keys a reader walks through its windows;
// below it stands a table with the same numbers.
export interface ChartOptions {
  readonly heightPx: number; // at a root font of 16 px; scaled with it
  readonly wallHeightPx?: number; // on a wall display
  readonly name: string; // until there is content, which has a title
  readonly head: readonly Node[]; // title and what belongs to it
  readonly onZoom?: (from: number, to: number) => void; // milliseconds
}

const FIRST = 1;
const COLUMNS_OF_LINE = 4;

// Between lines of the y axis of counts: there is no half list.
const COUNT_STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

export class Chart {
  readonly root: HTMLElement;
  private readonly plotArea = element("div", { class: "plot", role: "slider", tabindex: "0" });
  private readonly readout = element("p", { class: "readout" });
  private readonly table = new ChartTable(() => this.picture());
  private content = NO_CONTENT;
  private columns: Columns = { ends: [], lines: [] };
  private ends: number[] = [];
  private at: number | null = null; // end of the window that the reader is at
  private plot: uPlot | null = null;
  private palette: Palette = paletteOf();
  private yRange: [number, number] = [0, 1];
  private isFitted = true;

  constructor(private readonly options: ChartOptions) {
    this.root = element(
      "figure",
      { class: "chart" },
      element("figcaption", {}, ...options.head),
      this.plotArea,
      this.readout,
      this.table.root,
    );
    this.plotArea.addEventListener("keydown", (event) => this.pressed(event));
    this.plotArea.addEventListener("blur", () => this.goTo(null));
    this.plotArea.addEventListener("focus", () => {
      if (this.at === null) this.goTo(this.usualEnd());
    });
    new ResizeObserver(() => this.resize()).observe(this.plotArea);
    this.say();
  }

  show(content: ChartContent): void {
    const { lines, zone } = this.content;
    const sameLines = content.lines.length === lines.length && content.zone === zone;
    this.content = content;
    this.columns = columnsOf(
      content.lines.map((line) => line.points),
      content.slideMs,
    );
    this.ends = endsOf(content);
    this.yRange = yRangeOf(content, this.isFitted);
    if (this.ends.length === 0) this.clear();
    else if (!sameLines || !this.plot) this.build();
    else this.plot.setData(this.data());
    this.table.show(content);
    this.plotArea.dataset["newest"] = String(this.ends.at(-1) ?? "");
    this.say();
  }

  // The height of the chart for final values alone; those that are not final, often far from them, may then lie outside.
  fit(isFitted: boolean): void {
    this.isFitted = isFitted;
    if (this.content !== NO_CONTENT) this.show(this.content);
  }

  // Values that are not final and lie outside the height of the others: a reader would not know of them.
  outside(): readonly Point[] {
    return outsideOf(this.content, this.yRange);
  }

  // Colours and type have changed.
  restyle(): void {
    this.palette = paletteOf();
    if (this.plot) this.build();
  }

  // The chart as it stands, on the ground and under the title that it has on the page.
  private picture(): Promise<Blob | null> {
    const drawn = this.plot?.ctx.canvas;
    if (!drawn) return Promise.resolve(null);
    const ratio = devicePixelRatio;
    const head = Math.round(this.palette.fontPx * 2.4 * ratio);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [drawn.width, drawn.height + head];
    const context = canvas.getContext("2d");
    if (!context) return Promise.resolve(null);
    context.fillStyle = this.palette.surface;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = this.palette.text;
    context.font = `${this.palette.fontPx * 1.2 * ratio}px sans-serif`;
    context.fillText(visible(this.content.title), this.palette.fontPx * ratio, head * 0.7);
    context.drawImage(drawn, 0, head);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  private clear(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  private build(): void {
    this.clear();
    this.palette = paletteOf();
    this.plot = new uPlot(this.uplotOptions(), this.data(), this.plotArea);
  }

  private size(): { width: number; height: number } {
    return {
      width: Math.max(200, Math.floor(this.plotArea.clientWidth)),
      height: Math.round(
        (isOnWall() ? (this.options.wallHeightPx ?? this.options.heightPx) : this.options.heightPx) * this.palette.scale,
      ),
    };
  }

  private resize(): void {
    const before = this.plot?.width;
    if (this.plot && before !== this.size().width) this.plot.setSize(this.size());
  }

  private data(): uPlot.AlignedData {
    const seconds = this.columns.ends.map((end) => placeOf(this.content, end) / 1000);
    const lines = this.columns.lines.flatMap((line) => [line.low, line.high, line.settled, line.unsettled]);
    const ghosts = new Map(this.content.ghost?.points.map((point) => [point.end, point.value]));
    return [seconds, ...lines, this.columns.ends.map((end) => ghosts.get(end) ?? null)] as uPlot.AlignedData;
  }

  private xRange(): [number, number] {
    const first = placeOf(this.content, this.ends[0] ?? 0);
    const from = Math.min(this.content.from ?? first, first);
    const to = placeOf(this.content, this.content.to ?? this.ends.at(-1) ?? 1);
    const alone = this.content.slideMs / 1000;
    return from < to ? [from / 1000, to / 1000] : [to / 1000 - alone, to / 1000 + alone];
  }

  private uplotOptions(): uPlot.Options {
    const { palette, content } = this;
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    content.lines.forEach((_, i) => {
      const at = FIRST + i * COLUMNS_OF_LINE;
      const colour = palette.lines[i === 0 ? 0 : 1];
      const edge = { width: 0, points: { show: false } };
      series.push(
        edge,
        edge,
        { stroke: colour, width: 1.75 * palette.scale, points: { show: false } },
        { stroke: colour, width: palette.scale, dash: [4, 4], points: { show: false } },
      );
      bands.push({ series: [at + 1, at], fill: palette.bands[i === 0 ? 0 : 1] });
    });
    series.push({ stroke: palette.muted, width: 1.5, dash: [1.5, 3], cap: "round", points: { show: false }, spanGaps: true });
    const zoom = this.options.onZoom !== undefined;
    return {
      ...this.size(),
      series,
      bands,
      legend: { show: false },
      padding: [palette.fontPx, content.lines.length > 1 ? palette.fontPx * 5 : palette.fontPx * 3, 0, 0],
      tzDate: (seconds) =>
        content.zone === "utc" ? uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") : new Date(seconds * 1000),
      cursor: { y: false, drag: { x: zoom, y: false, setScale: false, dist: 8 }, points: { show: false } },
      select: { show: zoom, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { range: () => this.xRange() }, y: { range: () => this.yRange } },
      axes: this.axes(),
      hooks: {
        drawClear: [(plot) => drawBehind(plot, this.content, palette)],
        draw: [(plot) => drawInFront(plot, this.content, palette)],
        setCursor: [(plot) => this.pointed(plot)],
        setSelect: [(plot) => this.selected(plot)],
      },
    };
  }

  private axes(): uPlot.Axis[] {
    const { palette, content } = this;
    const look = {
      stroke: palette.muted,
      font: palette.font,
      ticks: { show: false },
      grid: { stroke: palette.grid, width: 1 },
    };
    const valueOf = content.isCount ? countText : valueText;
    const ticks = (splits: readonly number[]): string[] =>
      content.isChange
        ? tickTexts(
            splits.map((split) => split * 100),
            (percent) =>
              valueText(percent)
                .replace(/(\.\d*?)0+$/, "$1")
                .replace(/\.$/, ""), // 7.500 is 7.5
          ).map((text) => `${text}%`)
        : tickTexts(splits, valueOf);
    return [
      {
        ...look,
        size: palette.fontPx * 2.8,
        space: palette.fontPx * 6,
        gap: 6,
        values: (_, splits, _axis, _space, step) =>
          splits.map((split, i) => {
            const [now, before] = [split * 1000, splits[i - 1]];
            const day = dayText(now, content.zone);
            if (step >= 86_400) return day;
            const clock = clockText(now, content.zone, step < 60);
            return before === undefined || dayText(before * 1000, content.zone) !== day ? `${clock}\n${day}` : clock;
          }),
      },
      {
        ...look,
        ...(content.yLabel === ""
          ? {}
          : { label: visible(content.yLabel), labelFont: palette.font, labelSize: palette.fontPx * 1.6 }),
        space: palette.fontPx * (content.isCount ? 2 : 3),
        ...(content.isCount ? { incrs: COUNT_STEPS } : {}),
        gap: 6,
        size: (_, values) => Math.max(4, ...(values ?? []).map((text) => text.length)) * palette.fontPx * 0.6 + 12,
        values: (_, splits) => ticks(splits),
      },
    ];
  }

  private pointed(plot: uPlot): void {
    const index = plot.cursor.idx;
    const end = index === null || index === undefined ? null : (this.columns.ends[index] ?? null);
    if (end === this.at) return;
    this.at = end;
    this.say();
  }

  private selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 8 || !this.options.onZoom) return;
    const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    // Windows that end within it are shown: those that stand there end somewhat later.
    this.options.onZoom(Math.round(from * 1000), Math.round(to * 1000) + this.content.leadMs);
  }

  private goTo(end: number | null): void {
    if (!this.plot) return;
    const left = end === null ? -10 : this.plot.valToPos(placeOf(this.content, end) / 1000, "x");
    this.plot.setCursor({ left, top: end === null ? -10 : 10 });
    this.at = end;
    this.say();
  }

  private pressed(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || this.ends.length === 0) return;
    event.preventDefault();
    const now = this.ends.indexOf(this.at ?? this.usualEnd() ?? 0);
    this.goTo(this.ends[Math.min(this.ends.length - 1, Math.max(0, now + step))] ?? null);
  }

  // Where a reader begins: the newest window that will not change.
  private usualEnd(): number | null {
    const points = this.content.lines[0]?.points ?? [];
    return newestFinal({ points, finalUntil: null })?.end ?? points.at(-1)?.end ?? null;
  }

  private say(): void {
    const end = this.at ?? this.usualEnd();
    const text = end === null ? "" : readoutText(this.content, end, this.content.zone);
    const words = text === "" ? "No lists in this window" : text;
    const isWaiting = this.content === NO_CONTENT;
    setText(this.readout, isWaiting ? "…" : this.ends.length === 0 ? "No windows here" : words);
    this.plotArea.setAttribute(
      "aria-label",
      `${visible(this.content.title || this.options.name)}: move through the windows with the arrow keys`,
    );
    this.plotArea.setAttribute("aria-valuemin", "0");
    this.plotArea.setAttribute("aria-valuemax", String(Math.max(0, this.ends.length - 1)));
    this.plotArea.setAttribute("aria-valuenow", String(Math.max(0, this.ends.indexOf(end ?? 0))));
    this.plotArea.setAttribute("aria-valuetext", this.readout.textContent ?? "");
  }
}

const isOnWall = (): boolean => document.body.classList.contains("wall");

// Enough digits that no two ticks read the same.
function tickTexts(splits: readonly number[], valueOf: (value: number) => string): string[] {
  const step = Math.abs((splits[1] ?? 0) - (splits[0] ?? 0));
  if (step === 0 || step >= 1) return splits.map(valueOf);
  const digits = Math.min(10, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  const isRound = Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6;
  return splits.map((split) =>
    split
      .toFixed(isRound ? digits : digits + 1)
      .replace(/^-/, "−")
      .replace(/^−(0\.?0*)$/, "$1"),
  );
}

export const hasUnsettled = (content: ChartContent): boolean =>
  content.lines.some((line) => line.points.some((point) => !isSettled(point)));
