import assert from "node:assert/strict";
import { test } from "node:test";

const { NO_CONTENT, outsideOf, outsideText, yRangeOf } = await import(process.env.RECMETER_WEB_MODULES);

const DAY = 86_400_000;
const START = Date.UTC(2019, 10, 24);
const point = (day, value, stage = "final") => ({
  start: START + day * DAY,
  end: START + (day + 1) * DAY,
  value,
  low: null,
  high: null,
  stage,
});
const content = (...points) => ({ ...NO_CONTENT, lines: [{ name: "all", points }] });

test("a value that is not final and that the height leaves out is named", () => {
  const shown = content(point(0, 0.2), point(1, 0.3), point(2, 0.1, "truncated"));
  const outside = outsideOf(shown, yRangeOf(shown, true));
  assert.deepEqual(
    outside.map(({ value }) => value),
    [0.1],
  );
  assert.equal(outsideText(outside, "utc"), "26 Nov is not final and lies outside this height.");
  assert.deepEqual(outsideOf(shown, yRangeOf(shown, false)), [], "nothing is left out of the height of all");
  const two = content(...shown.lines[0].points, point(3, 0.9, "provisional"));
  assert.match(outsideText(outsideOf(two, yRangeOf(two, true)), "utc"), /^2 windows are not final and lie outside/);
  const within = content(point(0, 0.2), point(1, 0.3), point(2, 0.25, "truncated"));
  assert.equal(outsideText(outsideOf(within, yRangeOf(within, true)), "utc"), "");
});
