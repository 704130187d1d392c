// A live run that is killed again and again publishes what a replay of the same records gives: the same final rows, byte for
// byte, each once or repeated as it was, and the same accounting.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recmeter/base/fail_point.h"
#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/file/spill_memory.h"
#include "recmeter/live/attach.h"
#include "recmeter/live/generation.h"
#include "recmeter/live/rebuild.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "simulation/live_accounting.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/one_thread.h"
#include "support/random_candidates.h"
#include "support/random_experiment.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"

namespace recmeter {
namespace {

using support::Dice;
using support::OneThread;
using support::TopicRecord;
using support::TopicRecords;
using support::TopicSource;

struct Topic {
  std::string name;
  TopicRecords records;
  Duration lateness;
  std::map<std::int64_t, std::int64_t> lost = {};
};

struct Case {
  EvaluatorSpec spec;
  std::vector<Topic> topics;
  std::vector<DecoderOptions> decoders;
  Duration lateness_max;
};

// Everything is over so soon that a run has long dropped the beginning of its log when it ends.
void make_forgetful(EvaluatorSpec& spec) {
  JoinRule& join = spec.join;
  join.horizons = {Duration{25'000}, Duration{15'000}};
  for (Action& action : join.actions) action.horizon.reset();
  join.same_list = Duration{20'000};
  join.assemble = std::min(join.assemble, Duration{5'000});
  spec.windows = {{.name = "short", .size = {30'000}, .slide = {30'000}, .offset = {0}},
                  {.name = "rolling", .size = {60'000}, .slide = {20'000}, .offset = {7000}}};
  std::erase_if(spec.metrics.requests, support::needs_tumbling_windows);
}

// Brokers took the records at even intervals, so that some of them are ahead of their broker.
Case random_case(std::uint64_t seed, bool has_experiments = false, bool has_lanes = false) {
  Case out{.spec = support::random_spec(seed), .topics = {}, .decoders = {}, .lateness_max = {}};
  out.spec.time.max_future_skew = Duration{60'000};
  if (seed % 2 == 0) make_forgetful(out.spec);
  if (has_lanes) out.spec = support::with_lanes(std::move(out.spec), seed);
  if (has_lanes && seed % 4 < 2) out.spec = support::with_off_policy(std::move(out.spec), seed);
  const support::RandomLog log = support::random_log(seed, out.spec);
  if (has_experiments) out.spec = support::with_experiments(out.spec, seed, log);
  for (std::size_t p = 0; p < log.inputs.size(); ++p) {
    auto records = std::make_shared<std::vector<TopicRecord>>();
    EventTime taken = minus_infinity;
    for (const support::LogLine& line : log.lines[p]) {
      if (line.ts < 2'000'000'000'000) taken = std::max(taken, EventTime{line.ts});
      records->push_back({.value = line.text, .broker_time = taken == minus_infinity ? EventTime{line.ts} : taken});
    }
    out.topics.push_back({log.inputs[p].name, std::move(records), log.inputs[p].allowed_lateness});
    out.lateness_max = std::max(out.lateness_max, log.inputs[p].allowed_lateness);
    out.decoders.push_back(support::decoder_of(out.spec, log.inputs[p]));
  }
  return out;
}

struct Rows : RowSink {
  std::vector<Row> rows;
  Result<void> write(const Row& row) override {
    rows.push_back(row);
    return {};
  }
};

struct Replayed {
  std::vector<Row> rows;
  std::vector<SharedExperimentRow> experiments;
  Report report;
};

Replayed replayed(const Case& c, const EvaluatorPlan& plan) {
  std::vector<PartitionInput> inputs;
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    inputs.push_back(
        {.source = std::make_unique<TopicSource>(c.topics[p].name, c.topics[p].records, 0, true, 1, c.topics[p].lost),
         .decoder = p,
         .lateness = c.topics[p].lateness});
  }
  OneThread executor;
  Rows sink;
  std::deque<ExperimentJudge> judges;
  for (const PlannedExperiment& experiment : plan.experiments) {
    judges.emplace_back(experiment, plan.spec->name, plan.spec->config_hash);
  }
  std::vector<SharedExperimentRow> experiments;
  const auto judge = [&](const ExperimentLook& look) -> Result<void> {
    experiments.push_back(render(judges[look.place].judge(look)));
    return {};
  };
  Replay replay(plan, std::move(inputs),
                {.decoders = c.decoders, .range = {}, .progress = {}, .scored_lists = {}, .looks = judge}, executor, sink);
  auto report = replay.run();
  EXPECT_TRUE(report);
  return {std::move(sink.rows), std::move(experiments), std::move(*report)};
}

// What everybody has seen of the rows, over all runs; as a compacted topic or a file keeps it.
struct Published {
  std::map<std::uint64_t, std::string> rows;
  std::map<std::uint64_t, std::string> experiments;
  bool wants_provisional = false;
  std::set<std::string> finals;                    // by key
  std::map<std::string, std::uint64_t> revisions;  // the latest of provisional rows, by key
  std::uint64_t provisional = 0;
  std::uint64_t repeated = 0;
  std::uint64_t backlogs = 0;  // runs that began with events which the one before had read and not evaluated
  std::uint64_t steps = 0;     // runs that began where the one before was on its way to the watermark
};

class TestPublisher : public RowPublisher {
 public:
  TestPublisher(Published& published, const bool& is_held, std::uint64_t seed)
      : published_(published),
        is_held_(is_held),
        dice_(seed),
        under_way_max_(dice_.pick<std::uint64_t>({20, 100, 1'000'000})) {}

  Result<void> go_on_from(std::string_view position) override {
    if (!position.empty()) done_ = std::stoull(std::string(position));
    return {};
  }
  [[nodiscard]] bool is_full() const override { return taken_ >= done_ + under_way_max_; }
  [[nodiscard]] std::string trouble() override { return is_full() ? "it is full" : ""; }
  Result<void> publish(const NumberedRow& row) override {
    EXPECT_FALSE(is_held_ || is_full());
    auto& rows = row.kind == RowKind::experiment ? published_.experiments : published_.rows;
    const auto [at, is_new] = rows.try_emplace(row.number, row.value);
    EXPECT_EQ(at->second, row.value) << "row " << row.number << " is published again with other bytes";
    published_.repeated += is_new ? 0 : 1;
    published_.finals.insert(row.key);
    taken_ = row.number + 1;
    return {};
  }
  [[nodiscard]] bool wants_experiments() const override { return true; }
  [[nodiscard]] bool wants_provisional() const override { return published_.wants_provisional; }
  Result<void> publish_provisional(std::string_view key, std::string_view value) override {
    EXPECT_FALSE(published_.finals.contains(std::string(key))) << "after the final row: " << value;
    EXPECT_NE(value.find(R"("stage":"provisional")"), std::string_view::npos) << value;
    constexpr std::string_view field = R"("revision":)";
    const std::uint64_t revision = std::stoull(std::string(value.substr(value.find(field) + field.size())));
    std::uint64_t& latest = published_.revisions[std::string(key)];
    EXPECT_GT(revision, latest) << value;
    latest = revision;
    ++published_.provisional;
    return {};
  }
  // Some time later.
  Result<std::uint64_t> published() override {
    if (taken_ > done_ && dice_.percent(30)) done_ = taken_;
    return done_;
  }
  std::string position() const override { return std::to_string(done_); }

 private:
  Published& published_;
  const bool& is_held_;
  Dice dice_;
  std::uint64_t under_way_max_;
  std::uint64_t taken_ = 0;
  std::uint64_t done_ = 0;
};

struct Killed {};

void expect_kept(const StateStore& store, const std::map<std::string, std::int64_t>& positions) {
  const auto checkpoint = checkpoint_in(store);
  ASSERT_TRUE(checkpoint && *checkpoint);
  ASSERT_EQ(positions.size(), (*checkpoint)->positions.size());
  for (std::size_t p = 0; p < positions.size(); ++p) {
    EXPECT_EQ(positions.at((*checkpoint)->sequencer.partitions[p].name), (*checkpoint)->positions[p].next_offset);
  }
}

// The topics are another's for a while, again and again. `memory` may be null: of what is kept long, nothing stays in memory.
class Host final : public support::ScriptedHost {
 public:
  Host(std::uint64_t seed, const StateStore& store, file::SpillMemory* memory)
      : ScriptedHost(1'000), dice_(seed), is_held_(dice_.percent(30)), store_(store), memory_(memory) {}
  ~Host() override { EXPECT_GE(alive_, asked_) << "held or not, it shows that it lives"; }

  void wait() override {
    fail_point("wait");
    if (!is_held_) ScriptedHost::wait();  // everything has been read long since
  }
  Result<RunMode> mode() override {
    if (const auto mode = ScriptedHost::mode(); *mode == RunMode::end) return mode;
    ++asked_;
    if (dice_.percent(is_held_ ? 40 : 5)) is_held_ = !is_held_;
    return is_held_ ? RunMode::hold : RunMode::go_on;
  }
  void alive(RunMode mode) override {
    ++alive_;
    EXPECT_FALSE(is_held_ && mode == RunMode::go_on);
    if (memory_ != nullptr) memory_->trim();
  }
  void kept(const std::map<std::string, std::int64_t>& next_offsets) override { expect_kept(store_, next_offsets); }
  [[nodiscard]] const bool& is_held() const { return is_held_; }

 private:
  Dice dice_;
  bool is_held_;
  const StateStore& store_;
  file::SpillMemory* memory_;
  std::uint64_t asked_ = 0;
  std::uint64_t alive_ = 0;
};

// Runs, and kills the run at the point whose number comes up; nothing once the run has ended by itself.
std::optional<Report> attached(const Case& c, const std::vector<PlannedGeneration>& generations, StateStore& store,
                               Published& published, Dice& dice, std::size_t points_left) {
  const auto checkpoint = checkpoint_in(store);
  EXPECT_TRUE(checkpoint);
  if (*checkpoint && (**checkpoint).backlog) ++((**checkpoint).backlog->events > 0 ? published.backlogs : published.steps);
  std::vector<AttachInput> inputs;
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    std::int64_t from = 0;
    for (std::size_t k = 0; *checkpoint && k < (*checkpoint)->positions.size(); ++k) {
      if ((*checkpoint)->sequencer.partitions[k].name == c.topics[p].name) from = (*checkpoint)->positions[k].next_offset;
    }
    inputs.push_back({.partition = {.source = std::make_unique<TopicSource>(c.topics[p].name, c.topics[p].records, from,
                                                                            false, dice.below(1'000'000), c.topics[p].lost),
                                    .decoder = p,
                                    .lateness = c.topics[p].lateness},
                      .idle_after = Duration{1'000'000'000}});
  }
  // In every other life what is kept long lies in a file, none of which stays in memory.
  const auto spilled = file::SpillMemory::create(std::filesystem::temp_directory_path().string(), 0);
  EXPECT_TRUE(spilled);
  const bool spills = points_left % 2 == 0;
  Host host(dice.below(1'000'000), store, spills ? spilled->get() : nullptr);
  constexpr std::array<std::size_t, 3> pieces{1, 1, 50'000};
  constexpr std::array<std::size_t, 3> backlogs{5, 100, 500'000};
  constexpr std::array<std::size_t, 3> unkept{1, 20'000, 32 << 20};
  const FailPointListener listener([&points_left](std::string_view) {
    if (points_left-- == 0) throw Killed();
  });
  AttachOptions options{.decoders = c.decoders,
                        .shards = 1 + dice.below(4),
                        .journal_piece = pieces[points_left % pieces.size()],
                        .backlog_max = backlogs[points_left / 3 % backlogs.size()],
                        .unkept_bytes_max = unkept[points_left / 2 % unkept.size()],
                        .align = Duration{dice.pick<std::int64_t>({0, 1000, 300'000})},
                        .checkpoint_every = Duration{dice.pick<std::int64_t>({0, 3, 20})},
                        .publish_every = Duration{dice.pick<std::int64_t>({20, 100, 400})}};
  if (spills) options.memory = spilled->get();
  OneThread executor;
  TestPublisher publisher(published, host.is_held(), dice.below(1'000'000));
  try {
    auto report = attach(generations, std::move(inputs), std::move(options), store, executor, publisher, host);
    EXPECT_TRUE(report);
    return std::move(*report);
  } catch (const Killed&) {
    return std::nullopt;
  }
}

struct Tally {
  std::uint64_t seeds = 0;
  std::uint64_t finals = 0;
  std::uint64_t kills = 0;
  std::uint64_t repeated = 0;
  std::uint64_t provisional = 0;
  std::uint64_t backlogs = 0;
  std::uint64_t steps = 0;
  std::uint64_t gaps = 0;
  std::uint64_t looks = 0;
};

std::vector<std::string> rows_before(const std::vector<Row>& rows, EventTime w, Duration skew) {
  std::vector<std::string> out;
  for (const Row& row : rows) {
    if (row.end + row.horizon + skew <= w) out.push_back(render_json(row));
  }
  return out;
}

EventTime watermark_of(const Report& report) {
  EventTime w = plus_infinity;
  for (const PartitionReport& partition : report.partitions) w = std::min(w, partition.watermark.value_or(minus_infinity));
  return w;
}

std::vector<std::string> experiments_before(const std::vector<SharedExperimentRow>& rows, EventTime w, Duration skew) {
  std::vector<std::string> out;
  for (const SharedExperimentRow& row : rows) {
    if (row->row.end + row->row.horizon + skew <= w) out.push_back(row->json);
  }
  return out;
}

std::vector<std::string> in_order(const std::map<std::uint64_t, std::string>& by_number) {
  std::vector<std::string> rows;
  for (const auto& [number, row] : by_number) rows.push_back(row);
  return rows;
}

// Rows are long: of the first that differs only the beginning, and where.
void expect_same_rows(const std::vector<std::string>& actual, const std::vector<std::string>& expected) {
  const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
  if (a == actual.end() && e == expected.end()) return;
  const auto row = [](auto at, const std::vector<std::string>& rows) {
    return at == rows.end() ? "no more" : at->substr(0, 400);
  };
  FAIL() << "row " << a - actual.begin() << " of " << actual.size() << " is " << row(a, actual) << "\nrather than, of "
         << expected.size() << ", " << row(e, expected);
}

// Of each record: its event time, if it moves its partition's clock.
std::vector<std::optional<EventTime>> times_of(const Topic& topic, const DecoderOptions& options, Duration max_future_skew) {
  std::vector<std::optional<EventTime>> times;
  const auto decoder = make_decoder(options);
  for (const TopicRecord& record : *topic.records) {
    RecordBatch batch;
    batch.bytes.assign(record.value.begin(), record.value.end());
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding, '\0');
    batch.records.push_back({.offset = 0, .size = record.value.size(), .broker_time = record.broker_time});
    const EventBatch decoded = decoder->decode(batch);
    const Event& event = decoded.events().front();
    const bool counts =
        event.has_time && event.outcome != Outcome::invalid && event.ts <= record.broker_time + max_future_skew;
    times.push_back(counts ? std::optional(event.ts) : std::nullopt);
  }
  return times;
}

// A stretch of most topics is gone before it is read; what follows it would be in time had it been read.
void lose_records(Case& c, std::uint64_t seed) {
  Dice dice(seed);
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    Topic& topic = c.topics[p];
    const auto times = times_of(topic, c.decoders[p], c.spec.time.max_future_skew);
    if (times.size() < 10 || dice.percent(20)) continue;
    const std::size_t from = dice.below(times.size() - 5);
    const std::size_t to_least = from + 1 + dice.below(times.size() / 4);
    EventTime newest = minus_infinity;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i >= to_least && times[i] && *times[i] >= newest - topic.lateness) {
        topic.lost.emplace(from, i);
        break;
      }
      newest = std::max(newest, times[i].value_or(minus_infinity));
    }
  }
}

void check_seed(const Case& c, std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false, true);
  ASSERT_TRUE(plan);
  const Replayed expected = replayed(c, *plan);
  Dice dice(seed);
  memory::MemoryStore store;
  Published published;
  published.wants_provisional = seed % 3 == 0 && !c.spec.lanes.is_wanted();
  std::optional<Report> report;
  for (std::size_t life = 0; !report; ++life) {
    // Many die young: while they read their state again.
    const std::size_t points = dice.percent(60) ? dice.below(10) : dice.below(120);
    report = attached(c, {{.plan = &*plan}}, store, published, dice, life < 30 ? points : 1'000'000);
    tally.kills += report ? 0U : 1U;
  }
  const std::vector<std::string> actual = in_order(published.rows);
  const Duration final_after = c.spec.join.skew + plan->lane_delay();
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(actual, rows_before(expected.rows, watermark_of(*report), final_after)));
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(in_order(published.experiments),
                                           experiments_before(expected.experiments, watermark_of(*report), final_after)));
  tally.looks += published.experiments.size();
  compare_accounting(*report, expected.report);
  ++tally.seeds;
  tally.finals += actual.size();
  for (const std::string& row : actual) tally.gaps += row.find("\"gap\"") != std::string::npos ? 1U : 0U;
  tally.repeated += published.repeated;
  tally.provisional += published.provisional;
  tally.backlogs += published.backlogs;
  tally.steps += published.steps;
}

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
  explicit Changing(const Case& of) : c(of) {
    add(c.spec);
    chapters.push_back({minus_infinity, &plans[0]});
    StateBatch batch;
    put_only_generation(batch, {.config = "0"});
    EXPECT_TRUE(store.write(batch, StateStore::Durability::process));
  }

  void add(const EvaluatorSpec& spec) {
    auto plan = EvaluatorPlan::make(specs.emplace_back(spec), c.lateness_max, false);
    ASSERT_TRUE(plan) << plan.error().context;
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
  Changing changing(c);
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
  const auto old_plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  const EvaluatorSpec spec = reinterpreted(c.spec, seed);
  const auto new_plan = EvaluatorPlan::make(spec, c.lateness_max, false);
  ASSERT_TRUE(old_plan && new_plan);
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
  add(50, list("last"));
  add(120, R"("type":"tick")");
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
  EXPECT_EQ(marked(), "0 10 50 ");
  c.topics.front().lost = {{1, 2}};
  EXPECT_EQ(marked(), "0gap 35gap 50 ");
}

}  // namespace
}  // namespace recmeter
