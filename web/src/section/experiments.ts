import {
  decidedText,
  distanceIn,
  isDraft,
  missingText,
  troubleTexts,
  verdictText,
  verdictWord,
  type ArmCount,
  type Look,
} from "../model/experiment.ts";
import { looksLegend } from "../model/legend.ts";
import { changeText, countText, shareText, signedText, valueText } from "../model/number_text.ts";
import { durationText, momentText, type Zone } from "../model/time_text.ts";
import type { Looks, Source } from "../source/source.ts";
import { Chart } from "../view/chart.ts";
import { element, setText } from "../view/element.ts";
import { scrollArea } from "../view/scroll_area.ts";
import { Select } from "../view/select.ts";
import type { Scene, Section } from "./scene.ts";

const NEW_LOOKS_MS = 500;

// The experiments of a log: the verdict as a sentence, how far the arm is from the control over the looks, and what may be
// wrong. Hidden where there are none.
export class Experiments implements Section {
  readonly root = element("section", { class: "experiment", id: "experiment", "aria-labelledby": "experiment-title" });
  private readonly content = element("div"); // of the page only while there is an experiment
  private readonly title = element("h2", { id: "experiment-title" }, "Experiment");
  private readonly verdict = element("p", { class: "summary", "aria-live": "polite" });
  private readonly troubles = element("ul", { class: "troubles" });
  private readonly about = element("p", { class: "quiet" });
  private readonly experiment = new Select("Experiment", (name) => this.pick({ experiment: name, metric: "", arm: "" }));
  private readonly metric = new Select("Metric", (metric) => this.pick({ metric }));
  private readonly arm = new Select("Arm", (arm) => this.pick({ arm }));
  private readonly legend = element("p", { class: "legend" });
  private readonly chart = new Chart({
    name: "Distance from the control",
    heightPx: 240,
    head: [element("h3", {}, "Distance from the control, look by look"), this.legend],
  });
  private readonly metrics = element("tbody");
  private readonly arms = element("tbody");
  private picked = { experiment: "", metric: "", arm: "" };
  private newest: readonly Look[] = [];
  private scene: Scene | null = null;
  private isAsked = false;
  private waiting: ReturnType<typeof setTimeout> | null = null;
  private fetched = 0; // of the newest request: late answers of earlier ones are dropped

  constructor(private readonly source: Source) {
    this.root.hidden = true;
    this.content.append(
      this.title,
      element("div", { class: "controls" }, this.experiment.root, this.metric.root, this.arm.root),
      this.verdict,
      this.troubles,
      this.about,
      this.chart.root,
      element(
        "div",
        { class: "facts" },
        table("Metrics of the experiment", ["metric", "role", "control", "arm", "difference", "for all looks"], this.metrics),
        table("Users of the arms", ["arm", "users", "share", "planned", "lists"], this.arms),
      ),
    );
  }

  choose(scene: Scene): void {
    this.scene = scene;
    if (this.isAsked) return this.show();
    this.isAsked = true;
    void this.fetch();
  }

  restyle(): void {
    this.chart.restyle();
  }

  // There may be new looks. Several come at a time, when an evaluator catches up.
  refetch(): void {
    if (!this.isAsked) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = null;
      void this.fetch();
    }, NEW_LOOKS_MS);
  }

  private pick(changes: Partial<{ experiment: string; metric: string; arm: string }>): void {
    this.picked = { ...this.picked, ...changes };
    this.show();
    void this.fetchLooks();
  }

  private async fetch(): Promise<void> {
    try {
      this.newest = await this.source.experiments();
    } catch {
      return; // what is shown stays; the page says that the connection is lost
    }
    this.show();
    await this.fetchLooks();
  }

  private look(): Look | undefined {
    return this.newest.find((look) => look.experiment === this.picked.experiment) ?? this.newest[0];
  }

  private show(): void {
    const look = this.look();
    this.root.hidden = look === undefined;
    if (look === undefined) this.content.remove();
    else if (this.root.firstChild === null) this.root.append(this.content);
    if (look === undefined || this.scene === null) return;
    const { zone } = this.scene.choice;
    const others = look.arms.slice(1).map(({ arm }) => arm);
    const metrics = look.metrics.map(({ metric }) => metric);
    this.picked = {
      experiment: look.experiment,
      metric: metrics.includes(this.picked.metric) ? this.picked.metric : (metrics[0] ?? ""),
      arm: others.includes(this.picked.arm) ? this.picked.arm : (others[0] ?? ""),
    };
    this.experiment.show(options(this.newest.map(({ experiment }) => experiment)), look.experiment);
    this.metric.show(options(metrics), this.picked.metric);
    this.arm.show(options(others), this.picked.arm);
    setText(this.title, `Experiment ${look.experiment}: ${verdictWord(look.counts.verdict).toLowerCase()}`);
    this.root.dataset["verdict"] = look.counts.verdict;
    setText(this.verdict, verdictText(look, zone));
    this.troubles.replaceChildren(...troubleTexts(look).map((text) => element("li", {}, text)));
    setText(this.about, aboutText(look, zone));
    this.metrics.replaceChildren(...look.metrics.map((metric) => metricRow(metric, this.picked.arm)));
    this.arms.replaceChildren(...armRows(look));
  }

  private async fetchLooks(): Promise<void> {
    const { experiment, metric, arm } = this.picked;
    const look = this.look();
    if (look === undefined || arm === "") return;
    const number = ++this.fetched;
    try {
      const looks = await this.source.looks(experiment, metric, arm);
      if (number === this.fetched) this.draw(look, looks);
    } catch {
      // As above.
    }
  }

  // On the scale that decides.
  private isRelative(look: Look): boolean {
    const { metric, arm } = this.picked;
    const result = look.metrics.find((one) => one.metric === metric)?.arms.find((one) => one.arm === arm);
    return result !== undefined && result.relative !== null;
  }

  private draw(look: Look, { all, one }: Looks): void {
    setText(this.legend, looksLegend(all, one));
    const step = all.length > 1 ? (all[1]?.end ?? 0) - (all[0]?.end ?? 0) : 3_600_000;
    this.chart.show({
      title: `${this.picked.metric}: ${this.picked.arm} against ${look.arms[0]?.arm ?? ""}`,
      lines: [{ name: this.picked.arm, points: all }],
      yLabel: this.isRelative(look) ? "difference, in percent" : "difference",
      slideMs: step,
      leadMs: 0, // a look is of all that was until then
      from: null,
      to: null,
      finalUntil: all.at(-1)?.end ?? null,
      reference: null,
      ghost: null,
      bounds: one,
      zero: true,
      isCount: false,
      isChange: this.isRelative(look),
      zone: this.scene?.choice.zone ?? "utc",
    });
  }
}

const options = (names: readonly string[]): { value: string; label: string }[] =>
  names.map((name) => ({ value: name, label: name }));

function table(name: string, heads: readonly string[], body: HTMLElement): HTMLElement {
  return scrollArea(
    name,
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      body,
    ),
  );
}

function aboutText(look: Look, zone: Zone): string {
  const ran = `Look ${countText(look.number)}, ${momentText(look.end, zone)}, after ${durationText(look.end - look.start)}`;
  return [`${ran}${look.closed ? ", the last one" : ""}.`, decidedText(look, zone)].join(" ").trim();
}

function metricRow(metric: Look["metrics"][number], arm: string): HTMLTableRowElement {
  const at = metric.arms.findIndex((one) => one.arm === arm);
  const result = metric.arms[at];
  const distance = result ? distanceIn(result) : null;
  const text = result?.relative ? changeText : signedText;
  // Values that are compared, which CUPED may have adjusted.
  const adjusted = result?.adjusted ?? null;
  const name = adjusted !== null && !result?.few ? `${metric.metric}, adjusted by CUPED` : metric.metric;
  const why = result ? missingText(result) : "";
  const cells = [
    metric.role,
    valueText(adjusted ? adjusted[0] : metric.values[0]),
    valueText(adjusted ? adjusted[1] : metric.values[at + 1]),
    distance ? text(distance.value) : why === "" ? "too little to say" : why,
    distance?.cs ? `${text(distance.cs[0])} to ${text(distance.cs[1])}` : "–",
  ];
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell)));
}

// Shares are of what was assigned: users; or lists where teams draft each, or no user is a member.
function armRows(look: Look): HTMLTableRowElement[] {
  const users = look.arms.reduce((sum, arm) => sum + arm.users, 0);
  const counted = (arm: ArmCount) => (users > 0 && !isDraft(look) ? arm.users : arm.lists);
  const all = look.arms.reduce((sum, arm) => sum + counted(arm), 0);
  return look.arms.map((arm) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, arm.arm),
      ...[
        users === 0 ? "–" : countText(arm.users),
        all === 0 ? "–" : shareText(counted(arm) / all),
        arm.allocation === null ? "–" : shareText(arm.allocation),
        countText(arm.lists),
      ].map((cell) => element("td", {}, cell)),
    ),
  );
}
