import assert from "node:assert/strict";
import { test } from "node:test";

const m = await import(process.env.RECMETER_WEB_MODULES);

const table = (name, of, cases) =>
  test(name, () => {
    for (const [given, said] of cases) assert.equal(of(given), said, String(given));
  });

table("values have four significant digits", m.valueText, [
  [0.0251234, "0.02512"],
  [0.5, "0.5000"],
  [1, "1"],
  [0, "0"],
  [5120, "5120"],
  [123456, "123,456"],
  [3.14159, "3.142"],
  [null, "–"],
  [-0.0042, "−0.004200"],
  [0.00001234, "1.23e−5"],
  [99.999, "100.00"],
]);
table("counts are in groups of three", m.countText, [
  [1234567, "1,234,567"],
  [0, "0"],
  [-1234, "−1,234"],
  [undefined, "–"],
]);
table("shares are per cent", m.shareText, [
  [0.0231, "2.3%"],
  [0.5, "50%"],
  [0.0001, "<0.1%"],
  [0, "0%"],
  [0.02, "2%"],
  [1, "100%"],
]);
table("changes have a sign", m.changeText, [
  [0.082, "+8.2%"],
  [-0.082, "−8.2%"],
  [null, "–"],
  [0, "0%"],
]);
table("bytes are in binary units", m.bytesText, [
  [512, "512 B"],
  [1536, "1.5 KiB"],
  [118_000_000, "113 MiB"],
]);
table("durations have two units at most", m.durationText, [
  [5, "5ms"],
  [3200, "3.2s"],
  [59_000, "59s"],
  [60_000, "1m"],
  [7_500_000, "2h 5m"],
  [90_061_000, "1d 1h"],
  [-3000, "−3s"],
]);
table("durations are read back", m.parseDuration, [
  ["30m", 1_800_000],
  ["1d", 86_400_000],
  ["250ms", 250],
  ["", null],
  ["1w", null],
  ["-1h", null],
]);

test("a window says its day once", () => {
  const start = Date.UTC(2023, 10, 14, 22, 14);
  assert.equal(m.windowText(start, start + 60_000, "utc"), "14 Nov 22:14–22:15");
  assert.equal(m.windowText(start, start + 7_200_000, "utc"), "14 Nov 22:14–15 Nov 00:14");
  assert.equal(m.windowText(Date.UTC(2023, 10, 14), Date.UTC(2023, 10, 15), "utc"), "14 Nov");
  assert.equal(m.windowText(start, start + 10_000, "utc"), "14 Nov 22:14:00–22:14:10");
});

test("a range says which of its ends is open", () => {
  assert.equal(m.rangeText([0, 1]), "[0, 1]");
  assert.equal(m.rangeText([0, null]), "[0, ∞)");
  assert.equal(m.rangeText([null, null]), "(−∞, ∞)");
});
table("one list is one list", m.listsText, [
  [1, "1 list"],
  [0, "0 lists"],
  [2000, "2,000 lists"],
]);
