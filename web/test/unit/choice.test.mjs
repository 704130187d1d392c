import assert from "node:assert/strict";
import { test } from "node:test";

const { boundsOf, choiceQuery, familiesOf, keyAt, NOTHING_CHOSEN, outlineOf, parseChoice, selectionOf } = await import(
  process.env.RECMETER_WEB_MODULES
);

const OUTLINE = outlineOf({
  name: "shop",
  version: "0.1.0",
  windows: [
    { name: "minute", size_ms: 60000 },
    { name: "hour", size_ms: 3600000, slide_ms: 300000 },
  ],
  horizons: ["30m", "2h"],
  metrics: ["precision@5", "precision@10", "empty_list_share", "recall@5/pooled"],
  segments: [{ keys: ["variant"], values: [{ variant: "A" }, { variant: "B" }] }],
});

test("a choice comes back from the address as it went in", () => {
  const choice = {
    window: "hour",
    horizon: "2h",
    metric: "precision",
    cutoff: 5,
    segment: [["variant", "A,:\\&=#"]],
    a: [],
    b: [["variant", "B"]],
    range: "12h",
    from: null,
    to: null,
    zone: "local",
    wall: true,
    theme: "dark",
  };
  assert.deepEqual(parseChoice(choiceQuery(choice)), choice);
  const fixed = { ...choice, range: "fixed", from: 1000, to: 2000 };
  assert.deepEqual(parseChoice(choiceQuery(fixed)), fixed);
  assert.equal(choiceQuery(NOTHING_CHOSEN), "");
  assert.deepEqual(parseChoice(""), NOTHING_CHOSEN);
});

test("what the address says amiss is as if it said nothing", () => {
  assert.deepEqual(
    parseChoice("?k=ten&segment=a&from=5&to=1&range=soon&zone=mars&wall=yes&theme=pink&more=1"),
    NOTHING_CHOSEN,
  );
});

test("nothing chosen is the first of everything, at the largest cutoff", () => {
  const selection = selectionOf(OUTLINE, NOTHING_CHOSEN);
  assert.equal(selection.window.name, "minute");
  assert.equal(selection.horizon, "30m");
  assert.equal(selection.metric, "precision@10");
  assert.deepEqual([selection.a, selection.b], [[["variant", "A"]], [["variant", "B"]]]);
});

test("a metric without the chosen cutoff is shown at the nearest it has", () => {
  assert.equal(
    selectionOf(OUTLINE, { ...NOTHING_CHOSEN, metric: "empty_list_share", cutoff: 10 }).metric,
    "empty_list_share",
  );
  assert.equal(selectionOf(OUTLINE, { ...NOTHING_CHOSEN, metric: "recall/pooled", cutoff: 10 }).metric, "recall@5/pooled");
  const [precision] = familiesOf(OUTLINE.metrics);
  assert.equal(keyAt(precision, 6), "precision@5");
});

test("a window that is gone is replaced, a segment that is gone is kept", () => {
  const selection = selectionOf(OUTLINE, { ...NOTHING_CHOSEN, window: "year", segment: [["variant", "Z"]] });
  assert.equal(selection.window.name, "minute");
  assert.deepEqual(selection.segment, [["variant", "Z"]]);
});

test("an evaluator without metrics has nothing to show", () => {
  assert.equal(selectionOf(outlineOf({}), NOTHING_CHOSEN), null);
});

test("a range counts back from where the evaluator has come to", () => {
  assert.deepEqual(boundsOf({ ...NOTHING_CHOSEN, range: "1h" }, 7_200_000), { from: 3_600_000, to: null });
  assert.deepEqual(boundsOf({ ...NOTHING_CHOSEN, range: "1h" }, null), { from: null, to: null });
  assert.deepEqual(boundsOf({ ...NOTHING_CHOSEN, range: "all" }, 7_200_000), { from: null, to: null });
  assert.deepEqual(boundsOf({ ...NOTHING_CHOSEN, range: "fixed", from: 1, to: 2 }, 9), { from: 1, to: 2 });
});
