import assert from "node:assert/strict";
import { test } from "node:test";

const { statusOf, trustOf } = await import(process.env.RECMETER_WEB_MODULES);

const points = (n, more = {}) =>
  Array.from({ length: n }, (_, i) => ({
    start: i,
    end: i + 1,
    value: 1,
    low: null,
    high: null,
    lists: 100,
    stage: "final",
    matured: 1,
    incomplete: [],
    ...(i === n - 1 ? more : {}),
  }));
const withIncomplete = (at, reason) => points(20).map((p, i) => (i === at ? { ...p, incomplete: [reason] } : p));
const GOOD = {
  events: { read: 1000, invalid: 1, late: 2, future: 0 },
  partitions: [{ name: "p", lag_seconds: 1 }],
  ready: true,
  reasons: [],
};
const verdict = (status, link = { state: "live" }, shown = points(20)) => trustOf(shown, statusOf(status), link, "utc");

test("a whole input that is read to its end can be trusted", () => {
  assert.deepEqual(verdict(GOOD), { trust: "yes", reasons: [] });
});

test("a page that hears nothing says so before all else", () => {
  const { trust, reasons } = verdict({ ...GOOD, reasons: ["x"] }, { state: "lost", since: Date.UTC(2023, 1, 1, 13, 5, 9) });
  assert.equal(trust, "no");
  assert.match(reasons[0], /13:05:09/);
});

test("an evaluator that is not ready is not trusted, for its own reasons", () => {
  assert.deepEqual(verdict({ ...GOOD, ready: false, reasons: ["the disk is full"] }), {
    trust: "no",
    reasons: ["the disk is full"],
  });
});

const care = (name, status, shown, pattern) =>
  test(name, () => {
    const { trust, reasons } = verdict(status, { state: "live" }, shown);
    assert.equal(trust, "care");
    assert.match(reasons.join("\n"), pattern);
  });
care(
  "lag is named with its partition",
  {
    ...GOOD,
    partitions: [
      { name: "a", lag_seconds: 5 },
      { name: "b", lag_seconds: 125 },
    ],
  },
  points(20),
  /b is 2m 5s behind/,
);
care(
  "invalid events are counted",
  { ...GOOD, events: { read: 1000, invalid: 30 } },
  points(20),
  /3% of the events are invalid/,
);
care(
  "lost events are counted",
  { ...GOOD, events: { read: 1000, late: 8, future: 8 } },
  points(20),
  /1\.6% of the events are late/,
);
care("an incomplete newest window is named", GOOD, points(20, { incomplete: ["gap"] }), /records were gone/);
care("incomplete windows are counted", GOOD, withIncomplete(3, "gap"), /1 of 20 final windows are incomplete/);
test("that the oldest window begins before the log warns of nothing", () => {
  assert.equal(verdict(GOOD, { state: "live" }, withIncomplete(0, "start")).trust, "yes");
  assert.equal(verdict(GOOD, { state: "live" }, withIncomplete(0, "gap")).trust, "care");
  assert.equal(verdict(GOOD, { state: "live" }, points(1, { incomplete: ["start"] })).trust, "yes", "and is the newest");
  assert.equal(verdict(GOOD, { state: "live" }, points(1, { incomplete: ["gap"] })).trust, "care");
});
care("a window with few lists is named", GOOD, points(20, { lists: 10 }), /10 lists, the median one 100/);
care("no final window is named", GOOD, points(1, { stage: "provisional" }), /no window in this range is final/);
care("an empty range is named", GOOD, [], /no windows in this range/);
care(
  "reasons of a ready evaluator are told",
  { ...GOOD, reasons: ["held by another member"] },
  points(20),
  /held by another member/,
);

test("a reason cannot turn the text around it", () => {
  assert.deepEqual(verdict({ ...GOOD, reasons: ["a\u202eb"] }).reasons, ["a\ufffdb"]);
});

test("what the report of a run knows is told, and what its rows show", () => {
  const over = (status, shown = points(20), acted = null) =>
    trustOf(shown, status && statusOf(status), { state: "none" }, "utc", acted);
  const warning = "5 % of the events are ignored; map their types";
  assert.deepEqual(over({ ...GOOD, warnings: [warning] }), { trust: "care", reasons: [warning] });
  assert.match(
    over({ ...GOOD, lists: 500 }, points(20), 0.98).reasons[0],
    /^98% of the lists were acted on: others may be missing in the log, so these are values of lists with an action/,
  );
  assert.match(over({ ...GOOD, lists: 500 }, points(20), 1).reasons[0], /^every list was acted on: others/);
  assert.equal(over({ ...GOOD, lists: 500 }, points(20), 0.94).trust, "yes");
  assert.equal(over({ ...GOOD, lists: 29 }, points(20), 1).trust, "yes", "too few lists to say");
  assert.equal(over(null, points(20), 1).trust, "care");
  const cut = points(3, { stage: "truncated", matured: 0.75 }).slice(2);
  assert.match(over(null, cut).reasons[0], /the log ends too early for all feedback of 25% of the lists shown/);
  assert.deepEqual(over({ events: { read: 9, feedback: 0 } }, cut).reasons, [], "where nobody acted nothing is cut off");
  assert.equal(over(GOOD, points(20, { lists: 1 })).trust, "yes", "where a log ends, so does its last window");
});
