import type { CardText } from "../model/card_text.ts";
import type { Status } from "../model/status.ts";
import type { TrustAssessment } from "../model/trust.ts";
import type { Change, PlaceAnswer } from "./answer.ts";
import type { Section } from "./scene.ts";

// The first thing on the page. It is told by the sections what they found.
export interface Opening extends Section {
  showChange(change: Change): void;
  // `more`: segments that were not looked at.
  showPlaces(places: readonly PlaceAnswer[], more: number): void;
  // Which recommender is best; null: there are none, or nothing is known yet.
  showLeague(card: CardText | null): void;
  // `status` null: nothing is known of the run.
  showTrust(assessment: TrustAssessment, status: Status | null): void;
}
