import assert from "node:assert/strict";
import { test } from "node:test";

const { comparisonCard, neverTogetherText, RowsSource, trustOf } = await import(process.env.RECMETER_WEB_MODULES);

const HOUR = 3_600_000;
const START = Date.UTC(2024, 11, 10);
const arm = (name) => [["arm", name]];
const row = (name, hour, size = 1, window = "hour") =>
  JSON.stringify({
    schema: "recmeter.window/1",
    window,
    start: START + hour * HOUR,
    end: START + (hour + size) * HOUR,
    horizon: "30m",
    segment: { arm: name },
    stage: "final",
    lists: 9,
    metrics: {},
  });
const told = (...rows) => neverTogetherText(new RowsSource(rows.join("\n")).shape.spans, arm("old"), arm("new"), "utc");

test("arms that never ran at the same time are said to have run when they did", () => {
  const words = "they never ran at the same time, so that their difference may be that of the times";
  assert.equal(
    told(row("old", 0), row("old", 47), row("new", 1000), row("new", 1100)),
    `old has lists of 10 Dec to 11 Dec, new of 20 Jan to 24 Jan: ${words}`,
  );
  assert.equal(
    told(row("new", 0), row("old", 1), row("old", 3)),
    `old has lists of 10 Dec 01:00 to 10 Dec 04:00, new of 10 Dec 00:00 to 10 Dec 01:00: ${words}`,
    "within one day",
  );
  assert.equal(told(row("old", 0), row("old", 3), row("new", 2)), "");
  assert.equal(told(row("old", 0), row("new", 0)), "");
  assert.equal(told(row("old", 0)), "", "nothing is known of the other");
  const days = [row("old", 0, 24, "day"), row("new", 0, 24, "day")];
  assert.notEqual(told(...days, row("old", 0), row("new", 9)), "", "the shortest windows tell");
});

test("what never ran together is compared with care, in its card and in the line of trust", () => {
  const neverTogether = "old has lists of then, new of now: they never ran at the same time";
  const sides = {
    metric: "precision@5",
    better: "higher",
    a: arm("old"),
    b: arm("new"),
    isControl: true,
    values: [0.1, 0.2],
    apart: { value: 1, low: 0.5, high: 1.5, isShare: true, p: 0.001, words: "" },
  };
  const card = comparisonCard({ ...sides, neverTogether });
  assert.deepEqual([card.mood, card.word], ["care", "Cannot say: not at the same time"]);
  assert.equal(card.details[0], `${neverTogether}.`);
  const undecided = comparisonCard({ ...sides, apart: { ...sides.apart, low: -1 }, neverTogether });
  assert.doesNotMatch(undecided.details.join(" "), /--plan/, "more of the same decides nothing");
  const points = [
    { start: 0, end: 1, value: 1, low: null, high: null, lists: 9, stage: "final", matured: 1, incomplete: [] },
  ];
  assert.deepEqual(trustOf(points, null, { state: "none" }, "utc", null, neverTogether), {
    trust: "care",
    reasons: [neverTogether],
  });
});
