import type uPlot from "uplot";
import { isSettled, type Point } from "../model/point.ts";
import { visible } from "../model/segment.ts";
import { clockText } from "../model/time_text.ts";
import { placeOf, type ChartContent } from "./chart_content.ts";
import type { Palette } from "./palette.ts";

// What uPlot does not draw itself: the ground under unsettled values and the line where final ones end, the level of
// reference, whiskers, lone points and the names at the ends of lines. Canvas pixels throughout.
const DENSE_PX = 7; // closer windows have no room for circles
const LABELLED_PX = 120; // lower charts have no room for words

const x = (plot: uPlot, ms: number): number => plot.valToPos(ms / 1000, "x", true);
const y = (plot: uPlot, value: number): number => plot.valToPos(value, "y", true);

const ratioOf = (plot: uPlot): number => plot.ctx.canvas.width / plot.width;

function clipped(plot: uPlot, draw: (context: CanvasRenderingContext2D, ratio: number) => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  // As uPlot left them, these would be those of the last line or axis that it drew.
  ctx.setLineDash([]);
  ctx.textAlign = "left";
  ctx.lineCap = "butt";
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx, ratioOf(plot));
  ctx.restore();
}

// Milliseconds where what is final ends; null: there is nothing that is not.
function boundaryOf(content: ChartContent): number | null {
  const open = content.lines.flatMap((line) => line.points.filter((point) => !isSettled(point)));
  if (open.length === 0) return null;
  const until = content.finalUntil ?? -Infinity;
  return Math.max(until, Math.min(...open.map((point) => point.end)) - content.slideMs);
}

export function drawBehind(plot: uPlot, content: ChartContent, palette: Palette): void {
  const boundary = boundaryOf(content);
  if (boundary === null) return;
  clipped(plot, (context) => {
    const { bbox } = plot;
    const left = Math.max(bbox.left, x(plot, boundary));
    context.fillStyle = palette.unsettled;
    context.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height);
  });
}

export function drawInFront(plot: uPlot, content: ChartContent, palette: Palette): void {
  clipped(plot, (context, ratio) => {
    drawReference(plot, context, ratio, content, palette);
    drawBounds(plot, context, ratio, content, palette.lines[0]);
    content.lines.forEach((line, i) =>
      drawPoints(plot, context, ratio, content, line.points, palette.lines[i === 0 ? 0 : 1]),
    );
    drawBoundary(plot, context, ratio, content, palette);
  });
  if (content.lines.length > 1) drawNames(plot, content, palette);
}

// Two thin lines, which break where a point has no interval.
function drawBounds(
  plot: uPlot,
  context: CanvasRenderingContext2D,
  ratio: number,
  content: ChartContent,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.globalAlpha = 0.6;
  for (const bound of ["low", "high"] as const) {
    let isDown = false;
    context.beginPath();
    for (const point of content.bounds ?? []) {
      const value = point[bound];
      if (value !== null) context[isDown ? "lineTo" : "moveTo"](x(plot, placeOf(content, point.end)), y(plot, value));
      isDown = value !== null;
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawReference(
  plot: uPlot,
  context: CanvasRenderingContext2D,
  ratio: number,
  content: ChartContent,
  palette: Palette,
): void {
  const { reference, zero } = content;
  const { bbox } = plot;
  const level = (value: number): void => {
    context.beginPath();
    context.moveTo(bbox.left, y(plot, value));
    context.lineTo(bbox.left + bbox.width, y(plot, value));
    context.stroke();
  };
  context.lineWidth = ratio;
  context.strokeStyle = palette.reference;
  if (zero) level(0);
  if (!reference) return;
  context.setLineDash([6 * ratio, 3 * ratio]);
  level(reference.value);
  context.setLineDash([]);
  if (!hasRoom(plot, palette)) return;
  // Over the ground of what is not final nothing lies on the level; else where the line begins, on its free side.
  context.font = fontOf(palette, ratio);
  const right = bbox.left + bbox.width - 4 * ratio;
  const start = right - context.measureText(reference.label).width;
  const isClear = content.finalUntil !== null && start > x(plot, content.finalUntil) && !endsAt(content, reference.value);
  const [base, away] = isClear || !startsAbove(content, reference.value) ? (["bottom", -2] as const) : (["top", 4] as const);
  write(
    context,
    reference.label,
    isClear ? start : bbox.left + 4 * ratio,
    y(plot, reference.value) + away * ratio,
    base,
    palette,
  );
}

// Whether the newest value is so near to this level that words there would hide it.
function endsAt(content: ChartContent, level: number): boolean {
  const newest = content.lines[0]?.points.at(-1)?.value ?? null;
  return newest !== null && Math.abs(newest - level) < Math.abs(level) / 8;
}

// Whether the line begins above this level: then words about the level stand below it, out of the line's way.
function startsAbove(content: ChartContent, level: number): boolean {
  const values = (content.lines[0]?.points ?? [])
    .filter((point) => point.value !== null && (content.from === null || point.end > content.from))
    .map((point) => point.value ?? level);
  const first = values.slice(0, Math.ceil(values.length / 8));
  return first.length > 0 && first.filter((value) => value > level).length * 2 > first.length;
}

function drawBoundary(
  plot: uPlot,
  context: CanvasRenderingContext2D,
  ratio: number,
  content: ChartContent,
  palette: Palette,
): void {
  const boundary = boundaryOf(content);
  if (boundary === null) return;
  const { bbox } = plot;
  const at = Math.round(x(plot, boundary)) + 0.5;
  if (at < bbox.left) return;
  context.strokeStyle = palette.muted;
  context.lineWidth = ratio;
  context.beginPath();
  context.moveTo(at, bbox.top);
  context.lineTo(at, bbox.top + bbox.height);
  context.stroke();
  if (!hasRoom(plot, palette)) return;
  const until = clockText(boundary, content.zone, content.slideMs % 60_000 !== 0);
  const words = content.finalUntil === null ? "nothing is final" : `final until ${until}`;
  context.font = fontOf(palette, ratio);
  const width = context.measureText(words).width + 6 * ratio;
  write(context, words, at - width > bbox.left ? at - width : at + 6 * ratio, bbox.top + 2 * ratio, "top", palette);
}

const hasRoom = (plot: uPlot, palette: Palette): boolean => plot.bbox.height >= LABELLED_PX * palette.scale * ratioOf(plot);

const fontOf = (palette: Palette, ratio: number): string =>
  `${palette.fontPx * ratio}px ${palette.font.replace(/^\S+ /, "")}`;

// With a rim in the colour of the ground, for a line may run through it.
function write(
  context: CanvasRenderingContext2D,
  words: string,
  left: number,
  at: number,
  base: CanvasTextBaseline,
  palette: Palette,
): void {
  const ratio = context.canvas.width / context.canvas.clientWidth || 1;
  context.font = fontOf(palette, ratio);
  context.textBaseline = base;
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  context.strokeStyle = palette.surface;
  context.strokeText(words, left, at);
  context.fillStyle = palette.text;
  context.fillText(words, left, at);
}

// Unsettled values: whiskers and hollow circles. Settled ones have a band and a line; where both neighbours are missing there
// is neither, so these get the same, filled.
function drawPoints(
  plot: uPlot,
  context: CanvasRenderingContext2D,
  ratio: number,
  content: ChartContent,
  points: readonly Point[],
  colour: string,
): void {
  const { slideMs } = content;
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  const spacing = x(plot, (points[0]?.end ?? 0) + slideMs) - x(plot, points[0]?.end ?? 0);
  points.forEach((point, i) => {
    if (point.value === null) return;
    const settled = isSettled(point);
    if (settled && [points[i - 1], points[i + 1]].some((other) => joins(point, other, slideMs))) return;
    const at = x(plot, placeOf(content, point.end));
    if (point.low !== null && point.high !== null) {
      context.globalAlpha = settled ? 0.8 : 0.5;
      context.beginPath();
      context.moveTo(at, y(plot, point.low));
      context.lineTo(at, y(plot, point.high));
      context.stroke();
      context.globalAlpha = 1;
    }
    if (!settled && spacing < DENSE_PX * ratio) return;
    context.beginPath();
    context.arc(at, y(plot, point.value), 3 * ratio, 0, 2 * Math.PI);
    context.fillStyle = colour;
    if (settled) context.fill();
    else context.stroke();
  });
}

// Whether a line goes from one settled point to the other.
function joins(point: Point, other: Point | undefined, slideMs: number): boolean {
  if (!other || other.value === null || !isSettled(other)) return false;
  return Math.abs(other.start - point.start) <= slideMs * 1.5;
}

// Colour alone does not tell the lines apart, so each carries its name.
function drawNames(plot: uPlot, content: ChartContent, palette: Palette): void {
  const { ctx, bbox } = plot;
  const pxRatio = ratioOf(plot);
  const height = palette.fontPx * pxRatio * 1.2;
  const names = content.lines
    .map((line, i) => {
      const last = [...line.points].reverse().find((point) => point.value !== null);
      return (
        last && { text: shortened(line.name), top: y(plot, last.value as number), colour: palette.lines[i === 0 ? 0 : 1] }
      );
    })
    .filter((name) => name !== undefined)
    .sort((a, b) => a.top - b.top);
  names.forEach((name, i) => {
    const above = names[i - 1];
    if (above && name.top - above.top < height) name.top = above.top + height;
  });
  ctx.save();
  ctx.textAlign = "left";
  ctx.font = `600 ${palette.fontPx * pxRatio}px ${palette.font.replace(/^\S+ /, "")}`;
  ctx.textBaseline = "middle";
  for (const name of names) {
    ctx.fillStyle = name.colour;
    ctx.fillText(name.text, bbox.left + bbox.width + 4 * pxRatio, name.top);
  }
  ctx.restore();
}

function shortened(name: string): string {
  const value = visible(name.replace(/^[^=]*=/, ""));
  return value.length > 8 ? `${value.slice(0, 7)}…` : value;
}
