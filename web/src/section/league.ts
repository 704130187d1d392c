import { apartText, scalesText } from "../model/apart.ts";
import type { CardText } from "../model/card_text.ts";
import { leagueOf, type Standing } from "../model/league.ts";
import { betterOf } from "../model/metric_kind.ts";
import { parseMetricKey } from "../model/metric_key.ts";
import { countText, intervalText, shareText, valueText } from "../model/number_text.ts";
import { leagueCard, WITH_LISTS } from "../model/outcome.ts";
import { allSegments } from "../model/outline.ts";
import { isSettled } from "../model/point.ts";
import type { JudgedShares } from "../model/status.ts";
import { sameSegment, segmentId, segmentLabel, visible, type Segment } from "../model/segment.ts";
import type { Board } from "../source/board.ts";
import type { Cumulated, Source } from "../source/source.ts";
import { element, setText } from "../view/element.ts";
import { scrollArea } from "../view/scroll_area.ts";
import type { Terms } from "../view/term.ts";
import { Watches, type Scene, type Section } from "./scene.ts";

const judgedText = (share: number | undefined): string => (share === undefined ? "–" : shareText(share));
const nameOf = (segment: Segment): string => segment[0]?.[1] ?? segmentLabel(segment);

// The recommenders of a log that is over, the best first, each with how far the best is above it.
export class League implements Section {
  readonly root = element("section", { class: "league", "aria-labelledby": "league-title" });
  private readonly title = element("h2", { id: "league-title" });
  private readonly note = element("p", { class: "quiet" });
  private readonly body = element("tbody", {});
  private readonly watches = new Watches();
  private scene: Scene | null = null;
  private standings: Standing[] = [];
  private judged: JudgedShares = new Map();
  private readonly judgedHead = element("th", { scope: "col" }, "were shown");
  private readonly answered = new Set<string>();
  private apart: ReadonlyMap<string, Cumulated | null> | null = null; // by segmentId(); null: not asked yet

  constructor(
    private readonly board: Board,
    private readonly source: Source,
    private readonly terms: Terms,
    private readonly onAnswer: (card: CardText | null) => void,
  ) {
    const names = ["", "recommender", "value", "against the best", "lists"];
    this.root.append(
      this.title,
      scrollArea(
        "League table",
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)), this.judgedHead),
          ),
          this.body,
        ),
      ),
      this.note,
    );
  }

  choose(scene: Scene): void {
    this.scene = scene;
    const { whole, hasLanes } = scene.outline;
    this.root.hidden = whole === null || !hasLanes;
    this.onAnswer(null);
    if (whole === null || !hasLanes) return this.watches.replace(() => []);
    const { metric, horizon } = scene.selection;
    this.title.replaceChildren(this.terms.term(metric), ", the best first");
    this.standings = allSegments(scene.outline)
      .filter((segment) => segment.length === 1)
      .map((segment) => ({ segment, point: null }));
    this.apart = null;
    this.answered.clear();
    this.watches.replace(() =>
      this.standings.map(({ segment }) =>
        this.board.watch({ window: whole, metric, horizon, segment, from: null, to: null }, ({ series, loaded }) => {
          if (this.scene !== scene) return;
          if (loaded) this.answered.add(segmentId(segment));
          const point = series.points.filter(isSettled).at(-1) ?? series.points.at(-1) ?? null;
          this.standings = this.standings.map((one) => (sameSegment(one.segment, segment) ? { segment, point } : one));
          this.show(scene);
        }),
      ),
    );
  }

  restyle(): void {}

  // Before the first choose().
  learn(judged: JudgedShares): void {
    this.judged = judged;
  }

  private show(scene: Scene): void {
    const { metric } = scene.selection;
    const better = betterOf(metric, this.terms.definition(metric));
    const league = leagueOf(this.standings, better);
    const leader = league[0];
    if (leader && this.answered.size === this.standings.length && this.apart === null) {
      void this.ask(scene, leader.segment);
    }
    const { cutoff } = parseMetricKey(metric);
    const judgedOf = (segment: Segment): number | undefined => this.judged.get(nameOf(segment))?.get(cutoff ?? 0);
    const hasJudged = league.some(({ segment }) => judgedOf(segment) !== undefined);
    this.judgedHead.hidden = !hasJudged;
    this.body.replaceChildren(
      ...league.map(({ segment, point }, i) => {
        const cells = [
          point === null ? "–" : `${valueText(point.value)} (${intervalText(point.low, point.high)})`,
          i === 0 ? "" : this.apartText(segment),
          countText(point?.lists),
          ...(hasJudged ? [judgedText(judgedOf(segment))] : []),
        ];
        return element(
          "tr",
          {},
          element("td", {}, String(i + 1)),
          element("th", { scope: "row" }, visible(nameOf(segment))),
          ...cells.map((cell) => element("td", {}, cell)),
        );
      }),
    );
    if (this.apart !== null) {
      const apart = this.apart;
      const apartOf = ({ segment }: Standing): Cumulated | null => apart.get(segmentId(segment)) ?? null;
      this.onAnswer(leagueCard(metric, league, apartOf, ({ segment }) => judgedOf(segment)));
    }
    const known = [...(this.apart?.values() ?? [])].some((one) => one !== null);
    const scales = scalesText([...(this.apart?.values() ?? [])]);
    const sure = known
      ? `Intervals are for one look at one pair.${scales}`
      : `To see how sure a difference is, ${WITH_LISTS}.`;
    setText(
      this.note,
      hasJudged
        ? `${sure} Were shown: the share of its items that were on the list shown then; nobody could act on the others.`
        : sure,
    );
  }

  private apartText(segment: Segment): string {
    const apart = this.apart?.get(segmentId(segment)) ?? null;
    return apart === null ? "–" : apartText(apart);
  }

  // How far each stands from the leader.
  private async ask(scene: Scene, leader: Segment): Promise<void> {
    const { metric, horizon } = scene.selection;
    const others = this.standings.map(({ segment }) => segment).filter((segment) => !sameSegment(segment, leader));
    this.apart = new Map();
    const window = scene.outline.whole ?? "";
    const answers = await Promise.all(
      others.map(async (b): Promise<[string, Cumulated | null]> => {
        const answer = await this.source.compare({ window, metric, horizon, from: null, to: null, a: leader, b });
        return [segmentId(b), answer?.cumulated ?? null];
      }),
    ).catch(() => []); // the values stand without it
    if (this.scene !== scene) return;
    this.apart = new Map(answers);
    this.show(scene);
  }
}
