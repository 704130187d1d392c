import assert from "node:assert/strict";
import { test } from "node:test";

const { NO_CONTENT, pointText, stageText } = await import(process.env.RECMETER_WEB_MODULES);

test("one window in words says what is missing of it, and not that every log has a beginning", () => {
  const point = { start: 0, end: 1, value: 0.25, low: null, high: null, lists: 9, stage: "final", matured: 1 };
  const text = (...incomplete) => pointText(NO_CONTENT, { ...point, incomplete });
  assert.equal(text(), "0.2500 (no interval)");
  assert.equal(text("start"), "0.2500 (no interval)");
  assert.equal(text("start", "gap"), "0.2500 (no interval); incomplete: records were gone before they were read");
});

test("a window that the end of the log cuts off says how many lists had their time", () => {
  const text = (matured) => stageText({ stage: "truncated", matured });
  assert.equal(text(0), "cut off by the end of the log: no list had all its time for feedback");
  assert.equal(text(0.44), "cut off by the end of the log: 44% of the lists had all their time for feedback");
});
