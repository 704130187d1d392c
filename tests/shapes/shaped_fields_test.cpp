// Where values stand and how they are made: paths, alternatives, constants, joins, splits, entries, segments. [I3.20].
#include <gtest/gtest.h>

#include "shapes/decoded.h"

namespace recmeter::test {
namespace {

// An input that reads clicks: `more` are lines of it, and `fields` its fields besides ts and user_id.
std::string clicks(std::string_view fields, std::string_view more = "") {
  return "inputs:\n  - fields: {ts: t, user_id: u, " + std::string(fields) + "}\n    events: [{type: click}]\n" +
         std::string(more);
}
std::string lists(std::string_view fields, std::string_view more = "") {
  return "inputs:\n  - fields: {ts: t, user_id: u, list_id: l, " + std::string(fields) +
         "}\n    events: [{type: impression}]\n" + std::string(more);
}
std::string click(std::string_view members) {
  return R"({"t":1700000000000,"u":"u1",)" + std::string(members) + "}";
}
std::string list(std::string_view members) {
  return R"({"t":1700000000000,"u":"u1","l":"l1",)" + std::string(members) + "}";
}
std::string click_on(std::string_view item) {
  return R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":")" + std::string(item) + "\"}";
}
std::string list_of(std::string_view members) {
  return R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1",)" + std::string(members) + "}";
}

TEST(ShapedFields, stand_behind_steps_of_a_path) {
  EXPECT_EQ(told(clicks("item_id: 'a[1].b'"), click(R"("a":[{"b":"x"},{"b":"y"}])")), click_on("y"));
  EXPECT_EQ(told(clicks("item_id: 'a[key=id].v'"), click(R"("a":[7,{"key":"x"},{"key":"id","v":"y"},{"key":"id","v":"z"}])")),
            click_on("y"));
  EXPECT_EQ(told(clicks("item_id: 'a[n=3].v'"), click(R"("a":[{"n":3,"v":"y"}])")), click_on("y"));
  EXPECT_EQ(told(clicks("item_id: 'a\\.b'"), click(R"("a.b":"y","a":{"b":"x"})")), click_on("y"));
  EXPECT_EQ(told(clicks("item_id: 'a:json.b[0]'"), click(R"("a":"{\"b\":[\"y\"]}")")), click_on("y"));
  EXPECT_EQ(told(clicks("item_id: 'a:json.b'"), click(R"("a":{"b":"y"})")), click_on("y"));
}

TEST(ShapedFields, are_absent_where_a_path_leads_nowhere) {
  for (const char* members :
       {R"("a":[])", R"("a":"x")", R"("a":{"1":"x"})", R"("b":1)", R"("a":[1,2])", R"("a":[1,{"b":null}])"}) {
    EXPECT_EQ(told(clicks("item_id: 'a[1].b'"), click(members)), "invalid:missing_field") << members;
  }
}

TEST(ShapedFields, are_the_first_alternative_that_is_present) {
  const std::string yaml = clicks("item_id: [a, b.c, {is: none}]");
  EXPECT_EQ(told(yaml, click(R"("a":"x","b":{"c":"y"})")), click_on("x"));
  EXPECT_EQ(told(yaml, click(R"("a":null,"b":{"c":"y"})")), click_on("y"));
  EXPECT_EQ(told(yaml, click(R"("b":7)")), click_on("none"));
}

TEST(ShapedFields, are_joined_of_several) {
  const std::string yaml = clicks("item_id: {join: [a, b], with: '-'}");
  EXPECT_EQ(told(yaml, click(R"("a":"x","b":12)")), click_on("x-12"));
  EXPECT_EQ(told(yaml, click(R"("a":"x-y","b":"z\\")")), click_on(R"(x\\-y-z\\\\)"));
  EXPECT_EQ(told(yaml, click(R"("a":"x")")), "invalid:missing_field");
  EXPECT_EQ(told(yaml, click(R"("a":"x","b":[1])")), "invalid:missing_field");
  EXPECT_EQ(told(clicks("item_id: {join: [a, [b, c], {is: k}]}"), click(R"("a":true,"c":1.50)")), click_on("true:1.5:k"));
}

TEST(ShapedFields, that_are_joined_to_more_than_an_id_may_have_become_a_hash) {
  const std::string yaml = clicks("item_id: {join: [a, b]}", "limits: {id_bytes: 34}\n");
  EXPECT_EQ(told(yaml, click("\"a\":\"" + std::string(32, 'x') + "\",\"b\":1")), click_on(std::string(32, 'x') + ":1"));
  // XXH3-128 of the joined text.
  const std::string hashed = told(yaml, click("\"a\":\"" + std::string(33, 'x') + "\",\"b\":1"));
  EXPECT_EQ(hashed.size(), click_on(std::string(33, 'h')).size()) << hashed;
  EXPECT_NE(hashed.find("\"#"), std::string::npos) << hashed;
  EXPECT_NE(hashed, told(yaml, click("\"a\":\"" + std::string(33, 'x') + "\",\"b\":2")));
}

TEST(ShapedFields, keep_joined_ids_apart) {
  const std::string yaml = clicks("item_id: {join: [a, b]}");
  EXPECT_NE(told(yaml, click(R"("a":"x:y","b":"z")")), told(yaml, click(R"("a":"x","b":"y:z")")));
  EXPECT_NE(told(yaml, click(R"("a":"x\\","b":"z")")), told(yaml, click(R"("a":"x","b":"\\z")")));
}

TEST(ShapedFields, are_lists_within_a_text) {
  EXPECT_EQ(told(lists("items: {at: i, split: '|'}"), list(R"("i":"a|b|c")")), list_of(R"("items":["a","b","c"])"));
  EXPECT_EQ(told(lists("items: {at: i, split: ', '}"), list(R"("i":"a, b,c")")), list_of(R"("items":["a","b,c"])"));
  EXPECT_EQ(told(lists("items: {at: i, split: ' '}"), list(R"("i":" a  b ")")), list_of(R"("items":["a","b"])"));
  EXPECT_EQ(told(lists("items: {at: i, split: '|'}"), list(R"("i":"a||c")")), "invalid:empty_id");
  EXPECT_EQ(told(lists("items: {at: i, split: '|'}"), list(R"("i":"")")),
            R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1"})");
  EXPECT_EQ(told(lists("items: {at: i, split: '|'}"), list(R"("i":["a","b"])")), list_of(R"("items":["a","b"])"));
  EXPECT_EQ(told(lists("items: {at: i, list: ','}"), list(R"("i":"{a,\"b c\",d}")")), list_of(R"("items":["a","b c","d"])"));
  EXPECT_EQ(told(lists("items: {at: i, list: ' '}"), list(R"("i":"['a'\n 'b']")")), list_of(R"("items":["a","b"])"));
  EXPECT_EQ(told(lists("items: {at: i, list: ','}"), list(R"("i":"[a, b")")), "invalid:wrong_type");
  EXPECT_EQ(told(lists("items: {at: i, list: ','}"), list(R"("i":"{a,NULL,b}")")),
            told(lists("items: i"), list(R"("i":["a",null,"b"])")));
  EXPECT_EQ(
      told(lists("items: {at: i, list: ',', part: '-'}, items.item_id: $1, items.score: $2", "") + "    text_numbers: true\n",
           list(R"("i":"[a-0.5, b-0.25]")")),
      list_of(R"("items":["a","b"],"scores":[0.5,0.25])"));
  EXPECT_EQ(told(lists("items: {at: i, split: ' ', part: '-'}, items.item_id: $1, items.score: $2", "") +
                     "    text_numbers: true\n",
                 list(R"("i":"N-1-0.5 M-2-1")")),
            list_of(R"("items":["N-1","M-2"],"scores":[0.5,1])"));
}

TEST(ShapedFields, are_entries_that_are_objects) {
  const std::string yaml = lists("items: i, items.item_id: p.id, items.score: s, items.propensity: w");
  EXPECT_EQ(told(yaml, list(R"("i":[{"p":{"id":"a"},"s":2,"w":0.5},{"p":{"id":7},"s":1,"w":1}])")),
            list_of(R"("items":["a","7"],"scores":[2,1],"propensities":[0.5,1])"));
  EXPECT_EQ(told(yaml, list(R"("i":[{"p":{"id":"a"},"s":2},{"p":{"id":"b"}}])")), "invalid:length_mismatch");
  EXPECT_EQ(told(yaml, list(R"("i":[{"p":{}}])")), "invalid:missing_field");
  EXPECT_EQ(told(yaml, list(R"("i":["a",null])")), "invalid:wrong_type");
  EXPECT_EQ(told(yaml, list(R"("i":["a","b"])")), list_of(R"("items":["a","b"])"));
  EXPECT_EQ(told(yaml, list(R"("i":[{"p":{"id":"a","id":"b"}}])")), "invalid:duplicate_key");
}

TEST(ShapedFields, put_entries_in_the_order_of_their_positions) {
  const std::string yaml = lists("items: i, items.item_id: id, items.position: r, items.score: s");
  EXPECT_EQ(told(yaml, list(R"("i":[{"id":"b","r":2,"s":1},{"id":"a","r":1,"s":3}])")),
            list_of(R"("items":["a","b"],"scores":[3,1])"));
  EXPECT_EQ(told(yaml, list(R"("i":[{"id":"b","r":4,"s":1},{"id":"a","r":2,"s":3}])")),
            list_of(R"("items":[null,"a",null,"b"],"scores":[null,3,null,1])"));
  EXPECT_EQ(told(yaml, list(R"("i":[{"id":"a"},{"id":"b"}])")), list_of(R"("items":["a","b"])"));
  for (const char* wrong : {R"("i":[{"id":"a","r":1},{"id":"b"}])", R"("i":[{"id":"a","r":1},{"id":"b","r":1}])",
                            R"("i":[{"id":"a","r":0}])", R"("i":[{"id":"a","r":1.0}])", R"("i":[{"id":"a","r":1001}])"}) {
    EXPECT_EQ(told(yaml, list(wrong)), "invalid:bad_position") << wrong;
  }
  EXPECT_EQ(told(yaml, list(R"("i":[{"id":"a","r":"1"}])")), "invalid:wrong_type");
  EXPECT_EQ(told("inputs:\n  - position_base: 0\n" + yaml.substr(yaml.find("    events")) +
                     "    fields: {ts: t, user_id: u, list_id: l, items: i, items.item_id: id, items.position: r}\n",
                 list(R"("i":[{"id":"b","r":1},{"id":"a","r":0}])")),
            list_of(R"("items":["a","b"])"));
}

TEST(ShapedFields, have_segments_from_anywhere) {
  const std::string yaml = lists("items: i, segments: {device: d.kind, where: 'p[0].w', n: n, fixed: {is: k}}");
  EXPECT_EQ(told(yaml, list(R"("i":["a"],"d":{"kind":"phone"},"p":[{"w":"home"}],"n":1.50)")),
            list_of(R"("items":["a"],"segments":{"device":"phone","fixed":"k","n":"1.5","where":"home"})"));
  EXPECT_EQ(told(yaml, list(R"("i":["a"],"d":{"kind":""},"n":false)")),
            list_of(R"("items":["a"],"segments":{"fixed":"k","n":"false"})"));
  EXPECT_EQ(told(yaml, list(R"("i":["a"],"n":[1])")), "invalid:wrong_type");
  EXPECT_EQ(told(lists("items: i, segments: s"), list(R"("i":["a"],"s":{"k":"v","n":1})")),
            list_of(R"("items":["a"],"segments":{"k":"v","n":"1"})"));
}

TEST(ShapedFields, take_texts_that_stand_for_no_value_as_absent) {
  const std::string yaml = clicks("item_id: [a, b]", "    absent: [NA, '']\n");
  EXPECT_EQ(told(yaml, click(R"("a":"NA","b":"y")")), click_on("y"));
  EXPECT_EQ(told(yaml, click(R"("a":"","b":"NA")")), "invalid:missing_field");
  EXPECT_EQ(told(clicks("item_id: a"), click(R"("a":"")")), "invalid:empty_id");
}

TEST(ShapedFields, are_numbers_in_texts_where_that_is_said) {
  const std::string plain = clicks("item_id: i, value: v");
  const std::string numbers = plain + "    text_numbers: true\n";
  EXPECT_EQ(told(plain, click(R"("i":"a","v":"2.5")")), "invalid:wrong_type");
  EXPECT_EQ(told(numbers, click(R"("i":"17","v":"2.5")")),
            R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"17","value":2.5})");
  for (const char* text : {"", " 1", "1 ", "0x10", "inf", "nan", "1,5", "+1", "two"}) {
    EXPECT_EQ(told(numbers, click(R"("i":"a","v":")" + std::string(text) + '"')), "invalid:wrong_type") << text;
  }
  EXPECT_EQ(told(numbers, R"({"t":"1700000000000","u":"u1","i":"a"})"), click_on("a"));
}

// [I3.29].
TEST(ShapedFields, are_products_of_numbers) {
  const auto worth = [](std::string_view value) {
    return R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":"a")" +
           (value.empty() ? "" : ",\"value\":" + std::string(value)) + "}";
  };
  const auto read = [](std::string_view source, std::string_view members) {
    return told(clicks("item_id: i, value: " + std::string(source)), click(R"("i":"a")" + std::string(members)));
  };
  constexpr std::string_view pieces = "{product: [p, [n, {is: 1}]]}";
  EXPECT_EQ(read(pieces, R"(,"p":2.5,"n":3)"), worth("7.5"));
  EXPECT_EQ(read(pieces, R"(,"p":"2.5","n":"3")"), worth("7.5"));  // texts are numbers here
  EXPECT_EQ(read(pieces, R"(,"p":2.5)"), worth("2.5"));
  EXPECT_EQ(read(pieces, R"(,"n":3)"), worth(""));
  EXPECT_EQ(read("[r, {product: [p, [n, {is: 1}]]}]", R"(,"r":7,"p":2.5,"n":3)"), worth("7"));
  EXPECT_EQ(read("{product: [p, n, p]}", R"(,"p":0.1,"n":3)"), worth("0.030000000000000006"));  // of doubles, in this order
  EXPECT_EQ(read("{product: [p]}", R"(,"p":-0.0)"), worth("0"));
  for (const char* members : {R"(,"p":"dear")", R"(,"p":true)", R"(,"p":[1])"}) {
    EXPECT_EQ(read(pieces, members), "invalid:wrong_type") << members;
  }
  for (const char* members : {R"(,"p":1e7,"n":11)", R"(,"p":1e200,"n":1e200)", R"(,"p":NaN)"}) {
    EXPECT_EQ(read(pieces, members), "invalid:number_out_of_range") << members;
  }
  EXPECT_EQ(
      told(lists("items: i, items.item_id: id, items.score: {product: [a, b]}"), list(R"("i":[{"id":"a","a":2,"b":3}])")),
      list_of(R"("items":["a"],"scores":[6])"));
}

// [I3.31]. A list of labels, as long as that of the items, says which were clicked.
std::string labelled(std::string_view labels, std::string_view more = "") {
  return "inputs:\n  - fields: {ts: t, user_id: u, list_id: l, items: i}\n" + std::string(more) +
         "    events:\n      - {type: impression}\n      - {type: click, entries: {$2: [1, true, 'True']}, fields: {items: "
         "{zip: [i, " +
         std::string(labels) + "]}, items.item_id: $1}}\n";
}
std::string click_of_list(std::string_view item) {
  return R"({"type":"click","ts":1700000000000,"user_id":"u1","item_id":")" + std::string(item) + R"(","list_id":"l1"})";
}

TEST(ShapedFields, are_entries_of_lists_side_by_side) {
  const std::string shown = list_of(R"("items":["a","b","c"])");
  const std::string first = shown + "\n" + click_of_list("a");
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":[1,0,0])")), first);
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":[1.0,0.0,0.0])")), first);
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":[true,false,false])")), first);
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":["1","0",null])")), first);
  EXPECT_EQ(told(labelled("{at: c, split: ' '}"), list(R"("i":["a","b","c"],"c":"1 0 0")")), first);
  EXPECT_EQ(told(labelled("{at: c, list: ','}"), list(R"("i":["a","b","c"],"c":"[True, False, False]")")), first);
  EXPECT_EQ(told(labelled("'c:json'"), list(R"("i":["a","b","c"],"c":"[1,0,0]")")), first);
  EXPECT_EQ(told(labelled("[d, c]"), list(R"("i":["a","b","c"],"c":[1,0,0])")), first);
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":[0,0,0])")), shown) << "nothing was clicked";
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b","c"],"c":[1,0,1])")), first + "\n" + click_of_list("c"));
}

TEST(ShapedFields, are_entries_of_lists_of_objects_side_by_side) {
  const std::string yaml =
      "inputs:\n  - fields: {ts: t, user_id: u, list_id: l, items: {zip: [i, p, s]}, items.item_id: $1.id, items.position: "
      "$2, "
      "items.score: $3}\n    events: [{type: impression}]\n";
  EXPECT_EQ(told(yaml, list(R"("i":[{"id":"b"},{"id":"a"}],"p":[2,1],"s":[0.5,1])")),
            list_of(R"("items":["a","b"],"scores":[1,0.5])"));
}

// Whose label a label is, is not known; the list itself is.
TEST(ShapedFields, refuse_lists_side_by_side_that_are_not_as_long) {
  const std::string shown = list_of(R"("items":["a","b"])");
  for (const char* labels : {"[1]", "[0]", "[1,0,0]", "[]"}) {
    EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b"],"c":)" + std::string(labels))), shown + "\ninvalid:length_mismatch")
        << labels;
  }
  for (const char* labels : {R"("1,0")", "1", R"({"a":1,"b":0})"}) {
    EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b"],"c":)" + std::string(labels))), shown + "\ninvalid:wrong_type")
        << labels;
  }
  EXPECT_EQ(told(labelled("c"), list(R"("i":["a","b"],"c":null)")), shown + "\ninvalid:missing_field");
  // The other events of the record stay.
  const std::string two =
      labelled("c") + "      - {type: click, entries: {$2: 1}, fields: {items: {zip: [i, d]}, items.item_id: $1}}\n";
  EXPECT_EQ(told(two, list(R"("i":["a","b"],"c":[1],"d":[0,1])")),
            shown + "\ninvalid:length_mismatch\n" + click_of_list("b"));
}

TEST(ShapedFields, that_are_there_twice_are_duplicate_keys) {
  EXPECT_EQ(told(clicks("item_id: [a, b]"), click(R"("a":"x","a":"y")")), "invalid:duplicate_key");
  EXPECT_EQ(told(clicks("item_id: [a, b]"), click(R"("a":"x","c":1,"c":2)")), click_on("x"));
}

TEST(ShapedFields, stand_below_the_root) {
  const std::string yaml =
      "inputs:\n  - root: _source\n    fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n";
  EXPECT_EQ(told(yaml, R"({"_id":1,"_source":{"t":1700000000000,"u":"u1","i":"a"}})"), click_on("a"));
  EXPECT_EQ(told(yaml, R"({"_id":1})"), "invalid:not_an_object");
  EXPECT_EQ(told(yaml, R"({"_source":[1]})"), "invalid:not_an_object");
}

}  // namespace
}  // namespace recmeter::test
