#include "recmeter/evaluation/stamped_replay.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "recmeter/evaluation/lanes.h"
#include "recmeter/event/event_code.h"

namespace recmeter {

class StampedReplay::Impl {
 public:
  Impl(const EvaluatorPlan& plan, const StampedLog& log, std::unique_ptr<RecordSource> lines, const Options& options,
       Executor& executor, SealedSink& sealed)
      : plan_(plan),
        log_(log),
        lines_(std::move(lines)),
        options_(options),
        executor_(executor),
        sealed_(sealed),
        partitions_(log.summary().log.partitions.size()),
        waiting_(partitions_),
        evaluation_(plan,
                    {.partitions = partitions_,
                     .shards = options.shards,
                     .range = options.range,
                     .scored_lists = {},
                     .sealed = &sealed},
                    executor, no_rows_) {}

  Result<std::uint64_t> run();

 private:
  // Events between two times.
  struct Step {
    std::vector<std::vector<RoutedBatch>> routed;  // by shard
    EventTime next = plus_infinity;                // the first time behind them
  };
  // Lines of one partition whose events have not all been read.
  struct Waiting {
    std::vector<ByteReader> code;                          // by line, what is left of it
    std::vector<std::shared_ptr<const RecordBatch>> held;  // where it stands
    std::uint64_t places = 0;                              // handed out
  };
  [[nodiscard]] bool is_stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  Result<Step> fetch();
  Result<void> read();
  Result<void> open_lines();
  Result<void> route(std::uint32_t partition, Step& step);

  const EvaluatorPlan& plan_;
  const StampedLog& log_;
  std::unique_ptr<RecordSource> lines_;
  Options options_;
  Executor& executor_;
  SealedSink& sealed_;
  NoRows no_rows_;
  std::size_t partitions_;
  std::vector<Waiting> waiting_;  // by partition
  Lanes evaluation_;
  std::shared_ptr<const RecordBatch> block_;  // the next one; null: there is none
  EventTime read_to_ = minus_infinity;
};

Result<std::uint64_t> StampedReplay::Impl::run() {
  const PartSummary& log = log_.summary();
  const EventTime until = plan_.final_by(options_.range.to);  // as ReplayOptions::until
  if (auto first = read(); !first) return tl::unexpected(std::move(first).error());
  Result<Step> step = fetch();
  while (step && step->next != plus_infinity) {
    if (is_stopped()) return failure(Errc::interrupted, "interrupted before the part was evaluated");
    evaluation_.receive(std::move(step->routed));
    std::vector<std::function<void()>> tasks;
    // Behind the log's end lie events that were held there ([S3.16]); what matures by them alone does not.
    evaluation_.begin(std::min({step->next, log.log.final_to, until}), tasks);
    tasks.emplace_back([&] { step = fetch(); });
    executor_.run(tasks);
    if (auto done = evaluation_.complete(log.start); !done) return tl::unexpected(std::move(done).error());
  }
  if (!step) return tl::unexpected(std::move(step).error());
  evaluation_.receive(std::move(step->routed));
  auto done = log.log.final_to < until ? evaluation_.end(log.log.final_to, log.later_end, log.start)
                                       : evaluation_.advance(until, log.start);
  if (done) done = evaluation_.end_whole(log.log.final_to, log.start);
  PartSummary summary = log;
  summary.counts = evaluation_.counts();
  if (done) done = sealed_.end(summary);
  if (!done) return tl::unexpected(std::move(done).error());
  return summary.counts.lists;
}

// Lines come by the time of their first event: what the next block begins with bounds all that is to come. Events are decoded
// when their time has come and not before, so that those that are joined together lie together in memory.
Result<StampedReplay::Impl::Step> StampedReplay::Impl::fetch() {
  Result<void> done = open_lines();
  if (done) done = read();
  Step step{.routed = std::vector<std::vector<RoutedBatch>>(options_.shards)};
  if (block_) step.next = StampedLog::time_of(block_->record(0));
  for (std::uint32_t partition = 0; partition < partitions_ && done; ++partition) done = route(partition, step);
  if (!done) return tl::unexpected(std::move(done).error());
  read_to_ = step.next;
  return step;
}

Result<void> StampedReplay::Impl::read() {
  const bool is_over = block_ && block_->last;
  block_.reset();
  if (is_over) return {};
  auto block = lines_->read(options_.block_bytes, {});
  if (!block) return tl::unexpected(std::move(block).error());
  if (!block->records.empty()) block_ = std::make_shared<const RecordBatch>(std::move(*block));
  return {};
}

Result<void> StampedReplay::Impl::open_lines() {
  for (std::size_t i = 0; block_ && i < block_->records.size(); ++i) {
    const auto events = log_.events(block_->record(i));
    if (!events) return tl::unexpected(events.error());
    waiting_[events->partition].code.emplace_back(events->code);
    waiting_[events->partition].held.push_back(block_);
  }
  return {};
}

// Numbers in a partition rise with the places that events had there, as far as the join asks: among events of one time and
// key.
Result<void> StampedReplay::Impl::route(std::uint32_t partition, Step& step) {
  Waiting& waiting = waiting_[partition];
  if (waiting.code.empty()) return {};  // of many files most are of another time
  auto read = read_events_between(read_to_, step.next, waiting.code, plan_.spec->join.key, kinds_of(*plan_.spec));
  if (!read) return StampedLog::damaged();
  std::size_t left = 0;
  for (std::size_t i = 0; i < waiting.code.size(); ++i) {
    if (waiting.code[i].left() == 0) continue;
    waiting.code[left] = waiting.code[i];
    waiting.held[left++].swap(waiting.held[i]);
  }
  waiting.code.resize(left, ByteReader({}));
  waiting.held.resize(left);
  const auto batch = std::make_shared<const EventBatch>(std::move(*read));
  std::vector<RoutedBatch> of_shard(options_.shards,
                                    {.batch = batch, .partition = partition, .first_place = waiting.places, .events = {}});
  const std::span<const Event> events = batch->events();
  waiting.places += events.size();
  for (std::uint32_t index = 0; index < events.size(); ++index) {
    of_shard[shard_of(events[index].key_hash, options_.shards)].events.push_back(index);
  }
  for (std::size_t s = 0; s < options_.shards; ++s) {
    if (!of_shard[s].events.empty()) step.routed[s].push_back(std::move(of_shard[s]));
  }
  return {};
}

StampedReplay::StampedReplay(const EvaluatorPlan& plan, const StampedLog& log, std::unique_ptr<RecordSource> lines,
                             const Options& options, Executor& executor, SealedSink& sealed)
    : impl_(std::make_unique<Impl>(plan, log, std::move(lines), options, executor, sealed)) {}

StampedReplay::~StampedReplay() = default;

Result<std::uint64_t> StampedReplay::run() {
  return impl_->run();
}

}  // namespace recmeter
