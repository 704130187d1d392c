import assert from "node:assert/strict";
import { test } from "node:test";

const {
  answerOf,
  besideUsual,
  betterOf,
  compareAtMaturity,
  isExposure,
  isInRange,
  judge,
  newestComparable,
  quantile,
  tenthOf,
  warmsUp,
} = await import(process.env.RECMETER_WEB_MODULES);

const SIZE = 60;
// Values of windows, one after the other; a wobble that no rule should take for a change.
const windows = (values, more = () => ({})) =>
  values.map((value, i) => ({
    start: i * SIZE,
    end: (i + 1) * SIZE,
    value,
    low: value === null ? null : value - 0.02,
    high: value === null ? null : value + 0.02,
    lists: 100,
    stage: "final",
    matured: 1,
    incomplete: [],
    ...more(i),
  }));
const calm = (n) => Array.from({ length: n }, (_, i) => 0.5 + 0.005 * (((i * 7) % 5) - 2));

test("what goes on as before is as usual", () => {
  assert.equal(answerOf(judge(windows(calm(40))), "higher"), "usual");
});

test("a fall that lasts is worse, and is dated from its first window", () => {
  const values = calm(40).map((value, i) => (i >= 35 ? value - 0.1 : value));
  const judgement = judge(windows(values));
  assert.equal(answerOf(judgement, "higher"), "worse");
  assert.equal(judgement.since, 35 * SIZE);
  assert.equal(judgement.run, 5);
  assert.ok(judgement.relative < -0.15 && judgement.relative > -0.25);
});

test("the same fall is better where lower is, and only a change where neither is", () => {
  const judgement = judge(windows(calm(40).map((value, i) => (i >= 35 ? value - 0.1 : value))));
  assert.equal(answerOf(judgement, "lower"), "better");
  assert.equal(answerOf(judgement, "neither"), "changed");
});

test("one window alone is a perhaps", () => {
  const values = calm(40);
  values[39] -= 0.1;
  assert.equal(answerOf(judge(windows(values)), "higher"), "perhaps");
});

test("rolling windows must last half their size, for they share their lists", () => {
  const rolling = (run) => calm(60).map((value, i) => (i >= 60 - run ? value - 0.1 : value));
  const slide = (i) => ({ start: i * 5, end: i * 5 + 60 });
  assert.equal(answerOf(judge(windows(rolling(6), slide)), "higher"), "perhaps");
  assert.equal(answerOf(judge(windows(rolling(7), slide)), "higher"), "worse");
});

test("a fall within the interval is no fall", () => {
  const values = calm(40).map((value, i) => (i >= 35 ? value - 0.015 : value));
  assert.equal(answerOf(judge(windows(values)), "higher"), "usual");
});

test("windows that are not final, not whole or without value do not judge", () => {
  const values = calm(40).map((value, i) => (i >= 35 ? value - 0.1 : value));
  const last = (more) => (i) => (i >= 35 ? more : {});
  for (const more of [{ stage: "provisional" }, { stage: "truncated" }, { incomplete: ["gap"] }, { value: null }]) {
    const judgement = judge(windows(values, last(more)));
    assert.equal(judgement.newest.start, 34 * SIZE);
    assert.equal(answerOf(judgement, "higher"), "usual");
  }
});

test("a value that is as usual is told beside the range of usual ones, not as a change", () => {
  const inside = judge(windows(calm(40)));
  assert.equal(isInRange(inside), true);
  assert.equal(besideUsual(inside), "; usual is 0.4900 to 0.5100");
  const beyond = judge(windows(calm(40).map((value, i) => (i === 39 ? 0.485 : value))));
  assert.equal(answerOf(beyond, "higher"), "usual");
  assert.equal(isInRange(beyond), false);
  assert.equal(besideUsual(beyond), "; usual is 0.4900 to 0.5100, and 0.5000 is within its interval");
});

test("a value that has changed is told as a share of the usual one", () => {
  const fallen = judge(windows(calm(40).map((value, i) => (i >= 35 ? value - 0.1 : value))));
  assert.match(besideUsual(fallen), /^, (19|20|21)(\.\d)? ?% below the usual 0\.5000$/);
});

test("what looks back changes at the beginning of every log", () => {
  for (const key of ["known_share@10", "novelty@5", "popularity@5", "serendipity@5"]) assert.equal(warmsUp(key), true, key);
  for (const key of ["precision@10", "distinct_items@5"]) assert.equal(warmsUp(key), false, key);
});

test("too little to judge by is not called usual", () => {
  assert.equal(judge(windows(calm(15))), null);
  assert.equal(answerOf(null, "higher"), "unknown");
  assert.notEqual(judge(windows(calm(16))), null);
  assert.equal(judge([]), null);
});

test("values without interval are judged by rank", () => {
  const values = calm(40).map((value, i) => (i >= 38 ? value - 0.1 : value));
  assert.equal(answerOf(judge(windows(values, () => ({ low: null, high: null }))), "higher"), "worse");
});

test("quantiles lie between the values", () => {
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
  assert.equal(quantile([1, 2, 3], 0), 1);
  assert.equal(quantile([1, 2, 3], 1), 3);
});

test("of what is not final, the newest that has matured by a tenth is compared", () => {
  const points = windows(calm(5), (i) => (i >= 2 ? { stage: "provisional", matured: [0, 0, 0.99, 0.64, 0.04][i] } : {}));
  const found = newestComparable(points);
  assert.equal(found.point.start, 3 * SIZE);
  assert.equal(found.tenth, 0.6);
  assert.equal(newestComparable(windows(calm(5))), null);
  assert.equal(tenthOf(0.7), 0.7);
  assert.equal(tenthOf(1), 0.9);
});

test("a provisional value is compared with others of the same maturity, not with final ones", () => {
  const unsettled = { point: windows(calm(41))[40], tenth: 0.6 };
  const earlier = (last) =>
    windows([...calm(40).map((value) => value * 0.6), last], () => ({ stage: "provisional", matured: 0.6 }));
  assert.equal(compareAtMaturity(unsettled, earlier(0.3)).change, "usual");
  assert.equal(compareAtMaturity(unsettled, earlier(0.2)).change, "lower");
  assert.equal(compareAtMaturity(unsettled, earlier(0.5)).change, "higher");
  assert.equal(compareAtMaturity(unsettled, earlier(0.3).slice(-5)), null);
  assert.equal(compareAtMaturity(unsettled, earlier(0.3).slice(0, 40)), null, "its own value at that tenth is not known");
});

test("which way is better comes from the definition, then from the name", () => {
  assert.equal(betterOf("precision@10"), "higher");
  assert.equal(betterOf("miss_rate@10"), "lower");
  assert.equal(betterOf("gini@10"), "neither");
  assert.equal(betterOf("recall@5/pooled"), "higher");
  assert.equal(betterOf("mine@5", { name: "rmse", better: null }), "lower");
  assert.equal(betterOf("mine@5", { name: "rmse", better: "higher" }), "higher");
  assert.ok(isExposure("distinct_items@10"));
  assert.ok(!isExposure("empty_list_share"));
});

test("windows of a few lists are not judged", () => {
  assert.equal(judge(windows(calm(40), () => ({ lists: 29 }))), null);
  assert.notEqual(judge(windows(calm(40), () => ({ lists: 30 }))), null);
  const night = windows(calm(40), (i) => (i === 39 ? { lists: 1, value: 0, low: null, high: null } : {}));
  assert.equal(judge(night).newest.start, 38 * SIZE, "the newest of enough lists is meant");
});
