import { boundsOf, choiceQuery, parseChoice, type Choice } from "./model/choice.ts";
import { allSegments, selectionOf, type Outline } from "./model/outline.ts";
import type { Point } from "./model/point.ts";
import { rowOf } from "./model/row.ts";
import { segmentId, visible, type Segment } from "./model/segment.ts";
import { neverTogetherText } from "./model/span.ts";
import { statusOf, type Status } from "./model/status.ts";
import { trustOf, type Connection } from "./model/trust.ts";
import { Answer } from "./section/answer.ts";
import type { Opening } from "./section/opening.ts";
import { Outcome } from "./section/outcome.ts";
import { Comparison } from "./section/comparison.ts";
import { Controls, type Changes } from "./section/controls.ts";
import { Curves, type CurvePoints } from "./section/curves.ts";
import { Course } from "./section/course.ts";
import { Experiments } from "./section/experiments.ts";
import { connectionText, Health } from "./section/health.ts";
import { League } from "./section/league.ts";
import { Metrics } from "./section/metrics.ts";
import { Places } from "./section/places.ts";
import { queryOf, type Scene, type Section } from "./section/scene.ts";
import { Board } from "./source/board.ts";
import type { Source } from "./source/source.ts";
import type { StreamListener } from "./source/stream.ts";
import { byId, element, setText } from "./view/element.ts";
import { Select } from "./view/select.ts";
import { Terms } from "./view/term.ts";
import { applyTheme, onMachineTheme, storedTheme, storeTheme } from "./view/theme.ts";
import { WallScreen } from "./view/wall_screen.ts";

// The page: puts the sections together, holds what the reader has chosen (and keeps it in the address), and hands on what the
// stream brings.
const DEFINITIONS_MS_MAX = 1000;
const STREAM_ROW_SCHEMA = "recmeter.window/1";
const NEW_SEGMENTS_MS = 1000; // several come at a time, with the rows of one window

export class Page implements StreamListener {
  private readonly terms = new Terms();
  private readonly board: Board;
  private readonly answer: Opening;
  private readonly health: Health;
  private readonly controls = new Controls((changes) => this.change(changes));
  private readonly course: Course;
  private readonly experiments: Experiments;
  private readonly league: League;
  private readonly comparison: Comparison;
  private readonly sections: readonly Section[];
  private readonly wall = new WallScreen(() => this.change({ wall: false }));
  private readonly theme = new Select("Colours", (theme) => this.chooseTheme(theme));
  private choice: Choice;
  private outline: Outline | null = null;
  private readonly segments = new Set<string>(); // that the outline has, or was asked for
  private newSegments: ReturnType<typeof setTimeout> | null = null;
  private status_: Status | null = null;
  private link: Connection = { state: "none" };
  private points: readonly Point[] = [];
  private scene: Scene | null = null;

  constructor(
    private readonly source: Source,
    private readonly usualRange: string,
    curves: CurvePoints = { curves: [], learning: [] },
  ) {
    this.choice = parseChoice(location.search, usualRange);
    this.board = new Board(source);
    this.health = new Health(source.isOver);
    this.answer = source.isOver ? new Outcome(this.board, source, this.terms) : new Answer(this.board, source);
    const onZoom = (from: number, to: number): void => this.change({ range: "fixed", from, to });
    this.course = new Course(this.board, source, this.terms, {
      changed: (change, points) => {
        this.answer.showChange(change);
        this.points = points;
        this.judgeTrust();
      },
      zoomed: onZoom,
    });
    const places = new Places(
      this.board,
      source.isOver,
      this.terms,
      (segment: Segment) => this.change({ segment }),
      (found, more) => this.answer.showPlaces(found, more),
    );
    this.comparison = new Comparison(this.board, source, (a, b) => this.change({ a, b }), onZoom);
    const metrics = new Metrics(this.board, source.isOver, this.terms, (metric) => this.change({ metric }), onZoom);
    this.experiments = new Experiments(source);
    this.league = new League(this.board, source, this.terms, (card) => this.answer.showLeague(card));
    this.sections = [this.experiments, this.league, this.course, places, this.comparison, metrics, new Curves(curves)];
    byId("controls").append(this.controls.root);
    byId("answer").append(this.answer.root);
    byId("strip").append(this.health.strip);
    byId("sections").append(...this.sections.map((section) => section.root), this.health.root);
    byId("tools").append(this.theme.root);
    byId("wall").title = "For a screen that everybody passes: large, without controls; Escape leaves it";
    byId("wall").addEventListener("click", () => this.change({ wall: true }));
    addEventListener("popstate", () => {
      this.choice = parseChoice(location.search, usualRange);
      this.stage();
    });
    onMachineTheme(() => this.restyle());
    this.dress();
  }

  async start(): Promise<void> {
    const definitions = this.source.definitions().then(
      (known) => this.terms.learn(known),
      () => undefined,
    );
    const { outline, status } = await this.source.outline();
    // Which way is better stands in the definitions; but the page does not wait for ever for them.
    await Promise.race([definitions, new Promise((resolve) => setTimeout(resolve, DEFINITIONS_MS_MAX))]);
    this.know(outline);
    this.status_ = status;
    if (status) this.league.learn(status.judged);
    setText(byId("evaluator"), visible(outline.name));
    setText(byId("version"), outline.version === "" ? "" : `recmeter ${visible(outline.version)}`);
    document.title = `${visible(outline.name)} · recmeter`;
    this.stage();
  }

  status(value: unknown): void {
    if (value === undefined || value === null) return;
    this.status_ = statusOf(value);
    this.showHealth();
    this.judgeTrust();
  }

  row(value: unknown): void {
    const row = rowOf(value);
    if (!row || (row.fields["schema"] ?? STREAM_ROW_SCHEMA) !== STREAM_ROW_SCHEMA) return;
    this.board.takeRow(row);
    if (this.outline && !this.segments.has(segmentId(row.segment))) this.learnSegments(row.segment);
  }

  lost(): void {
    if (this.scene) {
      const { slideMs } = this.scene.selection.window;
      this.scene.from = boundsOf(this.choice, this.status_?.watermark ?? null, slideMs).from;
      this.board.refetch(this.scene.from);
    }
    this.comparison.refetch();
    this.experiments.refetch();
  }

  look(): void {
    this.experiments.refetch();
  }

  connection(connection: Connection): void {
    this.link = connection;
    const place = byId("connection");
    setText(place, connectionText(connection, this.choice.zone));
    place.dataset["state"] = connection.state;
    document.body.dataset["connection"] = connection.state;
    this.showHealth();
    this.judgeTrust();
  }

  private know(outline: Outline): void {
    this.outline = outline;
    for (const segment of allSegments(outline)) this.segments.add(segmentId(segment));
  }

  // A value that came up while the page was open: what there is is asked for again, once for each.
  private learnSegments(segment: Segment): void {
    this.segments.add(segmentId(segment));
    this.newSegments ??= setTimeout(() => {
      this.newSegments = null;
      this.source.outline().then(
        ({ outline }) => {
          this.know(outline);
          this.stage();
        },
        () => undefined, // the next one asks again
      );
    }, NEW_SEGMENTS_MS);
  }

  private change(changes: Changes): void {
    this.choice = { ...this.choice, ...changes };
    try {
      history.pushState(null, "", `${location.pathname}${choiceQuery(this.choice, this.usualRange)}${location.hash}`);
    } catch {
      // A report that was opened as a file may not change its address in every browser.
    }
    this.stage();
  }

  private chooseTheme(word: string): void {
    const theme = word === "light" || word === "dark" ? word : "auto";
    storeTheme(theme);
    this.change({ theme: this.choice.theme === null ? null : theme });
    this.restyle();
  }

  private stage(): void {
    this.dress();
    if (!this.outline) return;
    const selection = selectionOf(this.outline, this.choice);
    byId("nothing").hidden = selection !== null;
    byId("sections").hidden = selection === null;
    if (!selection) return;
    const newest = this.status_?.watermark ?? null;
    const bounds = boundsOf(this.choice, newest, selection.window.slideMs);
    this.scene = { outline: this.outline, choice: this.choice, selection, ...bounds, newest: null, oldest: null };
    this.controls.show(this.scene);
    this.answer.choose(this.scene);
    for (const section of this.sections) section.choose(this.scene);
    this.showHealth();
    this.showLinks(this.scene);
  }

  // Where a program gets what the page shows.
  private showLinks(scene: Scene): void {
    const query = this.source.seriesLink(queryOf(scene, scene.selection.metric, scene.selection.segment));
    if (query === null) return;
    const base = query.slice(0, query.indexOf("/api/v1/"));
    const links = [
      ["These values by the API", query],
      ["Definitions of the metrics", `${base}/api/v1/definitions`],
      ["The API", `${base}/api/v1/openapi.yaml`],
    ] as const;
    byId("links").replaceChildren(...links.map(([text, href]) => element("a", { href }, text)));
  }

  private dress(): void {
    const theme = this.choice.theme ?? storedTheme();
    const before = document.documentElement.dataset["theme"];
    applyTheme(theme);
    this.theme.show(
      [
        { value: "auto", label: "as the machine" },
        { value: "light", label: "light" },
        { value: "dark", label: "dark" },
      ],
      theme,
    );
    const wasWall = document.body.classList.contains("wall");
    this.wall.set(this.choice.wall);
    if (theme !== before || wasWall !== this.choice.wall) this.restyle();
  }

  private restyle(): void {
    for (const section of this.sections) section.restyle();
  }

  private showHealth(): void {
    this.health.show(this.status_, this.link, this.choice.zone);
  }

  private judgeTrust(): void {
    const acted = this.outline?.actedShare ?? null;
    const { zone } = this.choice;
    const { a, b, isAsked } = this.scene?.selection ?? { a: null, b: null, isAsked: false };
    const spans = this.outline?.spans ?? new Map();
    const apart = isAsked && a !== null && b !== null ? neverTogetherText(spans, a, b, zone) : "";
    this.answer.showTrust(trustOf(this.points, this.status_, this.link, zone, acted, apart), this.status_);
  }
}
