// A preview's rows are those that a replay of the events so far gives: [S7], provisional and truncated rows.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "live/journal.h"
#include "live/provisional_feed.h"
#include "recmeter/evaluation/sequencer.h"
#include "recmeter/event/decoder.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/memory_source.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter {
namespace {

using support::Dice;

class LiveLog {
 public:
  LiveLog(const EvaluatorSpec& spec, const support::RandomLog& log, std::uint64_t seed) : dice_(seed) {
    std::vector<Sequencer::PartitionSpec> partitions;
    for (const support::BatchInput& input : log.inputs) {
      partitions.push_back({input.name, input.allowed_lateness, input.is_cut_at_start});
      sources_.push_back(std::make_unique<support::MemorySource>(input.name, input.bytes, input.is_cut_at_start));
      decoders_.push_back(make_decoder(support::decoder_of(spec, input)));
      open_.push_back(open_.size());
    }
    sequencer_.emplace(std::move(partitions), spec.time, 1);
  }

  [[nodiscard]] bool is_open() const { return !open_.empty(); }
  // Some partition's next records.
  std::vector<RoutedBatch> read() {
    const std::size_t at = dice_.below(open_.size());
    const std::size_t p = open_[at];
    auto block = sources_[p]->read(1 + dice_.below(600), {});
    EXPECT_TRUE(block);
    const bool last = block->last;
    sequencer_->read(p, std::make_shared<const EventBatch>(decoders_[p]->decode(*block)));
    if (last) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    return routed();
  }
  // What clocks have held back.
  std::vector<RoutedBatch> end() {
    for (std::size_t p = 0; p < sources_.size(); ++p) sequencer_->end(p);
    return routed();
  }
  [[nodiscard]] const Sequencer& sequencer() const { return *sequencer_; }
  [[nodiscard]] EventTime newest() const {
    EventTime newest = minus_infinity;
    for (std::size_t p = 0; p < sources_.size(); ++p) {
      newest = std::max(newest, sequencer_->max_time(p).value_or(minus_infinity));
    }
    return newest;
  }

 private:
  std::vector<RoutedBatch> routed() {
    auto routed = sequencer_->take_routed();
    return std::move(routed.front());
  }

  Dice dice_;
  std::vector<std::unique_ptr<support::MemorySource>> sources_;
  std::vector<std::unique_ptr<EventDecoder>> decoders_;
  std::vector<std::size_t> open_;
  std::optional<Sequencer> sequencer_;
};

Row without_stage(Row row) {
  row.stage = Stage::final;
  row.revision.reset();
  row.matured = 1;
  return row;
}

struct Tally {
  std::uint64_t rows = 0;
  std::uint64_t looks = 0;
};

// A log that comes in bit by bit, partly from a journal, and what has been said of its windows.
class Previewed {
 public:
  Previewed(const EvaluatorSpec& spec, const EvaluatorPlan& plan, const support::RandomLog& log, std::uint64_t seed)
      : dice_(seed),
        live_(spec, log, seed),
        feed_(plan, store_, {.every = Duration{0}, .events_a_round = 1 + dice_.below(30), .missing_lists_max = 1'000'000}) {}

  // All of it; the preview begins on the way.
  void read() {
    const std::size_t begins = dice_.below(30);
    for (std::size_t step = 0; live_.is_open(); ++step) {
      if (step == begins) feed_.keep_up(Duration{0});
      const EventTime w = live_.sequencer().watermark();
      if (w != minus_infinity) advance(w, w);
      if (dice_.percent(30)) keep(w);
      receive(live_.read());
      if (feed_.follows() && dice_.percent(10)) look(dice_.percent(50));
    }
  }
  // Takes in what is left, up to `after` the newest event. Returns the watermark before.
  EventTime settle(Duration after) {
    const EventTime w = live_.sequencer().watermark();
    const EventTime newest = live_.newest();
    feed_.keep_up(Duration{0});
    for (int round = 0; round < 1000 && w != minus_infinity && !feed_.follows(); ++round) {
      keep(w);
      advance(w, w);
    }
    if (!feed_.follows()) return minus_infinity;
    receive(live_.end());
    advance(newest + after, w);
    return w;
  }
  void look(bool all) {
    feed_.revise();
    for (const SharedRow& rendered : feed_.rows(EventTime{0}, live_.sequencer().log_start(), all)) {
      EXPECT_EQ(rendered->row.stage, Stage::provisional);
      EXPECT_EQ(rendered->row.revision, feed_.revision());
      EXPECT_EQ(rendered->key, render_key(rendered->row));
      EXPECT_EQ(rendered->json, render_json(rendered->row));
      rows_.insert_or_assign(rendered->key, rendered->row);
      ++looks_;
    }
  }

  // The latest of each: a row comes when it has changed.
  [[nodiscard]] std::map<std::string, Row>& rows() { return rows_; }
  [[nodiscard]] std::uint64_t revision() const { return feed_.revision(); }
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  void receive(std::vector<RoutedBatch> routed) {
    for (const RoutedBatch& batch : routed) journal_.add(batch);
    feed_.receive({std::move(routed)});
  }
  void advance(EventTime t, EventTime w) {
    std::vector<std::function<void()>> tasks;
    feed_.begin(t, w, tasks);
    for (const auto& task : tasks) task();
    EXPECT_TRUE(feed_.complete());
  }
  void keep(EventTime w) {
    StateBatch batch;
    journal_.save(batch, ++checkpoints_);
    EXPECT_TRUE(store_.write(batch, StateStore::Durability::process));
    EXPECT_TRUE(feed_.kept(w));
  }

  Dice dice_;
  LiveLog live_;
  memory::MemoryStore store_;
  Journal journal_{0};
  std::uint64_t checkpoints_ = 0;
  ProvisionalFeed feed_;
  std::uint64_t looks_ = 0;
  std::map<std::string, Row> rows_;
};

void check_seed(std::uint64_t seed, Tally& tally) {
  EvaluatorSpec spec = support::random_spec(seed);
  // Personalisation compares a list that grows as it was first shown, until its row is final.
  const auto compares = [](const MetricRequest& request) { return request.name == "personalisation"; };
  if (std::ranges::any_of(spec.metrics.requests, compares)) spec.join.assemble = Duration{0};
  const support::RandomLog log = support::orderly_log(seed, spec);
  Duration lateness{0};
  for (const auto& input : log.inputs) lateness = std::max(lateness, input.allowed_lateness);
  const auto plan = EvaluatorPlan::make(spec, lateness, false);
  ASSERT_TRUE(plan);
  Previewed shown(spec, *plan, log, seed);
  shown.read();
  const EventTime w = shown.settle(spec.join.assemble + spec.join.skew + Duration{1});
  if (w == minus_infinity) return;
  shown.look(true);
  tally.looks += shown.looks();

  std::map<std::string, Row>& rows = shown.rows();
  const auto is_final = [&](const Row& row) { return row.end + row.horizon + spec.join.skew <= w; };
  std::map<std::string, EventTime> newest_start;  // by window
  for (const auto& [key, row] : rows) {
    const auto at = newest_start.try_emplace(row.window, row.start).first;
    at->second = std::max(at->second, row.start);
  }
  for (const Row& row : support::run_engine(spec, log.inputs, {}).rows) {
    if (is_final(row) || !newest_start.contains(row.window) || row.start > newest_start.at(row.window)) continue;
    const auto found = rows.find(render_key(row));
    ASSERT_NE(found, rows.end()) << "seed " << seed << " lacks " << support::row_name(row);
    const std::vector<Row> expected{without_stage(row)};
    const std::vector<Row> actual{without_stage(found->second)};
    const auto difference = support::first_difference(expected, actual, 0);
    ASSERT_FALSE(difference) << "seed " << seed << ", " << support::row_name(row) << ": " << *difference;
    rows.erase(found);
    ++tally.rows;
  }
  // Older ones may be of values that had rows of their own then, and are among (other) now.
  for (const auto& [key, row] : rows) {
    EXPECT_NE(row.revision, shown.revision()) << "seed " << seed << " has " << key << " besides";
  }
}

TEST(ProvisionalRows, says_what_a_replay_of_the_events_so_far_would) {
  Tally tally;
  std::uint64_t logs = 0;
  support::for_each_seed(40, 3000, [&](std::uint64_t seed) {
    check_seed(seed + 4, tally);  // the first few say little
    ++logs;
  });
  if (logs < 20) return;
  EXPECT_GT(tally.rows, 10 * logs);
  EXPECT_GT(tally.looks, 10 * logs);
}

}  // namespace
}  // namespace recmeter
