// A live run keeps sums of final rows, so that it can say why a metric changed.
#include "recmeter/live/kept_sums.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

constexpr Duration keep{3 * one_hour.ms};

Row hour_row(int hour, const std::string& surface, const std::string& metric = "mrr@3") {
  Row row;
  row.evaluator = "shop";
  row.config = "c";
  row.window = "hour";
  row.start = EventTime{hour * one_hour.ms};
  row.end = row.start + one_hour;
  row.horizon = one_minute;
  if (!surface.empty()) row.segment = {{"surface", surface}};
  row.incomplete = {"gap"};
  row.lists = 12;
  MetricValue& of = row.metrics.emplace_back();
  of.key = metric;
  of.value = 0.25;
  of.ci = {0.125, 0.5};
  of.relevant_share = 0.5;
  of.given_relevant = 0.5;
  GroupSums sums;
  sums.lists[3] = 7;
  sums.lists[63] = 5;
  sums.evidence[3] = 6;
  sums.value[3] = -(Int128{1} << 90) - hour;
  sums.value[63] = Int128{9};
  of.group_sums = std::make_shared<GroupSums>(sums);
  ShownCounts shown;
  shown.ranks = {{3, 2}, {0, 0}, {1, 1}};
  shown.groups = {{4, 1}, {8, 0}};
  shown.groups_id = 0xFEDCBA9876543210;
  of.shown = std::make_shared<ShownCounts>(shown);
  return row;
}

class KeptSumsTest : public ::testing::Test {
 protected:
  void save(KeptSums& sums, EventTime w) {
    StateBatch batch;
    sums.save(batch, w);
    ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::vector<Row> read(const std::string& metric, Duration kept = keep) const {
    std::vector<Row> rows;
    const auto done = KeptSums::read(store, metric, kept, [&](Row&& row) {
      rows.push_back(std::move(row));
      return true;
    });
    EXPECT_TRUE(done) << (done ? "" : done.error().context);
    return rows;
  }
  [[nodiscard]] std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> found;
    EXPECT_TRUE(store.scan("", "\xFF", [&](std::string_view key, std::string_view value) {
      found.emplace(key, value);
      return true;
    }));
    return found;
  }
  memory::MemoryStore store;
};

TEST_F(KeptSumsTest, give_back_all_that_why_needs) {
  KeptSums sums(keep);
  Row other = hour_row(1, "home", "ndcg_list@3");
  other.metrics.front().shown = nullptr;
  other.metrics.front().value.reset();
  other.metrics.front().ci.reset();
  for (const Row& row : {hour_row(1, ""), hour_row(1, "home"), other}) sums.note(row);
  EXPECT_GT(sums.noted_bytes(), 0u);
  save(sums, EventTime{3 * one_hour.ms});
  EXPECT_EQ(sums.noted_bytes(), 0u);

  const std::vector<Row> rows = read("mrr@3");
  ASSERT_EQ(rows.size(), 2u);
  const Row expected = hour_row(1, "home");
  const Row& row = rows[1];
  EXPECT_EQ(row.evaluator, "shop");
  EXPECT_EQ(row.config, "c");
  EXPECT_EQ(row.window, "hour");
  EXPECT_EQ(row.start, expected.start);
  EXPECT_EQ(row.end, expected.end);
  EXPECT_EQ(row.horizon, one_minute);
  EXPECT_EQ(row.segment, expected.segment);
  EXPECT_EQ(row.incomplete, expected.incomplete);
  EXPECT_EQ(row.lists, 12u);
  EXPECT_EQ(row.stage, Stage::final);
  const MetricValue& metric = row.metrics.at(0);
  const MetricValue& was = expected.metrics.at(0);
  EXPECT_EQ(metric.key, "mrr@3");
  EXPECT_EQ(metric.value, was.value);
  EXPECT_EQ(metric.ci, was.ci);
  EXPECT_EQ(metric.relevant_share, was.relevant_share);
  EXPECT_EQ(metric.given_relevant, was.given_relevant);
  EXPECT_EQ(metric.group_sums->lists, was.group_sums->lists);
  EXPECT_EQ(metric.group_sums->evidence, was.group_sums->evidence);
  EXPECT_TRUE(metric.group_sums->value == was.group_sums->value);
  EXPECT_EQ(*metric.shown, *was.shown);
  const std::vector<Row> others = read("ndcg_list@3");
  ASSERT_EQ(others.size(), 1u);
  EXPECT_FALSE(others[0].metrics[0].value);
  EXPECT_EQ(others[0].metrics[0].shown, nullptr);
  EXPECT_TRUE(read("mrr@30").empty());
}

TEST_F(KeptSumsTest, are_of_final_rows_with_sums_alone) {
  KeptSums sums(keep);
  Row provisional = hour_row(1, "");
  provisional.stage = Stage::provisional;
  Row truncated = hour_row(1, "");
  truncated.stage = Stage::truncated;
  Row without = hour_row(1, "");
  without.metrics.front().group_sums = nullptr;
  for (const Row& row : {provisional, truncated, without}) sums.note(row);
  save(sums, EventTime{3 * one_hour.ms});
  EXPECT_TRUE(read("mrr@3").empty());
}

TEST_F(KeptSumsTest, go_when_they_are_over_whenever_checkpoints_are) {
  KeptSums one(keep);
  for (int hour = 0; hour < 8; ++hour) one.note(hour_row(hour, ""));
  save(one, EventTime{8 * one_hour.ms + one_minute.ms});
  const auto at_once = all();
  EXPECT_EQ(at_once.size(), 4u) << "what became final at 5:01 or later";
  const std::vector<Row> rows = read("mrr@3");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows.front().start, EventTime{5 * one_hour.ms}) << "the newest is final at 8:01, and 3 h before that is over";

  store = {};
  for (int hour = 0; hour < 8; ++hour) {
    KeptSums again(keep);  // a run that was killed after each row
    again.note(hour_row(hour, ""));
    again.note(hour_row(hour, ""));
    save(again, EventTime{(hour + 1) * one_hour.ms + one_minute.ms});
  }
  EXPECT_EQ(all(), at_once);
}

// Sums that have not been dropped yet are not there for those who ask.
TEST_F(KeptSumsTest, are_read_back_to_keep_before_the_newest) {
  KeptSums sums(keep);
  for (int hour = 0; hour < 8; ++hour) sums.note(hour_row(hour, ""));
  save(sums, EventTime{one_hour.ms});
  EXPECT_EQ(all().size(), 8u);
  EXPECT_EQ(read("mrr@3").size(), 3u);
}

TEST_F(KeptSumsTest, that_are_not_wanted_any_more_go) {
  KeptSums sums(keep);
  sums.note(hour_row(1, ""));
  save(sums, EventTime{3 * one_hour.ms});
  KeptSums off(Duration{0});
  off.note(hour_row(2, ""));
  EXPECT_EQ(off.noted_bytes(), 0u);
  save(off, EventTime{3 * one_hour.ms});
  EXPECT_TRUE(all().empty());
}

TEST_F(KeptSumsTest, that_are_damaged_are_told) {
  KeptSums sums(keep);
  sums.note(hour_row(1, ""));
  save(sums, EventTime{3 * one_hour.ms});
  const auto [key, value] = *all().begin();
  for (std::size_t size = 0; size < value.size(); ++size) {
    StateBatch batch;
    batch.put(key, value.substr(0, size));
    ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
    const auto done = KeptSums::read(store, "mrr@3", keep, [](Row&&) { return true; });
    ASSERT_FALSE(done) << size;
    EXPECT_EQ(done.error().code, Errc::state_unusable);
  }
}

}  // namespace
}  // namespace recmeter
