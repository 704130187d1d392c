// A live run that is killed again and again publishes what a replay of the same records gives: the same final rows, byte for
// byte, each once or repeated as it was, and the same accounting.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/live/generation.h"
#include "recmeter/live/rebuild.h"
#include "simulation/killed_run.h"

namespace recmeter {
namespace {

using namespace simulation;

TEST(Attach, publishes_what_a_replay_gives_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(24, 1'000, [&](std::uint64_t seed) { check_seed(random_case(seed), seed, tally); });
  EXPECT_GT(tally.finals, 3 * tally.seeds);
  EXPECT_GT(tally.kills, 3 * tally.seeds);
  EXPECT_GT(tally.provisional, tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(tally.repeated, 0U) << "no kill between publishing and knowing it";
    EXPECT_GT(tally.backlogs, tally.seeds / 16) << "no kill while the journal was read again";
    EXPECT_GT(tally.steps, tally.seeds / 4) << "no kill between two steps to the watermark";
  }
}

// The beginning of an experiment has left the journal long before its end.
TEST(Attach, has_the_experiments_of_a_replay_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(60, 2'000, [&](std::uint64_t seed) {
    Case c = random_case(seed, true);
    if (seed % 4 == 1) lose_records(c, seed);
    check_seed(c, seed, tally);
  });
  EXPECT_GT(tally.kills, 3 * tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(tally.looks, tally.seeds);
  }
}

TEST(Attach, has_the_lanes_of_a_replay_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(24, 1'000,
                         [&](std::uint64_t seed) { check_seed(random_case(seed, seed % 2 == 1, true), seed, tally); });
  EXPECT_GT(tally.finals, 3 * tally.seeds);
  EXPECT_GT(tally.kills, 3 * tally.seeds);
}

// A look that is complete while the first list of the next one is scored: the sample it leads to holds from that list on.
TEST(Attach, has_the_members_of_a_replay_where_two_looks_meet) {
  Tally tally;
  check_seed(random_case(616, true), 616, tally);
  EXPECT_GT(tally.looks, 0U);
}

TEST(Attach, marks_the_same_rows_where_records_were_lost_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(21, 1'000, [&](std::uint64_t seed) {
    Case c = random_case(seed);
    lose_records(c, seed);
    check_seed(c, seed, tally);
  });
  EXPECT_GT(tally.finals, tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(tally.gaps, 0U) << "no row is marked";
  }
}

// A row that is not marked is as if nothing had been lost.
TEST(Attach, marks_every_row_that_lost_records_may_have_touched) {
  std::uint64_t whole_rows = 0;
  std::uint64_t marked = 0;
  support::for_each_seed(100, 10'000, [&](std::uint64_t seed) {
    SCOPED_TRACE(seed);
    Case c = random_case(seed);
    const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
    ASSERT_TRUE(plan);
    // What was done long before a list counts for some metrics; `incomplete` does not speak of that ([S5.25]).
    if (plan->metrics.needs(ListPart::popularity)) return;
    std::map<std::string, std::string> whole;
    for (const Row& row : replayed(c, *plan).rows) whole.emplace(render_key(row), render_json(row));
    lose_records(c, seed);
    for (const Row& row : replayed(c, *plan).rows) {
      if (row.stage != Stage::final) continue;
      const bool is_marked = std::any_of(row.incomplete.begin(), row.incomplete.end(),
                                         [](const std::string& reason) { return reason == "gap" || reason == "start"; });
      ++(is_marked ? marked : whole_rows);
      if (!is_marked) {
        ASSERT_EQ(render_json(row), whole[render_key(row)]);
      }
    }
  });
  if (!support::under_sanitizer) {
    EXPECT_GT(whole_rows, 0U);
    EXPECT_GT(marked, 0U);
  }
}

// Another evaluator of the same meaning: other windows, segments and limits, some of the metrics, other shorter horizons.
EvaluatorSpec changed(const EvaluatorSpec& spec, std::uint64_t seed) {
  const EvaluatorSpec other = support::random_spec(seed);
  Dice dice(seed);
  EvaluatorSpec out = spec;
  out.name = "changed" + std::to_string(seed);
  out.config_hash = std::to_string(1'000'000'000'000'000 + seed);
  if (dice.percent(70)) out.windows = other.windows;
  out.segments = other.segments;
  out.metrics.cutoffs = other.metrics.cutoffs;
  out.metrics.popularity = other.metrics.popularity;
  out.limits.segment_values = other.limits.segment_values;
  out.limits.distinct_items = other.limits.distinct_items;
  out.limits.compared_lists = other.limits.compared_lists;
  if (out.catalog && out.catalog->items.empty()) out.catalog->size = 5 + seed % 20;
  out.join.horizons = {spec.join.longest_horizon()};
  const Duration shorter{std::max(spec.join.assemble.ms, spec.join.longest_horizon().ms / dice.between(2, 4))};
  if (dice.percent(60) && shorter < out.join.longest_horizon()) out.join.horizons.push_back(shorter);
  const bool rolls = std::any_of(out.windows.begin(), out.windows.end(),
                                 [](const WindowSpec& window) { return window.slide != window.size; });
  std::erase_if(out.metrics.requests, [&](const MetricRequest& request) {
    return dice.percent(30) || (rolls && support::needs_tumbling_windows(request));
  });
  if (out.metrics.requests.empty()) out.metrics.requests.push_back({"precision", std::nullopt, {}});
  return out;
}

// A configuration and the windows that it made: those that start in [from, that of the next one).
struct Chapter {
  EventTime from = minus_infinity;
  const EvaluatorPlan* plan = nullptr;
};

struct Rendered {
  EventTime at;
  std::string row;
};

// What replays by each configuration give of its windows, in the order of end + horizon.
std::vector<std::string> rows_of_chapters(const Case& c, const std::vector<Chapter>& chapters, EventTime w) {
  std::vector<Rendered> all;
  for (std::size_t n = 0; n < chapters.size(); ++n) {
    const EventTime next = n + 1 < chapters.size() ? chapters[n + 1].from : plus_infinity;
    for (const Row& row : replayed(c, *chapters[n].plan).rows) {
      if (row.start < chapters[n].from || row.start >= next || row.end + row.horizon + c.spec.join.skew > w) continue;
      all.push_back({row.end + row.horizon, render_json(row)});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Rendered& a, const Rendered& b) { return a.at < b.at; });
  std::vector<std::string> rows;
  for (Rendered& rendered : all) rows.push_back(std::move(rendered.row));
  return rows;
}

// A state whose runs are started with one configuration after another, which are called by their numbers.
struct Changing {
  Changing(const Case& of, bool with_panes) : c(of), keeps_panes(with_panes) {
    add(c.spec);
    chapters.push_back({minus_infinity, &plans[0]});
    StateBatch batch;
    put_only_generation(batch, {.config = "0"});
    EXPECT_TRUE(store.write(batch, StateStore::Durability::process));
  }

  void add(const EvaluatorSpec& spec) {
    auto plan = EvaluatorPlan::make(specs.emplace_back(spec), c.lateness_max, false);
    ASSERT_TRUE(plan) << plan.error().context;
    if (keeps_panes && plan->can_keep_panes()) plan->keep_panes(Duration{5'000});
    plans.push_back(std::move(*plan));
  }

  // The next run is by number `to`; its meaning is that of the one before.
  void change(std::size_t to) {
    const auto checkpoint = checkpoint_in(store);
    auto generations = generations_in(store);
    ASSERT_TRUE(checkpoint && generations);
    const EventTime from = *checkpoint ? first_start(plans[to], **checkpoint) : minus_infinity;
    StateBatch batch;
    begin_generation(batch, *generations, from, std::to_string(to),
                     [&](std::size_t at) { return (*generations)[at].config == std::to_string(to); });
    ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
    while (!chapters.empty() && chapters.back().from >= from) chapters.pop_back();
    if (chapters.empty() || chapters.back().plan != &plans[to]) chapters.push_back({from, &plans[to]});
  }

  // Some events have been evaluated.
  [[nodiscard]] bool has_begun() const {
    const auto checkpoint = checkpoint_in(store);
    EXPECT_TRUE(checkpoint);
    return *checkpoint && (**checkpoint).sequencer.watermark != minus_infinity;
  }

  [[nodiscard]] std::vector<PlannedGeneration> generations() const {
    const auto kept = generations_in(store);
    EXPECT_TRUE(kept && !kept->empty());
    std::vector<PlannedGeneration> planned;
    for (const Generation& one : *kept) planned.push_back({&plans[std::stoul(one.config)], one.number, one.from});
    return planned;
  }

  const Case& c;
  bool keeps_panes;
  memory::MemoryStore store;
  std::deque<EvaluatorSpec> specs;
  std::deque<EvaluatorPlan> plans;
  std::vector<Chapter> chapters;
};

struct ChangeTally {
  std::uint64_t seeds = 0;
  std::uint64_t rows = 0;
  std::uint64_t changes = 0;   // after which rows were made by the configuration before, and by the new one
  std::uint64_t finished = 0;  // generations that were over before the end
};

void check_changes(std::uint64_t seed, ChangeTally& tally) {
  SCOPED_TRACE(seed);
  Case c = random_case(seed);
  Changing changing(c, seed % 2 == 1);
  for (std::uint64_t n = 1; n <= 3; ++n) changing.add(changed(c.spec, 1'000 * seed + n));
  Dice dice(seed);
  Published published;
  std::optional<Report> report;
  for (std::size_t life = 0; !report; ++life) {
    report = attached(c, changing.generations(), changing.store, published, dice, life < 20 ? dice.below(70) : 1'000'000);
    if (!report && life < 18 && dice.percent(changing.has_begun() ? 60 : 5))
      changing.change(dice.below(changing.plans.size()));
  }
  const EventTime w = watermark_of(*report);
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(in_order(published.rows), rows_of_chapters(c, changing.chapters, w)));
  ++tally.seeds;
  tally.rows += published.rows.size();
  for (std::size_t n = 1; n < changing.chapters.size(); ++n) {
    const EventTime from = changing.chapters[n].from;
    tally.changes += from != minus_infinity && from < w ? 1U : 0U;
  }
  tally.finished += changing.chapters.size() - changing.generations().size();
}

TEST(Attach, finishes_windows_as_they_were_when_the_configuration_changes) {
  ChangeTally tally;
  support::for_each_seed(20, 1'000, [&](std::uint64_t seed) { check_changes(seed, tally); });
  if (tally.seeds < 20) return;
  EXPECT_GT(tally.rows, 3 * tally.seeds);
  EXPECT_GT(tally.changes, tally.seeds / 4);
  EXPECT_GT(tally.finished, 0U);
}

// Its windows are shorter than those of the one before it, so it is finished before that one.
TEST(Attach, knows_where_a_generation_ends_though_the_next_one_is_finished) {
  ChangeTally tally;
  check_changes(296, tally);
}

// Another meaning of the same events, which depends on little more of them: so far back the state knows its positions.
EvaluatorSpec reinterpreted(const EvaluatorSpec& spec, std::uint64_t seed) {
  Dice dice(seed);
  EvaluatorSpec out = spec;
  out.config_hash = "1111111111111111";
  JoinRule& join = out.join;
  for (Action& action : join.actions) {
    action.gain = action.gain == 0 ? 1 : action.gain + 1;
    action.horizon.reset();
  }
  join.credit = dice.pick<Credit>({Credit::last_touch, Credit::first_touch, Credit::every_touch});
  join.horizons = {Duration{std::max(join.assemble.ms, spec.join.longest_horizon().ms * dice.between(1, 3) / 2)}};
  join.skew = dice.pick<Duration>({{0}, spec.join.skew});
  return out;
}

struct RebuildTally {
  std::uint64_t seeds = 0;
  std::uint64_t before = 0;  // rows made before
  std::uint64_t whole = 0;   // and after, whole
  std::uint64_t cut = 0;     // and after, said to be incomplete
};

// The rows that were made stay, and those after them are what a replay by the new configuration gives; where the state does
// not reach back far enough they say so.
void compare_rebuilt(const Published& published, std::uint64_t made, const std::vector<std::string>& before,
                     const std::vector<Row>& after, RebuildTally& tally) {
  const std::vector<std::string> actual = in_order(published.rows);
  ASSERT_EQ(actual.size(), made + after.size());
  ASSERT_LE(made, before.size());
  for (std::size_t n = 0; n < made; ++n) ASSERT_EQ(actual[n], before[n]);
  for (std::size_t n = 0; n < after.size(); ++n) {
    const std::string& row = actual[made + n];
    if (row == render_json(after[n])) {
      ++tally.whole;
      continue;
    }
    ASSERT_NE(row.find(R"("incomplete":["start")"), std::string::npos) << row << "\nreplay: " << render_json(after[n]);
    ++tally.cut;
  }
  tally.before += made;
}

void check_rebuild(std::uint64_t seed, RebuildTally& tally) {
  SCOPED_TRACE(seed);
  Case c = random_case(2 * seed);  // forgetful ones
  c.spec.time.max_future_skew = Duration{3'000};
  auto old_plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  const EvaluatorSpec spec = reinterpreted(c.spec, seed);
  auto new_plan = EvaluatorPlan::make(spec, c.lateness_max, false);
  ASSERT_TRUE(old_plan && new_plan);
  for (EvaluatorPlan* plan : {&*old_plan, &*new_plan}) {
    if (seed % 2 == 1 && plan->can_keep_panes()) plan->keep_panes(Duration{5'000});
  }
  Dice dice(seed);
  memory::MemoryStore store;
  Published published;
  std::optional<Report> report;
  std::optional<Checkpoint> at;  // of the change
  for (std::size_t life = 0; !report; ++life) {
    const EvaluatorPlan& plan = at ? *new_plan : *old_plan;
    report = attached(c, {{.plan = &plan}}, store, published, dice, life < 20 ? dice.below(120) : 1'000'000);
    if (report || at || !dice.percent(30)) continue;
    at = checkpoint_in(store).value();
    if (!at) continue;
    ASSERT_TRUE(rebuild(store, *at, *new_plan, {.config = "new"}, [](std::string_view) { return true; }));
  }
  if (!at) return;
  std::vector<Row> after;
  for (Row& row : replayed(c, *new_plan).rows) {
    const EventTime due = row.end + row.horizon;
    if (due > at->rows_to && due + spec.join.skew <= watermark_of(*report)) after.push_back(std::move(row));
  }
  std::vector<std::string> before;
  for (const Row& row : replayed(c, *old_plan).rows) before.push_back(render_json(row));
  compare_rebuilt(published, at->rows, before, after, tally);
  ++tally.seeds;
}

TEST(Attach, makes_the_rows_that_are_left_anew_when_it_is_rebuilt) {
  RebuildTally tally;
  support::for_each_seed(24, 1'000, [&](std::uint64_t seed) { check_rebuild(seed, tally); });
  if (tally.seeds < 20) return;
  EXPECT_GT(tally.before, tally.seeds);
  EXPECT_GT(tally.whole, tally.seeds);
  EXPECT_LT(5 * tally.cut, tally.whole);
}

// Lost is the list that makes the one shown 25 minutes later a repetition.
TEST(Attach, marks_rows_of_lists_that_a_lost_one_would_repeat) {
  Case c{.spec = support::random_spec(1), .topics = {}, .decoders = {}, .lateness_max = Duration{60'000}};
  c.spec.join = JoinRule();
  c.spec.join.horizons = {Duration{60'000}};
  c.spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  c.spec.metrics.requests = {{"mrr", {}, {}}};
  c.spec.join.same_list = Duration{30 * 60'000};
  c.spec.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
  constexpr std::int64_t begin = 1'700'000'040'000;
  auto records = std::make_shared<std::vector<TopicRecord>>();
  const auto add = [&](int minute, const std::string& rest) {
    const std::int64_t ts = begin + minute * std::int64_t{60'000};
    records->push_back({.value = R"({"ts":)" + std::to_string(ts) + "," + rest + "}", .broker_time = EventTime{ts}});
  };
  const auto list = [](const std::string& id) {
    return R"("type":"impression","user_id":"u","items":["a"],"list_id":")" + id + "\"";
  };
  add(0, list("first"));
  add(10, list("shown twice"));
  add(11, R"("type":"tick")");
  add(35, list("shown twice"));
  add(90, list("last"));
  add(160, R"("type":"tick")");
  c.topics.push_back({.name = "log/0", .records = records, .lateness = c.lateness_max});
  c.decoders.resize(1);
  c.decoders[0].actions = {"click"};
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  const auto marked = [&] {
    std::string text;
    for (const Row& row : replayed(c, *plan).rows) {
      if (!row.segment.empty()) continue;
      text += std::to_string((row.start.ms - begin) / 60'000) + (row.incomplete.empty() ? " " : "gap ");
    }
    return text;
  };
  EXPECT_EQ(marked(), "0 10 90 ");
  c.topics.front().lost = {{1, 2}};
  EXPECT_EQ(marked(), "0gap 35gap 90 ");
}

}  // namespace
}  // namespace recmeter
