import { csvOf } from "../model/csv.ts";
import { countText } from "../model/number_text.ts";
import type { Point } from "../model/point.ts";
import { visible } from "../model/segment.ts";
import { windowText, zoneText } from "../model/time_text.ts";
import { incompleteText } from "../model/trust.ts";
import { endsOf, NO_CONTENT, type ChartContent } from "./chart_content.ts";
import { download, fileName } from "./download.ts";
import { element } from "./element.ts";
import { scrollArea } from "./scroll_area.ts";
import { intervalTextOf, stageText, valueTextOf } from "./point_text.ts";

// The numbers of a chart as a table, newest first, made when it is opened: ten closed tables cost nothing.
const ROWS_AT_FIRST = 100;

export class ChartTable {
  readonly root: HTMLDetailsElement;
  private readonly place = element("div");
  private readonly area = scrollArea("Table", this.place);
  private content = NO_CONTENT;
  private showsAll = false;

  // `picture`: what is drawn above the table.
  constructor(private readonly picture: () => Promise<Blob | null>) {
    this.root = element("details", { class: "numbers" }, element("summary", {}, "Table"), this.exports(), this.area);
    this.root.addEventListener("toggle", () => this.fill());
  }

  show(content: ChartContent): void {
    this.content = content;
    this.fill();
  }

  private fill(): void {
    if (!this.root.open) return;
    const { content } = this;
    const ends = endsOf(content).reverse();
    const shown = this.showsAll ? ends : ends.slice(0, ROWS_AT_FIRST);
    const lines = content.lines.map((line) => ({
      line,
      byEnd: new Map(line.points.map((point): [number, Point] => [point.end, point])),
    }));
    const several = lines.length > 1;
    const head = content.isCount
      ? ["lists"]
      : lines.flatMap(({ line }) => {
          const name = several ? `${visible(line.name)} ` : "";
          return [`${name}value`, `${name}interval`, ...(several ? [] : ["lists"])];
        });
    const headers = [`window, ${zoneText(content.zone)}`, ...head, "state", "incomplete"];
    const rows = shown.map((end) => {
      const points = lines.map(({ byEnd }) => byEnd.get(end));
      const some = points.find((point) => point) as Point;
      const cells = content.isCount
        ? [countText(some.lists)]
        : points.flatMap((point) => [
            valueTextOf(content, point?.value),
            point ? intervalTextOf(content, point) : "no lists",
            ...(several ? [] : [countText(point?.lists)]),
          ]);
      const why = [...new Set(points.flatMap((point) => point?.incomplete ?? []))].map(incompleteText).join("; ");
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, windowText(some.start, some.end, content.zone)),
        ...[...cells, stageText(some), why].map((text) => element("td", {}, text)),
      );
    });
    const table = element(
      "table",
      {},
      element("caption", { class: "quiet" }, visible(content.title)),
      element("thead", {}, element("tr", {}, ...headers.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows),
    );
    this.area.setAttribute("aria-label", `Table of ${visible(content.title)}`);
    this.place.replaceChildren(table, ...(shown.length < ends.length ? [this.moreButton(ends.length)] : []));
  }

  private exports(): HTMLElement {
    const csv = element("button", { type: "button" }, "Save as CSV");
    csv.addEventListener("click", () => {
      const { title, lines } = this.content;
      download(fileName(title, "csv"), new Blob([csvOf(lines)], { type: "text/csv" }));
    });
    const png = element("button", { type: "button" }, "Save as PNG");
    png.addEventListener("click", async () => {
      const picture = await this.picture();
      if (picture) download(fileName(this.content.title, "png"), picture);
    });
    return element("p", { class: "exports" }, csv, " ", png);
  }

  private moreButton(all: number): HTMLButtonElement {
    const button = element("button", { type: "button" }, `All ${countText(all)} windows`);
    button.addEventListener("click", () => {
      this.showsAll = true;
      this.fill();
    });
    return button;
  }
}
