import { rangeMs, type Choice } from "../model/choice.ts";
import type { Outline, Selection } from "../model/outline.ts";
import type { Segment } from "../model/segment.ts";
import { within, type Series } from "../model/series.ts";
import type { SeriesQuery } from "../source/source.ts";

// What is on stage: the evaluator's outline, and what the reader has chosen of it.
export interface Scene {
  readonly outline: Outline;
  readonly choice: Choice;
  readonly selection: Selection;
  from: number | null; // milliseconds, what is asked for; moves on with the range
  readonly to: number | null;
  newest: number | null; // end of the newest window seen: the right edge moves while the page is open
  oldest: number | null; // start of the oldest one: the left edge is never before there was anything
}

export function queryOf(scene: Scene, metric: string, segment: Segment): SeriesQuery {
  const { selection, from, to } = scene;
  return { window: selection.window.name, metric, horizon: selection.horizon, segment, from, to };
}

// What is to be seen of a series now.
export function shown(scene: Scene, series: Series): { series: Series; from: number | null; to: number | null } {
  if (scene.choice.range === "fixed") return { series: within(series, scene.from, scene.to), from: scene.from, to: scene.to };
  scene.newest = Math.max(scene.newest ?? 0, series.points.at(-1)?.end ?? 0) || null;
  const first = series.points[0]?.start;
  if (first !== undefined) scene.oldest = Math.min(scene.oldest ?? first, first);
  const length = rangeMs(scene.choice.range, scene.selection.window.slideMs);
  const from = length === null || scene.newest === null ? null : Math.max(scene.newest - length, scene.oldest ?? 0);
  return { series: within(series, from, null), from, to: scene.newest };
}

// A part of the page.
export interface Section {
  readonly root: HTMLElement;
  choose(scene: Scene): void;
  restyle(): void; // colours have changed
}

// Watches of a section, replaced as a whole: new ones are made before the old ones are let go.
export class Watches {
  private stops: (() => void)[] = [];

  replace(make: () => (() => void)[]): void {
    const old = this.stops;
    this.stops = make();
    for (const stop of old) stop();
  }
  add(stop: () => void): void {
    this.stops.push(stop);
  }
}
