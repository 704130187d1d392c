// What is quoted of an invalid record: its line, the field at fault, its value. [I2].
#include <gtest/gtest.h>

#include "recmeter/result/invalid_record.h"
#include "shapes/decoded.h"
#include "unit/event/records.h"

namespace recmeter::test {
namespace {

std::string fault(std::string_view record) {
  DecoderOptions options;
  options.actions = {"click"};
  const EventBatch batch = recmeter::testing::decode(options, record);
  EXPECT_EQ(batch.invalid_samples().size(), 1U) << record;
  return batch.invalid_samples().empty() ? "" : fault_text(batch.invalid_samples().front());
}
std::string click(std::string_view members) {
  return R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a")" + std::string(members) + "}";
}
std::string list(std::string_view members) {
  return R"({"type":"impression","ts":1700000000000,"user_id":"u","list_id":"l",)" + std::string(members) + "}";
}

TEST(InvalidSample, names_the_field_and_its_value) {
  EXPECT_EQ(fault(R"({"type":"click","ts":"yesterday","user_id":"u","item_id":"a"})"), "wrong_type: `ts` is \"yesterday\"");
  EXPECT_EQ(fault(R"({"type":"click","ts":17,"user_id":"u","item_id":"a"})"), "time_out_of_range: `ts` is 17");
  EXPECT_EQ(fault(R"({"type":"click","ts":1700000000000,"user_id":true,"item_id":"a"})"), "wrong_type: `user_id` is true");
  EXPECT_EQ(fault(R"({"type":"click","ts":1700000000000,"user_id":"u"})"), "missing_field: `item_id`");
  EXPECT_EQ(fault(click(R"(,"value":1e9)")), "number_out_of_range: `value` is 1e+09");
  EXPECT_EQ(fault(click(R"(,"list_id":"")")), "empty_id: `list_id` is \"\"");
  EXPECT_EQ(fault(click(R"(,"ts":2)")), "duplicate_key: `ts`");
  EXPECT_EQ(fault(list(R"("items":["a",{"b":1}])")), "wrong_type: `items` is an object");
  EXPECT_EQ(fault(list(R"("items":"a")")), "wrong_type: `items` is \"a\"");
  EXPECT_EQ(fault(list(R"("items":["a"],"scores":[1,"x"])")), "wrong_type: `scores` is \"x\"");
  EXPECT_EQ(fault(list(R"("items":["a"],"scores":[1,2])")), "length_mismatch: `scores`");
  EXPECT_EQ(fault(list(R"("item_id":"a","position":0)")), "bad_position: `position` is 0");
  EXPECT_EQ(fault(list(R"("item_id":"a")")), "missing_field: `position`");
  EXPECT_EQ(fault(list(R"("items":["a"],"segments":7)")), "wrong_type: `segments` is 7");
}

TEST(InvalidSample, of_an_entry_names_its_position) {
  DecoderOptions options;
  options.fields.shape = shape_of(options.fields);
  const auto path = [](std::string name) { return FieldSource{.path = path_of_names({std::move(name)})}; };
  options.fields.shape->common.entry[static_cast<std::size_t>(EntryField::item_id)] = path("id");
  options.fields.shape->common.entry[static_cast<std::size_t>(EntryField::position)] = path("at");
  const auto of = [&](std::string_view first, std::string_view second) {
    const EventBatch batch = recmeter::testing::decode(options, list(R"("items":[{"id":"a","at":)" + std::string(first) +
                                                                     R"(},{"id":"b","at":)" + std::string(second) + "}]"));
    return batch.invalid_samples().empty() ? "none" : fault_text(batch.invalid_samples().front());
  };
  EXPECT_EQ(of("1", "2"), "none");
  EXPECT_EQ(of("1", "0"), "bad_position: `position` is 0");
  EXPECT_EQ(of("2", "2"), "bad_position: `position` is 2");
  EXPECT_EQ(of("-1", "1"), "bad_position: `position` is -1");
  EXPECT_EQ(of("true", "1"), "wrong_type: `position` is true");
}

// [I3.31].
TEST(InvalidSample, says_how_long_lists_are_that_should_be_as_long) {
  const auto at = [](const char* name) { return FieldSource{.path = path_of_names({name})}; };
  DecoderOptions options;
  options.actions = {"click"};
  options.fields.shape = shape_of(FieldTable::native());
  options.fields.shape->common.fields[static_cast<std::size_t>(Field::items)] =
      FieldSource{.kind = FieldSource::Kind::zip, .parts = {at("items"), at("labels")}};
  const EventBatch batch = recmeter::testing::decode(options, list(R"("items":["a","b"],"labels":[1])"));
  ASSERT_EQ(batch.invalid_samples().size(), 1U);
  EXPECT_EQ(fault_text(batch.invalid_samples().front()), "length_mismatch: `items` is \"2 and 1 entries\"");
}

TEST(InvalidSample, of_what_is_no_record_is_the_reason_alone) {
  EXPECT_EQ(fault("{"), "not_json");
  EXPECT_EQ(fault("[]"), "not_an_object");
  EXPECT_EQ(fault("{}"), "no_type");
}

TEST(InvalidSample, is_the_first_for_each_reason) {
  DecoderOptions options;
  options.actions = {"click"};
  const EventBatch batch = make_decoder(options)->decode(recmeter::testing::batch_of({"{", "{{", "[]", "{"}));
  ASSERT_EQ(batch.invalid_samples().size(), 2U);
  EXPECT_EQ(batch.invalid_samples()[0].event, 0U);
  EXPECT_EQ(batch.invalid_samples()[1].event, 2U);
}

TEST(InvalidRecord, is_quoted_on_one_line_and_cut) {
  InvalidRecord record{.partition = "log.jsonl", .sample = {}};
  record.sample.line = 17;
  record.sample.record = "a\tb\n\x1b[31m\xff" + std::string(200, 'x');
  const std::string sentence = sentence_of(record);
  EXPECT_TRUE(sentence.starts_with(R"(line 17 of log.jsonl is invalid, not_json, in a\x09b\x0a\x1b[31m\xffxxx)")) << sentence;
  EXPECT_TRUE(sentence.ends_with("xxx...")) << sentence;
  EXPECT_LT(sentence.size(), 200U);
}

}  // namespace
}  // namespace recmeter::test
