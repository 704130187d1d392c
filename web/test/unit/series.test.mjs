import assert from "node:assert/strict";
import { test } from "node:test";

const { columnsOf, EMPTY, merged, missingWindows, seriesOf, seriesOfColumns, slideOf, withPoint, within } = await import(
  process.env.RECMETER_WEB_MODULES
);

const point = (start, more = {}) => ({
  start,
  end: start + 60,
  value: start / 1000,
  low: null,
  high: null,
  lists: 10,
  stage: "final",
  matured: 1,
  incomplete: [],
  ...more,
});

test("columns become points in the order of time, null stays null", () => {
  const series = seriesOfColumns(
    {
      start: [120, 60],
      end: [180, 120],
      value: [0.2, null],
      low: [0.1, null],
      high: [0.3, null],
      lists: [5, 0],
      stage: ["provisional", "final"],
      matured: [0.5, 1],
      incomplete: [["gap"], []],
    },
    120,
  );
  assert.deepEqual(
    series.points.map((p) => p.start),
    [60, 120],
  );
  assert.equal(series.points[0].value, null);
  assert.deepEqual(series.points[1].incomplete, ["gap"]);
  assert.equal(series.points[1].stage, "provisional");
  assert.equal(series.finalUntil, 120);
});

test("a provisional value never replaces a final one", () => {
  const final = withPoint(EMPTY, point(60));
  const after = withPoint(final, point(60, { stage: "provisional", value: 9 }));
  assert.equal(after, final);
  assert.equal(withPoint(withPoint(EMPTY, point(60, { stage: "provisional", value: 9 })), point(60)).points[0].value, 0.06);
});

test("points find their place whatever the order they come in", () => {
  const starts = [300, 60, 180, 120, 240, 60];
  const series = starts.reduce((sum, start) => withPoint(sum, point(start)), EMPTY);
  assert.deepEqual(
    series.points.map((p) => p.start),
    [60, 120, 180, 240, 300],
  );
  assert.equal(series.finalUntil, 360);
});

test("what was fetched and what came meanwhile become one", () => {
  const base = seriesOf([point(60), point(120, { stage: "provisional" })], 120);
  const newer = seriesOf([point(120, { value: 7 }), point(180, { stage: "provisional" })]);
  const sum = merged(base, newer);
  assert.deepEqual(
    sum.points.map((p) => [p.start, p.stage]),
    [
      [60, "final"],
      [120, "final"],
      [180, "provisional"],
    ],
  );
  assert.equal(sum.finalUntil, 180);
});

test("a missing window breaks the line", () => {
  const columns = columnsOf([[point(60), point(120), point(300)]], 60);
  assert.deepEqual(columns.ends, [120, 180, 240, 360]);
  assert.deepEqual(columns.lines[0].settled, [0.06, 0.12, null, 0.3]);
  assert.equal(missingWindows([point(60), point(120), point(300)], 60), 2);
});

test("settled and unsettled values never share a line, and only settled ones have a band", () => {
  const { lines } = columnsOf(
    [
      [
        point(60, { low: 0, high: 1 }),
        point(120, { stage: "provisional", low: 0, high: 1 }),
        point(180, { stage: "truncated" }),
      ],
    ],
    60,
  );
  assert.deepEqual(lines[0].settled, [0.06, null, null]);
  assert.deepEqual(lines[0].unsettled, [null, 0.12, 0.18]);
  assert.deepEqual(lines[0].low, [0, null, null]);
});

test("two lines share one axis", () => {
  const columns = columnsOf([[point(60)], [point(120)]], 60);
  assert.deepEqual(columns.ends, [120, 180]);
  assert.deepEqual(
    columns.lines.map((line) => line.settled),
    [
      [0.06, null],
      [null, 0.12],
    ],
  );
});

test("bounds are by the end of windows", () => {
  const series = seriesOf([point(60), point(120), point(180)]);
  assert.deepEqual(
    within(series, 120, 180).points.map((p) => p.start),
    [120],
  );
  assert.equal(within(series, null, null).points.length, 3);
});

test("the step between windows is the smallest there is", () => {
  assert.equal(slideOf([point(60), point(240), point(300)]), 60);
  assert.equal(slideOf([point(60)]), 60);
});
