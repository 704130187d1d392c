#include "recmeter/live/row_archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "recmeter/base/byte_code.h"
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

class RowArchiveTest : public testing::Test {
 protected:
  void note(Row row) { archive_.note(*render(std::move(row))); }
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

TEST_F(RowArchiveTest, gives_the_rows_of_a_series_in_their_order_over_days) {
  std::vector<std::string> expected;
  for (const std::int64_t minute : {-2, -1, 0, 1}) {
    const Row row = row_at(midnight + Duration{minute * minute_ms}, "A");
    note(row_at(row.start, "AB"));
    note(row);
    note(row_at(row.start));
    expected.push_back(render_json(row));
  }
  save(midnight);
  EXPECT_EQ(read({.series = series("A")}), expected);
  EXPECT_EQ(read({.series = series("A"), .from = midnight - Duration{minute_ms}, .to = midnight + Duration{minute_ms}}),
            (std::vector<std::string>{expected[1], expected[2]}));
  EXPECT_EQ(read({.series = series("AB")}).size(), 4U);
  EXPECT_TRUE(read({.series = series("B")}).empty());
}

TEST_F(RowArchiveTest, keeps_a_window_as_it_stood_when_tenths_of_it_had_matured) {
  for (const double share : {0.0, 0.05, 0.1, 0.12, 0.35, 0.61, 0.99}) {
    note(row_at(midnight, "", share, Stage::provisional));
  }
  save(midnight);
  EXPECT_EQ(matured(1), (std::vector<double>{0.1}));
  EXPECT_EQ(matured(2), (std::vector<double>{0.35})) << "the first at which two tenths had";
  EXPECT_EQ(matured(3), (std::vector<double>{0.35}));
  EXPECT_EQ(matured(6), (std::vector<double>{0.61}));
  EXPECT_EQ(matured(9), (std::vector<double>{0.99}));
  EXPECT_TRUE(matured(10).empty());
  EXPECT_TRUE(matured(0).empty()) << "it is not final yet";
  note(row_at(midnight));
  save(midnight);
  EXPECT_EQ(matured(0), (std::vector<double>{1}));
  EXPECT_EQ(matured(6), (std::vector<double>{0.61})) << "what it was before stays";
  EXPECT_TRUE(matured(10).empty()) << "a final row is no provisional one";
}

TEST_F(RowArchiveTest, keeps_no_row_that_the_end_of_the_log_cut_off) {
  note(row_at(midnight, "", 0.5, Stage::truncated));
  save(midnight);
  EXPECT_TRUE(read({.series = series()}).empty());
}

TEST_F(RowArchiveTest, drops_what_is_over_and_nothing_else) {
  for (std::int64_t n = 0; n < 5; ++n) note(row_at(midnight + Duration{n * day.ms}));
  save(midnight + day + day);
  EXPECT_EQ(read({.series = series()}).size(), 5U) << "an hour is the longest window, a day is kept";
  save(midnight + day + day + hour);
  EXPECT_EQ(read({.series = series()}).size(), 4U);
  save(midnight + day + day);
  EXPECT_EQ(read({.series = series()}).size(), 4U);
}

TEST_F(RowArchiveTest, keeps_nothing_where_nothing_is_to_be_kept) {
  archive_ = RowArchive(Duration{0}, hour);
  note(row_at(midnight));
  StateBatch batch;
  archive_.save(batch, minus_infinity);
  EXPECT_TRUE(batch.changes().empty());
}

Row comparable_row(const std::string& variant, double value) {
  Row row = row_at(midnight, variant);
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; g += 2) left_out.add(g, value + 0.0001 * static_cast<double>(g * 7 % 67));
  left_out.add(63, std::nullopt);
  left_out.evidence_groups = 21;
  MetricValue metric;
  metric.key = "precision@10";
  metric.value = value;
  metric.left_out = std::make_shared<const LeftOutValues>(left_out);
  row.metrics = {metric};
  MetricValue nothing;
  nothing.key = "mrr@10";
  nothing.left_out = std::make_shared<LeftOutValues>();
  row.metrics.push_back(nothing);
  return row;
}

TEST_F(RowArchiveTest, keeps_what_two_segments_are_compared_by) {
  const Row row = comparable_row("A", 0.25);
  note(row);
  save(midnight);
  std::vector<Comparable> kept;
  for (const char* metric : {"precision@10", "mrr@10", "no_such@10"}) {
    EXPECT_TRUE(RowArchive::read_comparable(store_, {.series = series("A"), .metric = metric},
                                            [&](EventTime start, const Comparable& value) {
                                              EXPECT_EQ(start, midnight);
                                              kept.push_back(value);
                                              return true;
                                            }));
  }
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].value, 0.25);
  const LeftOutValues was = *row.metrics[0].left_out;
  EXPECT_EQ(kept[0].left_out.groups, was.groups);
  EXPECT_EQ(kept[0].left_out.evidence_groups, 21U);
  EXPECT_FALSE(kept[0].left_out.theta[63]);
  for (std::size_t g = 0; g < user_groups; g += 2) EXPECT_NEAR(*kept[0].left_out.theta[g], *was.theta[g], 1e-9);
  EXPECT_FALSE(kept[1].value);
}

// As of lanes with few lists and fewer clicks: a quarter of a kilobyte a metric would be more than the row.
TEST_F(RowArchiveTest, takes_little_for_what_is_compared_where_few_groups_differ) {
  const double value = 0.1;
  Row row = comparable_row("A", value);
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) left_out.add(g, value + 0.01 / static_cast<double>(1 + g % 5));
  left_out.add(7, std::nullopt);
  left_out.evidence_groups = 1;
  row.metrics[0].left_out = std::make_shared<const LeftOutValues>(left_out);
  row.metrics.pop_back();
  note(row);
  save(midnight);
  std::size_t bytes = 0;
  ASSERT_TRUE(store_.scan("u", "v", [&](std::string_view, std::string_view kept) {
    bytes += kept.size();
    return true;
  }));
  EXPECT_LE(bytes, 100U);
  ASSERT_TRUE(RowArchive::read_comparable(store_, {.series = series("A"), .metric = "precision@10"},
                                          [&](EventTime, const Comparable& kept) {
                                            EXPECT_EQ(kept.left_out.groups, left_out.groups);
                                            EXPECT_FALSE(kept.left_out.theta[7]);
                                            for (std::size_t g = 8; g < user_groups; ++g) {
                                              EXPECT_NEAR(*kept.left_out.theta[g], *left_out.theta[g], 1e-9);
                                            }
                                            return true;
                                          }));
}

// What other tests hold of the JSON of the API, of one metric: its row is that of a row that has no other.
TEST_F(RowArchiveTest, reads_one_metric_of_a_row_as_if_it_had_no_other) {
  Row row = comparable_row("A", 0.25);
  row.metrics[0].definition_id = R"(precision{text="}},{"})";
  row.metrics.push_back(row.metrics[0]);
  row.metrics[2].key = R"(odd"key)";
  note(row);
  save(midnight);
  for (const std::string& metric : {row.metrics[0].key, row.metrics[1].key, row.metrics[2].key, std::string("precision@1")}) {
    Row alone = row;
    std::erase_if(alone.metrics, [&](const MetricValue& of) { return of.key != metric; });
    EXPECT_EQ(read({.series = series("A"), .metric = metric}), std::vector<std::string>{render_json(alone)});
  }
  EXPECT_EQ(read({.series = series("A")}), std::vector<std::string>{render_json(row)});
}

TEST_F(RowArchiveTest, says_that_it_is_damaged) {
  note(comparable_row("A", 0.25));
  StateBatch batch;
  archive_.save(batch, midnight);
  StateBatch cut;
  for (const StateBatch::Change& change : batch.changes()) {
    if (change.kind != StateBatch::Change::Kind::put) continue;
    cut.put(change.key, change.value.substr(0, change.value.size() - 1));
  }
  ASSERT_TRUE(store_.write(cut, StateStore::Durability::process));
  const RowArchive::Query query{.series = series("A"), .metric = "mrr@10"};
  const auto compared = RowArchive::read_comparable(store_, query, [](EventTime, const Comparable&) { return true; });
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code, Errc::state_unusable);
  const auto row = RowArchive::read(store_, query, [](EventTime, std::string_view) { return true; });
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().code, Errc::state_unusable);
}

TEST_F(RowArchiveTest, gives_what_a_plain_list_of_rows_would) {
  support::for_each_seed(40, 2000, [&](std::uint64_t seed) {
    support::Dice dice(seed);
    store_ = MemoryStore();
    archive_ = RowArchive(Duration{1000 * day.ms}, hour);
    std::map<std::pair<std::string, std::int64_t>, std::string> rows;
    for (std::uint64_t n = 0; n < 60; ++n) {
      const std::string variant = dice.pick<std::string>({"", "A", "B", "AB", std::string("A\0", 2)});
      const EventTime start = midnight + Duration{static_cast<std::int64_t>(dice.below(4000)) * minute_ms};
      const Row row = row_at(start, variant);
      note(row);
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

TEST_F(RowArchiveTest, lists_series_with_their_newest_final_rows) {
  for (const std::int64_t n : {0, 1, 2}) note(row_at(midnight + Duration{n * minute_ms}));
  note(row_at(midnight - Duration{minute_ms}, "A"));
  note(row_at(midnight + Duration{minute_ms}, "B", 0.5, Stage::provisional));
  save(midnight);
  const auto found = RowArchive::series(store_, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"all 2", "A -1", "B provisional"}));
}

TEST_F(RowArchiveTest, lists_series_of_the_newest_days_first) {
  note(row_at(midnight - day, "old"));
  note(row_at(midnight, "new"));
  save(midnight);
  const auto found = RowArchive::series(store_, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"new 0"}));
}

TEST_F(RowArchiveTest, drops_the_index_with_the_rows) {
  note(row_at(midnight - day, "old"));
  save(midnight);
  note(row_at(midnight + Duration{3 * day.ms}, "new"));
  save(midnight + Duration{4 * day.ms});
  const auto found = RowArchive::series(store_, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ(told(*found), (std::vector<std::string>{"new " + std::to_string(3 * 24 * 60)}));
}

// Everything in the store, and what a store of format 1 would have had in its place: rows as one text, what they are
// compared by without lengths, and no index.
void write_as_format_1(const StateBatch& noted, MemoryStore& old, MemoryStore& store) {
  StateBatch batch;
  for (const StateBatch::Change& change : noted.changes()) {
    if (change.kind != StateBatch::Change::Kind::put || change.key.front() == 's') continue;
    ByteReader from(change.value);
    std::string value;
    if (change.key.front() == 'v') {
      value = from.text();
      for (bool is_first = true; !from.is_done(); is_first = false) value += (is_first ? "" : ",") + std::string(from.text());
      value += "}}";
      batch.put("r" + change.key.substr(1), value);
      continue;
    }
    std::size_t count = 0;
    for (; !from.is_done(); ++count) value += from.text();
    batch.put("q" + change.key.substr(1), static_cast<char>(count) + value);
  }
  ASSERT_TRUE(old.write(batch, StateStore::Durability::process));
  ASSERT_TRUE(store.write(noted, StateStore::Durability::process));
}

std::map<std::string, std::string> all_in(const MemoryStore& store) {
  std::map<std::string, std::string> all;
  EXPECT_TRUE(store.scan("", "z", [&](std::string_view key, std::string_view value) {
    all.emplace(key, value);
    return true;
  }));
  return all;
}

TEST_F(RowArchiveTest, finds_what_a_state_of_format_1_keeps_once_that_is_upgraded) {
  archive_ = RowArchive(Duration{1000 * day.ms}, hour);
  Row braces = comparable_row("B", 0.5);
  braces.metrics[0].definition_id = R"(precision{text="}},\"{"})";
  note(braces);
  for (std::int64_t n = 0; n < 3000; ++n) {
    Row row = comparable_row(n % 3 == 0 ? "A" : "AB", 0.25);
    row.start = midnight + Duration{n * minute_ms};
    row.matured = 0.5;
    for (int more = 0; more < 5; ++more) row.metrics.push_back(row.metrics[1]);
    row.stage = n % 7 == 0 ? Stage::provisional : Stage::final;
    note(row);
  }
  note(row_at(midnight));
  StateBatch batch;
  archive_.save(batch, minus_infinity);
  MemoryStore old;
  ASSERT_NO_FATAL_FAILURE(write_as_format_1(batch, old, store_));
  ASSERT_NE(all_in(old), all_in(store_));
  ASSERT_TRUE(upgrade_row_archive(old));
  EXPECT_EQ(all_in(old), all_in(store_));
  EXPECT_EQ(told(*RowArchive::series(old, 10)), told(*RowArchive::series(store_, 10)));
  ASSERT_TRUE(upgrade_row_archive(old)) << "again";
  EXPECT_EQ(all_in(old), all_in(store_));
}

// Byte for byte as format 1 had them.
TEST_F(RowArchiveTest, upgrades_a_row_and_what_it_is_compared_by) {
  const Row row = comparable_row("A", 0.25);
  note(row);
  save(midnight);
  const auto today = all_in(store_);
  const std::string place =
      std::find_if(today.begin(), today.end(), [](const auto& one) { return one.first[0] == 'v'; })->first.substr(1);
  StateBatch batch;
  batch.put("r" + place, render_json(row));
  ByteWriter values;
  values.add(1);
  values.add_text("mrr@10");
  values.add(1);
  values.add_double(0.25);
  values.add(2);
  values.add(3);
  values.add(0);
  values.add(std::bit_cast<std::uint32_t>(0.5F));
  batch.put("q" + place.substr(0, place.size() - 1), values.take());
  MemoryStore old;
  ASSERT_TRUE(old.write(batch, StateStore::Durability::process));
  ASSERT_TRUE(upgrade_row_archive(old));
  store_ = old;
  EXPECT_EQ(read({.series = series("A")}), std::vector<std::string>{render_json(row)});
  std::vector<Comparable> kept;
  ASSERT_TRUE(
      RowArchive::read_comparable(old, {.series = series("A"), .metric = "mrr@10"}, [&](EventTime, const Comparable& value) {
        kept.push_back(value);
        return true;
      }));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].value, 0.25);
  EXPECT_EQ(kept[0].left_out.theta[0], 0.25);
  EXPECT_EQ(kept[0].left_out.theta[1], 0.75);
}

TEST_F(RowArchiveTest, does_not_upgrade_what_is_damaged) {
  for (const char* key : {"q", "r"}) {
    StateBatch batch;
    batch.put(key + std::string(40, 'x'), "{}");
    MemoryStore old;
    ASSERT_TRUE(old.write(batch, StateStore::Durability::process));
    const auto upgraded = upgrade_row_archive(old);
    ASSERT_FALSE(upgraded);
    EXPECT_EQ(upgraded.error().code, Errc::state_unusable);
  }
}

}  // namespace
}  // namespace recmeter
