// Every reason of the closed set, and for each limit the last value that is fine and the first that is not.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::small_options;
using testing::told;

struct Case {
  const char* name;
  std::string record;
  const char* told;  // "" for one or more events
};

// The record that is right but for `fields`, which come last.
std::string list(const std::string& fields) {
  return R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u",)" + fields + "}";
}
std::string row(const std::string& fields) {
  return list(R"("item_id":"a",)" + fields);
}
std::string segment(const std::string& key, const std::string& value) {
  return list(R"("items":["a"],"segments":{")" + key + "\":" + value + "}");
}
std::string click(const std::string& fields) {
  return R"({"type":"click","ts":1700000000000,"user_id":"u",)" + fields + "}";
}
std::string at(const std::string& ts) {
  return R"({"type":"click","user_id":"u","item_id":"a","ts":)" + ts + "}";
}
std::string padded(std::size_t size) {
  std::string record = click(R"("item_id":"a","x":"")");
  record.insert(record.size() - 2, size - record.size(), 'x');
  return record;
}

// style: long because it is a table, one line a case
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"at_message_bytes", padded(1000), ""},
      {"over_message_bytes", padded(1001), "invalid:too_long"},
      {"too_long_before_not_json", std::string(1001, '?'), "invalid:too_long"},

      {"empty", "", "invalid:not_json"},
      {"spaces", "   ", "invalid:not_json"},
      {"cut", R"({"type":"click")", "invalid:not_json"},
      {"two_objects", click(R"("item_id":"a")") + click(R"("item_id":"a")"), "invalid:not_json"},
      {"trailing_comma", R"({"type":"click",})", "invalid:not_json"},
      {"single_quotes", "{'type':'click'}", "invalid:not_json"},
      {"nan_glued", click(R"("item_id":"a","x":NaNN)"), "invalid:not_json"},
      {"nan_behind_a_digit", click(R"("item_id":"a","x":1NaN)"), "invalid:not_json"},
      {"nan_as_a_key", click(R"("item_id":"a",NaN:1)"), "invalid:not_json"},
      {"nan_of_another_case", click(R"("item_id":"a","x":nan)"), "invalid:not_json"},
      {"long_number_with_a_zero_first", click(R"("item_id":"a","x":[00000000000000000000001])"), "invalid:not_json"},
      {"nan_skipped", click(R"("item_id":"a","x":[NaN,Infinity,{"y":-Infinity}],"z":"NaN")"), ""},
      {"bad_skipped_literal", click(R"("item_id":"a","x":[{"y":nul}])"), "invalid:not_json"},
      {"bad_skipped_number", click(R"("item_id":"a","x":01)"), "invalid:not_json"},
      {"bad_skipped_escape", click(R"("item_id":"a","x":"\q")"), "invalid:not_json"},
      {"bad_skipped_key", click(R"("item_id":"a",1:2)"), "invalid:not_json"},
      {"ignored_type_does_not_excuse", R"({"type":"view","x":nul})", "invalid:not_json"},
      {"control_character", click("\"item_id\":\"a\",\"x\":\"\x01\""), "invalid:not_json"},
      {"nul_byte", click(std::string("\"item_id\":\"a\",\"x\":\"\0\"", 20)), "invalid:not_json"},
      {"nul_byte_behind", click(R"("item_id":"a")") + std::string(1, '\0'), "invalid:not_json"},
      {"bad_utf8", click("\"item_id\":\"a\",\"x\":\"\xC3\x28\""), "invalid:not_json"},
      {"surrogate_in_utf8", click("\"item_id\":\"a\",\"x\":\"\xED\xA0\x80\""), "invalid:not_json"},
      {"byte_order_mark_inside_a_file", "\xEF\xBB\xBF" + click(R"("item_id":"a")"), "invalid:not_json"},
      {"lone_high_surrogate", click(R"("item_id":"\ud800")"), "invalid:not_json"},
      {"lone_high_surrogate_then_letter", click(R"("item_id":"a","x":"\uD800a")"), "invalid:not_json"},
      {"lone_high_surrogate_then_other_escape", click(R"("item_id":"a","x":"\ud800\u0041")"), "invalid:not_json"},
      {"two_high_surrogates", click(R"("item_id":"a","x":"\ud800\ud800")"), "invalid:not_json"},
      {"lone_low_surrogate", click(R"("item_id":"a","x":"\udc00")"), "invalid:not_json"},
      {"lone_surrogate_in_a_key", click(R"("item_id":"a","\udfff":1)"), "invalid:not_json"},
      {"lone_surrogate_in_an_ignored_record", R"({"type":"view","x":"\udfff"})", "invalid:not_json"},
      {"surrogate_pair", click(R"("item_id":"\ud83d\ude00")"), ""},
      {"escaped_backslash_before_u", click(R"("item_id":"a","x":"\\ud800")"), ""},
      {"number_beyond_double", click(R"("item_id":"a","x":1e400,"y":-1e400)"), ""},
      {"number_below_double", click(R"("item_id":"a","x":NaN,"value":1e-400)"), ""},
      {"long_number_below_double", click(R"("item_id":"a","x":NaN,"value":0.)" + std::string(400, '0') + "1"), ""},
      {"long_number_beyond_double", click(R"("item_id":"a","value":)" + std::string(400, '9') + ".5"),
       "invalid:number_out_of_range"},
      {"long_number_in_range", click(R"("item_id":"a","x":NaN,"value":0.)" + std::string(310, '0') + "1e310"), ""},
      {"long_integer", click(R"("item_id":"a","x":-123456789012345678901234567890)"), ""},
      {"depth", click(R"("item_id":"a","x":)" + std::string(300, '[') + std::string(300, ']')), ""},

      {"array", "[1]", "invalid:not_an_object"},
      {"number", "1", "invalid:not_an_object"},
      {"string", R"("type")", "invalid:not_an_object"},
      {"null", "null", "invalid:not_an_object"},

      {"type_absent", "{}", "invalid:no_type"},
      {"type_null", R"({"type":null})", "invalid:no_type"},
      {"type_empty", R"({"type":""})", "invalid:no_type"},
      {"type_number", R"({"type":1})", "invalid:no_type"},
      {"type_twice", R"({"type":"click","type":"click"})", "invalid:no_type"},
      {"type_twice_escaped", R"({"type":"view","typ\u0065":"click"})", "invalid:no_type"},
      {"type_null_then_there", R"({"type":null,"type":"click"})", "invalid:no_type"},

      {"no_ts", R"({"type":"click","user_id":"u","item_id":"a"})", "invalid:missing_field"},
      {"null_ts", at("null"), "invalid:missing_field"},
      {"no_user", R"({"type":"click","ts":1700000000000,"item_id":"a"})", "invalid:missing_field"},
      {"click_without_item", R"({"type":"click","ts":1700000000000,"user_id":"u"})", "invalid:missing_field"},
      {"click_with_null_items", click(R"("items":null)"), "invalid:missing_field"},
      {"entry_without_item", click(R"("items":[{"value":1}])"), "invalid:missing_field"},
      {"list_without_list_id", R"({"type":"impression","ts":1700000000000,"user_id":"u","items":["a"]})",
       "invalid:missing_field"},
      {"list_without_items", list(R"("scores":[])"), "invalid:missing_field"},
      {"row_without_position", row(R"("score":1)"), "invalid:missing_field"},
      {"row_without_item", list(R"("position":1)"), "invalid:missing_field"},
      {"missing_before_wrong_type", R"({"type":"click","user_id":[],"item_id":"a"})", "invalid:missing_field"},

      {"missing_after_wrong_type", R"({"type":"click","ts":"x","user_id":"u"})", "invalid:missing_field"},
      {"ts_string", at(R"("1700000000000")"), "invalid:wrong_type"},
      {"ts_fraction", at("1700000000000.0"), "invalid:wrong_type"},
      {"ts_exponent", at("17e11"), "invalid:wrong_type"},
      {"ts_nan", at("NaN"), "invalid:wrong_type"},
      {"ts_long_integer", at("17000000000000000000000"), "invalid:wrong_type"},
      {"id_nan", click(R"("item_id":NaN)"), "invalid:wrong_type"},
      {"id_beyond_double", click(R"("item_id":1e400)"), "invalid:wrong_type"},
      {"segment_nan", segment("k", "NaN"), "invalid:wrong_type"},
      {"type_nan", R"({"type":NaN})", "invalid:no_type"},
      {"id_object", click(R"("item_id":{})"), "invalid:wrong_type"},
      {"id_bool", click(R"("item_id":true)"), "invalid:wrong_type"},
      {"id_fraction", click(R"("item_id":1.5)"), "invalid:wrong_type"},
      {"list_id_array", click(R"("item_id":"a","list_id":[])"), "invalid:wrong_type"},
      {"event_id_bool", click(R"("item_id":"a","event_id":false)"), "invalid:wrong_type"},
      {"value_string", click(R"("item_id":"a","value":"1")"), "invalid:wrong_type"},
      {"items_string", list(R"("items":"a")"), "invalid:wrong_type"},
      {"items_with_null", list(R"("items":["a",null])"), "invalid:wrong_type"},
      {"items_with_object", list(R"("items":[{"item_id":"a"}])"), "invalid:wrong_type"},
      {"basket_string", click(R"("items":"a")"), "invalid:wrong_type"},
      {"basket_with_array", click(R"("items":[["a"]])"), "invalid:wrong_type"},
      {"entry_value_string", click(R"("items":[{"item_id":"a","value":"1"}])"), "invalid:wrong_type"},
      {"scores_number", list(R"("items":["a"],"scores":1)"), "invalid:wrong_type"},
      {"scores_with_null", list(R"("items":["a"],"scores":[null])"), ""},
      {"scores_with_nan", list(R"("items":["a"],"scores":[NaN])"), ""},
      {"row_score_nan", row(R"("position":1,"score":NaN)"), ""},
      {"propensities_with_null", list(R"("items":["a"],"propensities":[null])"), "invalid:wrong_type"},
      {"propensities_with_string", list(R"("items":["a"],"propensities":["1"])"), "invalid:wrong_type"},
      {"score_string", row(R"("position":1,"score":"1")"), "invalid:wrong_type"},
      {"position_string", row(R"("position":"1")"), "invalid:wrong_type"},
      {"segments_string", list(R"("items":["a"],"segments":"k")"), "invalid:wrong_type"},
      {"a_rows_field_on_a_list", list(R"("items":["a"],"score":"x")"), "invalid:wrong_type"},
      {"a_lists_field_on_a_row", row(R"("position":1,"scores":"x")"), "invalid:wrong_type"},

      {"empty_item", click(R"("item_id":"")"), "invalid:empty_id"},
      {"empty_user", R"({"type":"click","ts":1700000000000,"user_id":"","item_id":"a"})", "invalid:empty_id"},
      {"empty_list_id", click(R"("item_id":"a","list_id":"")"), "invalid:empty_id"},
      {"empty_event_id", click(R"("item_id":"a","event_id":"")"), "invalid:empty_id"},
      {"empty_item_in_list", list(R"("items":["a",""])"), "invalid:empty_id"},

      {"id_at_limit", click(R"("item_id":"abcd")"), ""},
      {"id_over_limit", click(R"("item_id":"abcde")"), "invalid:id_too_long"},
      {"bytes_not_characters", click("\"item_id\":\"éé\""), ""},
      {"bytes_not_characters_over", click("\"item_id\":\"ééa\""), "invalid:id_too_long"},
      {"integer_at_limit", click(R"("item_id":-123)"), ""},
      {"long_integer_over_limit", click(R"("item_id":123456789012345678901)"), "invalid:id_too_long"},
      {"integer_over_limit", click(R"("item_id":-1234)"), "invalid:id_too_long"},
      {"empty_before_too_long", click(R"("item_id":"abcde","list_id":"")"), "invalid:empty_id"},

      {"empty_after_too_long", click(R"("item_id":"","list_id":"abcde")"), "invalid:empty_id"},

      {"item_twice", click(R"("item_id":"a","item_id":"a")"), "invalid:duplicate_key"},
      {"a_key_twice_once_null", click(R"("item_id":"a","value":null,"value":1)"), "invalid:duplicate_key"},
      {"a_known_key_of_another_kind_twice", click(R"("item_id":"a","position":1,"position":1)"), "invalid:duplicate_key"},
      {"segment_twice", list(R"("items":["a"],"segments":{"k":"v","k":"v"})"), "invalid:duplicate_key"},
      {"entry_key_twice", click(R"("items":[{"item_id":"a","item_id":"b"}])"), "invalid:duplicate_key"},

      {"first_time", at("315532800000"), ""},
      {"before_first_time", at("315532799999"), "invalid:time_out_of_range"},
      {"last_time", at("7258118399999"), ""},
      {"after_last_time", at("7258118400000"), "invalid:time_out_of_range"},
      {"time_beyond_int64", at("18446744073709551615"), "invalid:time_out_of_range"},
      {"time_minus_zero", at("-0"), "invalid:time_out_of_range"},

      {"items_at_limit", list(R"("items":["a","b","c"])"), ""},
      {"items_over_limit", list(R"("items":["a","b","c","d"])"), "invalid:too_many_items"},
      {"basket_at_limit", click(R"("items":["a","b","c"])"), ""},
      {"basket_over_limit", click(R"("items":["a","b","c","d"])"), "invalid:too_many_items"},

      {"position_1", row(R"("position":1)"), ""},
      {"position_at_limit", row(R"("position":3)"), ""},
      {"position_0", row(R"("position":0)"), "invalid:bad_position"},
      {"position_over_limit", row(R"("position":4)"), "invalid:bad_position"},
      {"position_negative", row(R"("position":-9223372036854775808)"), "invalid:bad_position"},
      {"position_huge", row(R"("position":18446744073709551615)"), "invalid:bad_position"},
      {"position_fraction", row(R"("position":1.5)"), "invalid:bad_position"},
      {"position_not_in_integer_syntax", row(R"("position":1.0)"), "invalid:bad_position"},

      {"list_both", list(R"("items":["a"],"item_id":"a","position":1)"), "invalid:items_and_item_id"},
      {"click_both", click(R"("items":["a"],"item_id":"a")"), "invalid:items_and_item_id"},

      {"basket_empty", click(R"("items":[])"), "invalid:empty_basket"},
      {"list_empty", list(R"("items":[])"), ""},

      {"scores_short", list(R"("items":["a","b"],"scores":[1])"), "invalid:length_mismatch"},
      {"scores_long", list(R"("items":["a"],"scores":[1,2])"), "invalid:length_mismatch"},
      {"scores_empty", list(R"("items":["a"],"scores":[])"), "invalid:length_mismatch"},
      {"propensities_short", list(R"("items":["a","b"],"propensities":[1])"), "invalid:length_mismatch"},

      {"score_at_limit", list(R"("items":["a"],"scores":[-1e8])"), ""},
      {"score_over_limit", list(R"("items":["a"],"scores":[100000000.1])"), "invalid:number_out_of_range"},
      {"score_integer_over_limit", list(R"("items":["a"],"scores":[100000001])"), "invalid:number_out_of_range"},
      {"row_score_over_limit", row(R"("position":1,"score":-1e9)"), "invalid:number_out_of_range"},
      {"value_at_limit", click(R"("item_id":"a","value":100000000)"), ""},
      {"value_nan", click(R"("item_id":"a","value":NaN)"), "invalid:number_out_of_range"},
      {"value_infinity", click(R"("item_id":"a","value":-Infinity)"), "invalid:number_out_of_range"},
      {"value_beyond_double", click(R"("item_id":"a","x":[1,2.5,18446744073709551615],"value":1e400)"),
       "invalid:number_out_of_range"},
      {"scores_infinity", list(R"("items":["a"],"scores":[Infinity])"), "invalid:number_out_of_range"},
      {"propensity_nan", row(R"("position":1,"propensity":NaN)"), "invalid:bad_propensity"},
      {"position_nan", row(R"("position":NaN)"), "invalid:bad_position"},
      {"value_over_limit", click(R"("item_id":"a","value":1e300)"), "invalid:number_out_of_range"},
      {"entry_value_over_limit", click(R"("items":[{"item_id":"a","value":1e9}])"), "invalid:number_out_of_range"},

      {"propensity_1", row(R"("position":1,"propensity":1)"), ""},
      {"propensity_small", row(R"("position":1,"propensity":1e-300)"), ""},
      {"propensity_0", row(R"("position":1,"propensity":0)"), "invalid:bad_propensity"},
      {"propensity_minus_0", row(R"("position":1,"propensity":-0.0)"), "invalid:bad_propensity"},
      {"propensity_over_1", row(R"("position":1,"propensity":1.0000000000000002)"), "invalid:bad_propensity"},
      {"segment_value_at_limit", segment("k", "\"abcdefghijklmnopqrstuvwx\""), ""},
      {"segment_value_over_limit", segment("k", "\"abcdefghijklmnopqrstuvwxy\""), "invalid:segment_too_long"},
      {"segment_number_over_limit", segment("k", "1.50000000000000000000000"), "invalid:segment_too_long"},
      {"segment_key_over_limit", segment("abcdefghijklmnopqrstuvwxy", "\"v\""), "invalid:segment_too_long"},
      {"segment_key_over_limit_without_a_value", segment("abcdefghijklmnopqrstuvwxy", "null"), "invalid:segment_too_long"},
      {"segment_bytes_not_characters", segment("k", "\"ééééééééééééé\""), "invalid:segment_too_long"},
      {"segments_of_feedback_are_not_read", click(R"("item_id":"a","segments":{"k":"abcdefghijklmnopqrstuvwxy"})"), ""},

      {"propensities_negative", list(R"("items":["a"],"propensities":[-0.5])"), "invalid:bad_propensity"},
  };
  return all;
}

TEST(EventDecoder, says_why_an_event_is_invalid) {
  for (const Case& c : cases()) {
    const std::string got = told(small_options(), c.record);
    if (*c.told != '\0') {
      EXPECT_EQ(got, c.told) << c.name;
    } else {
      EXPECT_EQ(got.substr(0, 1), "{") << c.name << ": " << got;
    }
  }
}

TEST(EventDecoder, reaches_every_reason) {
  std::set<std::string> reached;
  for (const Case& c : cases()) reached.insert(told(small_options(), c.record));
  for (const InvalidReason reason : native_json_reasons) {
    EXPECT_TRUE(reached.contains("invalid:" + std::string(to_string(reason)))) << to_string(reason);
  }
}

TEST(EventDecoder, leaves_an_invalid_event_without_time) {
  const EventBatch batch = testing::decode(small_options(), click(R"("item_id":"")"));
  EXPECT_EQ(batch.events().front().outcome, Outcome::invalid);
  EXPECT_FALSE(batch.events().front().has_time);
}

TEST(EventDecoder, refuses_more_segments_than_an_event_can_count) {
  const auto record = [](int keys) {
    std::string segments;
    for (int i = 0; i < keys; ++i) segments += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"v\"";
    return list(R"("items":["a"],"segments":{)" + segments + "}");
  };
  DecoderOptions options = small_options();
  options.message_bytes_max = 1 << 20;
  EXPECT_EQ(testing::decode(options, record(65535)).events().front().segment_count, 65535);
  EXPECT_EQ(told(options, record(65536)), "invalid:too_many_items");
}

// The parser's own limit of 1,024.
TEST(EventDecoder, cannot_read_records_nested_too_deep) {
  DecoderOptions options = small_options();
  options.message_bytes_max = 1 << 20;
  const auto nested = [](std::size_t depth) {
    return click(R"("item_id":"a","x":)" + std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_EQ(told(options, nested(1000)).front(), '{');
  EXPECT_EQ(told(options, nested(1100)), "invalid:not_json");
}

}  // namespace
}  // namespace recmeter
