import { judge } from "../model/judgement.ts";
import { isExposure, warmsUp } from "../model/metric_kind.ts";
import { familiesOf, keyAt } from "../model/metric_key.ts";
import { valueText } from "../model/number_text.ts";
import { segmentLabel } from "../model/segment.ts";
import { EMPTY, type Series } from "../model/series.ts";
import type { Board } from "../source/board.ts";
import { Chart } from "../view/chart.ts";
import { element, setText } from "../view/element.ts";
import type { Terms } from "../view/term.ts";
import { queryOf, shown, type Scene, type Section } from "./scene.ts";

// All metrics at the chosen cutoff, small: those of quality, and those of coverage and exposure. A series of a running evaluator
// is asked for when its chart comes near the screen; of a file all are drawn, so that they are there in print. Charts whose
// metric stays are kept, with the reader's focus and open tables.
const AFTER_FIRST_MS = 300;
export const LOOKS_BACK = "looks back at earlier events, so it changes where a log begins: no trend";

interface Small {
  readonly chart: Chart;
  readonly open: HTMLButtonElement;
  asked: string; // what it shows or waits to show
  series: Series;
  stop: (() => void) | null; // null: not watched yet
}

export class Metrics implements Section {
  readonly root = element("div", { class: "metrics" });
  private readonly quality = element("div", { class: "grid" });
  private readonly exposure = element("div", { class: "grid" });
  private readonly none = element(
    "p",
    { class: "quiet" },
    "None is published: add distinct_items, catalog_coverage or gini to metrics.names.",
  );
  private readonly kept = new Map<string, Small>(); // by key
  private readonly observer: IntersectionObserver;
  private scene: Scene | null = null;

  constructor(
    private readonly board: Board,
    private readonly drawsAll: boolean,
    private readonly terms: Terms,
    private readonly onChoice: (family: string) => void,
    private readonly onZoom: (from: number, to: number) => void,
  ) {
    this.root.append(
      element(
        "section",
        { "aria-labelledby": "quality-title" },
        element("h2", { id: "quality-title" }, "Quality"),
        this.quality,
      ),
      element(
        "section",
        { "aria-labelledby": "exposure-title" },
        element("h2", { id: "exposure-title" }, "Coverage and exposure"),
        this.none,
        this.exposure,
      ),
    );
    this.observer = new IntersectionObserver(
      (entries) => {
        const near = new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target));
        for (const [key, small] of this.kept) if (near.has(small.chart.root)) this.watch(key, small);
      },
      { rootMargin: "300px" },
    );
  }

  choose(scene: Scene): void {
    this.scene = scene;
    const places = { quality: [] as Element[], exposure: [] as Element[] };
    const wanted = new Set<string>();
    for (const family of familiesOf(scene.outline.metrics)) {
      const key = keyAt(family, scene.selection.cutoff);
      wanted.add(key);
      const small = this.smallOf(family.name, key);
      const isChosen = family.name === scene.selection.family.name;
      small.open.setAttribute("aria-pressed", String(isChosen));
      setText(small.open, isChosen ? "shown above" : "show above");
      places[isExposure(key, this.terms.definition(key)) ? "exposure" : "quality"].push(small.chart.root);
      this.ask(key, small, JSON.stringify(queryOf(scene, key, scene.selection.segment)));
    }
    for (const [key, small] of this.kept) if (!wanted.has(key)) this.drop(key, small);
    place(this.quality, places.quality);
    place(this.exposure, places.exposure);
    this.none.hidden = places.exposure.length > 0;
    // Behind what is first to be seen.
    if (this.drawsAll) setTimeout(() => this.watchAll(scene), AFTER_FIRST_MS);
  }

  private watchAll(scene: Scene): void {
    if (this.scene !== scene) return;
    for (const [key, small] of this.kept) this.watch(key, small);
  }

  restyle(): void {
    for (const { chart } of this.kept.values()) chart.restyle();
  }

  private smallOf(family: string, key: string): Small {
    const kept = this.kept.get(key);
    if (kept) return kept;
    const open = element("button", { type: "button", class: "link" });
    open.addEventListener("click", () => this.onChoice(family));
    const looksBack = warmsUp(key, this.terms.definition(key)) ? [element("p", { class: "quiet" }, LOOKS_BACK)] : [];
    const head = [element("h3", {}, this.terms.term(key)), open, ...looksBack];
    const made = {
      chart: new Chart({ name: key, heightPx: 150, head, onZoom: this.onZoom }),
      open,
      asked: "",
      series: EMPTY,
      stop: null,
    };
    this.kept.set(key, made);
    return made;
  }

  private ask(key: string, small: Small, asked: string): void {
    if (small.asked === asked) {
      if (small.stop) this.show(key, small);
      return;
    }
    small.asked = asked;
    small.stop?.();
    small.stop = null;
    // Watching anew makes the observer say at once whether it is near.
    this.observer.unobserve(small.chart.root);
    this.observer.observe(small.chart.root);
  }

  private drop(key: string, small: Small): void {
    small.stop?.();
    this.observer.unobserve(small.chart.root);
    this.kept.delete(key);
  }

  private watch(key: string, small: Small): void {
    const { scene } = this;
    if (!scene || small.stop) return;
    small.stop = this.board.watch(queryOf(scene, key, scene.selection.segment), ({ series }) => {
      small.series = series;
      this.show(key, small);
    });
  }

  private show(key: string, small: Small): void {
    const { scene } = this;
    if (!scene) return;
    const { segment, window } = scene.selection;
    const { series, from, to } = shown(scene, small.series);
    const reference = warmsUp(key) ? undefined : judge(series.points)?.reference.median;
    small.chart.show({
      title: `${key} of ${segmentLabel(segment)}`,
      lines: [{ name: segmentLabel(segment), points: series.points }],
      yLabel: "", // its title is the metric
      slideMs: window.slideMs,
      leadMs: window.slideMs,
      from,
      to,
      finalUntil: series.finalUntil,
      ghost: null,
      zero: false,
      isCount: false,
      zone: scene.choice.zone,
      reference: reference === undefined ? null : { value: reference, label: `usual ${valueText(reference)}` },
    });
  }
}

function place(grid: HTMLElement, wanted: readonly Element[]): void {
  if (wanted.length === grid.children.length && wanted.every((one, i) => one === grid.children[i])) return;
  grid.replaceChildren(...wanted);
}
