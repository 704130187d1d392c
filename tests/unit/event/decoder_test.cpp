#include "recmeter/event/decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::batch_of;
using testing::decode;
using testing::small_options;
using testing::told;

struct Case {
  std::string record;
  std::string told;
};

void check(const DecoderOptions& options, const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(told(options, c.record), c.told) << c.record;
}

TEST(EventDecoder, reads_a_whole_list) {
  const EventBatch batch = decode(small_options(), R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u",)"
                                                   R"("items":["a","b"],"scores":[2,1.5],"propensities":[0.5,1],)"
                                                   R"("segments":{"v":"A"}})");
  ASSERT_EQ(batch.events().size(), 1U);
  const Event& e = batch.events().front();
  EXPECT_EQ(e.outcome, Outcome::event);
  EXPECT_EQ(e.kind, EventKind::impression);
  EXPECT_EQ(e.ts.ms, 1700000000000);
  EXPECT_TRUE(e.has_time && e.first_of_record && !e.nobody && !e.has_value);
  EXPECT_EQ(e.key_hash, hash_id("u"));
  EXPECT_EQ(batch.user_id(e), "u");
  EXPECT_EQ(batch.list_id(e), "l");
  EXPECT_EQ(batch.event_id(e), "");
  ASSERT_EQ(e.item_count, 2U);
  EXPECT_EQ(batch.item(e, 0), "a");
  EXPECT_EQ(batch.item(e, 1), "b");
  ASSERT_EQ(batch.scores(e).size(), 2U);
  EXPECT_EQ(batch.scores(e)[0], 2.0);
  ASSERT_EQ(batch.propensities(e).size(), 2U);
  EXPECT_EQ(batch.propensities(e)[1], 1.0);
  ASSERT_EQ(e.segment_count, 1U);
  EXPECT_EQ(batch.segment_key(e, 0), "v");
  EXPECT_EQ(batch.segment_value(e, 0), "A");
  EXPECT_FALSE(e.broker_time.has_value());
}

TEST(EventDecoder, reads_a_row) {
  const EventBatch batch =
      decode(small_options(), R"({"item_id":"a","position":3,"score":-1,"propensity":0.25,"user_id":"u",)"
                              R"("list_id":"l","ts":1700000000000,"type":"impression"})");
  const Event& e = batch.events().front();
  ASSERT_EQ(e.outcome, Outcome::event);
  EXPECT_EQ(e.kind, EventKind::row);
  EXPECT_EQ(e.position, 3U);
  EXPECT_EQ(e.item_count, 1U);
  EXPECT_EQ(batch.item(e, 0), "a");
  ASSERT_EQ(batch.scores(e).size(), 1U);
  EXPECT_EQ(batch.scores(e).front(), -1.0);
  ASSERT_EQ(batch.propensities(e).size(), 1U);
  EXPECT_EQ(batch.propensities(e).front(), 0.25);
}

TEST(EventDecoder, reads_feedback) {
  const EventBatch batch = decode(small_options(), R"({"type":"rating","ts":1700000000000,"user_id":"u","item_id":"a",)"
                                                   R"("list_id":"l","value":4,"event_id":"e"})");
  const Event& e = batch.events().front();
  ASSERT_EQ(e.outcome, Outcome::event);
  EXPECT_EQ(e.kind, EventKind::feedback);
  EXPECT_EQ(e.action, 2);
  EXPECT_EQ(e.item_count, 1U);
  EXPECT_EQ(batch.item(e, 0), "a");
  EXPECT_EQ(batch.list_id(e), "l");
  EXPECT_EQ(batch.event_id(e), "e");
  ASSERT_TRUE(e.has_value);
  EXPECT_EQ(batch.value(e), 4.0);
}

TEST(EventDecoder, makes_one_event_of_each_basket_entry) {
  const std::string record = R"({"type":"purchase","ts":1700000000000,"user_id":"u","event_id":"e","value":2,)"
                             R"("items":["a",{"item_id":7,"value":5,"x":{"item_id":1}},{"value":null,"item_id":"b"}]})";
  EXPECT_EQ(told(small_options(), record),
            R"({"type":"purchase","ts":1700000000000,"user_id":"u","item_id":"a","value":2,"event_id":"e"})"
            "\n"
            R"({"type":"purchase","ts":1700000000000,"user_id":"u","item_id":"7","value":5,"event_id":"e"})"
            "\n"
            R"({"type":"purchase","ts":1700000000000,"user_id":"u","item_id":"b","value":2,"event_id":"e"})");
  const EventBatch batch = decode(small_options(), record);
  EXPECT_EQ(batch.records(), 1U);
  EXPECT_TRUE(batch.events()[0].first_of_record);
  EXPECT_FALSE(batch.events()[1].first_of_record);
  EXPECT_FALSE(batch.events()[2].first_of_record);
}

// [S3.34]: a and c stand twice, one of them with a value on one line only.
TEST(EventDecoder, adds_up_the_lines_of_a_basket_with_one_item) {
  const auto basket = [](const std::string& entries) {
    return R"({"type":"purchase","ts":1700000000000,"user_id":"u","items":[)" + entries + "]}";
  };
  DecoderOptions options = small_options();
  options.list_items_max = 7;
  const EventBatch batch = decode(
      options, basket(R"({"item_id":"a","value":10},"c","b",{"item_id":"a","value":5},{"item_id":"c","value":2},"d","d")"));
  const std::span<const Event> events = batch.events();
  ASSERT_EQ(events.size(), 7U);
  std::string told;
  for (const Event& e : events) {
    told += batch.item(e, 0);
    if (e.is_line) {
      told += " line";
    } else if (e.has_value) {
      told += " " + std::to_string(batch.value(e));
    }
    told += ",";
  }
  EXPECT_EQ(told, "a 15.000000,c 2.000000,b,a line,c line,d,d line,");
  EXPECT_TRUE(events[0].first_of_part);
  const std::string huge = R"({"item_id":"a","value":99999999})";
  check(small_options(), {{basket(huge + "," + huge), "invalid:number_out_of_range"}});
}

TEST(EventDecoder, gives_a_record_with_a_bad_entry_or_an_ignored_basket_one_event) {
  check(small_options(),
        {{R"({"type":"click","ts":1700000000000,"user_id":"u","items":["a","b",null]})", "invalid:wrong_type"},
         {R"({"type":"view","ts":1700000000000,"user_id":"u","items":["a","b","c"]})", "ignored@1700000000000"}});
}

TEST(EventDecoder, keeps_the_order_of_records_and_forgets_the_bad_ones_before) {
  const DecoderOptions options = small_options();
  const auto decoder = make_decoder(options);
  const std::string too_many_scores =
      R"({"type":"impression","ts":1700000000002,"list_id":"l","user_id":"v","items":["c"],"scores":[1,2]})";
  const EventBatch batch = decoder->decode(
      batch_of({R"({"type":"click","ts":1700000000000,"user_id":"u","items":["a","b"]})",
                R"({"type":"click","ts":1700000000001,"user_id":"w","item_id":"toolong"})", "nonsense", too_many_scores,
                R"({"type":"rating","ts":1700000000003,"user_id":"v","item_id":"d","value":1})"}));
  ASSERT_EQ(batch.records(), 5U);
  ASSERT_EQ(batch.events().size(), 6U);
  EXPECT_EQ(batch.events()[2].reason, InvalidReason::id_too_long);
  EXPECT_EQ(batch.events()[3].reason, InvalidReason::not_json);
  EXPECT_EQ(batch.events()[4].reason, InvalidReason::length_mismatch);
  EXPECT_EQ(batch.item(batch.events()[1], 0), "b");
  EXPECT_EQ(canonical_bytes(batch, batch.events()[5], options.actions),
            R"({"type":"rating","ts":1700000000003,"user_id":"v","item_id":"d","value":1})");
  EXPECT_GT(batch.memory_bytes(), 0U);
  EXPECT_TRUE(decoder->decode(batch_of({})).events().empty());
}

TEST(EventDecoder, ignores_a_tombstone_without_time) {
  RecordBatch records;
  records.bytes.resize(RecordBatch::padding);
  records.records.push_back({0, 0, EventTime{1700000000000}, true});
  const EventBatch batch = make_decoder(small_options())->decode(records);
  ASSERT_EQ(batch.events().size(), 1U);
  EXPECT_EQ(batch.events()[0].outcome, Outcome::ignored);
  EXPECT_FALSE(batch.events()[0].has_time);
  EXPECT_EQ(batch.events()[0].broker_time, EventTime{1700000000000});
}

TEST(EventDecoder, hands_the_broker_time_to_every_event_also_an_invalid_one) {
  RecordBatch records = batch_of({R"({"type":"click","ts":1700000000000,"user_id":"u","items":["a","b"]})", "x"});
  for (Record& record : records.records) record.broker_time = EventTime{7};
  const EventBatch batch = make_decoder(small_options())->decode(records);
  ASSERT_EQ(batch.events().size(), 3U);
  for (const Event& event : batch.events()) EXPECT_EQ(event.broker_time, EventTime{7});
}

// [S2.21]
TEST(EventDecoder, ignores_by_type_alone_and_reads_the_time_where_it_can) {
  check(small_options(),
        {
            {R"({"type":"view","ts":1700000000000,"user_id":[],"items":{},"list_id":""})", "ignored@1700000000000"},
            {R"({"type":"view"})", "ignored"},
            {R"({"type":"view","ts":"1700000000000"})", "ignored"},
            {R"({"type":"view","ts":1700000000000.0})", "ignored"},
            {R"({"type":"view","ts":3})", "ignored"},
            {R"({"type":"view","ts":1700000000000,"ts":1700000000001})", "ignored"},
            {R"({"type":"view","ts":1700000000000,"user_id":"a","user_id":"b"})", "ignored@1700000000000"},
            {R"({"type":"Impression","ts":1700000000000})", "ignored@1700000000000"},
        });
}

TEST(EventDecoder, counts_null_as_absent_and_leaves_unknown_and_foreign_fields_alone) {
  const std::string list = R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"]})";
  const std::string click = R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})";
  check(
      small_options(),
      {
          {R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"],"scores":null,)"
           R"("propensities":null,"item_id":null,"position":null,"score":null,"propensity":null,"segments":null})",
           list},
          {R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"],"value":"x","event_id":[]})",
           list},
          {R"({"x":1,"x":2,"X":{"type":"y"},"":[],"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})", click},
          {R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a","items":null,"list_id":null,"value":null,)"
           R"("event_id":null,"scores":7,"position":"x","propensity":9,"segments":{"k":1,"k":[]}})",
           click},
          {"  { \"type\" : \"click\" ,\t\"ts\" : 1700000000000 , \"user_id\" : \"u\" ,\r \"item_id\" : \"a\" } ", click},
          {R"({"t\u0079pe":"cl\u0069ck","ts":1700000000000,"user_id":"u","item_id":"\u0061"})", click},
      });
}

TEST(EventDecoder, reads_an_integer_id_as_its_decimal_text) {
  DecoderOptions options = small_options();
  options.id_bytes_max = 20;
  const auto click = [](const std::string& id) {
    return R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":)" + id + "}";
  };
  check(options, {
                     {click("1"), click("\"1\"")},
                     {click("-0"), click("\"0\"")},
                     {click("0"), click("\"0\"")},
                     {click("-12"), click("\"-12\"")},
                     {click("-9223372036854775808"), click("\"-9223372036854775808\"")},
                     {click("18446744073709551615"), click("\"18446744073709551615\"")},
                     {click("18446744073709551616"), click("\"18446744073709551616\"")},
                     {click("-9223372036854775809"), click("\"-9223372036854775809\"")},
                     {click("123456789012345678901"), "invalid:id_too_long"},
                     {click("1.0"), "invalid:wrong_type"},
                     {click("1e3"), "invalid:wrong_type"},
                     {click("true"), "invalid:wrong_type"},
                 });
}

TEST(EventDecoder, reads_segment_values_as_their_text_in_the_record) {
  const auto list = [](const std::string& segments) {
    return R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"])" + segments + "}";
  };
  check(small_options(), {
                             {list(R"(,"segments":{"n":-0,"f":1.0 ,"e" : 1e3,"i":12,"z":0,"t":true,"b":false})"),
                              list(R"(,"segments":{"b":"false","e":"1e3","f":"1.0","i":"12","n":"-0","t":"true","z":"0"})")},
                             {list(R"(,"segments":{"x":null,"y":"","k":"v"})"), list(R"(,"segments":{"k":"v"})")},
                             {list(R"(,"segments":{"x":null})"), list("")},
                             {list(R"(,"more":NaN,"segments":{"a":1.50,"b":99999999999999999999})"),
                              list(R"(,"segments":{"a":"1.50","b":"99999999999999999999"})")},
                             {list(R"(,"segments":{})"), list("")},
                             {list(R"(,"segments":{"":"v"})"), list(R"(,"segments":{"":"v"})")},
                             {list(R"(,"segments":{"b":1,"\u0061":"-1.50E+2","c":-1.50E+2})"),
                              list(R"(,"segments":{"a":"-1.50E+2","b":"1","c":"-1.50E+2"})")},
                             {list(R"(,"segments":{"k":[]})"), "invalid:wrong_type"},
                             {list(R"(,"segments":{"k":{}})"), "invalid:wrong_type"},
                             {list(R"(,"segments":["k"])"), "invalid:wrong_type"},
                             {list(R"(,"segments":{"k":"a","\u006b":null})"), "invalid:duplicate_key"},
                         });
}

TEST(EventDecoder, sorts_segments_by_key_bytes) {
  EXPECT_EQ(told(small_options(), R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"],)"
                                  R"("segments":{"é":"3","b":"2","B":"1","bb":"4"}})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"],)"
            R"("segments":{"B":"1","b":"2","bb":"4","é":"3"}})");
}

TEST(EventDecoder, reads_an_empty_list) {
  const EventBatch batch = decode(small_options(), R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u",)"
                                                   R"("items":[],"scores":[],"segments":{"k":"v"}})");
  const Event& e = batch.events().front();
  ASSERT_EQ(e.outcome, Outcome::event);
  EXPECT_EQ(e.item_count, 0U);
  EXPECT_TRUE(batch.scores(e).empty());
  EXPECT_EQ(batch.segment_key(e, 0), "k");
}

TEST(EventDecoder, tells_nobody_from_a_user) {
  DecoderOptions options = small_options();
  options.key.not_users = {"anon", "0"};
  const auto event = [&](const std::string& fields) {
    return decode(options, R"({"type":"click","ts":1700000000000,"item_id":"a")" + fields + "}").events().front();
  };
  EXPECT_FALSE(event(R"(,"user_id":"u","list_id":"l")").nobody);
  EXPECT_EQ(event(R"(,"user_id":"u","list_id":"l")").key_hash, hash_id("u"));
  EXPECT_TRUE(event(R"(,"user_id":"anon","list_id":"l")").nobody);
  EXPECT_EQ(event(R"(,"user_id":"anon","list_id":"l")").key_hash, hash_id("l"));
  EXPECT_TRUE(event(R"(,"user_id":-0,"list_id":"l")").nobody);
  EXPECT_EQ(event(R"(,"user_id":"anon")").key_hash, hash_id(""));
  EXPECT_EQ(event("").outcome, Outcome::invalid);

  options.key.by = JoinKey::By::list;
  EXPECT_TRUE(event(R"(,"user_id":"u","list_id":"l")").nobody);
  EXPECT_EQ(event(R"(,"user_id":"u","list_id":"l")").key_hash, hash_id("l"));
  EXPECT_EQ(event(R"(,"list_id":"l")").outcome, Outcome::event);
  EXPECT_EQ(event(R"(,"user_id":"")").reason, InvalidReason::empty_id);
}

TEST(JoinKey, hashes_with_xxh3_seed_0) {
  EXPECT_EQ(hash_id(""), 0x2d06800538d394c2U);  // the published value of the empty input
  EXPECT_NE(hash_id("a"), hash_id("b"));
}

// The native names are only the default table.
TEST(EventDecoder, finds_renamed_fields_and_types_at_dotted_paths) {
  DecoderOptions options = small_options();
  auto path = [&](Field field) -> std::vector<std::string>& { return options.fields.paths[static_cast<std::size_t>(field)]; };
  path(Field::type) = {"event", "name"};
  path(Field::ts) = {"event", "time"};
  path(Field::user_id) = {"user", "id"};
  path(Field::list_id) = {"user", "request", "id"};
  path(Field::item_id) = {"product", "sku"};
  path(Field::segments) = {"user", "groups"};
  options.fields.entry_item_id = {"product", "sku"};
  options.fields.entry_value = {"price"};
  options.fields.types = {{"product_click", "click"}, {"list_view", "impression"}, {"impression", "page_view"}};
  options.fields.time.unit = TimeUnit::seconds;
  options.fields.position_base = 0;
  check(
      options,
      {
          {R"({"product":{"sku":"a"},"user":{"request":{"id":"l"},"id":"u"},"event":{"name":"product_click","time":1700000000}})",
           R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a","list_id":"l"})"},
          {R"({"event":{"name":"list_view","time":1700000000},"user":{"id":"u","request":{"id":"l"},"groups":{"g":1.0}},)"
           R"("items":["a"]})",
           R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a"],"segments":{"g":"1.0"}})"},
          {R"({"event":{"name":"list_view","time":1700000000},"user":{"id":"u","request":{"id":"l"}},)"
           R"("product":{"sku":"a"},"position":0})",
           R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","item_id":"a","position":1})"},
          {R"({"event":{"name":"click","time":1700000000},"user":{"id":"u"},)"
           R"("items":[{"product":{"sku":"a"},"price":2},"b"]})",
           "{\"type\":\"click\",\"ts\":1700000000000,\"user_id\":\"u\",\"item_id\":\"a\",\"value\":2}\n"
           "{\"type\":\"click\",\"ts\":1700000000000,\"user_id\":\"u\",\"item_id\":\"b\"}"},
          // A word of the table means what the table says, also one that is ours.
          {R"({"event":{"name":"impression","time":1700000000}})", "ignored@1700000000000"},
          // Native names mean nothing under another table, nor does a path that ends early or goes nowhere.
          {R"({"type":"click","ts":1700000000,"user_id":"u","item_id":"a"})", "invalid:no_type"},
          {R"({"event":{"name":"click","time":1700000000},"user":{"id":"u"},"product":"a"})", "invalid:missing_field"},
          {R"({"event":{"name":"click","time":1700000000},"user":{"id":"u"},"product":[{"sku":"a"}]})",
           "invalid:missing_field"},
          {R"({"event":{"name":"click","time":1700000000},"user.id":"u","product":{"sku":"a"}})", "invalid:missing_field"},
          // [S2.24]: what counts is the object on the way.
          {R"({"event":{"name":"click","time":1700000000},"user":{"id":"u"},"user":{},"product":{"sku":"a"}})",
           "invalid:duplicate_key"},
          {R"({"event":{"name":"click","time":1700000000},"user":{"id":"u","x":{"id":1,"id":2}},"product":{"sku":"a"}})",
           R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})"},
          {R"({"event":{"name":"click"},"event":{"time":1700000000},"user":{"id":"u"},"product":{"sku":"a"}})",
           "invalid:no_type"},
      });
}

TEST(FieldTable, native_names_are_those_of_the_fields) {
  const FieldTable table = FieldTable::native();
  for (std::size_t i = 0; i < field_count; ++i) {
    EXPECT_EQ(table.paths[i], std::vector<std::string>{std::string(to_string(static_cast<Field>(i)))});
  }
  EXPECT_EQ(table.entry_item_id, std::vector<std::string>{"item_id"});
  EXPECT_EQ(table.entry_value, std::vector<std::string>{"value"});
}

TEST(EventDecoder, reads_times_in_the_unit_of_the_input) {
  const auto click = [](const std::string& ts) { return R"({"type":"click","user_id":"u","item_id":"a","ts":)" + ts + "}"; };
  DecoderOptions options = small_options();
  const auto time_of = [&](TimeUnit unit, const std::string& ts) {
    options.fields.time.unit = unit;
    const EventBatch batch = decode(options, click(ts));
    return batch.events().front().outcome == Outcome::event ? batch.events().front().ts.ms : -1;
  };
  EXPECT_EQ(time_of(TimeUnit::seconds, "1700000000"), 1700000000000);
  EXPECT_EQ(time_of(TimeUnit::microseconds, "1700000000123999"), 1700000000123);
  EXPECT_EQ(time_of(TimeUnit::nanoseconds, "1700000000123999999"), 1700000000123);
  EXPECT_EQ(time_of(TimeUnit::rfc3339, R"("2023-11-14T22:13:20.123Z")"), 1700000000123);
  options.fields.time.unit = TimeUnit::rfc3339;
  check(options, {{click("1700000000123"), "invalid:wrong_type"},
                  {click(R"("yesterday")"), "invalid:wrong_type"},
                  {click(R"("1979-12-31T23:59:59.999Z")"), "invalid:time_out_of_range"},
                  {click(R"("2200-01-01T00:00:00Z")"), "invalid:time_out_of_range"}});
}

}  // namespace
}  // namespace recmeter
