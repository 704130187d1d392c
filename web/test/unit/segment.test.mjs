import assert from "node:assert/strict";
import { test } from "node:test";

const { parseSegment, sameSegment, segmentLabel, segmentOfObject, segmentText } = await import(
  process.env.RECMETER_WEB_MODULES
);

test("any text comes back from the address as it went in", () => {
  for (const value of ["A", "", "a:b", "a,b", "\\", "\\,:", "(none)", "<b>", "ключ", "\u0000", "a b&c=d", "__proto__"]) {
    for (const key of ["variant", "__proto__", "a:b,c\\"]) {
      const segment = [
        [key, value],
        ["other", "x"],
      ];
      assert.deepEqual(parseSegment(segmentText(segment)), segment);
    }
  }
});

test("the empty text is the whole", () => {
  assert.deepEqual(parseSegment(""), []);
  assert.equal(segmentText([]), "");
});

test("what is not a segment is none", () => {
  for (const text of ["a", "a:b,", ",", ":b", "a:b:c", "a:b\\", "a:b,c"]) assert.equal(parseSegment(text), null, text);
});

test("the order of keys does not matter", () => {
  assert.ok(
    sameSegment(
      [
        ["a", "1"],
        ["b", "2"],
      ],
      [
        ["b", "2"],
        ["a", "1"],
      ],
    ),
  );
  assert.ok(
    !sameSegment(
      [["a", "1,b:2"]],
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ),
  );
});

test("a label cannot turn the direction of the text around it", () => {
  assert.equal(segmentLabel([["variant", "A\u202eB\n"]]), "variant=A\ufffdB\ufffd");
  assert.equal(segmentLabel([]), "all lists");
});

test("a row's segment keeps a key that objects have a meaning for", () => {
  assert.deepEqual(segmentOfObject(JSON.parse('{"__proto__":"x","a":"y"}')), [
    ["__proto__", "x"],
    ["a", "y"],
  ]);
});
