// A live run that is killed again and again, and what everybody sees of it: the same final rows as of a replay, byte for
// byte, each once or repeated as it was, and the same accounting. For tests of what a run keeps; check_killed() is one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recmeter/base/fail_point.h"
#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/file/spill_memory.h"
#include "recmeter/live/attach.h"
#include "recmeter/live/kept_experiments.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "simulation/live_accounting.h"
#include "simulation/sums_of_rows.h"
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

namespace recmeter::simulation {

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
inline void make_forgetful(EvaluatorSpec& spec) {
  JoinRule& join = spec.join;
  join.horizons = {Duration{25'000}, Duration{15'000}};
  for (Action& action : join.actions) action.horizon.reset();
  join.same_list = Duration{20'000};
  join.assemble = std::min(join.assemble, Duration{5'000});
  spec.windows = {{.name = "short", .size = {30'000}, .slide = {30'000}, .offset = {0}},
                  {.name = "rolling", .size = {60'000}, .slide = {20'000}, .offset = {7000}}};
  std::erase_if(spec.metrics.requests, support::needs_tumbling_windows);
}

using Shape = std::function<void(EvaluatorSpec&, std::uint64_t seed)>;

// Brokers took the records at even intervals, so that some of them are ahead of their broker.
inline Case random_case(std::uint64_t seed, bool has_experiments = false, bool has_lanes = false, const Shape& shape = {}) {
  Case out{.spec = support::random_spec(seed), .topics = {}, .decoders = {}, .lateness_max = {}};
  out.spec.time.max_future_skew = Duration{60'000};
  if (shape) {
    shape(out.spec, seed);
  } else if (seed % 2 == 0) {
    make_forgetful(out.spec);
  }
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

inline Replayed replayed(const Case& c, const EvaluatorPlan& plan) {
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

inline void expect_kept(const StateStore& store, const std::map<std::string, std::int64_t>& positions) {
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

// As the plans of a run that begins put them there.
inline void put_experiments(const EvaluatorPlan& plan, StateStore& store) {
  StateBatch batch;
  for (const PlannedExperiment& experiment : plan.experiments)
    put_experiment(batch, {.name = experiment.spec->name, .meaning = {}});
  ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
}

// Runs, and kills the run at the point whose number comes up; nothing once the run has ended by itself.
inline std::optional<Report> attached(const Case& c, const std::vector<PlannedGeneration>& generations, StateStore& store,
                                      Published& published, Dice& dice, std::size_t points_left) {
  const auto checkpoint = checkpoint_in(store);
  EXPECT_TRUE(checkpoint);
  if (!*checkpoint) put_experiments(*generations.back().plan, store);
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
                        .publish_every = Duration{dice.pick<std::int64_t>({20, 100, 400})},
                        .keep_sums = c.spec.attribution ? c.spec.attribution->keep : Duration{0}};
  if (spills) options.memory = spilled->get();
  OneThread executor;
  TestPublisher publisher(published, host.is_held(), dice.below(1'000'000));
  try {
    auto report = attach(generations, std::move(inputs), std::move(options), store, executor, publisher, host);
    EXPECT_TRUE(report) << report.error().context;
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
  std::uint64_t sums = 0;  // kept at the end
};

inline std::vector<std::string> rows_before(const std::vector<Row>& rows, EventTime w, Duration skew) {
  std::vector<std::string> out;
  for (const Row& row : rows) {
    if (row.end + row.horizon + skew <= w) out.push_back(render_json(row));
  }
  return out;
}

inline EventTime watermark_of(const Report& report) {
  EventTime w = plus_infinity;
  for (const PartitionReport& partition : report.partitions) w = std::min(w, partition.watermark.value_or(minus_infinity));
  return w;
}

inline std::vector<std::string> experiments_before(const std::vector<SharedExperimentRow>& rows, EventTime w, Duration skew) {
  std::vector<std::string> out;
  for (const SharedExperimentRow& row : rows) {
    if (row->row.end + row->row.horizon + skew <= w) out.push_back(row->json);
  }
  return out;
}

inline std::vector<std::string> in_order(const std::map<std::uint64_t, std::string>& by_number) {
  std::vector<std::string> rows;
  for (const auto& [number, row] : by_number) rows.push_back(row);
  return rows;
}

// Rows are long: of the first that differs only the beginning, and where.
inline void expect_same_rows(const std::vector<std::string>& actual, const std::vector<std::string>& expected) {
  const auto [a, e] = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end());
  if (a == actual.end() && e == expected.end()) return;
  const auto row = [](auto at, const std::vector<std::string>& rows) {
    return at == rows.end() ? "no more" : at->substr(0, 400);
  };
  FAIL() << "row " << a - actual.begin() << " of " << actual.size() << " is " << row(a, actual) << "\nrather than, of "
         << expected.size() << ", " << row(e, expected);
}

// Of each record: its event time, if it moves its partition's clock.
inline std::vector<std::optional<EventTime>> times_of(const Topic& topic, const DecoderOptions& options,
                                                      Duration max_future_skew) {
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
inline void lose_records(Case& c, std::uint64_t seed) {
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

// What is special about the lives of a run.
struct Lives {
  std::optional<Duration> pane_width = {};  // sealed panes are kept, and are no wider
  // After each that was killed.
  std::function<void(StateStore& store, Dice& dice)> between = {};
};

inline void check_seed(const Case& c, std::uint64_t seed, Tally& tally, const Lives& lives = {}) {
  SCOPED_TRACE(seed);
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false, true);
  ASSERT_TRUE(plan) << plan.error().context;
  const Replayed expected = replayed(c, *plan);
  EvaluatorPlan own = *plan;
  if (lives.pane_width) own.keep_panes(*lives.pane_width);
  Dice dice(seed);
  memory::MemoryStore store;
  Published published;
  published.wants_provisional = seed % 3 == 0 && !c.spec.lanes.is_wanted();
  std::optional<Report> report;
  for (std::size_t life = 0; !report; ++life) {
    // Many die young: while they read their state again.
    const std::size_t points = dice.percent(60) ? dice.below(10) : dice.below(120);
    report = attached(c, {{.plan = &own}}, store, published, dice, life < 30 ? points : 1'000'000);
    tally.kills += report ? 0U : 1U;
    if (!report && lives.between) lives.between(store, dice);
  }
  const std::vector<std::string> actual = in_order(published.rows);
  const Duration final_after = c.spec.join.skew + plan->lane_delay();
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(actual, rows_before(expected.rows, watermark_of(*report), final_after)));
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(in_order(published.experiments),
                                           experiments_before(expected.experiments, watermark_of(*report), final_after)));
  if (c.spec.attribution) {
    const auto sums = sums_in(store);
    ASSERT_TRUE(sums == sums_of(expected.rows, watermark_of(*report), final_after, c.spec.attribution->keep));
    tally.sums += sums.size();
  }
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

}  // namespace recmeter::simulation
