// Which lists a preset makes of a log of its kind, and which of them its actions go to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "app/infer/proposal.h"
#include "app/infer/trial.h"
#include "config/load_config.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

const std::atomic<bool> never = false;

Report joined(std::string_view shape, std::string_view log, std::string_view more = "") {
  const auto config = load_config(fmt::format("inputs: [{{shape: {}{}}}]\n", shape, more), "test.yaml",
                                  {.environment = {}, .read_catalog = {}});
  EXPECT_TRUE(config) << (config ? "" : config.error().front().message);
  const Scratch scratch;
  auto replayed = replay_sample(*config, {scratch.put("log", log)}, never);
  EXPECT_TRUE(replayed);
  EXPECT_EQ(replayed->report.events.invalid, 0U);
  return replayed->report;
}

// A record of GA4 so many seconds later.
std::string ga4(std::string_view name, int second, std::string_view items) {
  return fmt::format(R"({{"event_name":"{}","event_timestamp":"{}000000","user_pseudo_id":"p.1","items":[{}]}})"
                     "\n",
                     name, 1704067200 + second, items);
}
constexpr std::string_view lamp = R"({"item_id":"lamp","item_list_id":"home"})";
constexpr std::string_view sofa = R"({"item_id":"sofa","item_list_id":"home"})";

TEST(JoinedPresets, take_a_list_of_ga4_that_is_loaded_again_for_another) {
  EXPECT_EQ(joined("ga4", ga4("view_item_list", 0, lamp) + ga4("view_item_list", 12 * 60, lamp)).lists, 2U);
  const Report sent_again = joined("ga4", ga4("view_item_list", 0, lamp) + ga4("view_item_list", 3, lamp));
  EXPECT_EQ(sent_again.lists, 1U);
  EXPECT_EQ(sent_again.events.duplicate(), 1U);
}

TEST(JoinedPresets, join_a_batch_of_ga4_whose_events_have_one_time) {
  const Report batch = joined("ga4", ga4("select_item", 0, sofa) + ga4("view_item_list", 0, lamp) +
                                         ga4("view_item_list", 0, sofa) + ga4("purchase", 0, R"({"item_id":"lamp"})"));
  EXPECT_EQ(batch.lists, 1U);  // in pieces
  EXPECT_EQ(batch.feedback.credited, 2U);
}

TEST(JoinedPresets, take_a_category_of_segment_that_is_seen_again_for_another_list) {
  const auto viewed = [](std::string_view time) {
    return fmt::format(
        R"({{"event":"Product List Viewed","anonymousId":"x","messageId":"m{0}","timestamp":"2024-01-01T00:{0}Z",)"
        R"("properties":{{"list_id":"deals","products":[{{"product_id":"lamp"}}]}}}})"
        "\n",
        time);
  };
  EXPECT_EQ(joined("segment", viewed("00:00") + viewed("12:00")).lists, 2U);
  EXPECT_EQ(joined("rudderstack", viewed("00:00") + viewed("00:03")).lists, 1U);
}

// Of UBI. The query, or the page of it, knows what was shown.
std::string query(std::string_view id, std::string_view hits) {
  return fmt::format(R"({{"query_id":"{}","client_id":"c","timestamp":"2024-01-01T00:00:00Z","query_response_hit_ids":[{}]}})"
                     "\n",
                     id, hits);
}
std::string on_page(std::string_view action, std::string_view id, std::string_view item, int ordinal) {
  return fmt::format(R"({{"action_name":"{}","query_id":"{}","client_id":"c","timestamp":"2024-01-01T00:00:02Z",)"
                     R"("event_attributes":{{"object":{{"object_id":"{}"}},"position":{{"ordinal":{}}}}}}})"
                     "\n",
                     action, id, item, ordinal);
}

TEST(JoinedPresets, make_a_list_of_the_impression_events_of_a_query_of_ubi_without_hits) {
  const Report seen = joined("ubi",
                             query("q1", "") + on_page("impression", "q1", "lamp", 0) +
                                 on_page("impression", "q1", "sofa", 1) + on_page("click", "q1", "sofa", 1),
                             ", position_base: 0");
  EXPECT_EQ(seen.lists, 1U);
  EXPECT_EQ(seen.feedback.credited, 1U);
}

TEST(JoinedPresets, keep_the_hits_of_a_query_of_ubi_beside_impression_events) {
  const Report seen = joined("ubi",
                             query("q1", R"("lamp","sofa")") + on_page("impression", "q1", "sofa", 0) +
                                 on_page("impression", "q1", "lamp", 1) + on_page("click", "q1", "sofa", 1),
                             ", position_base: 0");
  EXPECT_EQ(seen.lists, 1U);
  EXPECT_EQ(seen.events.duplicate(), 2U);
  EXPECT_EQ(seen.feedback.credited, 1U);
}

Proposal inferred(std::string_view log) {
  const Scratch scratch;
  auto proposal = infer_configuration({scratch.put("log", log)}, EventTime{1'790'000'000'000}, never);
  EXPECT_TRUE(proposal);
  return *proposal;
}

TEST(JoinedPresets, put_chunks_of_a_view_of_algolia_together) {
  const auto event = [](std::string_view type, int ms, std::string_view objects) {
    return fmt::format(
        R"({{"eventType":"{}","eventName":"E","userToken":"u","timestamp":{},"queryID":"q1","objectIDs":[{}]}})"
        "\n",
        type, 1704067200000 + ms, objects);
  };
  const Report seen =
      joined("algolia", event("view", 0, R"("a","b")") + event("view", 20, R"("c")") + event("click", 50, R"("c")"));
  EXPECT_EQ(seen.lists, 1U);
  EXPECT_EQ(seen.feedback.credited, 1U);
}

// A data set without lists is known, and recmeter prequential is where it leads.
TEST(InferredPresets, say_that_retailrocket_has_no_lists) {
  const Proposal proposal = inferred(
      "timestamp,visitorid,event,itemid,transactionid\n1433221332117,257597,view,355908,\n1433222276276,599528,view,248676,\n"
      "1433223236124,599528,transaction,248676,4000\n");
  EXPECT_EQ(proposal.shape, "retailrocket");
  EXPECT_EQ(proposal.trial.lists, 0U);
  EXPECT_EQ(proposal.trial.feedback, 3U);
}

// Excel saves the interactions of Personalize with its separator above them; others write comments there.
TEST(InferredPresets, are_tried_with_the_rows_that_were_found) {
  std::string rows = "USER_ID,ITEM_ID,TIMESTAMP,EVENT_TYPE,IMPRESSION,RECOMMENDATION_ID\n";
  for (int n = 0; n < 100; ++n) {
    rows += fmt::format("u{},i{},{},click,i{}|i{}|i{},r{}\n", n % 20, n % 50, 1704067200 + 60 * n, n % 50 + 1, n % 50,
                        n % 50 + 2, n);
  }
  std::string by_semicolons = rows;
  std::ranges::replace(by_semicolons, ',', ';');
  for (const auto& [log, csv] : {std::pair("sep=;\n" + by_semicolons, "csv: {skip: 1, delimiter: ';'}\n"),
                                 std::pair("# of the shop\n# 2024-01-01\n" + rows, "csv: {comment: '#'}\n")}) {
    const Proposal proposal = inferred(log);
    EXPECT_EQ(proposal.shape, "personalize") << proposal.config;
    EXPECT_NE(proposal.config.find(csv), std::string::npos) << proposal.config;
    EXPECT_EQ(proposal.report.lists, 100U);
    EXPECT_EQ(proposal.report.feedback.credited, 100U);
    EXPECT_EQ(proposal.report.events.invalid, 0U);
  }
}

// Recmeter's own names have it, too, though no shape stands in the configuration.
TEST(InferredPresets, name_the_arms_of_segments_that_the_log_has_itself) {
  std::string log;
  for (int n = 0; n < 200; ++n) {
    log += fmt::format(
        R"({{"type":"impression","ts":{0},"list_id":"l{1}","user_id":"u{2}","items":["a","b"],"segments":{{"variant":"{3}","page":"{4}"}}}})"
        "\n"
        R"({{"type":"click","ts":{5},"list_id":"l{1}","user_id":"u{2}","item_id":"b"}})"
        "\n",
        1704067200000 + 1000 * n, n, n % 40, n % 2 == 0 ? "A" : "B", n % 3 == 0 ? "home" : "search",
        1704067200500 + 1000 * n);
  }
  const Proposal proposal = inferred(log);
  EXPECT_EQ(proposal.shape, "native");
  ASSERT_EQ(proposal.arms.size(), 1U) << proposal.config;
  EXPECT_EQ(proposal.arms.front().key, "variant");
  EXPECT_NE(proposal.config.find("\nsegments: [[variant], [page]]"), std::string::npos) << proposal.config;
  EXPECT_NE(proposal.config.find("\n#   - name: variant\n"), std::string::npos) << proposal.config;
}

TEST(NearlyFittingPresets, leave_out_positions_in_words_and_ask_for_the_order) {
  const Proposal proposal =
      inferred(ga4("view_item_list", 0,
                   R"({"item_id":"lamp","item_list_index":"first"},{"item_id":"sofa","item_list_index":"second"})") +
               ga4("select_item", 1, R"({"item_id":"sofa"})"));
  EXPECT_EQ(proposal.shape, "ga4");
  EXPECT_NE(proposal.config.find("fields: {items.position: null}"), std::string::npos) << proposal.config;
  ASSERT_EQ(proposal.doubts.size(), 1U);
  EXPECT_EQ(proposal.doubts.front().about, "items.position");
  EXPECT_EQ(proposal.report.lists, 1U);
  EXPECT_EQ(proposal.report.feedback.credited, 1U);
}

TEST(NearlyFittingPresets, are_named_with_the_field_that_is_missing) {
  std::string log = ga4("view_item_list", 0, lamp) + ga4("select_item", 1, lamp);
  for (std::size_t at = 0; (at = log.find("user_pseudo_id", at)) != std::string::npos;) log.replace(at, 14, "visitor");
  const Proposal proposal = inferred(log);
  EXPECT_EQ(proposal.config, "");
  ASSERT_EQ(proposal.doubts.size(), 1U);
  EXPECT_EQ(proposal.doubts.front().sentence,
            "ga4 fits but for `user_id`, for which 2 of 2 records are invalid: name its place under `fields`");
}

}  // namespace
}  // namespace recmeter::test
