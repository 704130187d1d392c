// A run that goes on from the sealed panes of the runs before it gives the rows of a replay, and reads of their events only
// those that a result not yet sealed depends on.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/event/join_key.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/kept_panes.h"
#include "recmeter/metric/registry.h"
#include "simulation/killed_run.h"

namespace recmeter {
namespace {

using namespace simulation;

constexpr Duration narrow{10'000};

// Windows many panes long, and a horizon that is short beside them. Those of the first two shapes never begin all at once, so
// that users of restored panes may be in any window after them.
void make_long(EvaluatorSpec& spec, std::uint64_t seed) {
  make_forgetful(spec);
  std::erase_if(spec.metrics.requests,
                [](const MetricRequest& request) { return find_metric(request.name)->needs.has(ListPart::popularity); });
  const bool has_coverage =
      std::ranges::any_of(spec.metrics.requests, [](const auto& r) { return r.name == "user_coverage"; });
  if (!has_coverage) spec.metrics.requests.push_back({"user_coverage", std::nullopt, {}});
  if (seed % 3 == 2) {
    spec.windows = {{.name = "rolling", .size = {180'000}, .slide = {60'000}, .offset = {7000}}};
    if (seed % 2 == 0) spec.windows.push_back({.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}});
    return;
  }
  spec.windows = {{.name = "long", .size = {120'000}, .slide = {120'000}, .offset = {0}},
                  {.name = "short", .size = {40'000}, .slide = {40'000}, .offset = {seed % 3 == 0 ? 20'000 : 0}}};
  spec.metrics.requests.push_back({"precision", "of_users", {.unit = Unit::user}});
}

std::vector<std::string> keys_of_panes(const StateStore& store) {
  std::vector<std::string> keys;
  const auto scanned = store.scan("p", "q", [&](std::string_view key, std::string_view) {
    if (key.size() > 9) keys.emplace_back(key);
    return true;
  });
  EXPECT_TRUE(scanned);
  return keys;
}

TEST(KeptPanes, give_the_rows_of_a_replay_however_often_a_run_is_killed) {
  Tally tally;
  std::uint64_t restarts = 0;
  support::for_each_seed(60, 2'000, [&](std::uint64_t seed) {
    const Lives lives{.pane_width = narrow,
                      .between = [&](StateStore& store, Dice&) { restarts += keys_of_panes(store).empty() ? 0U : 1U; }};
    check_seed(random_case(seed, false, false, make_long), seed, tally, lives);
  });
  EXPECT_GT(tally.finals, 3 * tally.seeds);
  EXPECT_GT(restarts, 3 * tally.seeds);
}

TEST(KeptPanes, go_with_experiments) {
  Tally tally;
  support::for_each_seed(30, 1'000, [&](std::uint64_t seed) {
    check_seed(random_case(seed, true, false, make_long), seed, tally, {.pane_width = narrow});
  });
  EXPECT_GT(tally.kills, 3 * tally.seeds);
}

TEST(KeptPanes, mark_the_same_rows_where_records_were_lost) {
  Tally tally;
  support::for_each_seed(20, 1'000, [&](std::uint64_t seed) {
    Case c = random_case(seed, false, false, make_long);
    lose_records(c, seed);
    check_seed(c, seed, tally, {.pane_width = narrow});
  });
  EXPECT_GT(tally.finals, tally.seeds);
}

// The journal has it all.
TEST(KeptPanes, that_are_damaged_are_made_anew) {
  Tally tally;
  std::uint64_t damaged = 0;
  support::for_each_seed(20, 1'000, [&](std::uint64_t seed) {
    const Lives lives{.pane_width = narrow, .between = [&](StateStore& store, Dice& dice) {
                        const auto keys = keys_of_panes(store);
                        if (keys.empty() || dice.percent(50)) return;
                        const std::string& key = keys[dice.below(keys.size())];
                        std::string value = **store.get(key);
                        if (dice.percent(50)) {
                          value[dice.below(value.size())] ^= 0x10;
                        } else {  // as a program with other cells would have it: nothing is wrong with its checksum
                          const std::string bytes = value.substr(8, value.size() - 9);
                          ByteWriter to;
                          to.add_fixed(hash_id(key) ^ hash_id(bytes));
                          value = to.take() + bytes;
                        }
                        StateBatch batch;
                        batch.put(key, std::move(value));
                        ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
                        ++damaged;
                      }};
    check_seed(random_case(seed, false, false, make_long), seed, tally, lives);
  });
  EXPECT_GT(damaged, tally.seeds);
}

// It makes its checkpoints, and knows nothing of panes: those that it seals are missing. Here it makes one checkpoint.
TEST(KeptPanes, are_made_anew_behind_a_program_that_does_not_know_them) {
  Tally tally;
  std::uint64_t older = 0;
  support::for_each_seed(20, 1'000, [&](std::uint64_t seed) {
    const Case c = random_case(seed, false, false, make_long);
    const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false, true);
    ASSERT_TRUE(plan);
    std::uint64_t lives_left = 40;
    const Lives lives{.pane_width = narrow, .between = [&](StateStore& store, Dice& dice) {
                        if (keys_of_panes(store).empty() || dice.percent(60) || --lives_left < 20) return;
                        Published published;
                        const auto checkpoint = checkpoint_in(store);
                        ASSERT_TRUE(checkpoint && *checkpoint);
                        Checkpoint next = **checkpoint;
                        ++next.number;
                        StateBatch batch;
                        put_checkpoint(batch, next);
                        // What it would have sealed meanwhile.
                        const auto keys = keys_of_panes(store);
                        batch.erase(keys.back());
                        ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
                        ++older;
                      }};
    check_seed(c, seed, tally, lives);
  });
  EXPECT_GT(older, tally.seeds);
}

// Which minutes of the journal are read.
class WatchedStore final : public StateStore {
 public:
  Result<void> write(const StateBatch& batch, Durability durability) override { return store_.write(batch, durability); }
  Result<std::optional<std::string>> get(std::string_view key) const override { return store_.get(key); }
  Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    return store_.scan(from, to, [&](std::string_view key, std::string_view value) {
      if (key.starts_with('j')) minutes_.emplace(key.substr(1, 8));
      return visit(key, value);
    });
  }
  std::size_t take_minutes() { return std::exchange(minutes_, {}).size(); }

 private:
  memory::MemoryStore store_;
  mutable std::set<std::string> minutes_;
};

// A list a minute, of so many items that no other has, shown once more 20 minutes later; every third with a click.
Case long_log(std::int64_t minutes, std::int64_t items = 1) {
  Case c{.spec = support::random_spec(1), .topics = {}, .decoders = {}, .lateness_max = Duration{60'000}};
  c.spec.join = JoinRule();
  c.spec.join.horizons = {Duration{30 * 60'000}};
  c.spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  c.spec.metrics.requests = {{"mrr", {}, {}}, {"user_coverage", {}, {}}, {"distinct_items", {}, {}}};
  c.spec.metrics.cutoffs = {300};
  c.spec.segments.clear();
  c.spec.windows = {{.name = "day", .size = {24 * one_hour.ms}, .slide = {24 * one_hour.ms}, .offset = {0}}};
  c.spec.limits = {};
  auto records = std::make_shared<std::vector<TopicRecord>>();
  constexpr std::int64_t begin = 1'699'920'000'000;  // of a day
  const auto add = [&](std::int64_t minute, std::int64_t of, const std::string& rest) {
    const std::int64_t ts = begin + minute * one_minute.ms;
    records->push_back(
        {.value = R"({"ts":)" + std::to_string(ts) + R"(,"user_id":"u)" + std::to_string(of % 40) + R"(",)" + rest,
         .broker_time = EventTime{ts}});
  };
  for (std::int64_t minute = 0; minute < minutes; ++minute) {
    for (const std::int64_t of : {minute, minute - 20}) {
      if (of < 0) continue;
      std::string own;
      for (std::int64_t i = 0; i < items; ++i) own += ",\"i" + std::to_string(of * items + i) + '"';
      add(minute, of, R"("type":"impression","items":["a","b")" + own + R"(],"list_id":"l)" + std::to_string(of) + R"("})");
    }
    if (minute % 3 == 0) add(minute, minute, R"("type":"click","item_id":"b"})");
  }
  c.topics.push_back({.name = "log/0", .records = records, .lateness = c.lateness_max});
  c.decoders.resize(1);
  c.decoders[0].actions = {"click"};
  return c;
}

TEST(KeptPanes, leave_two_horizons_of_the_journal_to_be_read) {
  const Case c = long_log(100 * 60);
  auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  const Replayed expected = replayed(c, *plan);
  const auto minutes_of_a_restart = [&](const EvaluatorPlan& by) {
    WatchedStore store;
    Published published;
    Dice dice(1);
    Case part = c;
    part.topics[0].records = std::make_shared<std::vector<TopicRecord>>(
        c.topics[0].records->begin(),
        c.topics[0].records->begin() + static_cast<std::ptrdiff_t>(c.topics[0].records->size() / 10 * 3));
    EXPECT_TRUE(attached(part, {{.plan = &by}}, store, published, dice, 100'000'000));
    store.take_minutes();
    const auto report = attached(c, {{.plan = &by}}, store, published, dice, 100'000'001);
    EXPECT_TRUE(report);
    expect_same_rows(in_order(published.rows), rows_before(expected.rows, watermark_of(*report), c.spec.join.skew));
    EXPECT_GT(published.rows.size(), 0U);
    return store.take_minutes();
  };
  EXPECT_GT(minutes_of_a_restart(*plan), 25 * 60U);
  plan->keep_panes_where_they_pay();
  ASSERT_TRUE(plan->keeps_panes);
  const std::size_t minutes = minutes_of_a_restart(*plan);
  EXPECT_GE(minutes, 60U);
  // Two horizons, twice same_list, a pane; and what lies beyond the watermark, or in a minute of which a part is needed.
  EXPECT_LE(minutes, 2 * 30U + 2 * 30U + 5U + 4U);
}

// To read the events again costs less then.
TEST(KeptPanes, that_are_large_for_their_lists_are_given_up) {
  const Case c = long_log(50 * 60, 200);
  auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  const Replayed expected = replayed(c, *plan);
  plan->keep_panes_where_they_pay();
  memory::MemoryStore store;
  Published published;
  Dice dice(1);
  const auto report = attached(c, {{.plan = &*plan}}, store, published, dice, 100'000'000);
  ASSERT_TRUE(report);
  const auto survey = survey_panes(store);
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->panes, 0U) << survey->bytes << " bytes of " << report->lists << " lists";
  expect_same_rows(in_order(published.rows), rows_before(expected.rows, watermark_of(*report), c.spec.join.skew));
}

TEST(KeptPanes, are_dropped_when_no_window_holds_them) {
  const Case c = long_log(80 * 60);
  auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  plan->keep_panes_where_they_pay();
  memory::MemoryStore store;
  Published published;
  Dice dice(1);
  ASSERT_TRUE(attached(c, {{.plan = &*plan}}, store, published, dice, 100'000'000));
  const std::size_t panes = keys_of_panes(store).size();
  EXPECT_GE(panes, 2 * 24 * 12U) << "sums and what was shown, every five minutes of a day";
  EXPECT_LE(panes, 2 * 26 * 12U);
}

}  // namespace
}  // namespace recmeter
