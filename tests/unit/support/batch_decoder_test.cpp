// One record each: the reason the rules of [S2] give, worked out by hand.
#include "support/batch_decoder.h"

#include <gtest/gtest.h>

#include "scripted_batch.h"
#include "support/event_clock.h"

namespace recmeter::support {
namespace {

DecodedRecord decode(const std::string& line) {
  EvaluatorSpec spec = small_spec();
  spec.limits.id_bytes = 8;
  spec.limits.list_items = 3;
  spec.limits.segment_bytes = 16;
  spec.limits.message_bytes = 300;
  const FieldTable fields = native_fields();
  return BatchDecoder(spec, fields).decode(line);
}

TEST(BatchDecoder, gives_the_first_reason_that_applies) {
  const std::string list = R"("type":"impression","ts":1700000000000,"user_id":"u","list_id":"l")";
  const std::string click = R"("type":"click","ts":1700000000000,"user_id":"u")";
  const std::vector<std::pair<std::string, InvalidReason>> cases{
      {"{", InvalidReason::not_json},
      {"[]", InvalidReason::not_an_object},
      {R"({"type":""})", InvalidReason::no_type},
      {R"({"type":"click","type":"click"})", InvalidReason::no_type},
      {"{" + list + "}", InvalidReason::missing_field},
      {"{" + list + R"(,"items":null})", InvalidReason::missing_field},
      {"{" + list + R"(,"item_id":"a"})", InvalidReason::missing_field},
      {"{" + list + R"(,"items":["a",null]})", InvalidReason::wrong_type},
      {"{" + list + R"(,"items":["a",1.0]})", InvalidReason::wrong_type},
      {"{" + list + R"(,"items":["a"],"segments":{"v":[]}})", InvalidReason::wrong_type},
      {"{" + list + R"(,"items":[""]})", InvalidReason::empty_id},
      {"{" + list + R"(,"items":["123456789"]})", InvalidReason::id_too_long},
      {"{" + list + R"(,"items":[],"items":[]})", InvalidReason::duplicate_key},
      {"{" + list + R"(,"items":[],"value":1,"value":1})", InvalidReason::duplicate_key},
      {"{" + list + R"(,"items":[],"segments":{"v":null,"v":"A"}})", InvalidReason::duplicate_key},
      {"{" + list + R"(,"items":["a","b","c","d"]})", InvalidReason::too_many_items},
      {"{" + list + R"(,"item_id":"a","position":0})", InvalidReason::bad_position},
      {"{" + list + R"(,"item_id":"a","position":4})", InvalidReason::bad_position},
      {"{" + list + R"(,"item_id":"a","position":1.5})", InvalidReason::bad_position},
      {"{" + list + R"(,"items":[],"item_id":"a"})", InvalidReason::items_and_item_id},
      {"{" + click + R"(,"items":[]})", InvalidReason::empty_basket},
      {"{" + list + R"(,"items":["a"],"scores":[]})", InvalidReason::length_mismatch},
      {"{" + list + R"(,"items":["a"],"scores":[1e999]})", InvalidReason::number_out_of_range},
      {"{" + click + R"(,"item_id":"a","value":-100000000.5})", InvalidReason::number_out_of_range},
      {"{" + list + R"(,"items":["a"],"propensities":[0]})", InvalidReason::bad_propensity},
      {"{" + list + R"(,"items":["a"],"segments":{"k":")" + std::string(17, 'v') + "\"}}", InvalidReason::segment_too_long},
      {R"({"type":"click","ts":315532799999,"user_id":"u","item_id":"a"})", InvalidReason::time_out_of_range},
      {R"({"type":"click","ts":7258118400000,"user_id":"u","item_id":"a"})", InvalidReason::time_out_of_range},
      {R"({"type":"click","ts":1.7e12,"user_id":"u","item_id":"a"})", InvalidReason::wrong_type},
      {std::string(301, ' '), InvalidReason::too_long},
      {"{" + click + R"(,"item_id":"a","x":"\ud800"})", InvalidReason::not_json},
  };
  for (const auto& [line, reason] : cases) {
    const DecodedRecord record = decode(line);
    EXPECT_EQ(record.outcome, DecodedRecord::Outcome::invalid) << line;
    EXPECT_EQ(static_cast<int>(record.reason), static_cast<int>(reason)) << line;
  }
}

TEST(BatchDecoder, reads_integers_as_ids) {
  const DecodedRecord record = decode(R"({"type":"click","ts":1700000000000,"user_id":-0,"item_id":12,"x":1,"x":2})");
  ASSERT_EQ(record.outcome, DecodedRecord::Outcome::events);
  EXPECT_EQ(record.events[0].user_id, "0");
  EXPECT_EQ(record.events[0].items[0], "12");
}

TEST(BatchDecoder, looks_for_fields_only_where_the_table_says) {
  EvaluatorSpec spec = small_spec();
  FieldTable fields = native_fields();
  fields.paths[static_cast<std::size_t>(Field::user_id)] = {"user", "id"};
  fields.types["pressed"] = "click";
  fields.time.unit = TimeUnit::rfc3339;
  const BatchDecoder decoder(spec, fields);
  const DecodedRecord record = decoder.decode(
      R"({"type":"pressed","ts":"2023-11-14T23:00:00.9999+01:00","user":{"id":"u","x":1},"user_id":7,"item_id":"a"})");
  ASSERT_EQ(record.outcome, DecodedRecord::Outcome::events);
  EXPECT_EQ(record.events[0].ts, hour_zero_ms + 999);
  EXPECT_EQ(record.events[0].user_id, "u");
  const DecodedRecord twice =
      decoder.decode(R"({"type":"pressed","ts":"2023-11-14T22:00:00Z","user":{"id":"u"},"user":{},"item_id":"a"})");
  EXPECT_EQ(twice.reason, InvalidReason::duplicate_key);
}

TEST(EventClock, floors_finer_units) {
  EXPECT_EQ(integer_time("1700000000", TimeUnit::seconds), 1700000000000);
  EXPECT_EQ(integer_time("1700000000000999", TimeUnit::microseconds), 1700000000000);
  EXPECT_EQ(integer_time("1700000000000999999", TimeUnit::nanoseconds), 1700000000000);
  EXPECT_EQ(integer_time("-1", TimeUnit::milliseconds), std::nullopt);
}

TEST(EventClock, refuses_dates_that_do_not_exist) {
  EXPECT_TRUE(rfc3339_time("2024-02-29T00:00:00Z").well_formed);
  EXPECT_FALSE(rfc3339_time("2023-02-29T00:00:00Z").well_formed);
  EXPECT_FALSE(rfc3339_time("2023-02-28T24:00:00Z").well_formed);
  EXPECT_FALSE(rfc3339_time("2023-02-28T00:00:00").well_formed);
  EXPECT_FALSE(rfc3339_time("1979-12-31T23:59:59.999Z").ms.has_value());
}

}  // namespace
}  // namespace recmeter::support
