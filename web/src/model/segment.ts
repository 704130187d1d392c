// A segment: the lists with these values of these keys; none is the whole. Keys and values come from logs and are any text
// at all, so they are kept as pairs (an object would take a key `__proto__` amiss) and shown as text only.
export type Segment = readonly (readonly [key: string, value: string])[];

export const WHOLE: Segment = [];
// What was shown, where recommenders are judged beside it.
export const LOGGED: Segment = [["recommender", "logged"]];

const escaped = (text: string): string => text.replace(/[\\,:]/g, "\\$&");

// As in the API's `segment=`: `variant:A,surface:home`, with `\` before `,`, `:` and `\` that belong to the text.
export function segmentText(segment: Segment): string {
  return segment.map(([key, value]) => `${escaped(key)}:${escaped(value)}`).join(",");
}

// null: not a segment. The empty text is the whole.
export function parseSegment(text: string): Segment | null {
  if (text === "") return WHOLE;
  const pairs: [string, string][] = [];
  let key: string | null = null;
  let word = "";
  const endPair = (): boolean => {
    if (key === null || key === "") return false;
    pairs.push([key, word]);
    key = null;
    word = "";
    return true;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") {
      if (++i === text.length) return null;
      word += text[i];
    } else if (c === ":" && key === null) {
      key = word;
      word = "";
    } else if (c === ":") {
      return null;
    } else if (c === ",") {
      if (!endPair()) return null;
    } else {
      word += c;
    }
  }
  return endPair() ? pairs : null;
}

// As rows have it: an object whose keys stand in configured order.
export function segmentOfObject(object: unknown): Segment {
  if (typeof object !== "object" || object === null) return WHOLE;
  return Object.entries(object).map(([key, value]): [string, string] => [key, String(value)]);
}

// Equal for segments that are equal, whatever the order of their keys.
export function segmentId(segment: Segment): string {
  return segmentText([...segment].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

export const sameSegment = (a: Segment, b: Segment): boolean => segmentId(a) === segmentId(b);

// For people. Control characters and those that turn the direction of text would let a value rewrite what stands beside it.
export function segmentLabel(segment: Segment): string {
  if (segment.length === 0) return "all lists";
  return segment.map(([key, value]) => `${visible(key)}=${visible(value)}`).join(", ");
}

// The value alone where there is one key.
export const nameOf = (segment: Segment): string =>
  segment.length === 1 ? visible(segment[0]?.[1] ?? "") : segmentLabel(segment);

export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "\ufffd");
}
