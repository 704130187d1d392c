// The first cards of a log that is over.
import assert from "node:assert/strict";
import { test } from "node:test";

const {
  actedShareOf,
  apartOf,
  apartText,
  comparisonCard,
  controlOf,
  comparedText,
  cutoffOf,
  isArmName,
  leagueCard,
  leagueOf,
  outlineOf,
  NOTHING_CHOSEN,
  rowOf,
  RowsSource,
  scalesText,
  selectionOf,
  sentenceOf,
  trustCard,
  valueCard,
  valuesText,
  whyCard,
} = await import(process.env.RECMETER_WEB_MODULES);

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 20);
const segment = (value) => [["ranker", value]];
const share = (value, low, high, words = "", p = null) => ({ value, low, high, isShare: true, p, words });
const SIDES = {
  metric: "precision@5",
  better: "higher",
  a: segment("old"),
  b: segment("new"),
  isControl: true,
  values: [0.106, 0.113],
  apart: share(0.066, -0.2, 0.42),
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

test("of a log without any action the card says that nothing can be said, and the remedy", () => {
  const point = { start: START, end: START + HOUR, value: 0, low: null, high: null, lists: 60 };
  const card = (metric, isActedOn) => valueCard(metric, [], point, true, "utc", isActedOn);
  const none = card("precision@5", false);
  assert.deepEqual([none.mood, none.word], ["care", "Cannot say"]);
  assert.match(none.details[0], /No action was read.*: give the log of actions, too\.$/);
  assert.match(none.details[1], /^60 lists/);
  assert.equal(card("distinct_items@5", false).word, "0", "exposure needs no action");
  const some = card("precision@5", true);
  assert.equal(some.word, "0");
  assert.equal(some.details[0], "There is too little to say how sure that is: 25 to 30 users have to act.");
  assert.equal(card("distinct_items@5", true).details[0], "There is no interval.");
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

test("arms are asked about, and segments that are none only where the reader chose them", () => {
  for (const name of ["ranker", "rankerModel", "ab_test", "context.variant", "ALGO"])
    assert.equal(isArmName(name), true, name);
  for (const name of ["device", "platform", "device_group", "device.group", "application"]) {
    assert.equal(isArmName(name), false, name);
  }
  const outline = (...segmentations) =>
    outlineOf({
      windows: [{ name: "hour", size_ms: HOUR }],
      horizons: ["30m"],
      metrics: ["mrr@5"],
      segments: segmentations.map(([key, ...values]) => ({ keys: [key], values: values.map((value) => ({ [key]: value })) })),
    });
  const device = ["device", "desktop", "mobile"];
  const asked = (outline_, choice = {}) => selectionOf(outline_, { ...NOTHING_CHOSEN, ...choice }).isAsked;
  assert.equal(asked(outline(device, ["platform", "AU", "BR"])), false);
  assert.equal(asked(outline(device, ["platform", "AU", "BR"]), { a: [["device", "mobile"]] }), true);
  assert.equal(asked(outline(["device", "desktop", "mobile", "tablet"])), false);
  assert.equal(asked(outline(device)), true, "as the table has it: the only two values of the only key");
  const arms = selectionOf(outline(device, ["variant", "B", "A"]), NOTHING_CHOSEN);
  assert.deepEqual([arms.isAsked, arms.a, arms.b], [true, [["variant", "A"]], [["variant", "B"]]]);
});

test("a comparison says whether one is better, by the metric's own way", () => {
  const said = (changes) => {
    const { question, word, mood } = comparisonCard({ ...SIDES, ...changes });
    return [question, word, mood];
  };
  assert.deepEqual(said({}), ["Is new better than old?", "Not decided", "none"]);
  const up = share(0.3, 0.1, 0.5);
  const down = share(-0.3, -0.5, -0.1);
  assert.deepEqual(said({ apart: up }), ["Is new better than old?", "Yes: better at this one look", "good"]);
  assert.deepEqual(said({ apart: down }), ["Is new better than old?", "No: worse at this one look", "bad"]);
  assert.deepEqual(said({ apart: down, better: "lower" }), [
    "Is new better than old?",
    "Yes: better at this one look",
    "good",
  ]);
  assert.deepEqual(said({ apart: up, isControl: false }), [
    "Do new and old differ?",
    "Yes: new is higher at this one look",
    "care",
  ]);
  assert.deepEqual(said({ apart: down, better: "neither" }), [
    "Do new and old differ?",
    "Yes: new is lower at this one look",
    "care",
  ]);
  // How long a test has to last is said where nothing is decided, for a shell too.
  const lasts = (changes) => comparisonCard({ ...SIDES, ...changes }).details.at(-1);
  assert.equal(lasts({}), "How long a test has to last: recmeter compare --plan --by ranker --mde 5% LOG");
  assert.match(lasts({ b: [["my key", "new"]] }), /--by KEY --mde/);
  assert.doesNotMatch(lasts({ apart: up }), /--plan/);
  // An interval that ends at 0 holds it.
  assert.equal(said({ apart: share(0.1, 0, 0.2) })[1], "Not decided");
});

test("where no interval is known the values stand alone, and the way to one", () => {
  const card = comparisonCard({ ...SIDES, apart: null });
  assert.equal(card.word, "Not known");
  assert.match(card.details[0], /new 0\.1130, old 0\.1060 \(\+6\.6%\)/);
  assert.match(card.details[1], /--lists/);
  assert.match(card.details[1], /run replay with --lists FILE, then report/, "an option of both");
  const few = comparisonCard({ ...SIDES, apart: share(0.066, null, null) });
  assert.match(few.details[1], /too little/);
  const why = "random against bts: precision@1 cannot be compared: hardly anybody did it";
  assert.equal(comparisonCard({ ...SIDES, apart: share(null, null, null, why) }).details[1], `${why}.`);
});

test("few events are compared by their difference, in the sentence of the terminal", () => {
  const line = {
    difference: -0.002,
    ci: [-0.00364, -0.000362],
    relative: null,
    relative_ci: null,
    p: 0.0189,
    words: "random against bts: precision@1 −0.002 (−0.00364 to −0.000362), lower at this one look",
  };
  const apart = apartOf(line);
  assert.equal(apartText(apart), "−0.002000 absolute (−0.003640 to −0.0003620)");
  const [a, b] = ["bts", "random"].map((name) => [["policy", name]]);
  const card = comparisonCard({ ...SIDES, a, b, isControl: false, values: [0.003, 0.001], apart });
  assert.deepEqual([card.question, card.word], ["Do random and bts differ?", "Yes: random is lower at this one look"]);
  assert.equal(card.details[1], `${line.words}, p 0.019.`);
  const compared = comparedText({ cumulated: { ...apart, windows: 0, start: START, end: START } }, ["x", "y"], "utc");
  assert.ok(compared.startsWith(`${line.words}, p 0.019. Over all lists since 20 Nov 00:00`), compared);
  assert.equal(sentenceOf({ ...apart, p: 0.0001 }), `${line.words}, p < 0.001`);
  assert.match(scalesText([share(1, 0, 2), null, apart]), /Relative: .*; absolute: the difference of the values/);
  assert.equal(scalesText([share(1, 0, 2), null]), "");
  // Where nothing is said of it, or not by all, the share stands.
  assert.equal(apartText(apartOf({ relative: 0.066, relative_ci: [-0.2, 0.42] })), "+6.6% relative (−20% to +42%)");
  assert.deepEqual(apartOf({}), share(null, null, null));
});

test("the comparison of a log that is over, without its lists, is of the whole log", () => {
  const [wholes, newest] = [
    [{ value: 0.05305 }, { value: 0.05647 }],
    [{ value: 0.06237 }, { value: 0.05705 }],
  ];
  assert.match(valuesText(wholes, newest), /^Over the whole log: A 0\.05305, B 0\.05647\. Rows do not say how sure/);
  assert.match(valuesText([undefined, undefined], newest), /^Newest final window: A 0\.06237, B 0\.05705/);
  assert.match(valuesText([undefined, undefined], [undefined, undefined]), /no final windows/);
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
  const card = valueCard("mrr@10", [], point, true, "utc");
  assert.equal(card.question, "How good? mrr@10 of all lists");
  assert.equal(card.word, "0.2500");
  assert.match(card.details.join(" "), /95 % interval: 0\.2000 to 0\.3000\. 1,500 lists/);
  assert.match(valueCard("gini@5", [], { ...point, low: null, high: null }, true, "utc").details[0], /There is no interval/);
  const last = valueCard("mrr@10", [], { ...point, lists: 1 }, false, "utc");
  assert.equal(last.question, "How good at the end? mrr@10 of all lists", "not the whole log");
  assert.match(last.details[1], /^1 list, 20 Nov 00:00–01:00 UTC: no window is over the whole log/);
  assert.deepEqual(trustCard({ trust: "care", reasons: ["a is so", "b is so"] }, 0.02).details, ["A is so; b is so."]);
  const fine = (invalid) => trustCard({ trust: "yes", reasons: [] }, invalid);
  assert.equal(fine(0).word, "No fault in the counts", "counts say nothing of what was logged");
  assert.deepEqual(fine(0).details, ["No event is invalid; recmeter doctor LOG looks for more."]);
  assert.deepEqual(fine(0.005).details, ["0.5% of the events are invalid; recmeter doctor LOG looks for more."]);
  const unknown = trustCard({ trust: "yes", reasons: [] }, null);
  assert.equal(unknown.word, "Not known");
  assert.match(unknown.details[0], /run replay with --report FILE, then report with the same/);
});

test("rows tell which window has the whole log", () => {
  const row = (window, start, size, lists = 1, segment = {}) =>
    JSON.stringify({
      schema: "recmeter.window/1",
      evaluator: "e",
      window,
      start,
      end: start + size,
      horizon: "30m",
      segment,
      stage: "final",
      lists,
      metrics: { "mrr@5": { value: 0.5 } },
    });
  const whole = (...rows) => new RowsSource(rows.join("\n")).shape.whole;
  const hours = [0, 1, 2].map((n) => row("hour", START + n * HOUR, HOUR));
  assert.equal(whole(...hours, row("day", START, 24 * HOUR, 3), row("all", START + 1, 3 * HOUR - 1, 3)), "all");
  assert.equal(whole(...hours, row("all", START + 1, 3 * HOUR - 1, 3)), "all");
  assert.equal(whole(...hours, row("day", START, 24 * HOUR, 3)), "day");
  assert.equal(whole(...hours), null);
  assert.equal(whole(...[0, 1, 2, 3, 4].map((n) => row("minute", START + n * HOUR, 60_000)), row("hour", START, HOUR)), null);
  assert.equal(whole(row("hour", START, HOUR)), "hour");
  // A log of 21 hours on two days: its two windows of a day are more than twice as long.
  const days = [row("day", START, 24 * HOUR, 2118), row("day", START + 24 * HOUR, 24 * HOUR, 882)];
  assert.equal(whole(...days, row("all", START + 9 * HOUR, 21 * HOUR, 3000)), "all");
  assert.equal(whole(...days, row("all", START + 9 * HOUR, 21 * HOUR, 2999)), null, "it has not all of them");
  // Each list is in two of the rolling windows.
  const rolling = [-1, 0, 1, 2].map((n) => row("rolling", START + n * HOUR, 2 * HOUR, n === -1 || n === 2 ? 1 : 2));
  assert.equal(whole(...rolling, row("all", START, 3 * HOUR, 3)), "all");
  const inB = row("hour", START + 4 * HOUR, HOUR, 5, { arm: "B" });
  assert.equal(whole(...hours, inB, row("all", START, 3 * HOUR, 3)), null, "of every segment");
});

test("rows alone tell the cutoff of the terminal's first table", () => {
  const row = (values) =>
    rowOf({ window: "all", start: START, end: START + HOUR, horizon: "30m", lists: 9, segment: {}, metrics: values });
  const of = (values) => cutoffOf([row(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])))]);
  const cut = (...values) => Object.fromEntries([1, 5, 10, 20].map((k, i) => [`hit_rate@${k}`, values[i]]));
  assert.equal(of(cut(0.1, 0.2, 0.2, 0.2)), 5, "lists of five");
  assert.equal(of(cut(0.1, 0.1, 0.1, 0.1)), 1, "lists of one");
  assert.equal(of(cut(0.1, 0.2, 0.3, 0.4)), 10, "at most 10");
  assert.equal(of({ ...cut(0.1, 0.2, 0.2, 0.2), "distinct_items@5": 40, "distinct_items@10": 60 }), 10, "few clicks");
  assert.equal(of({ "hit_rate@5": 0.1, "hit_rate@10": 0.2, "short_list_share@10": 0.8 }), 5, "a few long lists");
  assert.equal(of({ "precision@5": 0.1, "precision@10": 0.05 }), 10, "which says nothing");
  assert.equal(of({ "precision@20": 0.1, "precision@50": 0.1 }), 20);
  assert.equal(of({ gini: 0.1 }), null);
});

test("how many of the lists are acted on is told by a metric over all lists", () => {
  const of = (metrics) => actedShareOf(rowOf({ window: "all", start: 0, end: 1, horizon: "30m", segment: {}, metrics }));
  assert.equal(of({ "recall@5": { relevant_share: 0.7 }, "mrr@5": { relevant_share: 0.98 } }), 0.98);
  assert.equal(of({ "recall@5": { relevant_share: 0.7 } }), null);
  assert.equal(of({ "mrr@5": { value: 1 } }), null);
});

test("a league has the best first, by the metric's own way, and whoever has no value last", () => {
  const standing = (name, value) => ({ segment: segment(name), point: value === undefined ? null : { value } });
  const all = [standing("x"), standing("low", 0.1), standing("none", null), standing("high", 0.3), standing("same", 0.1)];
  const names = (better) => leagueOf(all, better).map((one) => one.segment[0][1]);
  assert.deepEqual(names("higher"), ["high", "low", "same", "x", "none"]);
  assert.deepEqual(names("lower"), ["low", "same", "high", "x", "none"]);
  assert.deepEqual(names("neither"), ["high", "low", "same", "x", "none"]);
});

test("the best recommender is named where it is sure of each other one, and those that may be it where not", () => {
  const of = (name, value) => ({ segment: segment(name), point: { value, low: value - 0.01, high: value + 0.01 } });
  const league = [of("top", 0.09), of("knn", 0.05), of("own", 0.04), of("any", 0.03)];
  const [below, unsure, unknown] = [share(-0.44, -0.55, -0.3), share(-0.44, -0.55, 0.3), share(-0.44, null, null)];
  const card = (count, ...aparts) =>
    leagueCard("hit_rate@10", league.slice(0, count), (other) => aparts[league.indexOf(other) - 1]);
  const word = (count, ...aparts) => card(count, ...aparts).word;
  assert.equal(word(2, below), "top");
  assert.equal(word(2, unsure), "Not decided: top or knn");
  assert.equal(word(2, unknown), "Not decided: top or knn");
  assert.equal(word(2, null), "Not decided: top or knn");
  assert.equal(word(3, below, below), "top");
  assert.equal(word(3, below, unsure), "Not decided: top or own", "the third may be the best though the second is not");
  assert.equal(word(4, unsure, unsure, unsure), "Not decided: 4 of 4");
  assert.equal(word(1), "top");
  const judged = (shares) =>
    leagueCard(
      "hit_rate@10",
      league.slice(0, 2),
      () => below,
      (one) => shares[league.indexOf(one)],
    );
  assert.equal(judged([1, 0.6]).mood, "good");
  assert.equal(judged([1, 0.09]).mood, "care", "nobody could act on most of what the other one had");
  assert.match(judged([1, 0.09]).details.at(-1), /^Of the items of knn only 9% were on the list shown then\./);
  assert.equal(
    leagueCard("hit_rate@10", [], () => null),
    null,
  );
  assert.match(card(2, null).details.join(" "), /top 0\.09000 \(0\.08000 to 0\.1000\)\. The second: knn 0\.05000/);
});
