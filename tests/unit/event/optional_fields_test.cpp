// `latency_ms`, `teams` and `team`: known where something uses them, unknown keys elsewhere.
#include <gtest/gtest.h>

#include <string>

#include "recmeter/event/event_code.h"
#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::decode;
using testing::small_options;
using testing::told;

DecoderOptions reading_all() {
  DecoderOptions options = small_options();
  options.reads = {.teams = true, .latency_ms = true};
  return options;
}
// The same by a shape, whose reader looks for what is wanted alone.
DecoderOptions shaped(DecoderOptions options) {
  options.fields.shape = shape_of(options.fields);
  return options;
}

const std::string begin = R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u",)";
std::string list(const std::string& fields) {
  return begin + R"("items":["a","b"])" + fields + "}";
}
std::string row(const std::string& fields) {
  return begin + R"("item_id":"a","position":2)" + fields + "}";
}

TEST(OptionalFields, stand_before_segments_in_canonical_bytes) {
  const std::string after = R"(,"segments":{"k":"v"}})";
  for (const DecoderOptions& options : {reading_all(), shaped(reading_all())}) {
    EXPECT_EQ(told(options, list(R"(,"segments":{"k":"v"},"latency_ms":12.50,"teams":["A",null],"propensities":[1,1])")),
              begin + R"("items":["a","b"],"propensities":[1,1],"teams":["A",null],"latency_ms":12.5)" + after);
    EXPECT_EQ(told(options, row(R"(,"segments":{"k":"v"},"latency_ms":0,"team":"B","propensity":1)")),
              begin + R"("item_id":"a","position":2,"propensity":1,"team":"B","latency_ms":0)" + after);
    EXPECT_EQ(told(options, row(R"(,"latency_ms":null,"team":null)")), row(""));
    EXPECT_EQ(told(options, row(R"(,"team":"")")), row(""));
    EXPECT_EQ(told(options, list(R"(,"teams":["","A"])")), list(R"(,"teams":[null,"A"])"));
    EXPECT_EQ(told(options, list(R"(,"team":"A")")), list("")) << "a row's field";
    EXPECT_EQ(told(options, row(R"(,"teams":["A","B"])")), row("")) << "a list's field";
  }
}

TEST(OptionalFields, are_checked) {
  const std::string longer = "\"" + std::string(25, 'x') + "\"";
  for (const DecoderOptions& options : {reading_all(), shaped(reading_all())}) {
    EXPECT_EQ(told(options, list(R"(,"teams":["A"])")), "invalid:length_mismatch");
    EXPECT_EQ(told(options, list(R"(,"teams":[])")), "invalid:length_mismatch");
    EXPECT_EQ(told(options, list(R"(,"teams":"A")")), "invalid:wrong_type");
    EXPECT_EQ(told(options, list(R"(,"teams":["A",7])")), "invalid:wrong_type");
    EXPECT_EQ(told(options, list(R"(,"teams":["A",)" + longer + "]")), "invalid:segment_too_long");
    EXPECT_EQ(told(options, row(R"(,"team":7)")), "invalid:wrong_type");
    EXPECT_EQ(told(options, list(R"(,"latency_ms":"12")")), "invalid:wrong_type");
    EXPECT_EQ(told(options, list(R"(,"latency_ms":-0.001)")), "invalid:number_out_of_range");
    EXPECT_EQ(told(options, list(R"(,"latency_ms":100000001)")), "invalid:number_out_of_range");
    EXPECT_EQ(told(options, list(R"(,"latency_ms":1,"latency_ms":1)")), "invalid:duplicate_key");
    EXPECT_EQ(told(options, list(R"(,"latency_ms":-0.0)")), list(R"(,"latency_ms":0)"));
  }
}

TEST(OptionalFields, are_unknown_keys_where_nothing_uses_them) {
  for (const DecoderOptions& options : {small_options(), shaped(small_options())}) {
    EXPECT_EQ(told(options, list(R"(,"latency_ms":"x","latency_ms":-1,"teams":[1],"teams":2,"team":[])")), list(""));
  }
  DecoderOptions one = small_options();
  one.reads = {.latency_ms = true};
  EXPECT_EQ(told(one, list(R"(,"latency_ms":3,"teams":[1])")), list(R"(,"latency_ms":3)"));
}

TEST(OptionalFields, of_entries_that_are_objects) {
  DecoderOptions options = shaped(reading_all());
  options.fields.shape->common.entry[static_cast<std::size_t>(EntryField::team)] = FieldSource{.path = path_of_names({"t"})};
  const std::string entries = begin + R"("items":[{"item_id":"a","t":"A"},{"item_id":"b"}]})";
  EXPECT_EQ(told(options, entries), list(R"(,"teams":["A",null])"));
  options.reads = {};
  EXPECT_EQ(told(options, entries), list(""));
}

TEST(OptionalFields, come_back_from_their_byte_code) {
  const DecoderOptions options = reading_all();
  for (const std::string& record :
       {list(R"(,"scores":[1,2],"propensities":[1,1],"teams":["A",null],"latency_ms":7.25,"segments":{"k":"v"})"),
        list(R"(,"latency_ms":7.25)"), list(R"(,"teams":["A","B"])"), row(R"(,"score":1,"team":"A","latency_ms":0.5)")}) {
    const EventBatch before = decode(options, record);
    ByteWriter writer;
    write_event(writer, before, before.events().front());
    const std::string bytes = writer.take();
    ByteReader reader(bytes);
    const auto after = read_events(reader, 1, options.key, {.actions = options.actions.size()});
    ASSERT_TRUE(after) << record;
    EXPECT_TRUE(reader.is_done());
    EXPECT_EQ(canonical_bytes(*after, after->events().front(), options.actions), told(options, record));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ByteReader cut(std::string_view(bytes).substr(0, size));
      EXPECT_FALSE(read_events(cut, 1, options.key, {.actions = options.actions.size()})) << record << " cut at " << size;
    }
  }
}

}  // namespace
}  // namespace recmeter
