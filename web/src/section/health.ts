import { bytesText, countText, shareText } from "../model/number_text.ts";
import { visible } from "../model/segment.ts";
import type { Status } from "../model/status.ts";
import { durationText, momentText, windowText, zoneText, type Zone } from "../model/time_text.ts";
import type { Connection } from "../model/trust.ts";
import { element, setText } from "../view/element.ts";
import { scrollArea } from "../view/scroll_area.ts";

// How the run is: a strip of the figures that matter to a reader, and, folded away, what an operator asks: what holds it back,
// every fate, partition and window that waits.
const WAITING_MAX = 40;
const FATES = ["invalid", "ignored", "future", "late", "duplicate", "impressions", "feedback", "undecided"];

export class Health {
  readonly strip = element("dl", { class: "strip", "aria-label": "Health" });
  readonly root = element("section", { class: "health", "aria-labelledby": "health-title" });
  private readonly cells = new Map<string, HTMLElement>();
  private readonly facts = element("dl", { class: "strip", "aria-label": "Facts for operators" });
  private readonly tables = element("div", { class: "tables" });

  // `isOver`: of a file, which has no connection, lag or rate.
  constructor(private readonly isOver: boolean) {
    this.root.append(
      element("h2", { id: "health-title" }, "Health"),
      element(
        "details",
        { class: "operator" },
        element(
          "summary",
          {},
          isOver ? "Fates of events, partitions" : "For operators: what holds windows back, partitions, fates of events",
        ),
        this.facts,
        this.tables,
      ),
    );
  }

  show(status: Status | null, connection: Connection, zone: Zone): void {
    if (!this.isOver) this.cell("connection", connectionText(connection, zone), connection.state === "lost" ? "bad" : "");
    if (!status) return;
    const read = status.events.get("read") ?? 0;
    const lag = Math.max(-1, ...status.partitions.map((p) => p.lagSeconds ?? -1));
    const records = status.partitions.reduce((sum, p) => sum + (p.lagRecords ?? 0), 0);
    if (!this.isOver || status.watermark !== null)
      this.cell("evaluated to", status.watermark === null ? "–" : `${momentText(status.watermark, zone)} ${zoneText(zone)}`);
    if (lag >= 0 && !this.isOver)
      this.cell("lag", `${durationText(lag * 1000)}, ${countText(records)} records`, lag > 60 ? "care" : "");
    this.cell(
      "events",
      `${countText(read)}${this.isOver || status.eventsPerSecond === null ? "" : `, ${countText(status.eventsPerSecond)}/s`}`,
    );
    const doubtful = ["invalid", "late", "future"].reduce((sum, fate) => sum + (status.events.get(fate) ?? 0), 0);
    this.cell("invalid, late, future", read === 0 ? "–" : shareText(doubtful / read), doubtful > read * 0.01 ? "care" : "");
    const fact = (name: string, text: string): void => this.cell(name, text, "", this.facts);
    if (!this.isOver) {
      fact("held back by", status.heldBackBy === null ? "nothing" : visible(status.heldBackBy));
      fact("windows waiting", countText(status.waiting.length));
    }
    if (status.stateBytes !== null) fact("state on disk", bytesText(status.stateBytes));
    if (status.memoryBytes !== null) fact("memory of the state", bytesText(status.memoryBytes));
    this.showTables(status, zone);
  }

  // Figures keep their place: a strip that jumps cannot be read at a glance.
  private cell(name: string, text: string, mood = "", place: HTMLElement = this.strip): void {
    let value = this.cells.get(name);
    if (!value) {
      value = element("dd", {});
      place.append(element("div", {}, element("dt", {}, name), value));
      this.cells.set(name, value);
    }
    setText(value, text);
    value.dataset["mood"] = mood;
  }

  private showTables(status: Status, zone: Zone): void {
    const read = status.events.get("read") ?? 0;
    const fates = FATES.filter((fate) => status.events.has(fate)).map(
      (fate) => [fate, status.events.get(fate) ?? 0] as const,
    );
    const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
      [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
    const reasons = sorted(status.invalidReasons);
    const duplicates = sorted(status.duplicateReasons);
    const outcomes = [...status.feedback];
    const accepted = outcomes.reduce((sum, [, count]) => sum + count, 0);
    const share =
      (of: number) =>
      ([name, count]: readonly [string, number]): string[] => [
        visible(name),
        countText(count),
        of === 0 ? "–" : shareText(count / of),
      ];
    const waiting = (): HTMLElement =>
      tableOf(
        "Why windows are not final",
        ["window", "horizon", "final in", "why"],
        status.waiting
          .slice(0, WAITING_MAX)
          .map((w) => [
            `${visible(w.window)} ${windowText(w.start, w.end, zone)}`,
            visible(w.horizon),
            w.needsMs === null ? "–" : `${durationText(w.needsMs)} of event time`,
            visible(w.why),
          ]),
        status.waiting.length > WAITING_MAX
          ? `The first ${WAITING_MAX} of ${countText(status.waiting.length)}.`
          : "None waits.",
      );
    const tables = [
      ...(this.isOver ? [] : [waiting()]),
      tableOf(
        "Partitions",
        ["partition", "evaluated to", ...(this.isOver ? [] : ["behind", "records behind"]), "order within"],
        status.partitions.map((p) => [
          visible(p.name) + (p.idle ? " (idle)" : ""),
          p.watermark === null ? "–" : momentText(p.watermark, zone),
          ...(this.isOver ? [] : [p.lagSeconds === null ? "–" : durationText(p.lagSeconds * 1000), countText(p.lagRecords)]),
          p.disorderMs === null ? "–" : durationText(p.disorderMs),
        ]),
        "There are none.",
      ),
      tableOf("Fates of events", ["fate", "events", "share"], fates.map(share(read)), "No event has been read."),
      tableOf("Outcomes of feedback", ["outcome", "feedback", "share"], outcomes.map(share(accepted)), "There is none."),
      ...(reasons.length > 0
        ? [tableOf("Why events are invalid", ["reason", "events", "share of events"], reasons.map(share(read)), "")]
        : []),
      ...(duplicates.length > 0
        ? [tableOf("Why events are duplicates", ["reason", "events", "share of events"], duplicates.map(share(read)), "")]
        : []),
    ];
    const words = tables.map((table) => table.textContent).join();
    if (this.tables.dataset["words"] === words) return;
    this.tables.dataset["words"] = words;
    // Where a reader is inside one of the tables it is not taken away.
    if (this.tables.contains(document.activeElement)) return;
    this.tables.replaceChildren(...tables);
  }
}

function tableOf(caption: string, head: readonly string[], rows: readonly (readonly string[])[], note: string): HTMLElement {
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element(
      "tbody",
      {},
      ...rows.map(([first, ...rest]) =>
        element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((text) => element("td", {}, text))),
      ),
    ),
  );
  const quiet = rows.length === 0 || note.startsWith("The first") ? element("p", { class: "quiet" }, note) : null;
  return scrollArea(caption, table, quiet);
}

export function connectionText(connection: Connection, zone: Zone): string {
  if (connection.state === "lost") return `lost since ${momentText(connection.since, zone)}, trying again`;
  return connection.state === "none" ? "" : connection.state;
}
