#include "app/run/ordered_replay.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/run/interruption.h"
#include "app/run/thread_pool.h"

namespace recmeter {

namespace {

using Clock = std::chrono::steady_clock;

// When all windows of the range are final.
// Nothing: the run ended at the first late event of an input that can be sorted.
Result<std::optional<Report>> replay_into(const OrderedReplay& ordered, ReplayInputs inputs, ThreadPool& pool) {
  const bool may_end_early = std::any_of(inputs.partitions.begin(), inputs.partitions.end(),
                                         [](const PartitionInput& input) { return input.ends_when_late; });
  ReplayOptions options;
  options.decoders = std::move(inputs.decoders);
  options.shards = ordered.threads;
  options.range = ordered.range;
  // An event that is late behind the range would have been in it.
  options.reads_on = may_end_early;
  options.until = ordered.plan.final_by(ordered.range.to);
  options.stop = &ordered.stop;
  options.abandon = out_of_patience(ordered.stop);
  options.progress = ordered.meter();
  const auto sink = ordered.begin(may_end_early, options);
  if (!sink) return tl::unexpected(sink.error());
  Replay replay(ordered.plan, std::move(inputs.partitions), std::move(options), pool, **sink);
  auto report = replay.run();
  if (!report) return tl::unexpected(std::move(report).error());
  if (replay.ended_by_late()) return std::nullopt;
  return std::move(*report);
}

}  // namespace

Result<Report> replay_in_order(const OrderedReplay& replay, ReplayInputs inputs) {
  const auto begin = Clock::now();
  ThreadPool pool(replay.threads);
  LookThrough look = has_streams(inputs) ? LookThrough::whole : LookThrough::sample;
  while (true) {
    auto sorted = sort_inputs(inputs, replay.config.spec.time, replay.sorting, look, pool, replay.meter());
    if (!sorted) return tl::unexpected(std::move(sorted).error());
    auto report = replay_into(replay, std::move(inputs), pool);
    if (!report) return tl::unexpected(std::move(report).error());
    if (*report) {
      Report& whole = **report;
      whole.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      whole.events_per_second = whole.wall_seconds > 0 ? static_cast<double>(whole.events.read) / whole.wall_seconds : 0;
      return std::move(whole);
    }
    look = LookThrough::whole;
    auto again = replay.open_again();
    if (!again) return tl::unexpected(std::move(again).error());
    inputs = std::move(*again);
  }
}

}  // namespace recmeter
