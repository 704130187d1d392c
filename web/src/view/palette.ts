// The colours of charts, from the style sheet: the one place that knows light from dark.
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly surface: string; // behind charts
  readonly grid: string;
  readonly lines: readonly [string, string];
  readonly bands: readonly [string, string];
  readonly unsettled: string; // behind what is not final
  readonly reference: string;
  readonly font: string;
  readonly fontPx: number;
  readonly scale: number; // 1 at the usual size of type; lines grow with it on a large screen
}

export function paletteOf(root: Element = document.documentElement): Palette {
  const style = getComputedStyle(root);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const fontPx = Math.round(parseFloat(style.fontSize) * 0.75);
  return {
    text: colour("--text"),
    muted: colour("--muted"),
    surface: colour("--surface"),
    grid: colour("--grid"),
    lines: [colour("--line-a"), colour("--line-b")],
    bands: [colour("--band-a"), colour("--band-b")],
    unsettled: colour("--unsettled"),
    reference: colour("--reference"),
    font: `${fontPx}px ${colour("--font")}`,
    fontPx,
    scale: fontPx / 12,
  };
}
