// A question, its answer in a word, and what stands behind it.
export type Mood = "bad" | "good" | "care" | "calm" | "none";

export interface CardText {
  readonly question: string;
  readonly mood: Mood;
  readonly word: string;
  readonly details: readonly string[];
}
