import { RANGES, rangeMs, type Choice } from "../model/choice.ts";
import { familiesOf } from "../model/metric_key.ts";
import { allSegments } from "../model/outline.ts";
import { parseSegment, sameSegment, segmentLabel, segmentText, WHOLE } from "../model/segment.ts";
import { durationText } from "../model/time_text.ts";
import { element, setText } from "../view/element.ts";
import { Select, type Option } from "../view/select.ts";
import type { Scene } from "./scene.ts";

// What is to be seen: window, metric, cutoff, horizon, segment, time.
export type Changes = { -readonly [K in keyof Choice]?: Choice[K] };

export class Controls {
  readonly root = element("details", { class: "choose" });
  private readonly form = element("form", { class: "controls", "aria-label": "What is shown" });
  private readonly summary = element("summary", {});
  private readonly window: Select;
  private readonly metric: Select;
  private readonly cutoff: Select;
  private readonly horizon: Select;
  private readonly segment: Select;
  private readonly range: Select;
  private readonly zone: Select;
  private readonly from = element("input", { type: "datetime-local" });
  private readonly to = element("input", { type: "datetime-local" });
  private readonly fixed: HTMLElement;
  private scene: Scene | null = null;

  constructor(private readonly onChange: (changes: Changes) => void) {
    this.window = new Select("Window", (window) => onChange({ window }));
    this.metric = new Select("Metric", (metric) => onChange({ metric }));
    this.cutoff = new Select("Cutoff", (cutoff) => onChange({ cutoff: cutoff === "" ? null : Number(cutoff) }));
    this.horizon = new Select("Horizon", (horizon) => onChange({ horizon }));
    this.segment = new Select("Segment", (text) => onChange({ segment: parseSegment(text) ?? WHOLE }));
    this.range = new Select("Time", (range) => this.chooseRange(range));
    this.zone = new Select("Clock", (zone) => onChange({ zone: zone === "local" ? "local" : "utc" }));
    const both = [
      ["From", this.from],
      ["To", this.to],
    ] as const;
    this.fixed = element(
      "div",
      { class: "fixed" },
      ...both.map(([name, input]) => element("label", { class: "choice" }, element("span", {}, name), input)),
    );
    for (const [, input] of both) input.addEventListener("change", () => this.chooseFixed());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    // On a small screen the answer comes first: there they are folded, and the summary tells what is chosen.
    const small = matchMedia("(max-width: 480px)");
    this.root.open = !small.matches;
    small.addEventListener("change", () => {
      this.root.open = !small.matches;
    });
    this.root.append(this.summary, this.form);
    this.form.append(
      this.metric.root,
      this.cutoff.root,
      this.segment.root,
      this.window.root,
      this.horizon.root,
      this.range.root,
      this.fixed,
      this.zone.root,
    );
  }

  show(scene: Scene): void {
    this.scene = scene;
    const { outline, selection, choice } = scene;
    const parts = [
      selection.metric,
      segmentLabel(selection.segment),
      selection.window.name,
      selection.horizon,
      choice.range === "fixed" ? "from … to" : rangeText(choice.range, selection.window.slideMs),
    ];
    setText(this.summary, parts.join(" · "));
    const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));
    this.window.show(
      outline.windows.map(({ name, sizeMs, slideMs }) => ({
        value: name,
        label:
          sizeMs === slideMs
            ? `${name} (${durationText(sizeMs)})`
            : `${name} (${durationText(sizeMs)} every ${durationText(slideMs)})`,
      })),
      selection.window.name,
    );
    this.metric.show(plain(familiesOf(outline.metrics).map((family) => family.name)), selection.family.name);
    const cutoffs = [...selection.family.keys.keys()].map((k) => ({
      value: String(k ?? ""),
      label: k === null ? "none" : `@${k}`,
    }));
    const shown = [...selection.family.keys].find(([, key]) => key === selection.metric)?.[0];
    this.cutoff.show(cutoffs, String(shown ?? ""));
    this.horizon.show(plain(outline.horizons), selection.horizon);
    const known = allSegments(outline);
    const segments = known.some((s) => sameSegment(s, selection.segment)) ? known : [...known, selection.segment];
    this.segment.show(
      segments.map((s) => ({ value: segmentText(s), label: segmentLabel(s) })),
      segmentText(selection.segment),
    );
    const ranges = [...new Set([...RANGES, choice.range])].filter((range) => range !== "fixed");
    this.range.show(
      [
        ...ranges.map((value) => ({ value, label: rangeText(value, selection.window.slideMs) })),
        { value: "fixed", label: "from … to" },
      ],
      choice.range,
    );
    this.zone.show(
      [
        { value: "utc", label: "UTC" },
        { value: "local", label: "this machine" },
      ],
      choice.zone,
    );
    this.fixed.hidden = choice.range !== "fixed";
    this.from.value = inputText(scene.from, choice);
    this.to.value = inputText(scene.to, choice);
  }

  // Going over to fixed times begins with those on the screen.
  private chooseRange(range: string): void {
    if (range !== "fixed") return this.onChange({ range, from: null, to: null });
    const to = this.scene?.newest ?? Date.now();
    const length = rangeMs(this.scene?.choice.range ?? "", this.scene?.selection.window.slideMs ?? 0) ?? 86_400_000;
    this.onChange({ range: "fixed", from: to - length, to });
  }

  private chooseFixed(): void {
    const suffix = this.scene?.choice.zone === "utc" ? "Z" : "";
    const [from, to] = [Date.parse(this.from.value + suffix), Date.parse(this.to.value + suffix)];
    const isRange = Number.isFinite(from) && Number.isFinite(to) && from < to;
    this.to.setCustomValidity(isRange ? "" : "The end is not after the beginning");
    if (isRange) this.onChange({ range: "fixed", from, to });
    else this.to.reportValidity();
  }
}

function rangeText(range: string, slideMs: number): string {
  const length = range === "auto" ? rangeMs(range, slideMs) : null;
  return range === "all" ? "all that is kept" : `newest ${length === null ? range : durationText(length)}`;
}

function inputText(ms: number | null, choice: Choice): string {
  if (ms === null) return "";
  const shifted = choice.zone === "utc" ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 16);
}
