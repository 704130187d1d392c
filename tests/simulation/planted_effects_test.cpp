// Experiments from records to verdicts: what is planted is found, and what is not is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "recmeter/experiment/experiment_row.h"
#include "support/batch_evaluator.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"

namespace recmeter::support {
namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t start_ms = 1'793'491'200'000;  // 2026-11-01T00:00:00Z
constexpr std::size_t days = 7;
constexpr double mde = 0.1;

EvaluatorSpec shop() {
  EvaluatorSpec spec;
  spec.config_hash = "0000000000000000";
  spec.join.horizons = {Duration{1'800'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "day", .size = {24 * hour_ms}, .slide = {24 * hour_ms}, .offset = {0}}};
  spec.metrics.cutoffs = {2};
  spec.metrics.requests = {{.name = "hit_rate", .as = {}, .options = {}}, {.name = "precision", .as = {}, .options = {}}};
  spec.experiments = {{.name = "ranker",
                       .arms = {.key = "variant", .values = {"A", "B"}},
                       .allocation = {0.5, 0.5},
                       .start = EventTime{start_ms},
                       .duration = Duration{static_cast<std::int64_t>(days) * 24 * hour_ms},
                       .min_duration = Duration{24 * hour_ms},
                       .every = Duration{hour_ms},
                       .horizon = spec.join.horizons.front(),
                       .primary = {{.metric = "hit_rate@2", .mde = mde}},
                       .guardrails = {{.metric = "precision@2", .mde = mde}},
                       .cuped_before = Duration{hour_ms}}};
  return spec;
}

// 3,000 users of unlike eagerness, about two lists a day each; B is clicked `lift` times as often. Two hours before the start
// nobody has an arm.
BatchInput traffic(std::uint64_t seed, double lift) {
  Dice dice(seed);
  const auto chance = [&] { return static_cast<double>(dice.below(1'000'000)) / 1e6; };
  struct User {
    double rate;
    bool is_b;
  };
  std::vector<User> users;
  for (int u = 0; u < 3000; ++u) users.push_back({0.05 + 0.4 * std::pow(chance(), 2), dice.percent(50)});
  std::vector<std::pair<std::int64_t, std::string>> lines;
  const std::int64_t from = start_ms - 2 * hour_ms, to = start_ms + (static_cast<std::int64_t>(days) * 24 + 1) * hour_ms;
  for (std::size_t i = 0; i < 2 * days * users.size(); ++i) {
    const std::size_t u = dice.below(users.size());
    const std::int64_t ts = dice.between(from, to);
    const std::string id = std::to_string(i), user = "\"user_id\":\"u" + std::to_string(u) + "\"";
    const std::string arm = ts < start_ms   ? ""
                            : users[u].is_b ? ",\"segments\":{\"variant\":\"B\"}"
                                            : ",\"segments\":{\"variant\":\"A\"}";
    lines.emplace_back(ts, "{\"type\":\"impression\",\"ts\":" + std::to_string(ts) + ",\"list_id\":\"l" + id + "\"," + user +
                               ",\"items\":[\"x" + id + "\",\"y" + id + "\"]" + arm + "}\n");
    if (chance() >= users[u].rate * (users[u].is_b && ts >= start_ms ? lift : 1)) continue;
    lines.emplace_back(ts + 5000, "{\"type\":\"click\",\"ts\":" + std::to_string(ts + 5000) + "," + user + ",\"item_id\":\"" +
                                      (dice.percent(70) ? "x" : "y") + id + "\"}\n");
  }
  std::sort(lines.begin(), lines.end());
  std::string bytes;
  for (const auto& [ts, line] : lines) bytes += line;
  return {"log", std::move(bytes), FieldTable::native(), Duration{60'000}};
}

std::vector<ExperimentRow> rows_of(std::uint64_t seed, double lift) {
  const EngineResult result = run_engine(shop(), std::vector{traffic(seed, lift)}, {.block_bytes = 1 << 16});
  std::vector<ExperimentRow> rows;
  for (std::size_t at = 0; at < result.experiments.size();) {
    const std::size_t end = result.experiments.find('\n', at);
    auto row = read_experiment_row(std::string_view(result.experiments).substr(at, end - at));
    if (!row) ADD_FAILURE() << row.error().context;
    if (row) rows.push_back(std::move(*row));
    at = end + 1;
  }
  return rows;
}

TEST(PlantedEffects, of_twice_the_mde_are_shipped_and_never_the_wrong_way) {
  const auto seeds = effort(20);
  std::uint64_t shipped = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::vector<ExperimentRow> rows = rows_of(seed, 1 + 2 * mde);
    ASSERT_FALSE(rows.empty());
    EXPECT_TRUE(rows.back().is_closed);
    for (const ExperimentRow& row : rows) {
      EXPECT_EQ(row.incomplete, std::vector<std::string>{});
      EXPECT_FALSE(row.verdict.reason.find("worse") != std::string::npos) << "seed " << seed << ", look " << row.look;
    }
    shipped += rows.back().decided && rows.back().decided->verdict.decision == Decision::ship ? 1U : 0U;
  }
  EXPECT_GE(shipped * 10, seeds * 9) << shipped << " of " << seeds;
}

TEST(PlantedEffects, that_are_none_are_never_shipped) {
  for (std::uint64_t seed = 1; seed <= effort(5); ++seed) {
    for (const ExperimentRow& row : rows_of(seed, 1)) {
      EXPECT_NE(row.verdict.decision, Decision::ship) << "seed " << seed << ", look " << row.look;
      EXPECT_EQ(row.verdict.reason.find("worse"), std::string::npos) << "seed " << seed << ", look " << row.look;
    }
  }
}

}  // namespace
}  // namespace recmeter::support
