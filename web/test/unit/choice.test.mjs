import assert from "node:assert/strict";
import { test } from "node:test";

const {
  allSegments,
  boundsOf,
  choiceQuery,
  familiesOf,
  keyAt,
  NOTHING_CHOSEN,
  outlineOf,
  parseChoice,
  rangeMs,
  selectionOf,
} = await import(process.env.RECMETER_WEB_MODULES);

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

test("with lanes the page opens on what was shown, or on the first lane where nothing was", () => {
  const lanes = (values) => ({
    windows: [{ name: "m", size_ms: 1, slide_ms: 1 }],
    horizons: ["1m"],
    metrics: ["mrr@5"],
    lanes: true,
    segments: [{ keys: ["recommender"], values }],
  });
  const of = (...names) => outlineOf(lanes(names.map((recommender) => ({ recommender }))));
  const segment = (outline) => selectionOf(outline, NOTHING_CHOSEN).segment;
  assert.deepEqual(segment(of("B", "logged")), [["recommender", "logged"]]);
  assert.deepEqual(segment(of()), [["recommender", "logged"]], "before the first row");
  assert.deepEqual(segment(of("B", "C")), [["recommender", "B"]]);
  assert.deepEqual(
    allSegments(of("B", "logged")),
    [[["recommender", "logged"]], [["recommender", "B"]]],
    "and there is none of all lists",
  );
  assert.deepEqual(selectionOf(of("B", "logged"), { ...NOTHING_CHOSEN, segment: [["recommender", "B"]] }).segment, [
    ["recommender", "B"],
  ]);
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
  assert.equal(selectionOf({ ...OUTLINE, cutoff: 5 }, NOTHING_CHOSEN).cutoff, 5);
  assert.equal(selectionOf({ ...OUTLINE, cutoff: 5 }, { ...NOTHING_CHOSEN, cutoff: 10 }).cutoff, 10);
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
  const bounds = (more, newest) => boundsOf({ ...NOTHING_CHOSEN, ...more }, newest, 60_000);
  assert.deepEqual(bounds({ range: "1h" }, 7_200_000), { from: 3_600_000, to: null });
  assert.deepEqual(bounds({ range: "1h" }, null), { from: null, to: null });
  assert.deepEqual(bounds({ range: "all" }, 7_200_000), { from: null, to: null });
  assert.deepEqual(bounds({ range: "fixed", from: 1, to: 2 }, 9), { from: 1, to: 2 });
});

test("the usual range is six hours, and 48 windows where these are more", () => {
  assert.equal(rangeMs("auto", 60_000), 6 * 3_600_000);
  assert.equal(rangeMs("auto", 3_600_000), 48 * 3_600_000);
  assert.equal(rangeMs("1d", 3_600_000), 86_400_000);
  assert.equal(rangeMs("all", 60_000), null);
});
