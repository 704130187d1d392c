// Each preset on a log of its kind, written by hand. [I3.23].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/load_config.h"
#include "config/shapes.h"
#include "shapes/decoded.h"

namespace recmeter::test {
namespace {

std::string shape(std::string_view name) {
  return "inputs: [{shape: " + std::string(name) + "}]\n";
}
std::string click(std::string_view ts, std::string_view user, std::string_view item, std::string_view rest = "",
                  std::string_view type = "click") {
  return R"({"type":")" + std::string(type) + R"(","ts":)" + std::string(ts) + R"(,"user_id":")" + std::string(user) +
         R"(","item_id":")" + std::string(item) + "\"" + std::string(rest) + "}";
}
std::string list(std::string_view ts, std::string_view id, std::string_view user, std::string_view rest) {
  return R"({"type":"impression","ts":)" + std::string(ts) + R"(,"list_id":")" + std::string(id) + "\"" +
         (user.empty() ? "" : R"(,"user_id":")" + std::string(user) + "\"") + "," + std::string(rest) + "}";
}
using Lines = std::vector<std::string>;

TEST(Presets, are_good_configurations) {
  for (const std::string_view name : shape_names()) {
    const std::string_view empty = name == "ubi-hits" ? R"({"hits":{"hits":[]}})" : "";
    EXPECT_EQ(told(*shape_config(name), empty), "") << name;
    EXPECT_EQ(told(shape(name), empty), "") << name;
  }
}

constexpr std::string_view ubi_query = R"({"query_id":"q1","client_id":"c1","timestamp":"2024-01-01T00:00:00.5Z",)"
                                       R"("query_response_hit_ids":["a","b"],"user_query":"tv"})";
constexpr std::string_view ubi_click =
    R"({"action_name":"product_click","query_id":"q1","client_id":"c1","timestamp":"2024-01-01T00:00:05Z",)"
    R"("event_attributes":{"object":{"object_id":"b","object_id_field":"sku"},"position":{"ordinal":2}}})";
const Lines ubi{list("1704067200500", "q1", "c1", R"("items":["a","b"])"),
                click("1704067205000", "c1", "b", R"(,"list_id":"q1")")};

TEST(Presets, read_ubi) {
  Lines bulk = decoded(shape("ubi"), R"({"index":{"_index":"ubi_queries"}})"
                                     "\n" +
                                         std::string(ubi_query) + "\n" + std::string(ubi_click) + "\n");
  ASSERT_EQ(bulk.size(), 3U);
  EXPECT_EQ(bulk.front(), "ignored");
  EXPECT_EQ(Lines(bulk.begin() + 1, bulk.end()), ubi);
}

// The page writes a document of its query, too, and does not know what it found: that is no empty list.
TEST(Presets, take_no_list_from_a_query_of_ubi_whose_hits_are_unknown) {
  constexpr std::string_view of_page =
      R"({"query_id":"q1","client_id":"c1","timestamp":"2024-01-01T00:00:00.1Z","query_response_hit_ids":[]})";
  const Lines events{"ignored@1704067200100", ubi[0], ubi[1]};
  const auto in_source = [](std::string_view source) { return R"({"_source":)" + std::string(source) + "}"; };
  EXPECT_EQ(decoded(shape("ubi"), fmt::format("{}\n{}\n{}\n", of_page, ubi_query, ubi_click)), events);
  EXPECT_EQ(decoded(shape("ubi-elasticdump"),
                    fmt::format("{}\n{}\n{}\n", in_source(of_page), in_source(ubi_query), in_source(ubi_click))),
            events);
  EXPECT_EQ(decoded(shape("ubi-hits"), fmt::format(R"({{"hits":{{"hits":[{},{},{}]}}}})", in_source(of_page),
                                                   in_source(ubi_query), in_source(ubi_click))),
            events);
}

TEST(Presets, read_impression_events_of_ubi) {
  const auto seen = [](std::string_view attributes) {
    return fmt::format(
        R"({{"action_name":"impression","query_id":"q1","client_id":"c1","timestamp":"2024-01-01T00:00:00.5Z",)"
        R"("event_attributes":{{"object":{{"object_id":"b"}}{}}}}})",
        attributes);
  };
  const std::string at_two = seen(R"(,"position":{"ordinal":2})");
  const std::string row = list("1704067200500", "q1", "c1", R"("item_id":"b","position":2)");
  EXPECT_EQ(told(shape("ubi"), at_two), row);
  EXPECT_EQ(told(shape("ubi-elasticdump"), R"({"_source":)" + at_two + "}"), row);
  EXPECT_EQ(told(shape("ubi-hits"), R"({"hits":{"hits":[{"_source":)" + at_two + "}]}}"), row);
  EXPECT_EQ(told(shape("ubi"), seen("")), "ignored@1704067200500");  // nobody knows where it stood
}

TEST(Presets, read_ubi_of_elasticdump) {
  const auto dumped = [](std::string_view source) {
    return R"({"_index":"ubi","_id":"1","_source":)" + std::string(source) + "}\n";
  };
  EXPECT_EQ(decoded(shape("ubi-elasticdump"), dumped(ubi_query) + dumped(ubi_click)), ubi);
}

TEST(Presets, read_ubi_of_search_answers) {
  EXPECT_EQ(decoded(shape("ubi-hits"), R"({"took":1,"hits":{"total":{"value":2},"hits":[{"_source":)" +
                                           std::string(ubi_query) + R"(},{"_source":)" + std::string(ubi_click) + "}]}}"),
            ubi);
}

// A record of GA4 at that second, with what else it has.
std::string ga4(std::string_view name, int second, std::string_view items, std::string_view rest = "") {
  return fmt::format(R"({{"event_name":"{}","event_timestamp":"{}000000","user_pseudo_id":"p.1",{}"items":[{}]}})"
                     "\n",
                     name, 1704067200 + second, rest, items);
}

TEST(Presets, read_ga4) {
  const std::string log = ga4("view_item_list", 0,
                              R"({"item_id":"b","item_list_id":"L","item_list_name":"Home","item_list_index":"2"},)"
                              R"({"item_id":"a","item_list_id":"L","item_list_name":"Home","item_list_index":"1"})",
                              R"("device":{"category":"mobile"},)") +
                          ga4("select_item", 3, R"({"item_id":"a","item_list_id":"L"})") +
                          ga4("purchase", 4, R"x({"item_id":"a","price":2.5},{"item_id":"(not set)","price":1})x",
                              R"("ecommerce":{"transaction_id":"T1"},)") +
                          ga4("page_view", 5, "") +
                          ga4("view_item_list", 6, "");  // an empty list, of which nobody knows what it showed
  EXPECT_EQ(
      decoded(shape("ga4"), log),
      (Lines{list("1704067200000", "L", "p.1", R"("items":["a","b"],"segments":{"device":"mobile","list":"Home"})"),
             click("1704067203000", "p.1", "a", R"(,"list_id":"L")"), "invalid:missing_field",  // an item that is not set
             "ignored@1704067205000", "ignored@1704067206000"}));
}

TEST(Presets, read_lists_of_ga4_that_have_a_name_or_neither_name_nor_id) {
  constexpr std::string_view named = R"x({"item_id":"a","item_list_id":"(not set)","item_list_name":"Related"})x";
  constexpr std::string_view nameless = R"x({"item_id":"a","item_list_id":"(not set)"})x";
  EXPECT_EQ(
      decoded(shape("ga4"), ga4("view_item_list", 0, named) + ga4("select_item", 1, named) +
                                ga4("view_item_list", 2, nameless) + ga4("select_item", 3, nameless)),
      (Lines{list("1704067200000", "Related", "p.1", R"("items":["a"],"segments":{"list":"Related"})"),
             click("1704067201000", "p.1", "a", R"(,"list_id":"Related")"),
             list("1704067202000", "1704067202000000", "p.1", R"("items":["a"])"), click("1704067203000", "p.1", "a")}));
}

TEST(Presets, read_items_of_ga4_that_have_a_name_alone) {
  EXPECT_EQ(told(shape("ga4"), ga4("select_item", 0, R"x({"item_id":"(not set)","item_name":"Lamp"})x")),
            click("1704067200000", "p.1", "Lamp"));
}

TEST(Presets, know_a_user_of_ga4_before_and_after_signing_in) {
  EXPECT_EQ(told(shape("ga4"), ga4("select_item", 0, R"({"item_id":"a"})", R"("user_id":"c7",)")),
            click("1704067200000", "p.1", "a"));
  EXPECT_EQ(told(shape("ga4"), R"({"event_name":"select_item","event_timestamp":"1704067200000000","user_id":"c7",)"
                               R"("user_pseudo_id":null,"items":[{"item_id":"a"}]})"),
            click("1704067200000", "c7", "a"));
}

TEST(Presets, read_what_a_purchase_of_ga4_brings) {
  const auto bought = [](std::string_view item) {
    return told(shape("ga4"), ga4("purchase", 0, item, R"("ecommerce":{"transaction_id":"T1"},)"));
  };
  const auto worth = [](std::string_view value) {
    return click("1704067200000", "p.1", "a", fmt::format(R"(,"value":{},"event_id":"T1")", value), "purchase");
  };
  EXPECT_EQ(bought(R"({"item_id":"a","price":2.5,"quantity":"3"})"), worth("7.5"));
  EXPECT_EQ(bought(R"({"item_id":"a","price":2.5,"quantity":null})"), worth("2.5"));
  EXPECT_EQ(bought(R"({"item_id":"a","price":2.5,"quantity":"3","item_revenue":7})"), worth("7"));
}

TEST(Presets, read_segment_and_rudderstack) {
  const std::string log =
      R"({"event":"Product List Viewed","type":"track","anonymousId":"x","messageId":"m1","originalTimestamp":"2024-01-01T00:00:00Z",)"
      R"("properties":{"list_id":"l1","products":[{"product_id":"a","position":1},{"product_id":"b","position":2}]}})"
      "\n"
      R"({"event":"Product Clicked","userId":"u","anonymousId":"x","messageId":"m2","timestamp":"2024-01-01T00:00:01Z",)"
      R"("properties":{"list_id":"l1","product_id":"b"}})"
      "\n"
      R"({"event":"Order Completed","userId":"u","messageId":"m3","timestamp":"2024-01-01T00:00:02Z","properties":{"order_id":"o",)"
      R"("products":[{"product_id":"b","price":"3","quantity":2}]}})"
      "\n"
      R"({"event":"Product List Filtered","anonymousId":"x","messageId":"m4","timestamp":"2024-01-01T00:00:03Z",)"
      R"("properties":{"products":[{"sku":"s"}]}})"
      "\n";
  const Lines events{list("1704067200000", "l1", "x", R"("items":["a","b"])"),
                     click("1704067201000", "x", "b", R"(,"list_id":"l1","event_id":"m2")"),  // signed in between
                     click("1704067202000", "u", "b", R"(,"value":6,"event_id":"o")", "purchase"),
                     list("1704067203000", "m4", "x", R"("items":["s"])")};  // without a list id, and by its sku
  EXPECT_EQ(decoded(shape("segment"), log), events);
  EXPECT_EQ(decoded(shape("rudderstack"), log), events);
}

// A row of the 131 columns in which these are not empty.
std::string snowplow_row(std::string_view time, std::string_view contexts, std::string_view event) {
  std::string row;
  for (int column = 1; column <= 131; ++column) {
    if (column > 1) row += '\t';
    if (column == 16) row += "d-1";  // domain_userid
    if (column == 53) row += contexts;
    if (column == 59) row += event;
    if (column == 126) row += "com.example";  // event_vendor
    if (column == 125) row += time;           // derived_tstamp
  }
  return row + "\n";
}
std::string snowplow_contexts(std::string_view products) {
  return R"({"schema":"iglu:x","data":[{"schema":"iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0","data":{"id":"w1"}})" +
         std::string(products) + "]}";
}
std::string snowplow_product(std::string_view data) {
  return R"(,{"schema":"iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0","data":)" +
         std::string(data) + "}";
}
std::string snowplow_event(std::string_view type) {
  return R"({"schema":"iglu:x","data":{"schema":"iglu:y","data":{"type":")" + std::string(type) + R"(","name":"recs"}}})";
}

TEST(Presets, read_snowplow) {
  const std::string log =
      snowplow_row(
          "2024-01-01 00:00:00.123",
          snowplow_contexts(snowplow_product(R"({"id":"b","position":2})") + snowplow_product(R"({"id":"a","position":1})")),
          snowplow_event("list_view")) +
      snowplow_row("2024-01-01 00:00:01.000", snowplow_contexts(snowplow_product(R"({"id":"a"})")),
                   snowplow_event("list_click")) +
      snowplow_row("2024-01-01 00:00:02.000", snowplow_contexts(snowplow_product(R"({"id":"a","price":9.5})")),
                   snowplow_event("transaction")) +
      snowplow_row("2024-01-01 00:00:03.000", "", "");
  EXPECT_EQ(decoded(shape("snowplow"), log),
            (Lines{list("1704067200123", "w1:recs", "d-1", R"("items":["a","b"])"),
                   click("1704067201000", "d-1", "a", R"(,"list_id":"w1:recs")"),
                   click("1704067202000", "d-1", "a", R"(,"value":9.5)", "purchase"), "ignored@1704067203000"}));
}

TEST(Presets, read_snowplow_as_json) {
  const auto record = [](std::string_view time, std::string_view type, std::string_view products) {
    return R"({"derived_tstamp":")" + std::string(time) +
           R"(","domain_userid":"d-1","contexts_com_snowplowanalytics_snowplow_web_page_1":[{"id":"w1"}],)"
           R"("unstruct_event_com_snowplowanalytics_snowplow_ecommerce_snowplow_ecommerce_action_1":{"type":")" +
           std::string(type) + R"(","name":"recs"},"contexts_com_snowplowanalytics_snowplow_ecommerce_product_1":)" +
           std::string(products) + "}\n";
  };
  EXPECT_EQ(decoded(shape("snowplow-json"), record("2024-01-01T00:00:00.123Z", "list_view", R"([{"id":"a","position":1}])") +
                                                record("2024-01-01T00:00:01.000Z", "list_click", R"([{"id":"a"}])")),
            (Lines{list("1704067200123", "w1:recs", "d-1", R"("items":["a"])"),
                   click("1704067201000", "d-1", "a", R"(,"list_id":"w1:recs")")}));
}

TEST(Presets, read_cloudevents) {
  const std::string log =
      R"({"specversion":"1.0","id":"1","source":"/shop","type":"com.shop.list_shown","time":"2024-01-01T00:00:00Z","subject":"u",)"
      R"("data":{"list_id":"l1","items":["a","b"]}})"
      "\n"
      R"({"specversion":"1.0","id":"2","source":"/shop","type":"com.shop.item_clicked","time":"2024-01-01T00:00:01Z","subject":"u",)"
      R"("data":{"list_id":"l1","item_id":"a"}})"
      "\n";
  EXPECT_EQ(decoded(shape("cloudevents"), log),
            (Lines{list("1704067200000", "l1", "u", R"("items":["a","b"])"),
                   click("1704067201000", "u", "a", R"(,"list_id":"l1","event_id":"\\/shop/2")")}));
}

TEST(Presets, read_personalize) {
  const std::string log =
      "USER_ID,ITEM_ID,TIMESTAMP,EVENT_TYPE,IMPRESSION,RECOMMENDATION_ID\n"
      "u,b,1704067200,Click,a|b|c,\n"
      "u,c,1704067201,purchase,,r1\n";
  EXPECT_EQ(decoded(shape("personalize"), log), (Lines{list("1704067200000", "u#a|b|c", "u", R"("items":["a","b","c"])"),
                                                       click("1704067200000", "u", "b", R"(,"list_id":"u#a|b|c")"),
                                                       click("1704067201000", "u", "c", R"(,"list_id":"r1")", "purchase")}));
}

TEST(Presets, read_trivago) {
  const std::string log =
      "user_id,session_id,timestamp,step,action_type,reference,platform,city,device,current_filters,impressions,prices\n"
      "U,s1,1541037460,1,search for poi,Museum,AU,\"Sydney, Australia\",mobile,,,\n"
      "U,s1,1541037522,2,clickout item,109038,AU,\"Sydney, Australia\",mobile,,3400638|109038|666856,95|66|501\n";
  EXPECT_EQ(decoded(shape("trivago"), log),
            (Lines{"ignored@1541037460000",
                   list("1541037522000", "s1#3400638|109038|666856", "U",
                        R"("items":["3400638","109038","666856"],"segments":{"device":"mobile","platform":"AU"})"),
                   click("1541037522000", "U", "109038", R"(,"list_id":"s1#3400638|109038|666856")")}));
}

TEST(Presets, read_mind) {
  const std::string log = "1\tU1\t11/15/2019 9:05:58 AM\tN9 N8\tN1-0 N2-1 N3-0\n2\tU2\t11/15/2019 12:00:00 PM\t\tN4-0\n";
  EXPECT_EQ(decoded(shape("mind"), log), (Lines{list("1573808758000", "1", "U1", R"("items":["N1","N2","N3"])"),
                                                click("1573808758000", "U1", "N2", R"(,"list_id":"1")"),
                                                list("1573819200000", "2", "U2", R"("items":["N4"])")}));
}

TEST(Presets, read_open_bandit) {
  const std::string log =
      ",timestamp,item_id,position,click,propensity_score,user_feature_0\n"
      "0,2019-11-24 00:00:00.000000+00:00,5,3,0,0.5,x\n"
      "1,2019-11-24 00:00:01.250000+00:00,7,1,1,0.25,x\n";
  EXPECT_EQ(
      decoded(shape("open-bandit"), log),
      (Lines{list("1574553600000", R"(2019-11-24 00\\:00\\:00.000000+00\\:00:0)", "",
                  R"("item_id":"5","position":3,"propensity":0.5)"),
             list("1574553601250", R"(2019-11-24 00\\:00\\:01.250000+00\\:00:1)", "",
                  R"("item_id":"7","position":1,"propensity":0.25)"),
             R"({"type":"click","ts":1574553601250,"item_id":"7","list_id":"2019-11-24 00\\:00\\:01.250000+00\\:00:1"})"}));
}

TEST(Presets, read_movielens) {
  EXPECT_EQ(decoded(shape("movielens"), "196\t242\t3\t881250949\n"),
            (Lines{click("881250949000", "196", "242", R"(,"value":3)", "rating")}));
}

TEST(Presets, give_way_to_what_is_written) {
  const std::string yaml =
      "inputs: [{shape: movielens, unit: ms, fields: {user_id: item_id}}]\njoin: {actions: {rating: {gain: 2}}}\n";
  EXPECT_EQ(decoded(yaml, "196\t242\t3\t881250949000\n"),
            (Lines{click("881250949000", "242", "242", R"(,"value":3)", "rating")}));
}

std::string with_fields(std::string_view name, std::string_view fields) {
  return fmt::format("inputs:\n  - shape: {}\n    fields: {{{}}}\n", name, fields);
}

TEST(Presets, have_fields_of_their_events_from_the_input) {
  const std::string shown = ga4("view_item_list", 0,
                                R"({"item_id":"b","item_list_id":"L","item_list_index":"first","at":"2"},)"
                                R"({"item_id":"a","item_list_id":"L","item_list_index":"second","at":"1"})",
                                R"("page":"P","device":{"category":"phone"},)");
  const std::string clicked = ga4("select_item", 1, R"({"item_id":"a","item_list_id":"L"})", R"("page":"P",)");
  EXPECT_EQ(told(shape("ga4"), shown), "invalid:wrong_type");
  EXPECT_EQ(told(with_fields("ga4", "items.position: at, list_id: page"), shown + clicked),
            list("1704067200000", "P", "p.1", R"("items":["a","b"],"segments":{"device":"phone","list":"L"})") + "\n" +
                click("1704067201000", "p.1", "a", R"(,"list_id":"P")"));
  EXPECT_EQ(told(with_fields("ga4", "items.position: null"), shown),  // dropped
            list("1704067200000", "L", "p.1", R"("items":["b","a"],"segments":{"device":"phone","list":"L"})"));
}

TEST(Presets, have_segments_from_the_input_besides_their_own) {
  const std::string shown =
      ga4("view_item_list", 0, R"({"item_id":"a","item_list_id":"L"})", R"("arm":"B","device":{"category":"phone"},)");
  const auto with = [](std::string_view segments) {
    return list("1704067200000", "L", "p.1", fmt::format(R"("items":["a"],"segments":{{{}}})", segments));
  };
  EXPECT_EQ(told(with_fields("ga4", "segments: {variant: arm}"), shown),
            with(R"("device":"phone","list":"L","variant":"B")"));
  EXPECT_EQ(told(with_fields("ga4", "segments: {list: arm}"), shown), with(R"("device":"phone","list":"B")"));
}

// An order names no list: the preset leaves its list id out.
TEST(Presets, leave_out_of_events_what_they_leave_out_whatever_the_input_says) {
  constexpr std::string_view added = R"({"event":"Product Added","anonymousId":"x","messageId":"m","list":"l",)"
                                     R"("timestamp":"2024-01-01T00:00:00Z","properties":{"product_id":"a","key":"k"}})";
  EXPECT_EQ(told(with_fields("segment", "list_id: list, item_id: properties.key"), added),
            click("1704067200000", "x", "k", R"(,"event_id":"m")", "cart"));
}

// Clicks of UBI have an item, and queries, which have hits, none.
TEST(Presets, give_fields_of_the_input_to_events_that_have_them) {
  constexpr std::string_view log = R"({"query_id":"q1","client_id":"c1","timestamp":"2024-01-01T00:00:00.5Z",)"
                                   R"("query_response_hit_ids":["a","b"],"sku":"s"})";
  EXPECT_EQ(told(with_fields("ubi", "item_id: sku"), log), ubi[0]);
}

TEST(Presets, have_faults_of_the_input_once_and_where_they_were_written) {
  const auto config = load_config(with_fields("ubi", "item_id: 'a[]'"), "test.yaml", {.environment = {}, .read_catalog = {}});
  ASSERT_FALSE(config);
  ASSERT_EQ(config.error().size(), 1U);
  EXPECT_EQ(config.error().front().line, 3);
  EXPECT_EQ(config.error().front().path, "inputs[0].fields.item_id");
  EXPECT_NE(told(with_fields("ubi", "score: null"), "{}").find("has no value"), std::string::npos);
  EXPECT_NE(told(with_fields("ga4", "items.postion: at"), "{}").find("did you mean `items.position`?"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::test
