import { isSettled, type Point } from "./point.ts";
import { countText, listsText, shareText } from "./number_text.ts";
import { quantile } from "./judgement.ts";
import { visible } from "./segment.ts";
import type { Status } from "./status.ts";
import { clockText, durationText, type Zone } from "./time_text.ts";

// Whether the numbers shown can be relied upon, and every reason why not.
export type Trust = "yes" | "care" | "no";
export interface TrustAssessment {
  readonly trust: Trust;
  readonly reasons: readonly string[];
}

export type Connection =
  | { readonly state: "live" | "connecting" | "none" } // none: a report, which nothing feeds
  | { readonly state: "lost"; readonly since: number }; // milliseconds, clock of the reader

// Beyond these a person should know. The shares are those from which a replay calls its own result doubtful or is near it
// (limits.lost_share; a twentieth of limits.invalid_share).
const LOST_SHARE_MAX = 0.01;
const INVALID_SHARE_MAX = 0.01;
const LAG_SECONDS_MAX = 60;
const FEW_LISTS_SHARE = 0.2; // of the median window
const ACTED_SHARE_MAX = 0.95; // as the doctor's only-acted-lists
const ACTED_LISTS_MIN = 30;

const REASON_WORDS: Readonly<Record<string, string>> = {
  start: "begins before the first event that was read",
  gap: "records were gone before they were read",
  late_after_idle: "events came after their partition was taken for idle",
  future_by_clock: "events were ahead of the reader's clock",
  distinct_items: "more distinct items than limits.distinct_items",
};
export const incompleteText = (reason: string): string => REASON_WORDS[reason] ?? visible(reason);

function shareReasons(status: Status): string[] {
  const read = status.events.get("read") ?? 0;
  if (read === 0) return [];
  const share = (...fates: string[]): number => fates.reduce((sum, fate) => sum + (status.events.get(fate) ?? 0), 0) / read;
  const reasons: string[] = [];
  const invalid = share("invalid");
  if (invalid > INVALID_SHARE_MAX) reasons.push(`${shareText(invalid)} of the events are invalid`);
  const lost = share("late", "future");
  if (lost > LOST_SHARE_MAX) reasons.push(`${shareText(lost)} of the events are late or ahead of time and do not count`);
  return reasons;
}

function lagReasons(status: Status): string[] {
  const behind = status.partitions.filter((p) => (p.lagSeconds ?? 0) > LAG_SECONDS_MAX);
  behind.sort((a, b) => (b.lagSeconds ?? 0) - (a.lagSeconds ?? 0));
  const worst = behind[0];
  if (!worst) return [];
  const others = behind.length > 1 ? ` and ${behind.length - 1} more partitions are behind` : "";
  return [`${visible(worst.name)} is ${durationText((worst.lagSeconds ?? 0) * 1000)} behind${others}`];
}

// A log that holds only lists that were acted on says how good these were, not how good all were.
function actedReasons(status: Status | null, share: number | null): string[] {
  if (share === null || share < ACTED_SHARE_MAX || (status?.lists ?? ACTED_LISTS_MIN) < ACTED_LISTS_MIN) return [];
  const which = share === 1 ? "every list was" : `${shareText(share)} of the lists were`;
  return [`${which} acted on: others may be missing in the log, so these are values of lists with an action`];
}

// For a log that ends before any of its windows is final. Where nobody acted, nothing is cut off.
function cutReasons(points: readonly Point[], status: Status | null): string[] {
  if (status?.events.get("feedback") === 0) return [];
  const lists = points.reduce((sum, point) => sum + point.lists, 0);
  const cut = points.reduce((sum, point) => sum + point.lists * (1 - point.matured), 0);
  if (cut === 0) return [];
  return [`the log ends too early for all feedback of ${shareText(cut / lists)} of the lists shown`];
}

function windowReasons(points: readonly Point[], status: Status | null, isOver: boolean): string[] {
  if (points.length === 0) return ["there are no windows in this range"];
  const settled = points.filter(isSettled);
  const newest = settled.at(-1);
  if (!newest) return isOver ? cutReasons(points, status) : ["no window in this range is final yet"];
  const reasons: string[] = [];
  // The oldest window begins before the first event in every log: nothing to be warned of.
  const isWhole = (p: Point): boolean =>
    p.incomplete.length === 0 || (p === settled[0] && p.incomplete.every((reason) => reason === "start"));
  if (!isWhole(newest)) {
    reasons.push(`the newest final window is incomplete: ${newest.incomplete.map(incompleteText).join("; ")}`);
  }
  const incomplete = settled.filter((p) => !isWhole(p)).length;
  if (incomplete > (isWhole(newest) ? 0 : 1)) {
    reasons.push(`${countText(incomplete)} of ${countText(settled.length)} final windows are incomplete`);
  }
  const usual = quantile(
    settled.map((p) => p.lists).sort((a, b) => a - b),
    0.5,
  );
  // Where a log ends, so does its last window.
  if (!isOver && newest.lists < usual * FEW_LISTS_SHARE) {
    reasons.push(`the newest final window has ${listsText(newest.lists)}, the median one ${countText(usual)}`);
  }
  return reasons;
}

// `status` null: nothing is known of the run. `actedShare`: of the lists of a log that is over; null: not known. `neverTogether`: that
// what is compared never ran at the same time; "": it did.
export function trustOf(
  points: readonly Point[],
  status: Status | null,
  connection: Connection,
  zone: Zone,
  actedShare: number | null = null,
  neverTogether = "",
): TrustAssessment {
  const isOver = connection.state === "none";
  const grave: string[] = [];
  if (connection.state === "lost") grave.push(`no word from the evaluator since ${clockText(connection.since, zone, true)}`);
  if (status?.ready === false) grave.push(...(status.reasons.length > 0 ? status.reasons.map(visible) : ["it is not ready"]));
  const mild = [...windowReasons(points, status, isOver), ...actedReasons(status, actedShare)];
  if (neverTogether !== "") mild.push(neverTogether);
  if (status) {
    if (status.complete === false && isOver) mild.push("the run was interrupted before its end");
    mild.push(...status.warnings.map(visible), ...lagReasons(status), ...shareReasons(status));
    if (status.ready !== false) mild.push(...status.reasons.map(visible));
  }
  return { trust: grave.length > 0 ? "no" : mild.length > 0 ? "care" : "yes", reasons: [...grave, ...mild] };
}
