import assert from "node:assert/strict";
import { test } from "node:test";
import { MockExperiment } from "../mock_experiment.mjs";

const { decidedText, isDraft, lookOf, looksLegend, RowsSource, troubleTexts, verdictText } = await import(
  process.env.RECMETER_WEB_MODULES
);

const rowOf = (options) => new MockExperiment(options).look(100);
const said = (options) => verdictText(lookOf(rowOf(options)), "utc");

const SHIPPED = { end: Date.UTC(2026, 10, 20, 14), verdict: "ship", reason: "better:precision@10" };

test("a row of windows is no look", () => {
  assert.equal(lookOf({ schema: "recmeter.window/1", window: "hour" }), null);
  assert.equal(lookOf(null), null);
});

test("a verdict is one sentence with the distance, its interval and what is missing", () => {
  assert.match(
    said(),
    /^Hold B: not sure yet\. B is 1\.9% higher than A in precision@10, which may be chance \(between −3\.7% and \+7\.5%\); at this pace at least 9d more\.$/,
  );
  assert.match(
    said({ verdict: "ship", reason: "better:precision@10" }),
    /^Ship B: precision@10 is better, and no guardrail is hurt\./,
  );
  const alone = rowOf({ verdict: "ship", reason: "better:precision@10" });
  alone.metrics = alone.metrics.filter(({ role }) => role !== "guardrail");
  assert.match(verdictText(lookOf(alone), "utc"), /^Ship B: precision@10 is better\. B is/);
  assert.match(
    said({ verdict: "stop", reason: "guardrail_worse:income{cap=200}/list" }),
    /^Stop B: the guardrail income\{cap=200\}\/list is worse\./,
  );
});

test("every reason of the specification has words of its own", () => {
  const reasons = ["no_data", "srm", "mixed_users", "incomplete", "min_duration", "no_effect", "time_up", "undecided"];
  const ofMetrics = ["worse", "better", "guardrail_worse", "guardrail_unsure", "not_comparable", "arms_differed_before"];
  const texts = [...reasons, ...ofMetrics.map((reason) => `${reason}:m`)].map((reason) => said({ reason }));
  assert.equal(new Set(texts.map((text) => text.split(". ")[0])).size, texts.length);
  for (const reason of reasons) assert.ok(!said({ reason }).includes(reason.replace("_", " ") + ":"), reason);
});

test("what went wrong is told with its causes, and only then", () => {
  assert.deepEqual(troubleTexts(lookOf(rowOf())), []);
  assert.match(troubleTexts(lookOf(rowOf({ reason: "srm" })))[0], /redirect/);
  assert.match(troubleTexts(lookOf(rowOf({ reason: "mixed_users" })))[0], /^3 users .*login/);
});

test("a metric that can be negative is compared by its difference", () => {
  const row = rowOf();
  const [comparison] = row.metrics[0].comparisons;
  Object.assign(comparison, { absolute: comparison.relative, relative: null });
  assert.match(
    verdictText(lookOf(row), "utc"),
    /B is 0\.019\d+ higher than A in precision@10, which may be chance \(between −0\.0369/,
  );
});

test("teams that draft lists are compared by whose items people want", () => {
  const row = rowOf();
  const [comparison] = row.metrics[0].comparisons;
  Object.assign(comparison, {
    absolute: { value: 0.147, ci: [0.107, 0.186], cs: [0.0852, 0.209] },
    relative: null,
    wins: 1049,
    losses: 747,
    ties: 260,
  });
  assert.match(
    verdictText(lookOf(row), "utc"),
    /More of B's items were acted on in 1,049 lists, more of A's in 747, as many of both in 260: people prefer B by 0\.1470, B by between \+0\.08520 and \+0\.2090/,
  );
});

test("of a draft lists were assigned, whoever saw them", () => {
  const row = rowOf({ reason: "srm" });
  assert.equal(isDraft(lookOf(row)), false);
  assert.match(troubleTexts(lookOf(row)).join(), /shares of users/);
  Object.assign(row.metrics[0].comparisons[0], { wins: 1049, losses: 747, ties: 260 });
  assert.equal(isDraft(lookOf(row)), true);
  assert.match(troubleTexts(lookOf(row)).join(), /shares of lists/);
});

test("too little to compare is said, not drawn as 0", () => {
  const row = rowOf({ reason: "no_data" });
  Object.assign(row.metrics[0].comparisons[0], { relative: null, absolute: null });
  assert.match(verdictText(lookOf(row), "utc"), /There is too little to compare precision@10 by\./);
});

test("few events are compared by their difference, with the values of both", () => {
  const row = rowOf();
  Object.assign(row.metrics[0].comparisons[0], {
    few: true,
    theta: 0,
    adjusted: [0.3, 0],
    relative: null,
    absolute: { value: -0.3, ci: [-0.32, -0.28], cs: [-0.336, -0.264] },
  });
  assert.match(
    verdictText(lookOf(row), "utc"),
    /B is 0\.3000 worse than A in precision@10 \(0(\.000)? against 0\.3000\); sure: between −0\.3360 and −0\.2640\./,
  );
});

test("why nothing can be compared is said", () => {
  const why = {
    no_lists: "hardly any user",
    no_events: "nobody did it",
    heavy: "with a cap",
    too_few: "more users or more time",
  };
  for (const [missing, words] of Object.entries(why)) {
    const row = rowOf();
    Object.assign(row.metrics[0].comparisons[0], { relative: null, absolute: null, missing });
    assert.match(verdictText(lookOf(row), "utc"), new RegExp(`B and A cannot be compared in precision@10: .*${words}`));
  }
});

test("what CUPED has adjusted is called so", () => {
  const row = rowOf();
  Object.assign(row.metrics[0].comparisons[0], { theta: 0.4, adjusted: [0.0252, 0.0258] });
  assert.match(verdictText(lookOf(row), "utc"), /than A in precision@10, adjusted by CUPED, which may be chance \(between/);
});

test("the last look says what could have been found, or why nothing can be compared", () => {
  const row = rowOf({ verdict: "stop", reason: "time_up" });
  row.metrics[0].comparisons[0].mde_now = 0.058;
  assert.match(
    verdictText(lookOf(row), "utc"),
    /^Stop B: the time is over, and no difference was found; one of 5\.8% is found in 80 of 100 cases\./,
  );
  const other = rowOf({ reason: "not_comparable:precision@10" });
  Object.assign(other.metrics[0].comparisons[0], { relative: null, absolute: null, missing: "too_few" });
  assert.match(
    verdictText(lookOf(other), "utc"),
    /^Hold B: the time is over, and B cannot be compared in precision@10: hardly anybody did it; it needs more users/,
  );
});

test("arms that differed before the start are told with what they had, and void a decision", () => {
  const row = rowOf({ reason: "arms_differed_before:precision@10", decided: SHIPPED });
  row.metrics[0].comparisons[0].before = { values: [0.0394, 0.0442], log_e: 9.7, flagged_at: row.end };
  delete row.counts;
  assert.match(
    verdictText(lookOf(row), "utc"),
    /^Hold B: the arms differed in precision@10 before the start already \(B 0\.0442\d*, A 0\.0394\d*\); begin when/,
  );
});

test("of 0 in the control no relative margin can be kept", () => {
  const row = rowOf({ reason: "guardrail_unsure:lists_per_user" });
  const few = { few: true, adjusted: [0, 0.1], theta: 0, relative: null, absolute: { value: 0.1, ci: null, cs: null } };
  Object.assign(row.metrics[1].comparisons[0], few);
  assert.match(verdictText(lookOf(row), "utc"), /lists_per_user is 0 in A, so that no relative margin can be kept/);
  row.metrics[1].mde_absolute = true;
  assert.match(verdictText(lookOf(row), "utc"), /the guardrail lists_per_user may still be hurt/);
});

test("the first decision stays on record", () => {
  const row = rowOf();
  row.verdict.decided = SHIPPED;
  row.counts = { ...SHIPPED, at: SHIPPED.end };
  assert.equal(decidedText(lookOf(row), "utc"), "First decided at the look of 20 Nov 14:00: ship.");
  row.verdict.reason = "srm";
  row.counts = { verdict: "hold", reason: "srm", at: row.end };
  assert.equal(decidedText(lookOf(row), "utc"), "First decided at the look of 20 Nov 14:00: ship, which does not count now.");
});

test("what counts comes first, and what this look says beside it, with the times of both", () => {
  const text = said({ verdict: "stop", reason: "time_up", decided: SHIPPED });
  assert.match(
    text,
    /^Ship B since the look of 20 Nov 14:00: precision@10 is better, and no guardrail is hurt\. The look of 17 Nov 18:00 alone says: Stop B: the time is over, and no difference was found\. B is 1\.9% higher/,
  );
  assert.equal(lookOf(rowOf({ verdict: "stop", reason: "time_up", decided: SHIPPED })).counts.verdict, "ship");
});

test("a row that does not say what counts is read as the rules have it", () => {
  const row = rowOf({ verdict: "stop", reason: "time_up", decided: SHIPPED });
  delete row.counts;
  assert.deepEqual(lookOf(row).counts, { verdict: "ship", reason: SHIPPED.reason, at: SHIPPED.end, arm: "B" });
  for (const reason of ["no_data", "srm", "mixed_users", "incomplete"]) {
    Object.assign(row.verdict, { verdict: "hold", reason, arms: { B: { verdict: "hold", reason } } });
    assert.deepEqual(lookOf(row).counts, { verdict: "hold", reason, at: row.end, arm: "B" });
  }
});

test("of several arms it is said which one counts, and what the look says of each", () => {
  const row = rowOf({ decided: SHIPPED });
  row.arms.push({ arm: "C", lists: 1, users: 1, allocation: 0.5 });
  for (const metric of row.metrics) metric.comparisons.push({ ...metric.comparisons[0], arm: "C" });
  row.verdict.arms = { B: { verdict: "stop", reason: "no_effect" }, C: { verdict: "hold", reason: "undecided" } };
  row.counts.arm = "C";
  assert.match(
    verdictText(lookOf(row), "utc"),
    /^Ship C since the look of 20 Nov 14:00: .* alone says: Hold C: not sure yet\. Stop B: there is no difference that would be worth acting on\. B is .* Hold C: not sure yet\. C is /,
  );
  delete row.counts;
  assert.match(verdictText(lookOf(row), "utc"), /^Ship B or C since the look of 20 Nov 14:00: /);
});

test("an arm without lists is named, and where they may be instead", () => {
  const row = rowOf({ reason: "no_data" });
  row.arms[1].lists = 0;
  assert.match(verdictText(lookOf(row), "utc"), /^Hold B: no list is of B\. /);
  row.other_lists = 1300;
  assert.match(
    verdictText(lookOf(row), "utc"),
    /^Hold B: no list is of B; 1,300 lists name no arm: check how the arms are spelt\. /,
  );
  row.arms[0].lists = row.other_lists = 0;
  row.nobody_lists = 40;
  assert.match(
    verdictText(lookOf(row), "utc"),
    /: no list is of A or B; 40 lists of the arms are of placeholder users, who are in no arm\. /,
  );
});

test("a report has the looks that its rows have, oldest first", async () => {
  const mock = new MockExperiment();
  const source = new RowsSource([1, 2, 30].map((number) => JSON.stringify(mock.look(number))).join("\n"));
  const [newest] = await source.experiments();
  assert.equal(newest.number, 30);
  const { all, one } = await source.looks("ranker-7", "precision@10", "B");
  assert.equal(all.length, 3);
  assert.ok(all[2].low < one[2].low && one[2].high < all[2].high);
});

test("a chart of looks explains what it draws, and nothing else", () => {
  const of = (low, high) => [
    { value: 0.1, low: null, high: null },
    { value: 0.1, low, high },
  ];
  assert.equal(
    looksLegend(of(0, 0.2), of(0.05, 0.15)),
    "Band: holds for all looks together, so look as often as you like. Thin lines: for one look.",
  );
  assert.equal(looksLegend(of(null, null), of(0.05, 0.15)), "Thin lines: for one look.");
  assert.equal(looksLegend(of(null, null), of(null, null)), "");
});
