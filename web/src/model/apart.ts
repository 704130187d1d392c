import type { Better } from "./metric_kind.ts";
import { changeText, signedText } from "./number_text.ts";

// How far one segment is above another: as a share of it or, where there is no such share, as a difference.
export interface Apart {
  readonly value: number | null;
  readonly low: number | null; // of the interval; null: too little to say
  readonly high: number | null;
  readonly isShare: boolean;
  readonly p: number | null;
  readonly words: string; // the sentence of recmeter compare; "": there is none
}

type Fields = Readonly<Record<string, unknown>>;

const numberOf = (of: unknown): number | null => (typeof of === "number" ? of : null);

// Reads `relative` and `difference` with their intervals, as a report and the API have them.
export function apartOf(fields: Fields): Apart {
  const isShare = numberOf(fields["relative"]) !== null || numberOf(fields["difference"]) === null;
  const interval = fields[isShare ? "relative_ci" : "ci"];
  const [low, high] = Array.isArray(interval) ? interval : [];
  return {
    value: numberOf(fields[isShare ? "relative" : "difference"]),
    low: numberOf(low),
    high: numberOf(high),
    isShare,
    p: numberOf(fields["p"]),
    words: typeof fields["words"] === "string" ? fields["words"] : "",
  };
}

// "+6.5% relative (−20% to +42%)", "−0.002000 absolute (−0.003640 to −0.0003620)": as the table of compare calls the two.
export function apartText({ value, low, high, isShare }: Apart): string {
  const text = isShare ? changeText : signedText;
  const scale = isShare ? "relative" : "absolute";
  return `${text(value)} ${scale} (${low === null || high === null ? "no interval" : `${text(low)} to ${text(high)}`})`;
}

// How to read a column that has both scales; "": it has one.
export function scalesText(aparts: readonly (Apart | null)[]): string {
  const known = aparts.filter((apart) => apart !== null);
  if (known.every(({ isShare }) => isShare) || !known.some(({ isShare }) => isShare)) return "";
  return " Relative: as a share of the best value; absolute: the difference of the values, where too few events allow no share.";
}

// The words of the terminal for an interval of one look. `better`: null: neither side is known to be the control.
export function oneLookText(low: number, high: number, better: Better | null): string {
  if (low <= 0 && high >= 0) return "not decided";
  const isHigher = low > 0;
  if (better === null || better === "neither") return `${isHigher ? "higher" : "lower"} at this one look`;
  return `${isHigher === (better === "higher") ? "better" : "worse"} at this one look`;
}

// The sentence of compare with what it leaves to the table beside it, without a full stop.
export function sentenceOf({ words, p }: Apart): string {
  const least = 0.001;
  return words === "" || p === null ? words : `${words}, p ${p < least ? `< ${least}` : p.toFixed(3)}`;
}
