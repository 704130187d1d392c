// Times and durations for people. The zone is UTC unless the reader asks for the clock of the machine.
export type Zone = "utc" | "local";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat("en-GB", zone === "utc" ? { ...options, timeZone: "UTC" } : options);
    formats.set(key, made);
  }
  return made;
}

export function clockText(ms: number, zone: Zone, seconds = false): string {
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return format(zone, seconds ? { ...clock, second: "2-digit" } : clock).format(ms);
}

export function dayText(ms: number, zone: Zone): string {
  return format(zone, { day: "numeric", month: "short" }).format(ms);
}

export function zoneText(zone: Zone): string {
  if (zone === "utc") return "UTC";
  const part = format(zone, { timeZoneName: "short" })
    .formatToParts(Date.now())
    .find((p) => p.type === "timeZoneName");
  return part?.value ?? "local time";
}

// "22 Nov 13:05"
export const momentText = (ms: number, zone: Zone): string => `${dayText(ms, zone)} ${clockText(ms, zone)}`;

// "22 Nov 13:05–13:06"; windows of whole days by their days.
export function windowText(start: number, end: number, zone: Zone): string {
  const size = end - start;
  if (size === 0) return momentText(end, zone);
  if (size >= 86_400_000 && size % 86_400_000 === 0) {
    const last = dayText(end - 1, zone);
    const first = dayText(start, zone);
    return first === last ? first : `${first}–${last}`;
  }
  const seconds = size % 60_000 !== 0;
  const sameDay = dayText(start, zone) === dayText(end, zone);
  const until = clockText(end, zone, seconds);
  return `${dayText(start, zone)} ${clockText(start, zone, seconds)}–${sameDay ? until : `${dayText(end, zone)} ${until}`}`;
}

// The two largest units: "2h 5m", "3.2s".
export function durationText(ms: number): string {
  if (ms < 0) return `−${durationText(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")}s`;
  const units: [string, number][] = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
  ];
  const first = units.findIndex(([, size]) => ms >= size);
  const [name, size] = units[first] as [string, number];
  const whole = Math.floor(ms / size);
  const next = units[first + 1];
  const rest = next ? Math.floor((ms - whole * size) / next[1]) : 0;
  return rest > 0 && next ? `${whole}${name} ${rest}${next[0]}` : `${whole}${name}`;
}

// "30m", "1h", "7d" in milliseconds; null: not a duration.
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (!match) return null;
  const sizes: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number(match[1]) * (sizes[match[2] as string] as number);
}
