#include "recmeter/live/row_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using memory::MemoryStore;

constexpr std::int64_t minute_ms = 60'000;
constexpr Duration day{24 * 60 * minute_ms};
constexpr Duration hour{60 * minute_ms};
constexpr EventTime midnight{1'700'006'400'000};  // 2023-11-15T00:00:00Z

Row row_at(EventTime start, const std::string& variant = "", double matured = 1, Stage stage = Stage::final) {
  Row row;
  row.evaluator = "e";
  row.config = "c";
  row.window = "minute";
  row.start = start;
  row.end = start + Duration{minute_ms};
  row.horizon = Duration{30 * minute_ms};
  if (!variant.empty()) row.segment = {{"variant", variant}};
  row.stage = stage;
  row.matured = matured;
  row.lists = 1;
  return row;
}

RowSeries series(const std::string& variant = "") {
  const Row row = row_at(midnight, variant);
  return {row.window, row.horizon, row.segment};
}

class ResultBookTest : public testing::Test {
 protected:
  void save(EventTime watermark) {
    StateBatch batch;
    archive_.save(batch, watermark);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::vector<std::string> read(const RowArchive::Query& query) const {
    std::vector<std::string> rows;
    EXPECT_TRUE(RowArchive::read(store_, query, [&](EventTime, std::string_view json) {
      rows.emplace_back(json);
      return true;
    }));
    return rows;
  }
  // The shares of matured lists in what is read.
  [[nodiscard]] std::vector<double> matured(int tenth) const {
    std::vector<double> shares;
    for (const std::string& json : read({.series = series(), .tenth = tenth})) {
      const std::size_t at = json.find("\"matured\":") + 10;
      shares.push_back(std::stod(json.substr(at)));
    }
    return shares;
  }

  MemoryStore store_;
  RowArchive archive_{day, hour};
};

TEST_F(ResultBookTest, gives_the_rows_of_a_series_in_their_order_over_days) {
  std::vector<std::string> expected;
  for (const std::int64_t minute : {-2, -1, 0, 1}) {
    const Row row = row_at(midnight + Duration{minute * minute_ms}, "A");
    archive_.note(row_at(row.start, "AB"));
    archive_.note(row);
    archive_.note(row_at(row.start));
    expected.push_back(render_json(row));
  }
  save(midnight);
  EXPECT_EQ(read({.series = series("A")}), expected);
  EXPECT_EQ(read({.series = series("A"), .from = midnight - Duration{minute_ms}, .to = midnight + Duration{minute_ms}}),
            (std::vector<std::string>{expected[1], expected[2]}));
  EXPECT_EQ(read({.series = series("AB")}).size(), 4U);
  EXPECT_TRUE(read({.series = series("B")}).empty());
}

TEST_F(ResultBookTest, keeps_a_window_as_it_stood_when_tenths_of_it_had_matured) {
  for (const double share : {0.0, 0.05, 0.1, 0.12, 0.35, 0.61, 0.99}) {
    archive_.note(row_at(midnight, "", share, Stage::provisional));
  }
  save(midnight);
  EXPECT_EQ(matured(1), (std::vector<double>{0.1}));
  EXPECT_EQ(matured(2), (std::vector<double>{0.35})) << "the first at which two tenths had";
  EXPECT_EQ(matured(3), (std::vector<double>{0.35}));
  EXPECT_EQ(matured(6), (std::vector<double>{0.61}));
  EXPECT_EQ(matured(9), (std::vector<double>{0.99}));
  EXPECT_TRUE(matured(10).empty());
  EXPECT_TRUE(matured(0).empty()) << "it is not final yet";
  archive_.note(row_at(midnight));
  save(midnight);
  EXPECT_EQ(matured(0), (std::vector<double>{1}));
  EXPECT_EQ(matured(6), (std::vector<double>{0.61})) << "what it was before stays";
  EXPECT_TRUE(matured(10).empty()) << "a final row is no provisional one";
}

TEST_F(ResultBookTest, keeps_no_row_that_the_end_of_the_log_cut_off) {
  archive_.note(row_at(midnight, "", 0.5, Stage::truncated));
  save(midnight);
  EXPECT_TRUE(read({.series = series()}).empty());
}

TEST_F(ResultBookTest, drops_what_is_over_and_nothing_else) {
  for (std::int64_t n = 0; n < 5; ++n) archive_.note(row_at(midnight + Duration{n * day.ms}));
  save(midnight + day + day);
  EXPECT_EQ(read({.series = series()}).size(), 5U) << "an hour is the longest window, a day is kept";
  save(midnight + day + day + hour);
  EXPECT_EQ(read({.series = series()}).size(), 4U);
  save(midnight + day + day);
  EXPECT_EQ(read({.series = series()}).size(), 4U);
}

TEST_F(ResultBookTest, keeps_nothing_where_nothing_is_to_be_kept) {
  archive_ = RowArchive(Duration{0}, hour);
  archive_.note(row_at(midnight));
  StateBatch batch;
  archive_.save(batch, minus_infinity);
  EXPECT_TRUE(batch.changes().empty());
}

Row comparable_row(const std::string& variant, double value) {
  Row row = row_at(midnight, variant);
  auto left_out = std::make_shared<LeftOutValues>();
  for (std::size_t g = 0; g < user_groups; g += 2) left_out->add(g, value + 0.001 * static_cast<double>(g * 7 % 11));
  left_out->add(63, std::nullopt);
  left_out->evidence_groups = 21;
  MetricValue metric;
  metric.key = "precision@10";
  metric.value = value;
  metric.left_out = left_out;
  row.metrics = {metric};
  MetricValue nothing;
  nothing.key = "mrr@10";
  nothing.left_out = std::make_shared<LeftOutValues>();
  row.metrics.push_back(nothing);
  return row;
}

TEST_F(ResultBookTest, keeps_what_two_segments_are_compared_by) {
  const Row row = comparable_row("A", 0.25);
  archive_.note(row);
  save(midnight);
  std::size_t seen = 0;
  EXPECT_TRUE(RowArchive::read_comparable(store_, {.series = series("A")},
                                          [&](EventTime start, const std::vector<Comparable>& values) {
                                            ++seen;
                                            EXPECT_EQ(start, midnight);
                                            EXPECT_EQ(values.size(), 2U);
                                            EXPECT_EQ(values.at(0).metric, "precision@10");
                                            EXPECT_EQ(values.at(0).value, 0.25);
                                            const LeftOutValues& kept = values.at(0).left_out;
                                            const LeftOutValues& was = *row.metrics[0].left_out;
                                            EXPECT_EQ(kept.groups, was.groups);
                                            EXPECT_EQ(kept.evidence_groups, 21U);
                                            EXPECT_FALSE(kept.theta[63]);
                                            for (std::size_t g = 0; g < user_groups; g += 2)
                                              EXPECT_NEAR(*kept.theta[g], *was.theta[g], 1e-9);
                                            EXPECT_FALSE(values.at(1).value);
                                            return true;
                                          }));
  EXPECT_EQ(seen, 1U);
}

TEST_F(ResultBookTest, says_that_it_is_damaged) {
  archive_.note(comparable_row("A", 0.25));
  StateBatch batch;
  archive_.save(batch, midnight);
  StateBatch cut;
  for (const StateBatch::Change& change : batch.changes()) {
    if (change.kind != StateBatch::Change::Kind::put) continue;
    cut.put(change.key, change.value.substr(0, change.value.size() - 1));
  }
  ASSERT_TRUE(store_.write(cut, StateStore::Durability::process));
  const auto read = RowArchive::read_comparable(store_, {.series = series("A")}, [](EventTime, const auto&) { return true; });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Errc::state_unusable);
}

TEST_F(ResultBookTest, gives_what_a_plain_list_of_rows_would) {
  support::for_each_seed(40, 2000, [&](std::uint64_t seed) {
    support::Dice dice(seed);
    store_ = MemoryStore();
    archive_ = RowArchive(Duration{1000 * day.ms}, hour);
    std::map<std::pair<std::string, std::int64_t>, std::string> rows;
    for (std::uint64_t n = 0; n < 60; ++n) {
      const std::string variant = dice.pick<std::string>({"", "A", "B", "AB", std::string("A\0", 2)});
      const EventTime start = midnight + Duration{static_cast<std::int64_t>(dice.below(4000)) * minute_ms};
      const Row row = row_at(start, variant);
      archive_.note(row);
      rows[{variant, start.ms}] = render_json(row);
      if (dice.percent(20)) save(start);
    }
    save(midnight);
    for (const std::string variant : {"", "A", "B", "AB"}) {
      const EventTime from = midnight + Duration{static_cast<std::int64_t>(dice.below(4000)) * minute_ms};
      const EventTime to = from + Duration{static_cast<std::int64_t>(dice.below(3000)) * minute_ms};
      std::vector<std::string> expected;
      for (const auto& [place, json] : rows) {
        if (place.first == variant && place.second >= from.ms && place.second < to.ms) expected.push_back(json);
      }
      ASSERT_EQ(read({.series = series(variant), .from = from, .to = to}), expected);
    }
  });
}

std::vector<std::string> told(const std::vector<KeptSeries>& series) {
  std::vector<std::string> all;
  for (const KeptSeries& one : series) {
    all.push_back((one.series.segment.empty() ? "all" : one.series.segment.front().second) + " " +
                  (one.newest_final ? std::to_string((*one.newest_final - midnight).ms / minute_ms) : "provisional"));
  }
  return all;
}

TEST_F(ResultBookTest, lists_series_with_their_newest_final_rows) {
  ASSERT_TRUE(archive_.open(store_));
  for (const std::int64_t n : {0, 1, 2}) archive_.note(row_at(midnight + Duration{n * minute_ms}));
  archive_.note(row_at(midnight - Duration{minute_ms}, "A"));
  archive_.note(row_at(midnight + Duration{minute_ms}, "B", 0.5, Stage::provisional));
  save(midnight);
  const auto found = RowArchive::series(store_, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"all 2", "A -1", "B provisional"}));
}

TEST_F(ResultBookTest, lists_series_of_the_newest_days_first) {
  ASSERT_TRUE(archive_.open(store_));
  archive_.note(row_at(midnight - day, "old"));
  archive_.note(row_at(midnight, "new"));
  save(midnight);
  const auto found = RowArchive::series(store_, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"new 0"}));
}

TEST_F(ResultBookTest, drops_the_index_with_the_rows) {
  ASSERT_TRUE(archive_.open(store_));
  archive_.note(row_at(midnight - day, "old"));
  save(midnight);
  archive_.note(row_at(midnight + Duration{3 * day.ms}, "new"));
  save(midnight + Duration{4 * day.ms});
  const auto found = RowArchive::series(store_, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"new " + std::to_string(3 * 24 * 60)}));
}

// As the first release wrote them.
TEST_F(ResultBookTest, indexes_a_state_that_has_no_index_when_it_is_opened) {
  ASSERT_TRUE(archive_.open(store_));
  archive_.note(row_at(midnight, "A"));
  archive_.note(row_at(midnight, "B", 0.5, Stage::provisional));
  save(midnight);
  StateBatch batch;
  batch.erase_range("s", "t");
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  const auto without = RowArchive::series(store_, 10);
  ASSERT_TRUE(without);
  EXPECT_EQ(told(*without), (std::vector<std::string>{"A provisional", "B provisional"}));
  RowArchive again(day, hour);
  ASSERT_TRUE(again.open(store_));
  StateBatch opened;
  again.save(opened, midnight);
  ASSERT_TRUE(store_.write(opened, StateStore::Durability::process));
  ASSERT_TRUE(store_.get("s")->has_value());
  EXPECT_EQ(told(*RowArchive::series(store_, 10)), told(*without));
}

}  // namespace
}  // namespace recmeter
