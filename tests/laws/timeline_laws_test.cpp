// [S1] on whole runs: equal sets of events give equal bytes, however they arrive and however the work is divided; and
// what is computed besides changes nothing. A failure prints the seed (support/effort.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "recmeter/result/render.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/heavy_log.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::laws {
namespace {

using support::Dice;
using support::EngineResult;
using support::EngineVariant;
using support::RandomLog;
using support::run_engine;

constexpr EngineVariant plain{.shards = 1, .block_bytes = 4096, .open_max = 64, .lists = true};

struct Case {
  std::uint64_t seed;
  EvaluatorSpec spec;
  RandomLog log;
  EngineResult expected;
};

// Logs in which nothing is late or future, small and nasty ones and heavy ones.
void for_each_case(std::uint64_t usual, const std::function<void(const Case&)>& check) {
  support::for_each_seed(usual, usual * 15, [&](std::uint64_t seed) {
    const bool heavy = seed % 4 == 0;
    Case one{.seed = seed, .spec = heavy ? support::heavy_spec(seed) : support::random_spec(seed), .log = {}, .expected = {}};
    one.spec = support::with_whole_past(support::with_whole_window(std::move(one.spec), seed), seed);
    one.log = heavy ? support::heavy_log(seed, one.spec) : support::orderly_log(seed, one.spec);
    one.expected = run_engine(one.spec, one.log.inputs, plain);
    ASSERT_EQ(one.expected.report.events.late + one.expected.report.events.future, 0U) << "seed " << seed;
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(one);
  });
}

// Where two texts of many lines part, in one line each.
std::string first_difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  std::size_t at = 0;
  while (at < expected.size() && at < actual.size() && expected[at] == actual[at]) ++at;
  const auto line = [at](const std::string& text) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', std::min(at, text.size()) - 1) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  return "expected " + line(expected) + "\n     got " + line(actual);
}

void expect_same(const EngineResult& expected, const EngineResult& actual, const std::string& what) {
  EXPECT_EQ(first_difference(expected.bytes, actual.bytes), "") << what;
  EXPECT_EQ(first_difference(expected.lists, actual.lists), "") << what << " (--lists)";
  EXPECT_EQ(support::broken_identity(actual.report).value_or(""), "") << what;
  EXPECT_EQ(expected.report.feedback, actual.report.feedback) << what;
  EXPECT_EQ(expected.report.events, actual.report.events) << what;
}

TEST(Rows, do_not_depend_on_the_order_within_the_lateness) {
  for_each_case(14, [](const Case& one) {
    for (std::uint64_t shuffle = 1; shuffle <= 3; ++shuffle) {
      const RandomLog shuffled = support::shuffled_within_lateness(one.log, shuffle);
      expect_same(one.expected, run_engine(one.spec, shuffled.inputs, plain), "shuffle " + std::to_string(shuffle));
    }
  });
}

TEST(Rows, do_not_depend_on_how_the_log_is_split_into_partitions) {
  for_each_case(14, [](const Case& one) {
    for (const std::size_t partitions : {1U, 2U, 5U, 17U}) {
      const RandomLog split = support::split_otherwise(one.log, one.seed, partitions);
      const EngineVariant variant{.shards = 2, .block_bytes = 300, .open_max = 3, .lists = true};
      expect_same(one.expected, run_engine(one.spec, split.inputs, variant), std::to_string(partitions) + " partitions");
    }
  });
}

TEST(Rows, do_not_depend_on_the_order_of_the_inputs) {
  for_each_case(14, [](const Case& one) {
    RandomLog reversed = one.log;
    std::reverse(reversed.inputs.begin(), reversed.inputs.end());
    expect_same(one.expected, run_engine(one.spec, reversed.inputs, plain), "inputs in opposite order");
  });
}

TEST(Rows, do_not_depend_on_shards_blocks_open_files_or_the_order_of_tasks) {
  for_each_case(12, [](const Case& one) {
    for (const std::size_t shards : {1U, 2U, 3U, 8U, 256U}) {
      for (const std::size_t block : {1U, 100U, 65536U}) {
        if (shards > 8 && block == 1) continue;
        for (const bool reverse : {false, true}) {
          const EngineVariant variant{.shards = shards,
                                      .block_bytes = block,
                                      .open_max = 1 + (one.seed + shards) % 3,
                                      .reverse_tasks = reverse,
                                      .lists = true};
          expect_same(one.expected, run_engine(one.spec, one.log.inputs, variant),
                      std::to_string(shards) + " shards, blocks of " + std::to_string(block));
        }
      }
    }
  });
}

TEST(Rows, do_not_depend_on_threads) {
  for_each_case(12, [](const Case& one) {
    for (const std::size_t threads : {2U, 5U}) {
      const EngineVariant variant{
          .shards = threads + 1, .block_bytes = 2000, .open_max = 64, .threads = threads, .lists = true};
      expect_same(one.expected, run_engine(one.spec, one.log.inputs, variant), std::to_string(threads) + " threads");
    }
  });
}

TEST(Rows, are_the_same_when_scored_lists_are_not_asked_for) {
  for_each_case(14, [](const Case& one) {
    const EngineResult without = run_engine(one.spec, one.log.inputs, {});
    EXPECT_EQ(first_difference(one.expected.bytes, without.bytes), "");
    EXPECT_EQ(without.lists, "");
  });
}

using Keep = std::function<bool(const Row&)>;

// Runs `more`, which asks for something besides, and compares the rows that were there before.
void expect_rows_kept(const Case& one, const EvaluatorSpec& more, const Keep& keep) {
  const EngineResult actual = run_engine(more, one.log.inputs, plain);
  std::string bytes;
  for (const Row& row : actual.rows) {
    if (keep(row)) bytes += render_json(row) + "\n";
  }
  EXPECT_EQ(first_difference(one.expected.bytes, bytes), "");
}

TEST(RowsOfAHorizon, are_the_same_whichever_others_are_configured) {
  for_each_case(36, [](const Case& one) {
    Dice dice(one.seed);
    EvaluatorSpec more = one.spec;
    auto& horizons = more.join.horizons;
    const Duration added{std::max(more.join.assemble.ms, dice.pick<std::int64_t>({1, 1500, 45000, 61000, 3600000}))};
    if (std::find(horizons.begin(), horizons.end(), added) != horizons.end()) return;
    horizons.insert(horizons.begin() + dice.between(0, static_cast<std::int64_t>(horizons.size())), added);
    expect_rows_kept(one, more, [&](const Row& row) { return row.horizon != added; });
  });
}

TEST(RowsOfAWindow, are_the_same_whichever_others_are_configured) {
  for_each_case(36, [](const Case& one) {
    Dice dice(one.seed);
    EvaluatorSpec more = one.spec;
    WindowSpec added{.name = "added", .slide = dice.pick<Duration>({{700}, {5000}, {30000}, {90000}})};
    const auto& requests = one.spec.metrics.requests;
    const bool tumbling_only = std::any_of(requests.begin(), requests.end(), support::needs_tumbling_windows);
    added.size = Duration{added.slide.ms * (tumbling_only ? 1 : dice.between(1, 7))};
    added.offset = Duration{dice.between(0, added.slide.ms - 1)};
    more.windows.insert(more.windows.begin() + dice.between(0, static_cast<std::int64_t>(more.windows.size())), added);
    expect_rows_kept(one, more, [](const Row& row) { return row.window != "added"; });
  });
}

TEST(RowsOfASegment, are_the_same_whichever_others_are_configured) {
  for_each_case(36, [](const Case& one) {
    Dice dice(one.seed);
    EvaluatorSpec more = one.spec;
    const SegmentSpec added = dice.percent(50) ? SegmentSpec{{"w"}, {}} : SegmentSpec{{"v", "w"}, {{"A", "B"}}};
    more.segments.insert(more.segments.begin() + dice.between(0, static_cast<std::int64_t>(more.segments.size())), added);
    expect_rows_kept(one, more, [&](const Row& row) {
      if (row.segment.size() != added.keys.size()) return true;
      return row.segment.back().first != "w";
    });
  });
}

TEST(ValuesOfAMetric, are_the_same_whichever_others_are_configured) {
  for_each_case(24, [](const Case& one) {
    EvaluatorSpec fewer = one.spec;
    auto& requests = fewer.metrics.requests;
    requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(one.seed % requests.size()));
    if (requests.empty()) return;
    const EngineResult actual = run_engine(fewer, one.log.inputs, plain);
    ASSERT_EQ(actual.rows.size(), one.expected.rows.size());
    for (std::size_t r = 0; r < actual.rows.size(); ++r) {
      Row row = one.expected.rows[r];
      std::erase_if(row.metrics, [&](const MetricValue& metric) {
        return std::none_of(actual.rows[r].metrics.begin(), actual.rows[r].metrics.end(),
                            [&](const MetricValue& other) { return other.key == metric.key; });
      });
      row.incomplete =
          actual.rows[r].incomplete;  // `distinct_items` is said of the row when a metric that needs them is there
      ASSERT_EQ(render_json(row), render_json(actual.rows[r]));
    }
  });
}

}  // namespace
}  // namespace recmeter::laws
