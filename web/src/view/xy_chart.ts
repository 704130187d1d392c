import type { XyContent } from "../model/curve.ts";
import { valueText } from "../model/number_text.ts";
import { element } from "./element.ts";
import { scrollArea } from "./scroll_area.ts";

// A chart of y over x, or over buckets, with its numbers as a table. Lines differ by colour and dash; a list names them.
const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 260;
const LEFT = 60;
const CHAR = 7; // about the width of one
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 44;
const TICKS = 5;

function svg(name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== "") made.textContent = text;
  return made;
}

export class XyChart {
  readonly root: HTMLElement;
  private readonly area = element("div", { class: "xy" });
  private content: XyContent | null = null;

  constructor() {
    this.root = element("figure", { class: "chart" });
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  show(content: XyContent): void {
    this.content = content;
    this.root.replaceChildren(
      element("figcaption", {}, element("h3", {}, content.title)),
      this.area,
      element(
        "ul",
        { class: "xy-names" },
        ...content.lines.map((line, i) => element("li", {}, this.sample(i), ` ${line.name}`)),
      ),
      this.table(content),
    );
    this.draw();
  }

  private sample(i: number): Element {
    const sample = svg("svg", { width: 28, height: 8, "aria-hidden": "true" });
    sample.append(svg("line", { x1: 0, x2: 28, y1: 4, y2: 4, class: `xy-line line-${i % 8}` }));
    return sample;
  }

  private draw(): void {
    const { content } = this;
    const width = Math.floor(this.area.clientWidth);
    if (!content || width === 0) return;
    const all = content.lines.flatMap((line) => line.points);
    const xMax = content.buckets.length > 0 ? Math.max(1, content.buckets.length - 1) : roundUp(all.map(({ x }) => x));
    const yMax = roundUp(all.map(({ y }) => y));
    const x = (value: number): number => LEFT + (value / xMax) * (width - LEFT - RIGHT);
    const y = (value: number): number => HEIGHT - BOTTOM - (value / yMax) * (HEIGHT - TOP - BOTTOM);
    const picture = svg("svg", { width, height: HEIGHT, role: "img", "aria-label": content.title });
    for (let i = 0; i <= TICKS; i++) {
      const value = (yMax * i) / TICKS;
      picture.append(
        svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "xy-grid" }),
        svg("text", { x: LEFT - 6, y: y(value) + 4, class: "xy-end" }, tickText(value)),
      );
    }
    // Only as many words as there is room for.
    const count = content.buckets.length > 0 ? content.buckets.length - 1 : TICKS;
    const widest = Math.max(5, ...content.buckets.map((bucket) => bucket.length)) * CHAR + CHAR;
    const step = Math.max(1, Math.ceil((count * widest) / (width - LEFT - RIGHT)));
    for (let i = 0; i <= count; i += step) {
      const value = content.buckets.length > 0 ? i : (xMax * i) / TICKS;
      const text = content.buckets[i] ?? tickText(value);
      picture.append(
        svg("text", { x: x(value), y: HEIGHT - BOTTOM + 16, class: i === count ? "xy-end" : "xy-middle" }, text),
      );
    }
    picture.append(svg("text", { x: (LEFT + width) / 2, y: HEIGHT - 8, class: "xy-middle" }, content.xLabel));
    const middle = (TOP + HEIGHT - BOTTOM) / 2;
    picture.append(
      svg("text", { x: 12, y: middle, class: "xy-middle", transform: `rotate(-90 12 ${middle})` }, content.yLabel),
    );
    if (content.diagonal) {
      const end = Math.min(xMax, yMax);
      picture.append(svg("line", { x1: x(0), y1: y(0), x2: x(end), y2: y(end), class: "xy-diagonal" }));
    }
    content.lines.forEach((line, i) => {
      const points = line.points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`);
      picture.append(svg("polyline", { points: points.join(" "), class: `xy-line line-${i % 8}` }));
      for (const point of line.points)
        picture.append(svg("circle", { cx: x(point.x), cy: y(point.y), r: 2.5, class: `line-${i % 8}` }));
    });
    this.area.replaceChildren(picture);
  }

  private table(content: XyContent): HTMLElement {
    const rows = content.lines.flatMap((line) =>
      line.points.map(({ x, y }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, line.name),
          element("td", {}, content.buckets[x] ?? valueText(x)),
          element("td", {}, valueText(y)),
        ),
      ),
    );
    const names = ["", content.xLabel, content.yLabel];
    return element(
      "details",
      { class: "numbers" },
      element("summary", {}, "Table"),
      scrollArea(
        content.title,
        element(
          "table",
          {},
          element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
          element("tbody", {}, ...rows),
        ),
      ),
    );
  }
}

const tickText = (value: number): string => String(Number(value.toPrecision(3)));

// The end of an axis: the least of 1, 2, 2.5 and 5 times a power of ten that holds all.
function roundUp(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= most * 0.999999) ?? 10) * power;
}
