// A live run that is killed again and again publishes what a replay of the same records gives: the same final rows, byte for
// byte, each once or repeated as it was, and the same accounting.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/memory/memory_store.h"
#include "recmeter/pipeline/attach.h"
#include "recmeter/pipeline/replay.h"
#include "recmeter/result/render.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/topic_source.h"

namespace recmeter {
namespace {

using support::Dice;
using support::TopicRecord;
using support::TopicRecords;
using support::TopicSource;

class OneThread : public Executor {
 public:
  void run(std::span<const std::function<void()>> tasks) override {
    for (const auto& task : tasks) task();
  }
  [[nodiscard]] std::size_t threads() const override { return 1; }
};

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
  std::erase_if(spec.metrics.requests, [](const MetricRequest& request) { return request.options.unit == Unit::user; });
}

// Brokers took the records at even intervals, so that some of them are ahead of their broker.
Case random_case(std::uint64_t seed) {
  Case out{.spec = support::random_spec(seed), .topics = {}, .decoders = {}, .lateness_max = {}};
  out.spec.time.max_future_skew = Duration{60'000};
  if (seed % 2 == 0) make_forgetful(out.spec);
  const support::RandomLog log = support::random_log(seed, out.spec);
  for (std::size_t p = 0; p < log.inputs.size(); ++p) {
    auto records = std::make_shared<std::vector<TopicRecord>>();
    EventTime taken = minus_infinity;
    for (const support::LogLine& line : log.lines[p]) {
      if (line.ts < 2'000'000'000'000) taken = std::max(taken, EventTime{line.ts});
      records->push_back({.value = line.text, .broker_time = taken == minus_infinity ? EventTime{line.ts} : taken});
    }
    out.topics.push_back({log.inputs[p].name, std::move(records), log.inputs[p].allowed_lateness});
    out.lateness_max = std::max(out.lateness_max, log.inputs[p].allowed_lateness);
    DecoderOptions decoder{.fields = log.inputs[p].fields,
                           .key = out.spec.join.key,
                           .actions = {},
                           .list_items_max = out.spec.limits.list_items,
                           .id_bytes_max = out.spec.limits.id_bytes,
                           .message_bytes_max = out.spec.limits.message_bytes};
    for (const Action& action : out.spec.join.actions) decoder.actions.push_back(action.name);
    out.decoders.push_back(std::move(decoder));
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
  Replay replay(plan, std::move(inputs), {.decoders = c.decoders, .range = {}, .progress = {}, .scored_lists = {}}, executor,
                sink);
  auto report = replay.run();
  EXPECT_TRUE(report);
  return {std::move(sink.rows), std::move(*report)};
}

// What everybody has seen of the rows, over all runs; as a compacted topic or a file keeps it.
struct Published {
  std::map<std::uint64_t, std::string> rows;
  std::uint64_t repeated = 0;
};

class TestPublisher : public RowPublisher {
 public:
  TestPublisher(Published& published, const bool& is_held, std::uint64_t seed)
      : published_(published), is_held_(is_held), dice_(seed) {}

  Result<void> go_on_from(std::string_view position) override {
    if (!position.empty()) done_ = std::stoull(std::string(position));
    return {};
  }
  Result<void> publish(const NumberedRow& row) override {
    EXPECT_FALSE(is_held_);
    const auto [at, is_new] = published_.rows.try_emplace(row.number, row.value);
    EXPECT_EQ(at->second, row.value) << "row " << row.number << " is published again with other bytes";
    published_.repeated += is_new ? 0 : 1;
    taken_ = row.number + 1;
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
  std::uint64_t taken_ = 0;
  std::uint64_t done_ = 0;
};

struct Killed {};

// Whether the run is held: the topics are another's for a while, again and again.
class Holding {
 public:
  explicit Holding(std::uint64_t seed) : dice_(seed), is_held_(dice_.percent(30)) {}
  Result<Proceeding> proceeding() {
    if (dice_.percent(is_held_ ? 40 : 5)) is_held_ = !is_held_;
    return is_held_ ? Proceeding::hold : Proceeding::go_on;
  }
  [[nodiscard]] const bool& is_held() const { return is_held_; }

 private:
  Dice dice_;
  bool is_held_;
};

void expect_kept(const StateStore& store, const std::map<std::string, std::int64_t>& positions) {
  const auto checkpoint = checkpoint_in(store);
  ASSERT_TRUE(checkpoint && *checkpoint);
  ASSERT_EQ(positions.size(), (*checkpoint)->next_offsets.size());
  for (std::size_t p = 0; p < positions.size(); ++p) {
    EXPECT_EQ(positions.at((*checkpoint)->sequencer.partitions[p].name), (*checkpoint)->next_offsets[p]);
  }
}

// Runs, and kills the run at the point whose number comes up; nothing once the run has ended by itself.
std::optional<Report> attached(const Case& c, const EvaluatorPlan& plan, StateStore& store, Published& published, Dice& dice,
                               std::size_t points_left) {
  const auto checkpoint = checkpoint_in(store);
  EXPECT_TRUE(checkpoint);
  std::vector<AttachInput> inputs;
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    std::int64_t from = 0;
    for (std::size_t k = 0; *checkpoint && k < (*checkpoint)->next_offsets.size(); ++k) {
      if ((*checkpoint)->sequencer.partitions[k].name == c.topics[p].name) from = (*checkpoint)->next_offsets[k];
    }
    inputs.push_back({.partition = {.source = std::make_unique<TopicSource>(c.topics[p].name, c.topics[p].records, from,
                                                                            false, dice.below(1'000'000), c.topics[p].lost),
                                    .decoder = p,
                                    .lateness = c.topics[p].lateness},
                      .idle_after = Duration{1'000'000'000}});
  }
  std::int64_t now = 0;
  std::size_t waits = 0;
  std::atomic<bool> stop = false;
  Holding holding(dice.below(1'000'000));
  const auto pass = [&](std::string_view) {
    if (points_left-- == 0) throw Killed();
  };
  AttachOptions options{.decoders = c.decoders,
                        .shards = 1 + dice.below(4),
                        .align = Duration{dice.pick<std::int64_t>({0, 1000, 300'000})},
                        .checkpoint_every = Duration{dice.pick<std::int64_t>({0, 3, 20})},
                        .stop = &stop,
                        .proceeding = [&] { return holding.proceeding(); },
                        .kept = [&](const auto& positions) { expect_kept(store, positions); },
                        .now = [&] { return EventTime{now++}; },
                        .wait =
                            [&] {
                              pass("wait");
                              if (!holding.is_held() && ++waits > 200) stop = true;  // everything has been read long since
                            },
                        .passes = pass};
  OneThread executor;
  TestPublisher publisher(published, holding.is_held(), dice.below(1'000'000));
  Attach attach(plan, std::move(inputs), std::move(options), store, executor, publisher);
  try {
    auto report = attach.run();
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
  std::uint64_t gaps = 0;
};

std::vector<std::string> rows_before(const std::vector<Row>& rows, EventTime w, Duration skew) {
  std::vector<std::string> out;
  for (const Row& row : rows) {
    if (row.end + row.horizon + skew <= w) out.push_back(render_json(row));
  }
  return out;
}

// Everything but what only time decides: a live run has settled no more than a replay.
void compare_accounting(const Report& live, const Report& replay) {
  ASSERT_EQ(live.partitions.size(), replay.partitions.size());
  for (const PartitionReport& partition : live.partitions) {
    const auto same = std::find_if(replay.partitions.begin(), replay.partitions.end(),
                                   [&](const PartitionReport& other) { return other.name == partition.name; });
    ASSERT_NE(same, replay.partitions.end());
    ASSERT_EQ(partition.records, same->records);
    ASSERT_EQ(partition.disorder.max.ms, same->disorder.max.ms);
    EventCounts settled = same->events;
    settled.duplicate = partition.events.duplicate;
    settled.impressions = partition.events.impressions;
    settled.feedback = partition.events.feedback;
    settled.undecided = partition.events.undecided;
    ASSERT_EQ(partition.events, settled);
    ASSERT_LE(partition.events.duplicate, same->events.duplicate);
    ASSERT_LE(partition.events.impressions, same->events.impressions);
    ASSERT_LE(partition.events.feedback, same->events.feedback);
  }
  const FeedbackCounts& outcomes = live.feedback;
  ASSERT_EQ(live.events.feedback, outcomes.credited + outcomes.repeated + outcomes.organic + outcomes.not_in_list +
                                      outcomes.unmatched + outcomes.pending);
  ASSERT_LE(outcomes.credited, replay.feedback.credited);
  ASSERT_LE(outcomes.organic, replay.feedback.organic);
  ASSERT_LE(live.lists, replay.lists);
}

// Of each record: its event time, if it moves its partition's clock.
std::vector<std::optional<EventTime>> times_of(const Topic& topic, const DecoderOptions& options, Duration max_future_skew) {
  std::vector<std::optional<EventTime>> times;
  EventDecoder decoder(options);
  for (const TopicRecord& record : *topic.records) {
    RecordBatch batch;
    batch.bytes.assign(record.value.begin(), record.value.end());
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding, '\0');
    batch.records.push_back({.offset = 0, .size = record.value.size(), .broker_time = record.broker_time});
    const EventBatch decoded = decoder.decode(batch);
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
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  const Replayed expected = replayed(c, *plan);
  Dice dice(seed);
  memory::MemoryStore store;
  Published published;
  std::optional<Report> report;
  for (std::size_t life = 0; !report; ++life) {
    report = attached(c, *plan, store, published, dice, life < 20 ? dice.below(120) : 1'000'000);
    tally.kills += report ? 0U : 1U;
  }
  EventTime w = plus_infinity;
  for (const PartitionReport& partition : report->partitions) w = std::min(w, partition.watermark.value_or(minus_infinity));
  std::vector<std::string> actual;
  for (const auto& [number, row] : published.rows) actual.push_back(row);
  ASSERT_EQ(actual, rows_before(expected.rows, w, c.spec.join.skew));
  compare_accounting(*report, expected.report);
  ++tally.seeds;
  tally.finals += actual.size();
  for (const std::string& row : actual) tally.gaps += row.find("\"gap\"") != std::string::npos ? 1U : 0U;
  tally.repeated += published.repeated;
}

TEST(Attach, publishes_what_a_replay_gives_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(40, 1'500, [&](std::uint64_t seed) { check_seed(random_case(seed), seed, tally); });
  EXPECT_GT(tally.finals, 3 * tally.seeds);
  EXPECT_GT(tally.kills, 3 * tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(tally.repeated, 0U) << "no kill between publishing and knowing it";
  }
}

TEST(Attach, marks_the_same_rows_where_records_were_lost_however_often_it_is_killed) {
  Tally tally;
  support::for_each_seed(24, 1'500, [&](std::uint64_t seed) {
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
    // What was done long before a list counts for some metrics; `incomplete` does not speak of that (P6).
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
  EXPECT_GT(whole_rows, 0U);
  if (!support::under_sanitizer) {
    EXPECT_GT(marked, 0U);
  }
}

// Lost is the list that makes the one shown 25 minutes later a repetition.
TEST(Attach, marks_rows_of_lists_that_a_lost_one_would_repeat) {
  Case c{.spec = support::random_spec(1), .topics = {}, .decoders = {}, .lateness_max = Duration{60'000}};
  c.spec.join = JoinRule();
  c.spec.join.horizons = {Duration{60'000}};
  c.spec.join.actions.resize(1);
  c.spec.join.actions[0].name = "click";
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
