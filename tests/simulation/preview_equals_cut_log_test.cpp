// A preview's rows are those that a replay of the events so far gives: SEMANTICS §7, provisional and truncated rows.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/event/decoder.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/pipeline/journal.h"
#include "recmeter/pipeline/live_preview.h"
#include "recmeter/pipeline/sequencer.h"
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
  LiveLog(const EvaluatorSpec& spec, const EvaluatorPlan& plan, const support::RandomLog& log, std::uint64_t seed)
      : dice_(seed) {
    std::vector<Sequencer::PartitionSpec> partitions;
    for (const support::BatchInput& input : log.inputs) {
      partitions.push_back({input.name, input.allowed_lateness, input.is_cut_at_start});
      sources_.push_back(std::make_unique<support::MemorySource>(input.name, input.bytes, input.is_cut_at_start));
      decoders_.emplace_back(DecoderOptions{.fields = input.fields,
                                            .key = spec.join.key,
                                            .actions = plan.actions,
                                            .list_items_max = spec.limits.list_items,
                                            .id_bytes_max = spec.limits.id_bytes,
                                            .message_bytes_max = spec.limits.message_bytes});
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
    sequencer_->read(p, std::make_shared<const EventBatch>(decoders_[p].decode(*block)));
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
  std::vector<EventDecoder> decoders_;
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

void check_seed(std::uint64_t seed, Tally& tally) {
  const EvaluatorSpec spec = support::random_spec(seed);
  const support::RandomLog log = support::orderly_log(seed, spec);
  Duration lateness{0};
  for (const auto& input : log.inputs) lateness = std::max(lateness, input.allowed_lateness);
  const auto plan = EvaluatorPlan::make(spec, lateness, false);
  ASSERT_TRUE(plan);

  Dice dice(seed);
  LiveLog live(spec, *plan, log, seed);
  memory::MemoryStore store;
  Journal journal(0);
  std::uint64_t checkpoints = 0;
  LivePreview preview(*plan, store,
                      {.every = Duration{0}, .events_a_round = 1 + dice.below(30), .missing_lists_max = 1'000'000});
  // From some time on, when part of the log lies in the journal.
  const std::size_t begins = dice.below(30);
  const auto receive = [&](std::vector<RoutedBatch> routed) {
    for (const RoutedBatch& batch : routed) journal.add(batch);
    preview.receive({std::move(routed)});
  };
  const auto advance = [&](EventTime t, EventTime w) {
    std::vector<std::function<void()>> tasks;
    preview.begin(t, w, tasks);
    for (const auto& task : tasks) task();
    ASSERT_TRUE(preview.complete());
  };
  const auto keep = [&](EventTime w) {
    StateBatch batch;
    journal.save(batch, ++checkpoints);
    ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
    ASSERT_TRUE(preview.kept(w));
  };
  std::uint64_t revision = 0;
  std::map<std::string, Row> rows;  // the latest of each: a row comes when it has changed
  const auto look = [&](bool all) {
    ++revision;
    for (Row& row : preview.rows(EventTime{0}, revision, live.sequencer().log_start(), all)) {
      EXPECT_EQ(row.stage, Stage::provisional);
      EXPECT_EQ(row.revision, revision);
      std::string key = render_key(row);
      rows.insert_or_assign(std::move(key), std::move(row));
      ++tally.looks;
    }
  };
  for (std::size_t step = 0; live.is_open(); ++step) {
    if (step == begins) preview.keep_up(Duration{0});
    const EventTime w = live.sequencer().watermark();
    if (w != minus_infinity) advance(w, w);
    if (dice.percent(30)) keep(w);
    receive(live.read());
    if (preview.follows() && dice.percent(10)) look(dice.percent(50));
  }
  const EventTime w = live.sequencer().watermark();
  const EventTime newest = live.newest();
  if (w == minus_infinity) return;
  preview.keep_up(Duration{0});
  for (int round = 0; round < 1000 && !preview.follows(); ++round) {
    keep(w);
    advance(w, w);
  }
  ASSERT_TRUE(preview.follows());
  receive(live.end());
  advance(newest + spec.join.assemble + spec.join.skew + Duration{1}, w);
  look(true);
  const auto is_final = [&](const Row& row) { return row.end + row.horizon + spec.join.skew <= w; };
  std::map<std::string, EventTime> newest_start;  // by window
  for (const auto& [key, row] : rows) {
    const auto at = newest_start.try_emplace(row.window, row.start).first;
    at->second = std::max(at->second, row.start);
  }
  const support::EngineResult whole = support::run_engine(spec, log.inputs, {});
  for (const Row& row : whole.rows) {
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
  for (const auto& [key, row] : rows) EXPECT_NE(row.revision, revision) << "seed " << seed << " has " << key << " besides";
}

TEST(Preview, says_what_a_replay_of_the_events_so_far_would) {
  Tally tally;
  support::for_each_seed(60, 3000, [&](std::uint64_t seed) { check_seed(seed, tally); });
  EXPECT_GT(tally.rows, 1000U);
  EXPECT_GT(tally.looks, 1000U);
}

}  // namespace
}  // namespace recmeter
