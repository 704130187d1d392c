import {
  calibrationOf,
  learningOf,
  precisionRecallOf,
  rocOf,
  type CurvePoint,
  type LearningPoint,
  type XyContent,
} from "../model/curve.ts";
import { allSegments } from "../model/outline.ts";
import { segmentId, type Segment } from "../model/segment.ts";
import { element } from "../view/element.ts";
import { XyChart } from "../view/xy_chart.ts";
import type { Scene, Section } from "./scene.ts";

// Curves that came with the report, of the whole log: ROC, precision and recall, learning, calibration. Hidden without any.
const LINES_MAX = 8;

export interface CurvePoints {
  readonly curves: readonly CurvePoint[];
  readonly learning: readonly LearningPoint[];
}

export class Curves implements Section {
  readonly root = element("section", { class: "curves", "aria-labelledby": "curves-title" });
  private readonly grid = element("div", { class: "grid" });

  constructor(private readonly points: CurvePoints) {
    this.root.append(element("h2", { id: "curves-title" }, "Curves"), this.grid);
  }

  choose(scene: Scene): void {
    const contents = this.contentsOf(scene).filter((content) => content.lines.length > 0);
    this.root.hidden = contents.length === 0;
    this.grid.replaceChildren(
      ...contents.map((content) => {
        const chart = new XyChart();
        chart.show(content);
        return chart.root;
      }),
    );
  }

  restyle(): void {}

  private contentsOf(scene: Scene): XyContent[] {
    const { horizon, cutoff, segment, a, b } = scene.selection;
    const window = scene.outline.whole ?? scene.selection.window.name;
    const wanted = scene.outline.hasLanes ? allSegments(scene.outline) : [segment, a, b].filter((one) => one !== null);
    const segments = [...new Map(wanted.map((one): [string, Segment] => [segmentId(one), one])).values()];
    const curves = this.points.curves.filter((point) => point.window === window && point.horizon === horizon);
    const drawn = segments.slice(0, LINES_MAX);
    const ofHorizon = this.points.learning.filter((point) => point.horizon === horizon);
    const cutoffs = ofHorizon.map(({ k }) => k);
    const k = cutoffs.includes(cutoff) ? cutoff : (cutoffs.at(-1) ?? null);
    const learning = ofHorizon.filter((point) => point.k === k);
    return [rocOf(curves, drawn), precisionRecallOf(curves, drawn), ...learningOf(learning), calibrationOf(learning)];
  }
}
