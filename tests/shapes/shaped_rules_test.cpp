// What events a record is: rules, conditions, chosen entries. [I3.20].
#include <gtest/gtest.h>

#include "shapes/decoded.h"

namespace recmeter::test {
namespace {

std::string on_click(std::string_view item) {
  return R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":")" + std::string(item) + "\"}";
}

// Whether a record is a click by this condition.
bool is_click(std::string_view condition, std::string_view members) {
  const std::string yaml = "inputs:\n  - fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click, when: {" +
                           std::string(condition) + "}}]\n";
  const std::string event = told(yaml, R"({"t":1700000000000,"u":"u1","i":"a",)" + std::string(members) + "}");
  EXPECT_TRUE(event == on_click("a") || event == "ignored@1700000000000") << event;
  return event == on_click("a");
}

TEST(ShapedRules, compare_values_as_their_text) {
  EXPECT_TRUE(is_click("e: click", R"("e":"click")"));
  EXPECT_FALSE(is_click("e: click", R"("e":"clicks")"));
  EXPECT_FALSE(is_click("e: click", R"("e":"Click")"));
  EXPECT_TRUE(is_click("e: 1", R"("e":1)"));
  EXPECT_TRUE(is_click("e: 1", R"("e":"1")"));
  EXPECT_TRUE(is_click("e: true", R"("e":true)"));
  EXPECT_TRUE(is_click("e: 1.5", R"("e":1.50)"));
  EXPECT_FALSE(is_click("e: click", R"("e":["click"])"));
  EXPECT_TRUE(is_click("e.f: click", R"("e":{"f":"click"})"));
}

TEST(ShapedRules, know_beginnings_ends_presence_and_absence) {
  EXPECT_TRUE(is_click("e: 'item*'", R"("e":"item_click")"));
  EXPECT_FALSE(is_click("e: 'item*'", R"("e":"an item")"));
  EXPECT_TRUE(is_click("e: '*.clicked'", R"("e":"com.shop.clicked")"));
  EXPECT_FALSE(is_click("e: '*.clicked'", R"("e":"clicked")"));
  EXPECT_TRUE(is_click("e: '*'", R"("e":0)"));
  EXPECT_TRUE(is_click("e: '*'", R"("e":[])"));
  EXPECT_FALSE(is_click("e: '*'", R"("e":null)"));
  EXPECT_TRUE(is_click("e: null", R"("e":null)"));
  EXPECT_TRUE(is_click("e: null", R"("f":1)"));
  EXPECT_FALSE(is_click("e: null", R"("e":1)"));
  EXPECT_TRUE(is_click("e: 'a\\*'", R"("e":"a*")"));
  EXPECT_FALSE(is_click("e: 'a\\*'", R"("e":"ab")"));
  EXPECT_TRUE(is_click("e: [x, 'y*', null]", R"("e":"yes")"));
  EXPECT_TRUE(is_click("e: [x, 'y*', null]", R"("f":1)"));
  EXPECT_FALSE(is_click("e: [x, 'y*', null]", R"("e":"no")"));
  EXPECT_FALSE(is_click("e: 1, f: 2", R"("e":1,"f":3)"));
}

TEST(ShapedRules, make_an_event_each_in_written_order) {
  const std::string yaml = R"(
inputs:
  - fields: {ts: t, user_id: u, list_id: l}
    events:
      - {type: impression, fields: {items: i}}
      - {type: click, when: {c: "*"}, fields: {item_id: c}}
      - {type: purchase, when: {p: "*"}, fields: {item_id: p, list_id: null}}
join: {actions: {click: {gain: 1}, purchase: {gain: 3}}}
)";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":["a","b"],"c":"a","p":"b"})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b"]})"
            "\n"
            R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"a","list_id":"l1"})"
            "\n"
            R"({"type":"purchase","ts":1700000000000,"user_id":"u1","item_id":"b"})");
}

TEST(ShapedRules, judge_each_event_alone) {
  const std::string yaml = R"(
inputs:
  - fields: {ts: t, user_id: u, list_id: l}
    events:
      - {type: impression, fields: {items: i}}
      - {type: click, fields: {item_id: c}}
)";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":"no list","c":"a"})"),
            "invalid:wrong_type\n"
            R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"a","list_id":"l1"})");
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":["a"]})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a"]})"
            "\ninvalid:missing_field");
}

TEST(ShapedRules, read_no_field_that_is_not_named) {
  const std::string yaml = "inputs:\n  - fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","i":"a","value":"much","list_id":7.5,"items":[]})"), on_click("a"));
}

TEST(ShapedRules, take_the_entries_that_conditions_choose) {
  const std::string yaml = R"(
inputs:
  - fields: {ts: t, user_id: u, list_id: l, items: i, items.item_id: id}
    events:
      - {type: impression, entries: {kind: 'prod*'}}
      - {type: click, entries: {kind: product, clicked: 1}}
)";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":[{"kind":"ad","id":"x"},{"kind":"product","id":"a"},)"
                       R"({"kind":"product","id":"b","clicked":1}]})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b"]})"
            "\n"
            R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"b","list_id":"l1"})");
  // Nothing was clicked: that is no click, not a wrong one.
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":[{"kind":"product","id":"a"}]})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a"]})");
}

// [S2.44]. Where the record says what was shown, too; else the basket is wrong.
TEST(ShapedRules, make_nothing_of_an_empty_basket_beside_a_list) {
  const std::string yaml = R"(
inputs:
  - fields: {ts: t, user_id: u, list_id: l}
    events:
      - {type: click, when: {a: act}, fields: {items: c}}
      - {type: impression, when: {i: "*"}, fields: {items: i}}
)";
  const std::string list = R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a"]})";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":["a"],"a":"act","c":[]})"), list);
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":["a"],"a":"act","c":["a"]})"),
            R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"a","list_id":"l1"})"
            "\n" +
                list);
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","i":["a"],"a":"act"})"), "invalid:missing_field\n" + list);
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","l":"l1","a":"act","c":[]})"), "invalid:empty_basket");
}

TEST(ShapedRules, take_baskets_entry_by_entry) {
  const std::string yaml = R"(
inputs:
  - fields: {ts: t, user_id: u}
    events: [{type: purchase, fields: {items: i, items.item_id: sku, items.value: price.eur, value: total}}]
join: {actions: {purchase: {gain: 3}}}
)";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","total":9,"i":[{"sku":"a","price":{"eur":2}},{"sku":"b"},"c"]})"),
            R"({"type":"purchase","ts":1700000000000,"user_id":"u1","item_id":"a","value":2})"
            "\n"
            R"({"type":"purchase","ts":1700000000000,"user_id":"u1","item_id":"b","value":9})"
            "\n"
            R"({"type":"purchase","ts":1700000000000,"user_id":"u1","item_id":"c","value":9})");
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","i":[{"sku":"a"},{"price":{"eur":2}}]})"), "invalid:missing_field");
}

TEST(ShapedRules, ask_for_embedded_json_that_is_whole) {
  const std::string yaml =
      "inputs:\n  - fields: {ts: t, user_id: u, item_id: 'i:json.id'}\n    events: [{type: click, when: {'e:json.k': c}}]\n";
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","e":"{\"k\":\"c\"}","i":"{\"id\":\"a\"}"})"), on_click("a"));
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","e":"{\"k\":","i":"{}"})"), "invalid:bad_embedded_json");
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1","e":"{\"k\":\"c\"}","i":"{"})"), "invalid:bad_embedded_json");
  EXPECT_EQ(told(yaml, R"({"t":1700000000000,"u":"u1"})"), "ignored@1700000000000");
}

// A row that says when an item was shown, and when it was clicked.
TEST(ShapedRules, give_an_event_a_time_of_its_own) {
  const std::string yaml =
      "inputs:\n  - fields: {ts: shown, list_id: l, user_id: u, item_id: i, position: p}\n    events:\n"
      "      - {type: impression}\n      - {type: click, when: {clicked: \"*\"}, fields: {ts: clicked, position: null}}\n";
  const std::string row = R"({"shown":1700000000000,"l":"l1","u":"u1","i":"a","p":2)";
  const std::string shown = told(yaml, row + "}");
  EXPECT_NE(shown.find(R"("ts":1700000000000)"), std::string::npos) << shown;
  const std::string both = told(yaml, row + R"(,"clicked":1700000105000})");
  EXPECT_TRUE(both.starts_with(shown)) << both;
  EXPECT_NE(both.find(R"({"type":"click","ts":1700000105000)"), std::string::npos) << both;
  EXPECT_NE(told(yaml, row + R"(,"clicked":"soon"})").find("invalid:wrong_type"), std::string::npos);
}

TEST(ShapedRules, leave_unreadable_records_one_event) {
  const std::string yaml = "inputs:\n  - fields: {ts: t}\n    events: [{type: click}, {type: click}]\n";
  EXPECT_EQ(told(yaml, "{"), "invalid:not_json");
  EXPECT_EQ(told(yaml, "[1]"), "invalid:not_an_object");
}

TEST(ShapedRules, are_refused_where_they_contradict_each_other) {
  const auto refused = [](std::string_view rest) { return told("inputs:\n  - {" + std::string(rest) + "}\n", "{}"); };
  EXPECT_NE(refused("events: [{type: klick}]").find("did you mean `click`?"), std::string::npos);
  EXPECT_NE(refused("events: [{when: {a: b}}]").find("has no `type`"), std::string::npos);
  EXPECT_NE(refused("events: []").find("is an empty list"), std::string::npos);
  EXPECT_NE(refused("events: [{type: click}], types: {a: click}").find("`events` says what a record is"), std::string::npos);
  EXPECT_NE(refused("events: [{type: click, fields: {ts: null}}], fields: {ts: a}").find("drops the time"),
            std::string::npos);
  EXPECT_NE(refused("fields: {user_id: {join: [a], is: b}}").find("is not one of `is`, `join`, `product`, `zip` and `at`"),
            std::string::npos);
  EXPECT_NE(refused("fields: {user_id: [a, {product: [b, c]}]}").find("is a product, thus a number, and `user_id` is none"),
            std::string::npos);
  EXPECT_NE(refused("fields: {segments: {a: {product: [b, c]}}}").find("is a product, thus a number, and `segments` is none"),
            std::string::npos);
  EXPECT_NE(refused("fields: {value: {product: []}}").find("is an empty list"), std::string::npos);
  EXPECT_NE(refused("fields: {value: {product: [a, {is: one}]}}").find("`one` is no number"), std::string::npos);
  EXPECT_NE(refused("fields: {user_id: {zip: [a, b]}}").find("is a list of entries, and `user_id` is none"),
            std::string::npos);
  EXPECT_NE(refused("fields: {items: {zip: [a]}}").find("is of one list"), std::string::npos);
  EXPECT_NE(refused("fields: {items: {zip: [a, {is: b}]}}").find("has a part that is no list"), std::string::npos);
  EXPECT_NE(refused("fields: {items: {zip: [a, [b, {join: [c]}]]}}").find("has a part that is no list"), std::string::npos);
  EXPECT_NE(refused("fields: {items: {at: a}}").find("`at`, `split` or `list` alone"), std::string::npos);
  EXPECT_NE(refused("fields: {user_id: []}").find("is an empty list"), std::string::npos);
  EXPECT_NE(refused("fields: {user_id: 'a[]'}").find("all entries of a list"), std::string::npos);
  EXPECT_NE(refused("fields: {user_id: $.a}").find("begins at `$`"), std::string::npos);
  EXPECT_NE(refused("zone: Europe/Berln").find("no time zone"), std::string::npos);
  EXPECT_NE(refused("unit: {pattern: '%Y-%j'}").find("has `%j`"), std::string::npos);
  EXPECT_NE(refused("unit: {pattern: '%Y'}").find("set `zone`"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::test
