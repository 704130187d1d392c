import assert from "node:assert/strict";
import { test } from "node:test";

const { csvOf } = await import(process.env.RECMETER_WEB_MODULES);

const POINT = {
  start: 0,
  end: 60000,
  value: 0.1234567890123,
  low: null,
  high: 0.2,
  lists: 12,
  stage: "final",
  matured: 1,
  incomplete: ["start", "gap"],
};

test("windows are written in full precision, a record each", () => {
  assert.equal(
    csvOf([{ name: "all lists", points: [POINT] }]),
    "series,start,end,value,low,high,lists,stage,matured,incomplete\r\n" +
      "all lists,1970-01-01T00:00:00.000Z,1970-01-01T00:01:00.000Z,0.1234567890123,,0.2,12,final,1,start gap\r\n",
  );
});

test("no name of a segment can become a cell of its own, or a formula", () => {
  const names = csvOf(['a"b,c', "=1+1"].map((name) => ({ name, points: [POINT] })))
    .split("\r\n")
    .slice(1, 3)
    .map((line) => line.slice(0, 9));
  assert.deepEqual(names, ['"a""b,c",', "'=1+1,197"]);
});
