import { answerOf, judge, type Answer as Word, type Judgement } from "../model/judgement.ts";
import { betterOf, warmsUp, type Better } from "../model/metric_kind.ts";
import { changeText, countText, intervalText, valueText } from "../model/number_text.ts";
import { allSegments } from "../model/outline.ts";
import { sameSegment, segmentLabel, type Segment } from "../model/segment.ts";
import { newestFinal, type Series } from "../model/series.ts";
import type { Board } from "../source/board.ts";
import { element, setText } from "../view/element.ts";
import { scrollArea } from "../view/scroll_area.ts";
import { paletteOf } from "../view/palette.ts";
import { drawSparkline } from "../view/sparkline.ts";
import type { Terms } from "../view/term.ts";
import type { PlaceAnswer } from "./answer.ts";
import { queryOf, shown, Watches, type Scene, type Section } from "./scene.ts";

// The chosen metric in every segment, the worst first.
const PLACES_AT_FIRST = 24;

const WORDS: Readonly<Record<Word, string>> = {
  worse: "▼ worse",
  better: "▲ better",
  changed: "◆ changed",
  perhaps: "? perhaps",
  usual: "no sure change",
  warming: "looks back",
  unknown: "too little to say",
};
const NO_SEGMENTS = "The evaluator has no segments; its configuration names them under segments.";
const OF_ONE_WINDOW = "Values are of the newest final window, not of the whole log.";
const ORDER: readonly Word[] = ["worse", "changed", "perhaps", "unknown", "warming", "usual", "better"];

class PlaceRow {
  readonly root: HTMLTableRowElement;
  readonly choose: HTMLButtonElement;
  private readonly value = element("td", {});
  private readonly lists = element("td", { class: "lists-cell" });
  private readonly change = element("td", {});
  private readonly word = element("td", { class: "verdict" });
  private readonly canvas = element("canvas", { class: "spark", "aria-hidden": "true" });
  answer: PlaceAnswer;
  private series: Series | null = null;
  private slideMs = 1;

  constructor(
    readonly segment: Segment,
    onChoice: (segment: Segment) => void,
  ) {
    this.answer = { label: segmentLabel(segment), word: "unknown", relative: null, isBad: false };
    this.choose = element("button", { type: "button", class: "link" }, this.answer.label);
    this.choose.addEventListener("click", () => onChoice(segment));
    this.root = element(
      "tr",
      {},
      element("th", { scope: "row" }, this.choose),
      this.value,
      this.word,
      this.change,
      element("td", { class: "spark-cell" }, this.canvas),
      this.lists,
    );
  }

  show(series: Series, slideMs: number, judgement: Judgement | null, better: Better, isWarming: boolean): void {
    const word = isWarming ? "warming" : answerOf(judgement, better);
    this.series = series;
    this.slideMs = slideMs;
    const newest = newestFinal(series);
    const isBad = judgement !== null && judgement.change !== "usual" && judgement.change !== better;
    this.answer = { ...this.answer, word, relative: judgement?.relative ?? null, isBad };
    setText(this.value, newest ? `${valueText(newest.value)} (${intervalText(newest.low, newest.high)})` : "–");
    setText(this.lists, newest ? countText(newest.lists) : "–");
    setText(this.change, changeText(judgement?.relative ?? null));
    setText(this.word, WORDS[word]);
    this.root.dataset["word"] = word;
    this.draw();
  }

  draw(): void {
    if (this.series) drawSparkline(this.canvas, this.series.points, this.slideMs, paletteOf());
  }
}

export class Places implements Section {
  readonly root = element("section", { class: "places", "aria-labelledby": "places-title" });
  private readonly body = element("tbody", {});
  private readonly more = element("button", { type: "button", class: "more" });
  private readonly note = element("p", { class: "quiet" });
  private readonly watches = new Watches();
  private rows: PlaceRow[] = [];
  private limit = PLACES_AT_FIRST;
  private scene: Scene | null = null;

  constructor(
    private readonly board: Board,
    private readonly isOver: boolean,
    private readonly terms: Terms,
    private readonly onChoice: (segment: Segment) => void,
    private readonly onAnswer: (places: readonly PlaceAnswer[], more: number) => void,
  ) {
    const names = [
      ["segment", "A part of the lists; its name shows it in the chart above"],
      ["newest final value", "With the interval that holds the true value in 95 of 100 cases"],
      ["assessment", "Whether the newest final windows differ from the older half of the range"],
      ["against usual", "The newest final value against the median of the older half of the range"],
      ["course", "The values of the range, oldest first"],
      ["lists", "Lists in the newest final window"],
    ] as const;
    const table = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...names.map(([name, title]) => element("th", { scope: "col", title }, name)))),
      this.body,
    );
    this.root.append(element("h2", { id: "places-title" }, "Segments"), this.note, scrollArea("Segments", table), this.more);
    this.more.addEventListener("click", () => {
      this.limit = Infinity;
      if (this.scene) this.choose(this.scene);
    });
  }

  choose(scene: Scene): void {
    this.scene = scene;
    const all = allSegments(scene.outline);
    const seen = all.slice(0, this.limit);
    // Rows that stay keep the reader's focus.
    if (
      seen.length !== this.rows.length ||
      !seen.every((segment) => this.rows.some((row) => sameSegment(row.segment, segment)))
    ) {
      this.rows = seen.map((segment) => new PlaceRow(segment, this.onChoice));
      this.body.replaceChildren(...this.rows.map((row) => row.root));
    }
    for (const row of this.rows) {
      row.choose.setAttribute("aria-pressed", String(sameSegment(row.segment, scene.selection.segment)));
    }
    // A log that is over gets no segments any more, so nothing is missed.
    this.root.hidden = this.isOver && all.length === 1;
    this.more.hidden = seen.length === all.length;
    setText(this.more, `All ${countText(all.length)} segments`);
    setText(this.note, all.length === 1 ? NO_SEGMENTS : this.isOver ? OF_ONE_WINDOW : "");
    const { metric, window } = scene.selection;
    this.watches.replace(() =>
      this.rows.map((row) =>
        this.board.watch(queryOf(scene, metric, row.segment), ({ series }) => {
          const { series: now } = shown(scene, series);
          const definition = this.terms.definition(metric);
          const isWarming = warmsUp(metric, definition);
          const judgement = isWarming ? null : judge(now.points);
          row.show(now, window.slideMs, judgement, betterOf(metric, definition), isWarming);
          this.sort();
          const parts = this.rows.filter((one) => one.segment.length > 0).map((one) => one.answer);
          this.onAnswer(parts, all.length - seen.length);
        }),
      ),
    );
    if (all.length === 1) this.onAnswer([], 0);
  }

  restyle(): void {
    for (const row of this.rows) row.draw();
  }

  // Not under the reader's hand: rows stay where they are while one of them is pointed at or focused.
  private sort(): void {
    if (this.root.matches(":hover") || this.root.contains(document.activeElement)) return;
    const rank = (row: PlaceRow): number => (row.segment.length === 0 ? -1 : ORDER.indexOf(row.answer.word));
    const sorted = [...this.rows].sort((a, b) => rank(a) - rank(b));
    if (sorted.every((row, i) => row.root === this.body.children[i])) return;
    this.body.replaceChildren(...sorted.map((row) => row.root));
  }
}
