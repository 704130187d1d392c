// Numbers for people: four significant digits, never an exponent where a person can do without.
export function valueText(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10_000) return countText(Math.round(value));
  if (Number.isInteger(value)) return String(value).replace("-", "−");
  if (size < 1e-4) return value.toExponential(2).replace("-", "−");
  const digits = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(digits, 8)).replace(/^-/, "−");
}

export function signedText(value: number | null): string {
  return value !== null && value > 0 ? `+${valueText(value)}` : valueText(value);
}

// Whole numbers, in groups of three.
export function countText(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return String(Math.round(value))
    .replace(/\B(?=(\d{3})+$)/g, ",")
    .replace(/^-/, "−");
}

// "1 list", "2,000 lists".
export function listsText(lists: number | null | undefined): string {
  return `${countText(lists)} ${lists === 1 ? "list" : "lists"}`;
}

// A share of 1: 0.0231 is 2.3%.
export function shareText(share: number): string {
  const percent = share * 100;
  const size = Math.abs(percent);
  if (size > 0 && size < 0.1) return "<0.1%";
  return `${percent
    .toFixed(size < 10 ? 1 : 0)
    .replace(/\.0$/, "")
    .replace(/^-/, "−")}%`;
}

// A change: −8.2%.
export function changeText(share: number | null): string {
  if (share === null) return "–";
  return `${share > 0 ? "+" : ""}${shareText(share)}`;
}

export function intervalText(low: number | null, high: number | null): string {
  return low === null || high === null ? "no interval" : `${valueText(low)} to ${valueText(high)}`;
}

export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
