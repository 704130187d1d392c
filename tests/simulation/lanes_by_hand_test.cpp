// Lanes reckoned by hand, on a log small enough to see through. docs/semantics.md, section 13.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/batch_decoder.h"
#include "support/batch_event.h"
#include "support/decoded.h"
#include "support/engine_run.h"

namespace recmeter::support {
namespace {

// One window of a minute, horizon 10 s, assemble 2 s; B is judged beside what was shown.
class LanesByHand : public testing::Test {
 protected:
  LanesByHand() {
    spec_.name = "by hand";
    spec_.config_hash = "0000000000000000";
    spec_.join.horizons = {Duration{10'000}};
    spec_.join.assemble = Duration{2000};
    spec_.join.same_list = Duration{60'000};
    spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec_.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
    spec_.metrics.cutoffs = {2};
    for (const char* const name : {"precision", "mrr", "distinct_items", "judged_share", "overlap"}) {
      spec_.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
    }
    spec_.lanes.names = {"B"};
  }

  EngineResult run(std::vector<std::string> lines) {
    lines.push_back(tick_line(72'000));
    BatchInput input{.name = "log", .bytes = {}, .fields = native_fields()};
    for (const std::string& line : lines) input.bytes += line + "\n";
    return run_engine(spec_, std::vector{input}, {});
  }
  // "logged 2 lists 1 credited precision 0.25 ...", a row a line.
  static std::string told(const EngineResult& result) {
    std::string text;
    for (const Row& row : result.rows) {
      text += row.segment.front().second + ": " + std::to_string(row.lists) + " lists, " +
              std::to_string(row.feedback.front().credited) + " credited";
      for (const MetricValue& metric : row.metrics) {
        text += ", " + metric.key + " ";
        metric.value ? append_shortest(text, *metric.value) : void(text += "null");
      }
      text += row.stage == Stage::final ? "\n" : " truncated\n";
    }
    return text;
  }

  // u is shown a b and clicks b; v is shown c d and clicks x, which only B would have shown, though the click names v's list.
  const std::vector<std::string> log_{
      list_line(1000, "u", "L1", {"a", "b"}),           candidate_line(1000, "B", "u", "L1", {"b", "y"}),
      feedback_line(3000, "click", "u", "b", "L1"),     list_line(5000, "v", "L2", {"c", "d"}),
      candidate_line(6000, "B", "v", "L2", {"c", "x"}), feedback_line(7000, "click", "v", "x", "L2"),
  };
  EvaluatorSpec spec_;
};

TEST_F(LanesByHand, credit_a_list_id_to_the_stand_in) {
  const EngineResult result = run(log_);
  // logged: L1 [a b], b clicked: precision 1/2, mrr 1/2; L2 [c d], nothing: means 1/4, 1/4. Items a b c d.
  // B: [b y], b clicked: 1/2, 1; [c x], x clicked: 1/2, 1/2: means 1/2, 3/4. Items b y c x. Of b y u was shown b, of c x v
  // was shown c: 1/2; both stand in the lists in their places.
  EXPECT_EQ(told(result),
            "logged: 2 lists, 1 credited, precision@2 0.25, mrr@2 0.25, distinct_items@2 4, judged_share@2 1, overlap@2 1\n"
            "B: 2 lists, 2 credited, precision@2 0.5, mrr@2 0.75, distinct_items@2 4, judged_share@2 0.5, overlap@2 0.5\n");
  EXPECT_EQ(result.report.events.candidates, 2U);
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.not_in_list, 1U) << "x is not in L2 as it was shown";
  ASSERT_EQ(result.report.lanes.size(), 1U);
  EXPECT_EQ(result.report.lanes[0].counts.feedback.credited, 2U);
  EXPECT_EQ(result.report.lanes[0].counts.candidates, (CandidateCounts{.joined = 2, .orphaned = 0}));
}

TEST_F(LanesByHand, count_the_id_of_a_list_that_the_lane_lacks_as_none) {
  std::vector<std::string> lines = log_;
  lines[4] = candidate_line(5500, "B", "v", "", {"c", "x"});
  const EngineResult result = run(lines);
  // The list without id is at 5.5 s, where v was shown nothing: it has a judged item, and no list to overlap with. The click
  // names L2, which B lacks, and so goes to every list of B it fits.
  EXPECT_EQ(told(result),
            "logged: 2 lists, 1 credited, precision@2 0.25, mrr@2 0.25, distinct_items@2 4, judged_share@2 1, overlap@2 1\n"
            "B: 2 lists, 2 credited, precision@2 0.5, mrr@2 0.75, distinct_items@2 4, judged_share@2 0.5, overlap@2 0.5\n");
  EXPECT_EQ(result.rows[1].metrics[4].relevant_share, 0.5) << "half of the lists have a place";
}

TEST_F(LanesByHand, take_out_what_was_not_shown) {
  spec_.lanes.unjudged = LaneSpec::Unjudged::drop;
  // [b y] becomes [b], clicked: precision 1/2, mrr 1; [c x] becomes [c], and the click on x counts for nothing. The row says
  // all the same that two clicks were credited, and that B would have shown four items.
  EXPECT_EQ(told(run(log_)),
            "logged: 2 lists, 1 credited, precision@2 0.25, mrr@2 0.25, distinct_items@2 4, judged_share@2 1, overlap@2 1\n"
            "B: 2 lists, 2 credited, precision@2 0.25, mrr@2 0.5, distinct_items@2 4, judged_share@2 0.5, overlap@2 0.5\n")
      << "how much was taken out is said of the whole list";
}

// [S13.11]: the item c was shown to the user under another list id, which of a placeholder says nothing.
TEST_F(LanesByHand, judge_lists_of_placeholders_by_their_own_id_alone) {
  spec_.join.key.not_users = {"anonymous"};
  const auto share_of = [&](const char* user) {
    const EngineResult result =
        run({list_line(1000, user, "L1", {"a", "b"}), candidate_line(1000, "B", user, "L1", {"b", "c"}),
             list_line(5000, user, "L2", {"c", "d"}), candidate_line(5000, "B", user, "L2", {"c", "d"})});
    return result.rows.back().metrics[3].value;
  };
  EXPECT_EQ(share_of("u"), 1.0);
  EXPECT_EQ(share_of("anonymous"), (0.5 + 1) / 2);
}

TEST_F(LanesByHand, count_no_action_on_what_was_taken_out) {
  spec_.metrics.requests = {{.name = "time_to", .as = {}, .options = {.action = "click"}}};
  // b was clicked 2 s after L1, x 2 s after L2; without x nothing of B's second list is clicked for the 10 s of the horizon.
  EXPECT_EQ(told(run(log_)),
            "logged: 2 lists, 1 credited, time_to{action=click} 6\n"
            "B: 2 lists, 2 credited, time_to{action=click} 2\n");
  spec_.lanes.unjudged = LaneSpec::Unjudged::drop;
  EXPECT_EQ(told(run(log_)),
            "logged: 2 lists, 1 credited, time_to{action=click} 6\n"
            "B: 2 lists, 2 credited, time_to{action=click} 6\n");
}

TEST_F(LanesByHand, have_no_latency_where_nobody_waited) {
  spec_.metrics.requests = {{.name = "latency", .as = {}, .options = {}}};
  std::vector<std::string> lines = log_;
  lines[0] = list_line(1000, "u", "L1", {"a", "b"}, R"(,"latency_ms":0.5)");
  lines[4] = candidate_line(5500, "B", "v", "", {"c", "x"});
  const EngineResult result = run(lines);
  EXPECT_EQ(told(result), "logged: 2 lists, 1 credited, latency 1\nB: 2 lists, 2 credited, latency null\n");
  EXPECT_EQ(result.rows[1].metrics[0].relevant_share, 0);
}

TEST_F(LanesByHand, pair_places_where_each_lane_has_a_list) {
  spec_.lanes.pairs = true;
  std::vector<std::string> lines = log_;
  lines[4] = candidate_line(5500, "B", "v", "", {"c", "x"});
  const EngineResult result = run(lines);
  // Only L1 has a list of B: L2 and the list at 5.5 s are left out.
  EXPECT_EQ(told(result),
            "logged: 1 lists, 1 credited, precision@2 0.5, mrr@2 0.5, distinct_items@2 2, judged_share@2 1, overlap@2 1\n"
            "B: 1 lists, 1 credited, precision@2 0.5, mrr@2 1, distinct_items@2 2, judged_share@2 0.5, overlap@2 0.5\n");
  EXPECT_EQ(result.report.lanes[0].counts.unpaired, 1U);
  EXPECT_EQ(result.report.lists, 2U);
  EXPECT_EQ(result.report.lanes[0].counts.feedback.credited, 2U) << "what is left out takes credit all the same";
}

TEST_F(LanesByHand, know_no_list_ids_under_shadow) {
  spec_.lanes.logged = LaneSpec::Logged::shadow;
  std::vector<std::string> lines = log_;
  lines[2] = feedback_line(3000, "click", "u", "b", "L9");  // as logged it would be unmatched
  const EngineResult result = run(lines);
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.organic, 1U) << "x was not shown";
  EXPECT_EQ(result.report.lanes[0].counts.feedback.credited, 2U);
  EXPECT_EQ(result.rows[0].config, result.rows[1].config) << "one rule";
}

TEST_F(LanesByHand, are_final_only_as_long_later_as_a_candidate_may_come) {
  // The window ends at 60 s, the horizon 10 s later, and candidates of its lists may come for 2 s.
  std::vector<std::string> lines = log_;
  lines.push_back(tick_line(71'999));
  BatchInput input{.name = "log", .bytes = {}, .fields = native_fields()};
  for (const std::string& line : lines) input.bytes += line + "\n";
  for (const Row& row : run_engine(spec_, std::vector{input}, {}).rows) EXPECT_EQ(row.stage, Stage::truncated);
  for (const Row& row : run(log_).rows) EXPECT_EQ(row.stage, Stage::final);
}

// A list of B may be in time at a long horizon alone. Each horizon is decided as if there were no other.
TEST_F(LanesByHand, decide_a_list_id_for_each_horizon) {
  const std::vector<std::string> lines{
      list_line(1000, "u", "L1", {"a"}),
      candidate_line(1000, "B", "u", "L1", {"a"}),
      list_line(9000, "u", "L2", {"a"}),
      candidate_line(8500, "B", "u", "", {"a"}),
      feedback_line(10'000, "click", "u", "a", "L1"),
  };
  const auto credited_at = [&](std::vector<Duration> horizons, Duration horizon) {
    spec_.join.horizons = std::move(horizons);
    const EngineResult result = run({lines[0], lines[1], lines[3], lines[2], lines[4]});
    std::uint64_t credited = 0;
    for (const Row& row : result.rows) {
      if (row.horizon == horizon && row.segment.front().second == "B") credited += row.feedback.front().credited;
    }
    return credited;
  };
  // At 5 s the list of L1's id is out of reach, so the click goes to the list of 8.5 s; at 10 s it goes to L1's stand-in.
  EXPECT_EQ(credited_at({{5000}}, {5000}), 1U);
  EXPECT_EQ(credited_at({{5000}, {10'000}}, {5000}), 1U);
  EXPECT_EQ(credited_at({{5000}, {10'000}}, {10'000}), 1U);
}

// Nobody said of which variant it would have been.
TEST_F(LanesByHand, count_in_no_row_of_keys_that_a_list_without_place_does_not_carry) {
  spec_.metrics.requests = {{.name = "precision", .as = {}, .options = {}}};
  spec_.segments = {{.keys = {"variant"}, .keep = {}}};
  std::string shown = list_line(1000, "u", "L1", {"a", "b"});
  shown.insert(shown.size() - 1, R"(,"segments":{"variant":"A"})");
  std::string carries = candidate_line(3000, "B", "u", "", {"a"});
  carries.insert(carries.size() - 1, R"(,"segments":{"variant":"A"})");
  const EngineResult result = run({shown, candidate_line(1000, "B", "u", "L1", {"a", "c"}),
                                   candidate_line(2000, "B", "u", "", {"b"}), carries, list_line(4000, "u", "L2", {"e"})});
  std::string text;
  for (const Row& row : result.rows) {
    for (const auto& [key, value] : row.segment) text += value + " ";
    text += std::to_string(row.lists) + "\n";
  }
  EXPECT_EQ(text, "logged 2\nlogged (none) 1\nlogged A 1\nB 3\nB A 2\n");
}

// A place is one list, also of a user who was shown two at once.
TEST_F(LanesByHand, put_a_list_without_id_in_one_place) {
  spec_.lanes.pairs = true;
  const EngineResult result = run({
      list_line(1000, "u", "L1", {"a", "b"}),
      list_line(1000, "u", "L2", {"c", "d"}),
      candidate_line(1000, "B", "u", "", {"a", "c"}),
  });
  // L1 opened first. B's list has a of it in its top 2, and c of the other.
  EXPECT_EQ(told(result),
            "logged: 1 lists, 0 credited, precision@2 0, mrr@2 0, distinct_items@2 2, judged_share@2 1, overlap@2 1\n"
            "B: 1 lists, 0 credited, precision@2 0, mrr@2 0, distinct_items@2 2, judged_share@2 1, overlap@2 0.5\n");
}

}  // namespace
}  // namespace recmeter::support
