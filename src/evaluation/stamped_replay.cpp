#include "recmeter/evaluation/stamped_replay.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "recmeter/event/event_code.h"

namespace recmeter {

namespace {

using Routed = std::vector<std::vector<RoutedBatch>>;  // by shard

}  // namespace

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
        places_(partitions_),
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
    Routed routed;
    EventTime next = plus_infinity;  // the first time behind them
  };
  [[nodiscard]] bool is_stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  Result<Step> fetch();
  Result<void> read();
  Result<void> route(std::span<StampedLog::StampedEvent> events, Routed& routed);

  const EvaluatorPlan& plan_;
  const StampedLog& log_;
  std::unique_ptr<RecordSource> lines_;
  Options options_;
  Executor& executor_;
  SealedSink& sealed_;
  NoRows no_rows_;
  std::size_t partitions_;
  std::vector<std::uint64_t> places_;  // handed out, by partition
  Evaluation evaluation_;
  bool is_at_end_ = false;
  std::string bytes_;                              // of what is waiting
  std::vector<StampedLog::StampedEvent> waiting_;  // read, not routed; by time
};

Result<std::uint64_t> StampedReplay::Impl::run() {
  const PartSummary& log = log_.summary();
  Result<Step> step = fetch();
  while (step && step->next != plus_infinity) {
    if (is_stopped()) return failure(Errc::interrupted, "interrupted before the part was evaluated");
    evaluation_.receive(std::move(step->routed));
    std::vector<std::function<void()>> tasks;
    // Behind the log's end lie events that were held there ([S3.16]); what matures by them alone does not.
    evaluation_.begin(std::min(step->next, log.log.final_to), tasks);
    tasks.emplace_back([&] { step = fetch(); });
    executor_.run(tasks);
    if (auto done = evaluation_.complete(log.start); !done) return tl::unexpected(std::move(done).error());
  }
  if (!step) return tl::unexpected(std::move(step).error());
  evaluation_.receive(std::move(step->routed));
  auto done = evaluation_.end(log.log.final_to, log.later_end, log.start);
  if (done) done = evaluation_.end_whole(log.log.final_to, log.start);
  PartSummary summary = log;
  summary.counts = evaluation_.counts();
  if (done) done = sealed_.end(summary);
  if (!done) return tl::unexpected(std::move(done).error());
  return summary.counts.lists;
}

// A block of lines, as far as its last time but one, whose events may go on in the next block.
Result<StampedReplay::Impl::Step> StampedReplay::Impl::fetch() {
  Step step{.routed = Routed(options_.shards)};
  auto last = waiting_.begin();
  do {
    if (auto more = read(); !more) return tl::unexpected(std::move(more).error());
    last = waiting_.end();
    if (is_at_end_) break;
    const EventTime newest = waiting_.empty() ? minus_infinity : waiting_.back().ts;
    last = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& event) { return event.ts == newest; });
  } while (last == waiting_.begin());
  if (last != waiting_.end()) step.next = last->ts;
  if (auto routed = route({waiting_.begin(), last}, step.routed); !routed) return tl::unexpected(std::move(routed).error());
  waiting_.erase(waiting_.begin(), last);
  const std::size_t used = waiting_.empty() ? bytes_.size() : waiting_.front().first_byte;
  bytes_.erase(0, used);
  for (auto& event : waiting_) {
    event.first_byte -= used;
    event.end_byte -= used;
  }
  return step;
}

Result<void> StampedReplay::Impl::read() {
  if (is_at_end_) return {};
  auto block = lines_->read(options_.block_bytes, {});
  if (!block) return tl::unexpected(std::move(block).error());
  is_at_end_ = block->last;
  for (std::size_t i = 0; i < block->records.size(); ++i) {
    auto event = log_.event(block->record(i), bytes_);
    if (!event) return tl::unexpected(std::move(event).error());
    waiting_.push_back(*event);
  }
  return {};
}

// Events of a partition go in the order of their places. Their numbers rise like these, which is all that the join asks.
Result<void> StampedReplay::Impl::route(std::span<StampedLog::StampedEvent> events, Routed& routed) {
  std::sort(events.begin(), events.end(),
            [](const auto& a, const auto& b) { return std::tuple(a.partition, a.place) < std::tuple(b.partition, b.place); });
  for (auto first = events.begin(); first != events.end();) {
    const std::uint32_t partition = first->partition;
    const auto end = std::find_if(first, events.end(), [&](const auto& event) { return event.partition != partition; });
    std::string code;
    for (auto at = first; at != end; ++at) code.append(bytes_, at->first_byte, at->end_byte - at->first_byte);
    const auto count = static_cast<std::size_t>(end - first);
    ByteReader from(code);
    auto decoded = read_events(from, count, plan_.spec->join.key, kinds_of(*plan_.spec));
    if (!decoded || !from.is_done()) return StampedLog::damaged();
    const auto batch = std::make_shared<const EventBatch>(std::move(*decoded));
    std::vector<RoutedBatch> of_shard(
        options_.shards, {.batch = batch, .partition = partition, .first_place = places_[partition], .events = {}});
    places_[partition] += count;
    for (std::uint32_t index = 0; index < count; ++index) {
      of_shard[shard_of(batch->events()[index].key_hash, options_.shards)].events.push_back(index);
    }
    for (std::size_t s = 0; s < options_.shards; ++s) {
      if (!of_shard[s].events.empty()) routed[s].push_back(std::move(of_shard[s]));
    }
    first = end;
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
