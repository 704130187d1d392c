// The first cards of a log that is over.
import assert from "node:assert/strict";
import { test } from "node:test";

const {
  comparisonCard,
  controlOf,
  leagueCard,
  leagueOf,
  outlineOf,
  NOTHING_CHOSEN,
  RowsSource,
  selectionOf,
  trustCard,
  valueCard,
  whyCard,
} = await import(process.env.RECMETER_WEB_MODULES);

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 20);
const segment = (value) => [["ranker", value]];
const SIDES = {
  metric: "precision@5",
  better: "higher",
  a: segment("old"),
  b: segment("new"),
  isControl: true,
  values: [0.106, 0.113],
  apart: { relative: 0.066, low: -0.2, high: 0.42 },
};

test("the sentence of why is a card: what happened, then why, a line for each part", () => {
  const card = whyCard(
    "mrr@10 fell by 27 % against a day before: it is surface=mail (-26 %): fewer clicks; no <single> cause.",
  );
  assert.equal(card.word, "mrr@10 fell by 27 % against a day before");
  assert.deepEqual(card.details, ["It is surface=mail (-26 %): fewer clicks.", "No <single> cause."]);
  assert.deepEqual(whyCard("mrr@10 did not change against the window before."), {
    question: "What changed last, and why?",
    mood: "none",
    word: "mrr@10 did not change against the window before",
    details: [],
  });
});

test("the control is known by its name, in this order, whatever its case", () => {
  const of = (...values) => controlOf(values.map(segment));
  assert.deepEqual(of("new", "old"), segment("old"));
  assert.deepEqual(of("A", "B"), segment("A"));
  assert.deepEqual(of("a", "Control"), segment("Control"));
  assert.deepEqual(of("1", "0"), segment("0"), "without a treatment");
  assert.equal(of("v1", "v2"), null);
  assert.equal(
    controlOf([
      [
        ["ranker", "old"],
        ["page", "1"],
      ],
    ]),
    null,
    "of two keys nobody is the control",
  );
});

test("what is compared is compared with the control", () => {
  const outline = (...values) =>
    outlineOf({
      windows: [{ name: "hour", size_ms: HOUR }],
      horizons: ["30m"],
      metrics: ["mrr@5"],
      segments: [{ keys: ["ranker"], values: values.map((ranker) => ({ ranker })) }],
    });
  const sides = ({ a, b }) => [a, b];
  assert.deepEqual(sides(selectionOf(outline("new", "old"), NOTHING_CHOSEN)), [segment("old"), segment("new")]);
  assert.deepEqual(sides(selectionOf(outline("x", "y"), NOTHING_CHOSEN)), [segment("x"), segment("y")]);
  const chosen = { ...NOTHING_CHOSEN, a: segment("new") };
  assert.deepEqual(sides(selectionOf(outline("new", "old"), chosen)), [segment("new"), segment("old")]);
});

test("a comparison says whether one is better, by the metric's own way", () => {
  const said = (changes) => {
    const { question, word, mood } = comparisonCard({ ...SIDES, ...changes });
    return [question, word, mood];
  };
  assert.deepEqual(said({}), ["Is new better than old?", "Not decided", "none"]);
  const up = { relative: 0.3, low: 0.1, high: 0.5 };
  const down = { relative: -0.3, low: -0.5, high: -0.1 };
  assert.deepEqual(said({ apart: up }), ["Is new better than old?", "Yes", "good"]);
  assert.deepEqual(said({ apart: down }), ["Is new better than old?", "No: it is worse", "bad"]);
  assert.deepEqual(said({ apart: down, better: "lower" }), ["Is new better than old?", "Yes", "good"]);
  assert.deepEqual(said({ apart: up, isControl: false }), ["Do new and old differ?", "Yes: new is higher", "care"]);
  assert.deepEqual(said({ apart: down, better: "neither" }), ["Do new and old differ?", "Yes: old is higher", "care"]);
  // An interval that ends at 0 holds it.
  assert.equal(said({ apart: { relative: 0.1, low: 0, high: 0.2 } })[1], "Not decided");
});

test("where no interval is known the values stand alone, and the way to one", () => {
  const card = comparisonCard({ ...SIDES, apart: null });
  assert.equal(card.word, "Not known");
  assert.match(card.details[0], /new 0\.1130, old 0\.1060 \(\+6\.6%\)/);
  assert.match(card.details[1], /--lists/);
  const few = comparisonCard({ ...SIDES, apart: { relative: 0.066, low: null, high: null } });
  assert.match(few.details[1], /too little/);
});

test("the value has its interval, and trust is one line", () => {
  const point = {
    start: START,
    end: START + HOUR,
    value: 0.25,
    low: 0.2,
    high: 0.3,
    lists: 1500,
    stage: "final",
    matured: 1,
    incomplete: [],
  };
  const card = valueCard("mrr@10", [], point, "utc");
  assert.equal(card.question, "How good? mrr@10 of all lists");
  assert.equal(card.word, "0.2500");
  assert.match(card.details.join(" "), /95 % interval: 0\.2000 to 0\.3000\. 1,500 lists/);
  assert.match(valueCard("gini@5", [], { ...point, low: null, high: null }, "utc").details[0], /too little/);
  assert.deepEqual(trustCard({ trust: "care", reasons: ["a is so", "b is so"] }, 0.02).details, ["A is so; b is so."]);
  assert.deepEqual(trustCard({ trust: "yes", reasons: [] }, 0).details, ["0% of the events are invalid."]);
  const unknown = trustCard({ trust: "yes", reasons: [] }, null);
  assert.equal(unknown.word, "Not known");
  assert.match(unknown.details[0], /--report/);
});

test("rows tell which window has the whole log", () => {
  const row = (window, start, size) =>
    JSON.stringify({
      schema: "recmeter.window/1",
      evaluator: "e",
      window,
      start,
      end: start + size,
      horizon: "30m",
      segment: {},
      stage: "final",
      lists: 1,
      metrics: { "mrr@5": { value: 0.5 } },
    });
  const whole = (...rows) => new RowsSource(rows.join("\n")).shape.whole;
  const hours = [0, 1, 2].map((n) => row("hour", START + n * HOUR, HOUR));
  assert.equal(whole(...hours, row("day", START, 24 * HOUR), row("all", START + 1, 3 * HOUR - 1)), "all");
  assert.equal(whole(...hours, row("all", START + 1, 3 * HOUR - 1)), "all");
  assert.equal(whole(...hours, row("day", START, 24 * HOUR)), "day");
  assert.equal(whole(...hours), null);
  assert.equal(whole(...[0, 1, 2, 3, 4].map((n) => row("minute", START + n * HOUR, 60_000)), row("hour", START, HOUR)), null);
  assert.equal(whole(row("hour", START, HOUR)), "hour");
});

test("a league has the best first, by the metric's own way, and whoever has no value last", () => {
  const standing = (name, value) => ({ segment: segment(name), point: value === undefined ? null : { value } });
  const all = [standing("x"), standing("low", 0.1), standing("none", null), standing("high", 0.3), standing("same", 0.1)];
  const names = (better) => leagueOf(all, better).map((one) => one.segment[0][1]);
  assert.deepEqual(names("higher"), ["high", "low", "same", "x", "none"]);
  assert.deepEqual(names("lower"), ["low", "same", "high", "x", "none"]);
  assert.deepEqual(names("neither"), ["high", "low", "same", "x", "none"]);
});

test("the best recommender is named where it is sure, and the two that are not decided where it is not", () => {
  const of = (name, value) => ({ segment: segment(name), point: { value, low: value - 0.01, high: value + 0.01 } });
  const league = [of("top", 0.09), of("knn", 0.05)];
  const word = (apart) => leagueCard("hit_rate@10", league, apart).word;
  assert.equal(word({ relative: -0.44, low: -0.55, high: -0.3 }), "top");
  assert.equal(word({ relative: -0.44, low: -0.55, high: 0.3 }), "Not decided: top or knn");
  assert.equal(word({ relative: -0.44, low: null, high: null }), "Not decided: top or knn");
  assert.equal(word(null), "Not decided: top or knn");
  assert.equal(leagueCard("hit_rate@10", league.slice(0, 1), null).word, "top");
  assert.equal(leagueCard("hit_rate@10", [], null), null);
  assert.match(
    leagueCard("hit_rate@10", league, null).details.join(" "),
    /top 0\.09000 \(0\.08000 to 0\.1000\)\. Next: knn 0\.05000/,
  );
});
