// LookBack: a list depends on nothing older than EvaluatorPlan::look_back() before it, by which a run with a changed
// configuration knows from when on its rows are whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "recmeter/evaluation/evaluator_plan.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/parsed_json.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter::support {
namespace {

// Reaches are short beside the ten minutes of a log.
EvaluatorSpec with_short_reach(EvaluatorSpec spec, Dice& dice) {
  spec.join.same_list = dice.pick<Duration>({{10'000}, {30'000}, {60'001}});
  spec.join.horizons = {dice.pick<Duration>({{1'000}, {5'000}, {10'000}})};
  spec.join.assemble = std::min(spec.join.assemble, spec.join.horizons.front());
  for (Action& action : spec.join.actions) action.horizon.reset();
  spec.metrics.requests = {{"precision", std::nullopt, {}}, {"recall", std::nullopt, {}}, {"mrr", std::nullopt, {}}};
  spec.time.max_step = Duration{0};
  return spec;
}

RandomLog from(RandomLog log, std::int64_t begin) {
  for (std::size_t i = 0; i < log.inputs.size(); ++i) {
    log.inputs[i].bytes.clear();
    for (const LogLine& line : log.lines[i]) {
      if (line.ts >= begin) log.inputs[i].bytes += line.text + "\n";
    }
  }
  return log;
}

std::string lists_from(const std::string& lists, std::int64_t begin) {
  std::string out;
  for (std::size_t at = 0; at < lists.size();) {
    const std::size_t end = lists.find('\n', at) + 1;
    const std::string line = lists.substr(at, end - at);
    if (parsed_json(line)["ts"].get<std::int64_t>() >= begin) out += line;
    at = end;
  }
  return out;
}

TEST(LookBack, has_all_that_a_list_depends_on) {
  std::uint64_t compared = 0;
  for_each_seed(300, 6000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed + 4711);
    const EvaluatorSpec spec = with_short_reach(random_spec(seed), dice);
    const RandomLog log = orderly_log(seed, spec);
    const auto plan = EvaluatorPlan::make(spec, log.inputs.front().allowed_lateness, false);
    ASSERT_TRUE(plan) << plan.error().context;
    const std::string whole = run_engine(spec, log.inputs, {.lists = true}).lists;
    std::int64_t first = INT64_MAX, last = INT64_MIN;
    for (const auto& lines : log.lines) {
      for (const LogLine& line : lines) {
        first = std::min(first, line.ts);
        last = std::max(last, line.ts);
      }
    }
    for (int cuts = 0; cuts < 4; ++cuts) {
      const std::int64_t begin = first + dice.between(0, std::max<std::int64_t>(1, (last - first) / 2));
      const std::int64_t known = begin + plan->look_back().ms;
      const std::string should = lists_from(whole, known);
      EXPECT_EQ(should, lists_from(run_engine(spec, from(log, begin).inputs, {.lists = true}).lists, known));
      compared += static_cast<std::uint64_t>(std::ranges::count(should, '\n'));
    }
  });
  if (under_sanitizer || number_from_environment("RECMETER_SEED")) return;
  EXPECT_GT(compared, 1000U);
}

// Two list ids in use for long, and clicks that any of their lists may take.
std::vector<LogLine> chain_of(std::int64_t same_list, Dice& dice) {
  std::vector<LogLine> lines;
  std::int64_t ts = 1'700'000'000'000;
  for (int n = 0; n < 40; ++n) {
    ts += dice.between(same_list / 8, same_list * 9 / 8);
    const std::string items = dice.pick<std::string>({R"("a")", R"("a","b")", R"("c")"});
    lines.push_back({ts, R"({"type":"impression","ts":)" + std::to_string(ts) + R"(,"list_id":")" +
                             dice.pick<std::string>({"l", "m"}) + R"(","user_id":"u","items":[)" + items + "]}"});
    if (dice.percent(50)) continue;
    ts += dice.between(1, same_list / 8);
    lines.push_back({ts, R"({"type":"click","ts":)" + std::to_string(ts) + R"(,"user_id":"u","item_id":")" +
                             dice.pick<std::string>({"a", "b", "c"}) + R"("})"});
  }
  return lines;
}

TEST(LookBack, has_the_whole_chain_of_a_list_id) {
  for_each_seed(150, 20'000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    EvaluatorSpec spec;
    spec.join.same_list = Duration{dice.between(8, 10'000)};
    spec.join.horizons = {Duration{dice.between(1, spec.join.same_list.ms)}};
    spec.join.assemble = Duration{dice.between(0, spec.join.horizons.front().ms)};
    spec.join.skew = Duration{dice.pick<std::int64_t>({0, 1, 3})};
    spec.join.credit = dice.pick<Credit>({Credit::last_touch, Credit::first_touch, Credit::every_touch});
    spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec.windows = {{.name = "w", .size = Duration{1000}, .slide = Duration{1000}}};
    spec.metrics.requests = {{"precision", std::nullopt, {}}, {"recall", std::nullopt, {}}};
    spec.time.max_step = Duration{0};
    RandomLog log{.inputs = {{.name = "log", .bytes = {}, .fields = {}}}, .lines = {chain_of(spec.join.same_list.ms, dice)}};
    const auto plan = EvaluatorPlan::make(spec, log.inputs.front().allowed_lateness, false);
    ASSERT_TRUE(plan) << plan.error().context;
    const std::string whole = run_engine(spec, from(log, 0).inputs, {.lists = true}).lists;
    for (const LogLine& cut : log.lines.front()) {
      const std::int64_t known = cut.ts + plan->look_back().ms;
      const std::string should = lists_from(whole, known);
      ASSERT_EQ(should, lists_from(run_engine(spec, from(log, cut.ts).inputs, {.lists = true}).lists, known));
      if (should.empty()) break;
    }
  });
}

}  // namespace
}  // namespace recmeter::support
