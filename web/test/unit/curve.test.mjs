// Curves that are not over time.
import assert from "node:assert/strict";
import { test } from "node:test";

const { calibrationOf, curvePointOf, learningOf, learningPointOf, precisionRecallOf, rocOf, RowsSource } = await import(
  process.env.RECMETER_WEB_MODULES
);

const point = (variant, k, recall, fpr, precision) => ({
  schema: "recmeter.curve/1",
  window: "all",
  horizon: "30m",
  segment: { variant },
  k,
  recall,
  fpr,
  precision,
});
const POINTS = [
  point("A", 0, 0, 0, null),
  point("A", 5, 0.4, 0.1, 0.2),
  point("A", null, 1, 1, 0.05),
  point("B", 0, 0, 0, null),
  point("B", 5, 0.5, 0.1, 0.25),
  point("C", 0, 0, 0, null),
];
const variant = (value) => [["variant", value]];
const bucket = (recommender, by, name, values) => ({
  schema: "recmeter.learning_curve/1",
  recommender,
  horizon: "1ms",
  k: 10,
  by,
  bucket: name,
  ...values,
});

test("a curve has its points in order, without those that are not known, and of the segments that are asked for", () => {
  const points = POINTS.map(curvePointOf);
  const roc = rocOf(points, [variant("B"), variant("A"), variant("C"), variant("D")]);
  assert.deepEqual(
    roc.lines.map(({ name }) => name),
    ["variant=B", "variant=A"],
    "one point alone is no curve",
  );
  assert.deepEqual(roc.lines[1].points, [
    { x: 0, y: 0 },
    { x: 0.1, y: 0.4 },
    { x: 1, y: 1 },
  ]);
  assert.deepEqual(precisionRecallOf(points, [variant("A")]).lines[0].points, [
    { x: 0.4, y: 0.2 },
    { x: 1, y: 0.05 },
  ]);
  const noCatalogue = POINTS.map((one) => curvePointOf({ ...one, fpr: null }));
  assert.deepEqual(rocOf(noCatalogue, [variant("A")]).lines, []);
});

test("learning is by bucket, a chart for each way to count, and calibration by confidence", () => {
  const points = [
    bucket("top", "user_events", "0", { recall: 0.1 }),
    bucket("top", "user_events", "1-4", { recall: 0.2 }),
    bucket("knn", "user_events", "1-4", { recall: 0.3 }),
    bucket("top", "item_age", "new", { recall: 0.3 }),
    bucket("top", "confidence", "0.1-0.2", { mean_confidence: 0.15, relevant_share: 0.1 }),
    bucket("top", "confidence", "all", { mean_confidence: 0.5, relevant_share: 0.4 }),
  ].map(learningPointOf);
  const charts = learningOf(points);
  assert.equal(charts.length, 1, "one bucket is no curve");
  assert.deepEqual(charts[0].buckets, ["0", "1-4"]);
  assert.deepEqual(charts[0].lines[1], { name: "knn", points: [{ x: 1, y: 0.3 }] });
  assert.deepEqual(calibrationOf(points).lines[0].points, [{ x: 0.15, y: 0.1 }]);
});

test("a report carries its curves beside its rows", () => {
  const lines = [...POINTS, bucket("top", "events", "0", { recall: 0 })].map((one) => JSON.stringify(one));
  const source = new RowsSource(lines.join("\n"));
  assert.equal(source.curves.length, POINTS.length);
  assert.equal(source.learning.length, 1);
  assert.equal(source.unread, 0);
});
