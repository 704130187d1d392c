import { isSettled, type Point } from "../model/point.ts";
import type { Palette } from "./palette.ts";

// The course of a series at a glance, beside its numbers: decoration, so without words of its own.
const WIDTH = 120;
const HEIGHT = 26;

export function drawSparkline(canvas: HTMLCanvasElement, points: readonly Point[], slideMs: number, palette: Palette): void {
  const ratio = window.devicePixelRatio || 1;
  const scale = palette.fontPx / 12;
  canvas.width = Math.round(WIDTH * ratio * scale);
  canvas.height = Math.round(HEIGHT * ratio * scale);
  const context = canvas.getContext("2d");
  const shown = points.filter((point) => point.value !== null && isSettled(point));
  const [first, last] = [shown[0], shown.at(-1)];
  if (!context || !first || !last) return;
  const values = shown.map((point) => point.value as number);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const edge = 3 * ratio;
  const x = (point: Point): number =>
    edge + ((point.end - first.end) / Math.max(1, last.end - first.end)) * (canvas.width - 2 * edge);
  const y = (value: number): number =>
    high === low ? canvas.height / 2 : canvas.height - edge - ((value - low) / (high - low)) * (canvas.height - 2 * edge);
  context.strokeStyle = palette.lines[0];
  context.lineWidth = 1.25 * ratio;
  context.lineJoin = "round";
  context.beginPath();
  shown.forEach((point, i) => {
    const before = shown[i - 1];
    const joined = before && point.end - before.end <= slideMs * 1.5;
    if (joined) context.lineTo(x(point), y(point.value as number));
    else context.moveTo(x(point), y(point.value as number));
  });
  context.stroke();
  context.fillStyle = palette.lines[0];
  context.beginPath();
  context.arc(x(last), y(last.value as number), 2 * ratio, 0, 2 * Math.PI);
  context.fill();
}
