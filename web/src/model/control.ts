import type { Segment } from "./segment.ts";

// The control of an experiment by its name: what the others are compared with. Without one, none is called better. As
// named_control() of the program has it, so that the page and the table of a replay agree.
const NAMES: readonly string[] = ["control", "old", "base", "baseline", "default", "a", "kontrolle", "alt", "0", "false"];

// The one among segments of one key; null: none is called so.
export function controlOf(segments: readonly Segment[]): Segment | null {
  for (const name of NAMES) {
    const found = segments.find((segment) => segment.length === 1 && segment[0]?.[1].toLowerCase() === name);
    if (found) return found;
  }
  return null;
}
