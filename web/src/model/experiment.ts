import { changeText, countText, shareText, signedText, valueText } from "./number_text.ts";
import { durationText, momentText, parseDuration, type Zone } from "./time_text.ts";

// Looks at an experiment, as rows have them (recmeter.experiment/1), and what they say to a person.
type Fields = Readonly<Record<string, unknown>>;

// How far an arm is from the control: y with an interval for one look, and with one that holds for all looks together.
export interface Distance {
  readonly value: number | null;
  readonly ci: readonly [number, number] | null;
  readonly cs: readonly [number, number] | null;
}
// Of a list that two teams drafted: whose items were acted on more.
export interface Draft {
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}
export interface ArmResult {
  readonly arm: string;
  readonly relative: Distance | null; // a share of the control; null: the metric can be 0 or less, or events are few
  readonly absolute: Distance | null;
  readonly more: string | null; // a duration, at this pace
  readonly heavy: boolean; // few users decide it
  readonly few: boolean; // an arm shows too few events to have a variance of its own
  readonly missing: string; // why they cannot be compared; "": they are, or the row does not say
  readonly adjusted: readonly [number, number] | null; // control and arm as they are compared; null: as they are
  readonly draft: Draft | null;
  readonly before: readonly [number, number] | null; // control and arm in the time before the start
  readonly mdeNow: number | null; // the change that is found in 80 of 100 cases
}
export interface MetricResult {
  readonly metric: string;
  readonly role: string; // primary, guardrail, secondary
  readonly better: string; // higher, lower
  readonly isAbsolute: boolean; // its mde or margin; else it is a share of the control
  readonly values: readonly (number | null)[]; // by arm
  readonly arms: readonly ArmResult[]; // all but the control
}
export interface ArmCount {
  readonly arm: string;
  readonly lists: number;
  readonly users: number;
  readonly allocation: number | null; // the share that was planned
}
export interface Verdict {
  readonly verdict: string; // ship, hold, stop
  readonly reason: string;
}
// What counts of all looks so far.
export interface Counts extends Verdict {
  readonly at: number; // the look that said it
  readonly arm: string; // of which it was said; "": the row does not say
}
export interface Look {
  readonly experiment: string;
  readonly start: number; // milliseconds, of the experiment
  readonly end: number;
  readonly number: number;
  readonly closed: boolean;
  readonly arms: readonly ArmCount[]; // the control first
  readonly mixedUsers: number;
  readonly otherLists: number; // that name no arm
  readonly nobodyLists: number; // of placeholder users
  readonly metrics: readonly MetricResult[];
  readonly verdict: Verdict;
  readonly armVerdicts: ReadonlyMap<string, Verdict>;
  readonly decided: (Verdict & { readonly end: number }) | null;
  readonly counts: Counts;
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? value : {}) as Fields;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function intervalOf(value: unknown): readonly [number, number] | null {
  const [low, high] = listOf(value).map(numberOf);
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}

function distanceOf(value: unknown): Distance | null {
  if (typeof value !== "object" || value === null) return null;
  const of = value as Fields;
  return { value: numberOf(of["value"]), ci: intervalOf(of["ci"]), cs: intervalOf(of["cs"]) };
}

const verdictOf = (value: unknown): Verdict => {
  const of = fieldsOf(value);
  return { verdict: String(of["verdict"] ?? "hold"), reason: String(of["reason"] ?? "no_data") };
};

const armResultOf = (value: unknown): ArmResult => {
  const of = fieldsOf(value);
  return {
    arm: String(of["arm"]),
    relative: distanceOf(of["relative"]),
    absolute: distanceOf(of["absolute"]),
    more: typeof of["more"] === "string" ? of["more"] : null,
    heavy: of["heavy"] === true,
    few: of["few"] === true,
    missing: typeof of["missing"] === "string" ? of["missing"] : "",
    adjusted: of["few"] === true || numberOf(of["theta"]) ? intervalOf(of["adjusted"]) : null,
    before: intervalOf(fieldsOf(of["before"])["values"]),
    mdeNow: numberOf(of["mde_now"]),
    draft:
      typeof of["wins"] === "number" ? { wins: of["wins"], losses: Number(of["losses"]), ties: Number(of["ties"]) } : null,
  };
};

const metricOf = (value: unknown): MetricResult => {
  const of = fieldsOf(value);
  return {
    metric: String(of["metric"]),
    role: String(of["role"]),
    better: String(of["better"]),
    isAbsolute: of["mde_absolute"] === true,
    values: listOf(of["values"]).map(numberOf),
    arms: listOf(of["comparisons"]).map(armResultOf),
  };
};

const armOf = (value: unknown): ArmCount => {
  const of = fieldsOf(value);
  return {
    arm: String(of["arm"]),
    lists: Number(of["lists"] ?? 0),
    users: Number(of["users"] ?? 0),
    allocation: numberOf(of["allocation"]),
  };
};

// A row of a look; null: the row is of something else.
export function lookOf(value: unknown): Look | null {
  const of = fieldsOf(value);
  if (of["schema"] !== "recmeter.experiment/1") return null;
  const verdict = fieldsOf(of["verdict"]);
  const decided = fieldsOf(verdict["decided"]);
  const look = {
    experiment: String(of["experiment"]),
    start: Number(of["start"]),
    end: Number(of["end"]),
    number: Number(of["look"] ?? 0),
    closed: of["closed"] === true,
    arms: listOf(of["arms"]).map(armOf),
    mixedUsers: Number(of["mixed_users"] ?? 0),
    otherLists: Number(of["other_lists"] ?? 0),
    nobodyLists: Number(of["nobody_lists"] ?? 0),
    metrics: listOf(of["metrics"]).map(metricOf),
    verdict: verdictOf(verdict),
    armVerdicts: new Map(Object.entries(fieldsOf(verdict["arms"])).map(([arm, said]) => [arm, verdictOf(said)])),
    decided: typeof decided["end"] === "number" ? { ...verdictOf(decided), end: decided["end"] } : null,
  };
  return { ...look, counts: countsOf(of["counts"], look) };
}

// Two teams drafted its lists: each user has seen both, and counts in the arm of its first list.
export const isDraft = (look: Look): boolean => (look.metrics[0]?.arms[0]?.draft ?? null) !== null;

// A reason without its metric.
const kindOf = (reason: string): string => reason.split(":")[0] ?? "";

type Uncounted = Omit<Look, "counts">;

const others = (look: Uncounted): string[] => look.arms.slice(1).map(({ arm }) => arm);

// What the look says by itself.
function saidBy(look: Uncounted): Counts {
  const { verdict, reason } = look.verdict;
  const first = [...look.armVerdicts].find(([, said]) => said.verdict === verdict && said.reason === reason);
  return { verdict, reason, at: look.end, arm: first?.[0] ?? "" };
}

const VOIDS: readonly string[] = ["no_data", "srm", "mixed_users", "incomplete", "arms_differed_before"];

// Rows of earlier versions do not say it: the first decision counts, unless nothing can be concluded now.
function countsOf(value: unknown, look: Uncounted): Counts {
  const of = fieldsOf(value);
  const names = others(look);
  const alone = names.length === 1 ? (names[0] ?? "") : "";
  if (typeof of["at"] === "number") {
    return { ...verdictOf(of), at: of["at"], arm: typeof of["arm"] === "string" ? of["arm"] : alone };
  }
  if (look.decided === null || VOIDS.includes(kindOf(look.verdict.reason))) return saidBy(look);
  const { verdict, reason, end } = look.decided;
  return { verdict, reason, at: end, arm: alone };
}

// The scale that decides: relative, but where a metric can be 0 or less.
export const distanceIn = (arm: ArmResult): Distance | null => arm.relative ?? arm.absolute;

const scaled = (arm: ArmResult, value: number | null): string =>
  arm.relative !== null ? changeText(value) : signedText(value);

const WORDS: Readonly<Record<string, string>> = { ship: "Ship", hold: "Hold", stop: "Stop" };
export const verdictWord = (verdict: string): string => WORDS[verdict] ?? verdict;

// "More of B's items were acted on in 1,049 lists, more of A's in 747, as many of both in 260: people prefer B by 0.15, ..."
function draftText(arm: ArmResult, draft: Draft, value: number, cs: Distance["cs"], control: string): string {
  const range = cs === null ? "" : `between ${signedText(cs[0])} and ${signedText(cs[1])}`;
  const sure = cs === null ? "too little to say how sure that is" : `${arm.arm} by ${range}`;
  return (
    `More of ${arm.arm}'s items were acted on in ${countText(draft.wins)} lists, more of ${control}'s in ` +
    `${countText(draft.losses)}, as many of both in ${countText(draft.ties)}: people prefer ` +
    `${value < 0 ? control : arm.arm} by ${valueText(Math.abs(value))}, ${sure}`
  );
}

const MISSING: Readonly<Record<string, string>> = {
  no_lists: "an arm has lists of no or hardly any user",
  no_events: "nobody did it in either arm; test what happens, or give an absolute mde",
  heavy: "a few users make nearly all of it; test it with a cap, fixed before the start",
  too_few: "hardly anybody did it; it needs more users or more time",
};
export const missingText = (arm: ArmResult): string => MISSING[arm.missing] ?? "";

// The values themselves of few events; else that they are not those that were seen.
function comparedText({ few, adjusted }: ArmResult): string {
  if (adjusted === null) return "";
  return few ? ` (${valueText(adjusted[1])} against ${valueText(adjusted[0])})` : ", adjusted by CUPED";
}

// All looks together say which way it goes.
const isSureOf = (distance: Distance | null): boolean => {
  const cs = distance?.cs ?? null;
  return cs !== null && (cs[0] > 0 || cs[1] < 0);
};

// "B is 2.4% higher than A in precision@10, which may be chance (between −0.7% and +5.6%)": what may be chance is no better. As
// metric_sentence() of the program has it.
export function distanceText(metric: MetricResult, arm: ArmResult, control: string): string {
  const distance = distanceIn(arm);
  if (distance === null || distance.value === null) {
    const why = missingText(arm);
    if (why !== "") return `${arm.arm} and ${control} cannot be compared in ${metric.metric}: ${why}`;
    return `There is too little to compare ${metric.metric} by`;
  }
  const { value, cs } = distance;
  if (arm.draft !== null) return draftText(arm, arm.draft, value, cs, control);
  const isHigherBetter = metric.better === "higher";
  const isSure = isSureOf(distance);
  const size = arm.relative !== null ? shareText(Math.abs(value)) : valueText(Math.abs(value));
  const [up, down] = isSure && isHigherBetter ? ["better", "worse"] : ["higher", "lower"];
  const way = isHigherBetter ? "" : value > 0 ? ", where lower is better" : ", which is better";
  const what = `${arm.arm} is ${size} ${value > 0 ? up : down} than ${control} in ${metric.metric}${way}${comparedText(arm)}`;
  const range = cs === null ? "" : `between ${scaled(arm, cs[0])} and ${scaled(arm, cs[1])}`;
  if (isSure) return `${what}; sure: ${range}`;
  return `${what}, which may be chance${range === "" ? "" : ` (${range})`}`;
}

const REASONS: Readonly<Record<string, string>> = {
  srm: "users are not split as planned, so nothing can be concluded.",
  mixed_users: "too many users have seen more than one arm, so nothing can be concluded.",
  incomplete: "a part of the events is missing, so nothing can be concluded.",
  no_effect: "there is no difference that would be worth acting on.",
  undecided: "not sure yet.",
};

// Of an arm without lists, and where they may be instead.
function noDataText(look: Look): string {
  const empty = look.arms.filter(({ lists }) => lists === 0).map(({ arm }) => arm);
  if (empty.length === 0) return "there is no look yet.";
  const nobody = `; ${countText(look.nobodyLists)} lists of the arms are of placeholder users, who are in no arm`;
  const other = `; ${countText(look.otherLists)} lists name no arm: check how the arms are spelt`;
  return `no list is of ${empty.join(" or ")}${look.nobodyLists > 0 ? nobody : ""}${look.otherLists > 0 ? other : ""}.`;
}

// "; one of 5.8% is found in 80 of 100 cases": of the first primary.
function powerText(look: Look, arm: string): string {
  const result = look.metrics.find(({ role }) => role === "primary")?.arms.find((one) => one.arm === arm);
  if (!result || result.mdeNow === null) return "";
  const size = result.relative !== null ? shareText(result.mdeNow) : valueText(result.mdeNow);
  return `; one of ${size} is found in 80 of 100 cases`;
}

// Reasons whose words depend on what the row says of their metric; empty: others.
function ownText(kind: string, name: string, look: Look, arm: string): string {
  const metric = look.metrics.find((one) => one.metric === name);
  const result = metric?.arms.find((one) => one.arm === arm);
  const control = look.arms[0]?.arm ?? "";
  if (kind === "not_comparable") {
    const why = (result && missingText(result)) || "too little was seen";
    return `the time is over, and ${arm} cannot be compared in ${name}: ${why}.`;
  }
  if (kind === "arms_differed_before") {
    const [of, ofArm] = result?.before ?? [];
    const values =
      of === undefined || ofArm === undefined ? "" : ` (${arm} ${valueText(ofArm)}, ${control} ${valueText(of)})`;
    return `the arms differed in ${name} before the start already${values}; begin when both began, or leave cuped out.`;
  }
  if (kind === "guardrail_unsure" && metric?.isAbsolute === false && result?.few && result.adjusted?.[0] === 0) {
    return `it is better, but ${name} is 0 in ${control}, so that no relative margin can be kept; give an absolute one.`;
  }
  if (kind === "min_duration") {
    return `${name === "" ? "" : `${name} is better, but `}the shortest duration is not over yet.`;
  }
  if (kind === "time_up") return `the time is over, and no difference was found${powerText(look, arm)}.`;
  return "";
}

// A reason with its metric: "worse:precision@10".
function reasonText(reason: string, look: Look, arm: string): string {
  const [kind = "", ...rest] = reason.split(":");
  if (kind === "no_data") return noDataText(look);
  const metric = rest.join(":");
  const own = ownText(kind, metric, look, arm);
  if (own !== "") return own;
  const hasGuardrails = look.metrics.some(({ role }) => role === "guardrail");
  if (kind === "better") return `${metric} is better${hasGuardrails ? ", and no guardrail is hurt" : ""}.`;
  if (kind === "worse") return `${metric} is worse.`;
  if (kind === "guardrail_worse") return `the guardrail ${metric} is worse.`;
  if (kind === "guardrail_unsure") return `it is better, but the guardrail ${metric} may still be hurt.`;
  return REASONS[kind] ?? reason;
}

// "Ship B: precision@10 is better, and no guardrail is hurt."; `since`: "Ship B since the look of 20 Nov 14:00: ..."
function saidText(look: Look, { verdict, reason }: Verdict, arm: string, since = ""): string {
  const whom = arm === "" ? others(look).join(" or ") : arm;
  return `${verdictWord(verdict)} ${whom}${since}: ${reasonText(reason, look, whom)}`;
}

// What counts; where this look says something else, that too, with the times of both.
function countsTexts(look: Look, zone: Zone): string[] {
  const { counts } = look;
  const now = saidBy(look);
  if (counts.verdict === now.verdict && counts.reason === now.reason && counts.arm === now.arm) {
    return [saidText(look, counts, counts.arm)];
  }
  return [
    saidText(look, counts, counts.arm, ` since the look of ${momentText(counts.at, zone)}`),
    `The look of ${momentText(look.end, zone)} alone says: ${saidText(look, now, now.arm)}`,
  ];
}

// How far an arm is from the control in the first primary metric.
function resultTexts(look: Look, arm: string): string[] {
  const control = look.arms[0]?.arm ?? "";
  const primary = look.metrics.find((metric) => metric.role === "primary");
  const result = primary?.arms.find((one) => one.arm === arm);
  if (!primary || !result) return [];
  const isUndecided = (look.armVerdicts.get(arm) ?? look.verdict).reason === "undecided";
  const pace = isUndecided && result.more !== null && !isSureOf(distanceIn(result)) ? `; ${moreText(result.more)}` : "";
  const texts = [`${distanceText(primary, result, control)}${pace}.`];
  if (result.heavy) texts.push(look.closed ? "A few users decide it." : "A few users decide it: hold longer than usual.");
  return texts;
}

// "Ship B: precision@10 is better, and no guardrail is hurt. B is 2.4% better than A in precision@10, ..."; of several arms also
// what this look says of each.
export function verdictText(look: Look, zone: Zone): string {
  const parts = countsTexts(look, zone);
  const [counted] = parts;
  for (const arm of others(look)) {
    const said = look.armVerdicts.get(arm);
    const text = said && look.armVerdicts.size > 1 ? saidText(look, said, arm) : counted;
    if (text !== undefined && text !== counted) parts.push(text);
    parts.push(...resultTexts(look, arm));
  }
  return parts.join(" ");
}

function moreText(duration: string): string {
  const ms = parseDuration(duration);
  if (ms === 0) return "it may be decided at any look";
  return `at this pace ${ms === null ? duration : `at least ${durationText(ms)}`} more`;
}

// What went wrong, with its likely causes; empty where nothing did.
export function troubleTexts(look: Look): string[] {
  const reasons = new Set([look.verdict.reason, ...[...look.armVerdicts.values()].map(({ reason }) => reason)]);
  const out: string[] = [];
  if (reasons.has("srm")) {
    const assigned = isDraft(look) ? "lists" : "users";
    out.push(
      `The arms do not have the shares of ${assigned} that were planned. Usual causes: one arm is slower or fails, so that its ` +
        "lists are not logged; a redirect or a cache serves one arm; bots are assigned to one arm; the assignment changed while it ran.",
    );
  }
  if (reasons.has("mixed_users")) {
    out.push(
      `${countText(look.mixedUsers)} users have lists in more than one arm. Usual causes: ids that change at the login; ` +
        "assignment by session instead of by user; several people behind one id.",
    );
  }
  if (reasons.has("incomplete")) {
    out.push(
      "Events are missing: it started before this evaluator counted, records were lost, or there are more users than " +
        "limits.experiment_users.",
    );
  }
  return out;
}

export function decidedText(look: Look, zone: Zone): string {
  const { decided } = look;
  if (decided === null) return "";
  const isVoid = look.counts.at !== decided.end;
  const word = verdictWord(decided.verdict).toLowerCase();
  return `First decided at the look of ${momentText(decided.end, zone)}: ${word}${isVoid ? ", which does not count now" : ""}.`;
}
