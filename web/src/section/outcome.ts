import type { CardText } from "../model/card_text.ts";
import { controlOf } from "../model/control.ts";
import type { Look } from "../model/experiment.ts";
import { betterOf, isExposure } from "../model/metric_kind.ts";
import { comparisonCard, experimentCard, trustCard, valueCard, whyCard } from "../model/outcome.ts";
import { isSettled, type Point } from "../model/point.ts";
import { sameSegment, type Segment } from "../model/segment.ts";
import { neverTogetherText } from "../model/span.ts";
import type { Status } from "../model/status.ts";
import type { TrustAssessment } from "../model/trust.ts";
import type { Board } from "../source/board.ts";
import type { Compared, Source } from "../source/source.ts";
import { Card } from "../view/card.ts";
import { element } from "../view/element.ts";
import type { Terms } from "../view/term.ts";
import { changeCard, type Change } from "./answer.ts";
import type { Opening } from "./opening.ts";
import { Watches, type Scene } from "./scene.ts";

// The first thing on the page of a log that is over: its value as a whole, the experiment or the comparison with the control,
// whether that can be trusted, how it changed, and why. There is no card without an answer.
export class Outcome implements Opening {
  private readonly value = new Card("How good?");
  private readonly league = new Card("");
  private readonly comparison = new Card("");
  private readonly trust = new Card("Can it be trusted?");
  private readonly change = new Card("");
  private readonly why = new Card("");
  private readonly verdicts = element("div", { class: "verdicts" });
  readonly root = element(
    "div",
    { class: "answer" },
    this.league.root,
    this.value.root,
    this.verdicts,
    this.comparison.root,
    this.trust.root,
    this.change.root,
    this.why.root,
  );
  private readonly watches = new Watches();
  private looks: readonly Look[] = [];
  private scene: Scene | null = null;
  private sides: { a: Point | null; b: Point | null } = { a: null, b: null };
  private apart: Compared | null = null;
  private whole: Point | null = null;
  private value_: Point | null = null; // what the first card shows
  private status: Status | null = null;
  private course: Change | null = null;

  constructor(
    private readonly board: Board,
    private readonly source: Source,
    private readonly terms: Terms,
  ) {
    for (const card of [this.league, this.value, this.comparison, this.change, this.why]) card.root.hidden = true;
  }

  choose(scene: Scene): void {
    this.scene = scene;
    this.sides = { a: null, b: null };
    this.apart = null;
    const { whole } = scene.outline;
    const { metric, horizon, segment, window, a, b } = scene.selection;
    const of = (segment: Segment, show: (point: Point | null) => void): (() => void) =>
      this.board.watch({ window: whole ?? window.name, metric, horizon, segment, from: null, to: null }, ({ series }) => {
        if (this.scene === scene) show(series.points.filter(isSettled).at(-1) ?? series.points.at(-1) ?? null);
      });
    this.watches.replace(() => {
      const stops = [of(segment, (point) => this.showValue(scene, point))];
      // Values of one window are not those of all lists.
      if (whole === null || a === null || b === null) return stops;
      const side = (name: "a" | "b") => (point: Point | null) => {
        this.sides = { ...this.sides, [name]: point };
        this.showComparison(scene);
      };
      return [...stops, of(a, side("a")), of(b, side("b"))];
    });
    void this.ask(scene);
  }

  restyle(): void {}

  showChange(change: Change): void {
    this.course = change;
    this.showCourse();
  }

  // Where the whole log has an interval, a window without one has too little to be judged by; of recommenders the course shows
  // one.
  private showCourse(): void {
    const { course, whole } = this;
    const { word, judgement, isLoaded } = course ?? { word: "unknown", judgement: null, isLoaded: false };
    const isOfFew = whole !== null && whole.low !== null && judgement?.newest.low === null;
    const isMeant = this.scene !== null && !this.scene.outline.hasLanes && this.isMeaningful(this.scene);
    const isAnswer = isLoaded && word !== "unknown" && word !== "warming" && !isOfFew && isMeant;
    this.present(this.change, course !== null && isAnswer ? changeCard(course) : null);
  }

  showPlaces(): void {}

  showLeague(card: CardText | null): void {
    this.present(this.league, card);
  }

  showTrust(assessment: TrustAssessment, status: Status | null): void {
    const before = this.isActedOn();
    this.status = status;
    if (this.scene && this.isActedOn() !== before) {
      this.showValue(this.scene, this.value_);
      this.showComparison(this.scene);
    }
    const read = status?.events.get("read") ?? 0;
    this.present(this.trust, trustCard(assessment, read === 0 ? null : (status?.events.get("invalid") ?? 0) / read));
  }

  private async ask(scene: Scene): Promise<void> {
    const { metric, horizon, segment, a, b } = scene.selection;
    try {
      // The sentence is of all lists.
      const why = segment.length === 0 ? await this.source.why(metric, null) : null;
      if (this.scene === scene) this.present(this.why, why === null ? null : whyCard(why));
      this.looks = await this.source.experiments();
      if (a !== null && b !== null) {
        this.apart = await this.source.compare({
          window: scene.outline.whole ?? "",
          metric,
          horizon,
          from: null,
          to: null,
          a,
          b,
        });
      }
    } catch {
      return; // what is known stands
    }
    if (this.scene !== scene) return;
    const cards = this.looks.map((look) => {
      const card = new Card("");
      card.show(experimentCard(look, scene.choice.zone));
      return card.root;
    });
    this.verdicts.replaceChildren(...cards);
    this.count();
    this.showComparison(scene);
  }

  // Where no action was read nothing is good or bad, changes or differs.
  private isActedOn(): boolean {
    return this.status?.events.get("feedback") !== 0;
  }

  private isMeaningful(scene: Scene): boolean {
    return this.isActedOn() || isExposure(scene.selection.metric);
  }

  private showValue(scene: Scene, point: Point | null): void {
    this.value_ = point;
    const { metric, segment } = scene.selection;
    // The league says it of recommenders.
    const isNone = scene.outline.hasLanes || point === null || point.value === null;
    const isWhole = scene.outline.whole !== null;
    const text = isNone ? null : valueCard(metric, segment, point, isWhole, scene.choice.zone, this.isActedOn());
    this.present(this.value, text);
    this.whole = scene.outline.whole === null ? null : point;
    this.showCourse();
  }

  // An experiment says it better.
  private showComparison(scene: Scene): void {
    const { a, b, metric, isAsked } = scene.selection;
    const values = [this.sides.a?.value ?? null, this.sides.b?.value ?? null] as const;
    if (
      !isAsked ||
      !this.isMeaningful(scene) ||
      scene.outline.hasLanes ||
      a === null ||
      b === null ||
      this.looks.length > 0 ||
      values.includes(null)
    )
      return this.present(this.comparison, null);
    const control = controlOf([a, b]);
    this.present(
      this.comparison,
      comparisonCard({
        metric,
        better: betterOf(metric, this.terms.definition(metric)),
        a,
        b,
        isControl: control !== null && sameSegment(control, a),
        values,
        apart: this.apart?.cumulated ?? null,
        neverTogether: neverTogetherText(scene.outline.spans, a, b, scene.choice.zone),
      }),
    );
  }

  private present(card: Card, text: CardText | null): void {
    card.root.hidden = text === null;
    if (text !== null) card.show(text);
    this.count();
  }

  // Rows of cards are laid out by how many there are: none stands alone below the others.
  private count(): void {
    this.root.dataset["cards"] = String(this.root.querySelectorAll(".card:not([hidden])").length);
  }
}
