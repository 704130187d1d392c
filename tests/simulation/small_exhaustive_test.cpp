// Small and complete: every set of up to four of fourteen events of two users (up to three, or RECMETER_LONG, in every
// order), and some sets of six in every order and every division into two partitions, against the batch evaluator; under a
// sanitizer a part of them (support/effort.h). What is wrong at all is mostly wrong here already.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/batch_decoder.h"
#include "support/batch_evaluator.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

constexpr std::int64_t base_ms = 1'699'999'200'000;

struct SmallEvent {
  std::int64_t at_ms;
  std::string members;  // after "ts"

  [[nodiscard]] std::string line() const { return "{\"ts\":" + std::to_string(base_ms + at_ms) + "," + members + "}\n"; }
};

SmallEvent list(std::int64_t at, const std::string& id, const std::string& user, const std::string& items) {
  return {at, R"("type":"impression","list_id":")" + id + R"(","user_id":")" + user + R"(","items":)" + items +
                  R"(,"segments":{"s":")" + id + "\"}"};
}
SmallEvent row(std::int64_t at, const std::string& id, const std::string& user, int position, const std::string& item) {
  return {at, R"("type":"impression","list_id":")" + id + R"(","user_id":")" + user + R"(","position":)" +
                  std::to_string(position) + R"(,"item_id":")" + item + "\""};
}
SmallEvent act(std::int64_t at, const std::string& action, const std::string& user, const std::string& item,
               const std::string& more = "") {
  return {at, R"("type":")" + action + R"(","user_id":")" + user + R"(","item_id":")" + item + "\"" + more};
}

// Horizon and same_list of 2s, assemble of 1s: everything here lies on a boundary or a millisecond beside it.
const std::vector<SmallEvent> alphabet{
    list(0, "L1", "u1", R"(["x","y"])"),
    list(0, "L2", "u1", R"(["y","x"])"),
    list(1000, "L1", "u1", R"(["y"])"),
    list(2000, "L1", "u1", R"(["x"])"),
    row(0, "L3", "u1", 1, "x"),
    row(999, "L3", "u1", 2, "y"),
    row(1000, "L3", "u1", 2, "x"),
    act(1000, "click", "u1", "x"),
    act(1000, "click", "u1", "x", R"(,"value":2)"),
    act(1999, "click", "u1", "y", R"(,"list_id":"L1")"),
    act(2000, "click", "u1", "x"),
    act(1000, "purchase", "u1", "x"),
    list(0, "L1", "u2", R"(["x"])"),
    act(0, "click", "u2", "x", R"(,"list_id":"L1")"),
};

std::vector<EvaluatorSpec> small_specs() {
  EvaluatorSpec spec;
  spec.config_hash = "0000000000000000";
  spec.join.horizons = {Duration{2000}, Duration{1000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}},
                       {.name = "purchase", .gain = 3, .after = 0, .horizon = Duration{1500}}};
  spec.join.same_list = Duration{2000};
  spec.join.assemble = Duration{1000};
  spec.time.max_step = Duration{0};
  spec.windows = {{.name = "w", .size = {2000}, .slide = {1000}}};
  spec.segments = {{{"s"}, {}}};
  spec.limits.segment_values = 1;
  spec.metrics.cutoffs = {1, 2};
  for (const char* name : {"ndcg_list", "mrr", "recall", "ndcg_user", "distinct_items"}) {
    spec.metrics.requests.push_back({name, {}, {}});
  }
  std::vector<EvaluatorSpec> specs(4, spec);
  specs[1].join.credit = Credit::first_touch;
  specs[1].join.skew = Duration{1};
  specs[2].join.credit = Credit::every_touch;
  specs[2].join.actions[1].after = std::nullopt;
  specs[2].join.same_list = Duration{1000};
  specs[3].join.key.not_users = {"u2"};
  specs[3].join.skew = Duration{1000};
  specs[3].join.same_list = Duration{1001};
  return specs;
}

BatchInput input(Duration lateness) {
  return {"part", "", native_fields(), lateness};
}

void expect_as_the_batch(const EvaluatorSpec& spec, const std::vector<BatchInput>& inputs, const EngineResult& actual) {
  const BatchResult expected = evaluate_in_batch(spec, inputs);
  ASSERT_EQ(first_difference(expected.rows, actual.rows, 1e-9).value_or(""), "") << inputs.front().bytes;
  ASSERT_EQ(first_difference(expected.report, actual.report).value_or(""), "") << inputs.front().bytes;
}

// Every order of the events, with a lateness that holds them all; and sorted, with the smallest there may be, so that what is
// sealed and forgotten on the way is another.
void check_every_order(const EvaluatorSpec& spec, std::vector<SmallEvent> events, bool only_sorted = false) {
  std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.at_ms < b.at_ms; });
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const EngineVariant one_by_one{.block_bytes = 1, .lists = true};
  std::vector<BatchInput> inputs{input(spec.join.skew)};
  for (const SmallEvent& event : events) inputs[0].bytes += event.line();
  const EngineResult expected = run_engine(spec, inputs, one_by_one);
  expect_as_the_batch(spec, inputs, expected);
  if (events.empty()) return;
  // The clock starts with the 64th timed event; from then on what is over is sealed and forgotten event by event.
  std::string warm;
  for (std::size_t i = 0; i < 64; ++i) warm += SmallEvent{events.front().at_ms, R"("type":"tick")"}.line();
  std::vector<BatchInput> warmed{inputs};
  warmed[0].bytes = warm + inputs[0].bytes;
  const EngineResult one_at_a_time = run_engine(spec, warmed, one_by_one);
  ASSERT_EQ(expected.bytes, one_at_a_time.bytes) << inputs[0].bytes;
  ASSERT_EQ(expected.lists, one_at_a_time.lists) << inputs[0].bytes;
  ASSERT_EQ(expected.report.feedback, one_at_a_time.report.feedback) << inputs[0].bytes;
  if (only_sorted) return;
  inputs[0].allowed_lateness = Duration{60'000};
  std::uint64_t orders = 0;
  do {
    if (events.size() > 3 && orders++ % every_nth() != 0) continue;
    inputs[0].bytes.clear();
    for (const std::size_t i : order) inputs[0].bytes += events[i].line();
    const EngineResult actual = run_engine(spec, inputs, one_by_one);
    ASSERT_EQ(expected.bytes, actual.bytes) << inputs[0].bytes;
    ASSERT_EQ(expected.lists, actual.lists) << inputs[0].bytes;
    ASSERT_EQ(expected.report.feedback, actual.report.feedback) << inputs[0].bytes;
  } while (std::next_permutation(order.begin(), order.end()));
}

// Every division into two partitions, each in either order.
void check_every_division(const EvaluatorSpec& spec, const std::vector<SmallEvent>& events) {
  std::string bytes;
  for (std::size_t division = 0; division < (std::size_t{2} << events.size()); division += every_nth()) {
    std::vector<BatchInput> inputs(2, input(Duration{60'000}));
    for (std::size_t i = 0; i < events.size(); ++i) {
      std::string& to = inputs[(division >> i) & 1].bytes;
      to = (division >> events.size()) != 0 ? events[i].line() + to : to + events[i].line();
    }
    const EngineResult actual = run_engine(spec, inputs, {.shards = 2, .block_bytes = 1, .open_max = 1});
    if (division == 0) {
      bytes = actual.bytes;
      expect_as_the_batch(spec, inputs, actual);
    }
    ASSERT_EQ(bytes, actual.bytes) << inputs[0].bytes << "and\n" << inputs[1].bytes;
  }
}

void for_each_set(std::size_t size, std::size_t from, std::vector<SmallEvent>& chosen, const auto& visit) {
  if (chosen.size() == size) return visit(chosen);
  for (std::size_t i = from; i < alphabet.size() && !testing::Test::HasFatalFailure(); ++i) {
    chosen.push_back(alphabet[i]);
    for_each_set(size, i, chosen, visit);  // the same event twice is a set too: an exact duplicate
    chosen.pop_back();
  }
}

TEST(EverySmallLog, equals_the_batch_evaluator_in_every_order) {
  const std::size_t every_order_max = at_length() ? 4 : 3;
  std::uint64_t sets = 0;
  for (const EvaluatorSpec& spec : small_specs()) {
    for (std::size_t size = 0; size <= 4; ++size) {
      std::vector<SmallEvent> chosen;
      for_each_set(size, 0, chosen, [&](const std::vector<SmallEvent>& events) {
        if (sets++ % every_nth() == 0) check_every_order(spec, events, size > every_order_max);
      });
      if (HasFatalFailure()) return;
    }
  }
}

// Each with an impression, rows, a click, a purchase after it, a duplicate, equal times.
const std::vector<std::vector<std::size_t>> pools{
    {0, 1, 7, 8, 11, 12},  {0, 2, 3, 7, 9, 10}, {4, 5, 6, 7, 10, 11},
    {0, 3, 9, 12, 13, 13}, {1, 4, 5, 7, 9, 11}, {0, 0, 1, 2, 10, 8},
};

TEST(SixEvents, give_the_same_bytes_in_every_order_and_every_division_into_two_partitions) {
  for (const EvaluatorSpec& spec : small_specs()) {
    for (const std::vector<std::size_t>& pool : pools) {
      std::vector<SmallEvent> events;
      for (const std::size_t i : pool) events.push_back(alphabet[i]);
      check_every_order(spec, events);
      check_every_division(spec, events);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace recmeter::support
