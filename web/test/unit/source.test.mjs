import assert from "node:assert/strict";
import { test } from "node:test";

const {
  Board,
  csvOf,
  EventParser,
  isSettled,
  LiveSource,
  NOTHING_CHOSEN,
  outlineOf,
  pointOf,
  rowOf,
  RowsSource,
  selectionOf,
  seriesOf,
  stageText,
} = await import(process.env.RECMETER_WEB_MODULES);

const ROW = {
  schema: "recmeter.window/1",
  evaluator: "shop",
  window: "minute",
  start: 60000,
  end: 120000,
  horizon: "30m",
  segment: { variant: "A" },
  stage: "final",
  matured: 1,
  incomplete: [],
  lists: 7,
  metrics: { "precision@10": { value: 0.5, se: 0.1, ci: [0.4, 0.6] }, "gini@10": { value: 2, se: null, ci: null } },
};

test("events come out whole however their bytes are cut", () => {
  const text = ': hello\nretry: 1500\n\nid: 7\nevent: row\ndata: {"a":\ndata: 1}\n\ndata: plain\r\n\r\nevent: none\n\n';
  const whole = new EventParser().feed(text);
  assert.deepEqual(whole, [
    { type: "row", data: '{"a":\n1}' },
    { type: "message", data: "plain" },
  ]);
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new EventParser();
    assert.deepEqual([...parser.feed(text.slice(0, cut)), ...parser.feed(text.slice(cut))], whole, `cut at ${cut}`);
    assert.equal(parser.lastId, "7");
    assert.equal(parser.retryMs, 1500);
  }
});

test("half an event is forgotten with its connection, the id is not", () => {
  const parser = new EventParser();
  parser.feed("id: 3\ndata: a\n\ndata: ha");
  parser.restart();
  assert.deepEqual(parser.feed("data: b\n\n"), [{ type: "message", data: "b" }]);
  assert.equal(parser.lastId, "3");
});

test("a row gives the point of each of its metrics, and none of others", () => {
  const row = rowOf(ROW);
  assert.deepEqual(pointOf(row, "precision@10"), {
    start: 60000,
    end: 120000,
    value: 0.5,
    low: 0.4,
    high: 0.6,
    lists: 7,
    stage: "final",
    matured: 1,
    incomplete: [],
  });
  assert.equal(pointOf(row, "gini@10").low, null);
  assert.equal(pointOf(row, "constructor"), null);
  assert.equal(rowOf({ schema: "recmeter.report/1" }), null);
  assert.equal(rowOf(null), null);
});

test("a report begins with the shortest window whose lists say something", () => {
  const HOUR = 3_600_000;
  const rows = (window, count, size, lists) =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ ...ROW, window, start: i * size, end: (i + 1) * size, segment: {}, lists }),
    );
  const begin = (...lines) => new RowsSource(lines.flat().join("\n")).shape.begin;
  const days = (lists) => rows("day", 3, 24 * HOUR, lists);
  assert.equal(begin(rows("hour", 72, HOUR, 40), days(960)), "hour");
  assert.equal(begin(rows("hour", 72, HOUR, 3), days(72)), "day");
  assert.equal(begin(days(72), rows("hour", 72, HOUR, 3)), "day", "whatever comes first");
  assert.equal(begin(rows("hour", 72, HOUR, 1), days(24)), "day", "the longest where none has enough");
  assert.equal(begin(rows("hour", 72, HOUR, 3), days(72), rows("all", 1, 72 * HOUR, 216)), "day", "never all of the log");
  assert.equal(begin([]), null);
});

test("a report is read from its lines, and says how many it could not read", async () => {
  const note = {
    schema: "recmeter.page/1",
    title: "w.jsonl",
    version: "1",
    definitions: [{ key: "precision@10", formula: "f" }],
  };
  const second = { ...ROW, start: 120000, end: 180000, segment: { variant: "B" } };
  const between = {
    schema: "recmeter.comparison/1",
    metric: "precision@10",
    horizon: "30m",
    a: { variant: "B" },
    b: { variant: "A" },
    windows: 0,
    start: 60000,
    end: 180000,
    difference: 0.01,
    ci: [0, 0.04],
    relative: 0.25,
    relative_ci: [0, 1],
    p: 0.05,
    words: "B against A: not decided",
  };
  const why = { schema: "recmeter.why/1", metric: "precision@10", words: "precision@10 fell." };
  const lines = [note, { schema: "recmeter.report/1", lists: 3 }, ROW, second, between, why]
    .map((line) => JSON.stringify(line))
    .join("\n");
  const source = new RowsSource(`${lines}\n{"schema":"recmeter.win`);
  assert.equal(source.unread, 1);
  assert.equal(await source.why("precision@10"), "precision@10 fell.");
  assert.equal(await source.why("mrr@10"), null);
  const { outline, status } = await source.outline();
  assert.equal(status.lists, 3);
  assert.deepEqual(outline.windows, [{ name: "minute", sizeMs: 60000, slideMs: 60000 }]);
  assert.deepEqual(outline.segmentations, [{ keys: ["variant"], segments: [[["variant", "A"]], [["variant", "B"]]] }]);
  const query = {
    window: "minute",
    metric: "precision@10",
    horizon: "30m",
    segment: [["variant", "B"]],
    from: null,
    to: null,
  };
  assert.deepEqual(
    (await source.series(query)).points.map((p) => p.start),
    [120000],
  );
  assert.equal((await source.definitions()).get("precision@10").formula, "f");
  const [a, b] = [[["variant", "A"]], [["variant", "B"]]];
  const { cumulated, difference } = await source.compare({ ...query, a, b });
  assert.deepEqual(cumulated, {
    ...{ windows: 0, start: 60000, end: 180000 },
    ...{ value: 0.25, low: 0, high: 1, isShare: true, p: 0.05, words: "B against A: not decided" },
  });
  assert.equal(difference.points.length, 0);
  // A against B is a line of its own, since its interval is not this one turned round.
  assert.equal(await source.compare({ ...query, a: b, b: a }), null);
  assert.equal(await source.compare({ ...query, metric: "recall@10", a, b }), null);
  assert.equal(source.seriesLink(query), null);
});

test("recommenders open on the best, beside what was shown, and say where every list was acted on", () => {
  const row = (name, value, relevant_share) =>
    JSON.stringify({
      ...ROW,
      window: "all",
      segment: { recommender: name },
      metrics: { "mrr@5": { value, relevant_share }, "miss_rate@5": { value: 1 - value } },
    });
  const run = (kind) =>
    JSON.stringify({ schema: "recmeter.report/1", prequential: { recommenders: [{ name: "live", kind }] } });
  const shapeOf = (...lines) => new RowsSource(lines.join("\n")).shape;
  const opened = (shape, metric = "mrr") => {
    const { segment, a, b } = selectionOf(shape, { ...NOTHING_CHOSEN, metric });
    return [segment, a, b].map((one) => one[0][1]);
  };
  const rows = [row("knn", 0.2, 0.1), row("live", 0.3, 1), row("top", 0.4, 0.2)];
  assert.deepEqual(opened(shapeOf(...rows, run("shown"))), ["top", "live", "top"]);
  assert.deepEqual(opened(shapeOf(...rows)), ["top", "live", "top"], "the second, where nobody says what was shown");
  assert.deepEqual(opened(shapeOf(row("knn", 0.4, 0), row("live", 0.2, 1), row("x", 0.3, 0), run("shown"))), [
    "knn",
    "live",
    "knn",
  ]);
  assert.deepEqual(opened(shapeOf(row("a", 0.1, 0), row("live", 0.3, 1), row("x", 0.2, 0), run("shown"))), [
    "live",
    "x",
    "live",
  ]);
  assert.deepEqual(opened(shapeOf(...rows), "miss_rate"), ["top", "live", "top"], "whichever way is better");
  assert.equal(shapeOf(...rows).actedShare, 1, "of the recommender of which most lists are");
});

test("values that a gap in the log holds back are settled, as the text of the run says", async () => {
  const row = (start) => JSON.stringify({ ...ROW, start, end: start + 60_000, segment: {}, stage: "truncated", matured: 0 });
  const gap = { partition: "a.csv", records: 9, step: 1, to: 1_980_000, rows: 3 };
  const report = JSON.stringify({ schema: "recmeter.report/1", gap_at_end: gap });
  const stagesOf = async (...lines) => {
    const source = new RowsSource(lines.join("\n"));
    const { points } = await source.series({ ...QUERY, segment: [] });
    return points.map(({ stage, matured }) => [stage, matured]);
  };
  const both = [row(60_000), row(180_000)];
  const held = ["held", 1];
  assert.deepEqual(
    await stagesOf(...both, report),
    [held, ["truncated", 0]],
    "its horizon reaches beyond the end of the log",
  );
  assert.deepEqual(await stagesOf(row(120_000), report), [held], "and here just not");
  assert.deepEqual(await stagesOf(row(60_000)), [["truncated", 0]]);
  assert.equal(isSettled({ stage: "held" }), true);
  assert.match(stageText({ stage: "held" }), /its value holds/);
  assert.match(csvOf([{ name: "x", points: [{ start: 0, end: 1, stage: "held", incomplete: [] }] }]), /,truncated,/);
});

test("a running evaluator is asked why, and what may be chance is no sentence", async () => {
  const asked = [];
  const answers = [
    { words: "precision@10 fell.", may_be_chance: false },
    { words: "precision@10 fell, which may be chance.", may_be_chance: true },
    { words: "of an older program" },
  ];
  const before = globalThis.fetch;
  globalThis.fetch = async (path) => {
    asked.push(path);
    return new Response(JSON.stringify(answers[asked.length - 1]));
  };
  try {
    const source = new LiveSource("/behind");
    assert.equal(await source.why("precision@10", "hour"), "precision@10 fell.");
    assert.equal(await source.why("precision@10", null), null);
    assert.equal(await source.why("precision@10", null), null);
  } finally {
    globalThis.fetch = before;
  }
  assert.deepEqual(asked.slice(0, 2), [
    "/behind/api/v1/why?metric=precision%4010&window=hour",
    "/behind/api/v1/why?metric=precision%4010",
  ]);
  assert.deepEqual(outlineOf({ explained: ["hour"] }).explained, ["hour"]);
  assert.deepEqual(outlineOf({}).explained, []);
});

const QUERY = { window: "minute", metric: "precision@10", horizon: "30m", segment: [["variant", "A"]], from: null, to: null };
const answered = () => {
  const waiting = [];
  return { waiting, source: { series: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })) } };
};
const soon = () => new Promise((resolve) => setTimeout(resolve, 260));
const starts = (now) => now.series.points.map((point) => point.start);

test("a series is fetched once for all who look at it, and let go with the last", async () => {
  const { waiting, source } = answered();
  const board = new Board(source);
  const seen = [[], []];
  const stops = seen.map((list) => board.watch({ ...QUERY }, (now) => list.push(now)));
  assert.equal(waiting.length, 1);
  waiting[0].resolve(seriesOf([pointOf(rowOf(ROW), "precision@10")]));
  await soon();
  assert.deepEqual(
    seen.map((list) => starts(list.at(-1))),
    [[60000], [60000]],
  );
  stops.forEach((stop) => stop());
  await soon();
  board.watch({ ...QUERY }, () => undefined);
  assert.equal(waiting.length, 2);
});

test("rows that come while a series is fetched are not lost, those of others do not come in", async () => {
  const { waiting, source } = answered();
  const board = new Board(source);
  let last;
  board.watch(QUERY, (now) => {
    last = now;
  });
  board.takeRow(rowOf({ ...ROW, start: 120000, end: 180000 }));
  board.takeRow(rowOf({ ...ROW, start: 240000, end: 300000, segment: {} }));
  board.takeRow(rowOf({ ...ROW, start: 240000, end: 300000, horizon: "2h" }));
  waiting[0].resolve(seriesOf([pointOf(rowOf(ROW), "precision@10")]));
  await soon();
  assert.deepEqual(starts(last), [60000, 120000]);
  board.takeRow(rowOf({ ...ROW, start: 180000, end: 240000 }));
  await soon();
  assert.deepEqual(starts(last), [60000, 120000, 180000]);
});

test("after a gap everything shown is fetched again, and stays until it is there", async () => {
  const { waiting, source } = answered();
  const board = new Board(source);
  let last;
  board.watch(QUERY, (now) => {
    last = now;
  });
  waiting[0].resolve(seriesOf([pointOf(rowOf(ROW), "precision@10")]));
  await soon();
  board.refetch(null);
  assert.equal(waiting.length, 2);
  assert.deepEqual(starts(last), [60000]);
  waiting[1].reject(new Error("503 the evaluator is starting"));
  await soon();
  assert.deepEqual(starts(last), [60000]);
  assert.equal(last.error, "503 the evaluator is starting");
});

test("at most four questions are under way", async () => {
  const { waiting, source } = answered();
  const board = new Board(source);
  for (let i = 0; i < 9; i++) board.watch({ ...QUERY, metric: `m${i}` }, () => undefined);
  assert.equal(waiting.length, 4);
  waiting[0].resolve(seriesOf([]));
  await soon();
  assert.equal(waiting.length, 5);
});
