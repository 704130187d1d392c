import assert from "node:assert/strict";
import { test } from "node:test";

const { statusOf } = await import(process.env.RECMETER_WEB_MODULES);

test("a status knows fates and reasons as the report has them", () => {
  const status = statusOf({
    events: { read: 9, duplicate: 3, duplicates: { again: 2, late_row: 1 } },
    invalid_reasons: { not_json: 4 },
  });
  assert.deepEqual(
    [...status.events],
    [
      ["read", 9],
      ["duplicate", 3],
    ],
  );
  assert.deepEqual(
    [...status.duplicateReasons],
    [
      ["again", 2],
      ["late_row", 1],
    ],
  );
  assert.deepEqual([...status.invalidReasons], [["not_json", 4]]);
  assert.deepEqual([...statusOf({}).duplicateReasons], [], "older reports have none");
  assert.deepEqual([...statusOf({}).judged], []);
});

test("a report of recommenders knows how much of theirs was judged, by cutoff", () => {
  const { judged } = statusOf({
    prequential: { recommenders: [{ name: "live", judged_share: { 5: 1, 10: 0.5 } }, { name: "top" }] },
  });
  assert.equal(judged.get("live").get(10), 0.5);
  assert.deepEqual([...judged.get("top")], []);
});
