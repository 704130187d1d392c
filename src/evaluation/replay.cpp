#include "recmeter/evaluation/replay.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/lanes.h"
#include "recmeter/evaluation/sequencer.h"

namespace recmeter {

namespace {

EvaluationOptions evaluation_options(const ReplayOptions& options, std::size_t partitions) {
  return {.partitions = partitions,
          .shards = options.shards,
          .range = options.range,
          .scored_lists = options.scored_lists,
          .looks = options.looks,
          .witness = options.witness,
          .sealed = options.sealed,
          .is_end_known = !options.share,
          .abandon = options.abandon};
}

IntakeOptions intake_options(ReplayOptions& options, std::size_t threads) {
  return {.decoders = std::move(options.decoders),
          .block_bytes = options.block_bytes,
          .open_max = options.open_max,
          .threads = threads};
}

std::vector<Sequencer::PartitionSpec> partition_specs(const std::vector<PartitionInput>& inputs) {
  std::vector<Sequencer::PartitionSpec> specs;
  for (const PartitionInput& input : inputs) {
    specs.push_back({std::string(input.source->name()), input.lateness, input.source->is_cut_at_start(), input.sorted});
  }
  return specs;
}

std::vector<bool> which_end_when_late(const std::vector<PartitionInput>& inputs) {
  std::vector<bool> which;
  for (const PartitionInput& input : inputs) which.push_back(input.ends_when_late);
  return which;
}

}  // namespace

class Replay::Impl {
 public:
  Impl(const EvaluatorPlan& plan, std::vector<PartitionInput> inputs, ReplayOptions options, Executor& executor,
       RowSink& sink)
      : options_(std::move(options)),
        executor_(executor),
        ends_when_late_(which_end_when_late(inputs)),
        sequencer_(partition_specs(inputs), plan.spec->time, options_.shards, options_.witness, options_.part),
        evaluation_(plan, evaluation_options(options_, inputs.size()), executor, sink),
        intake_(std::move(inputs), intake_options(options_, executor.threads())) {
    if (options_.share) sequencer_.sample_keys(options_.share->part);
  }

  Result<Report> run();
  [[nodiscard]] std::optional<std::size_t> ended_by_late() const { return ended_by_late_; }

 private:
  Result<void> round();
  Result<void> sequence();
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  void tell_progress() const;
  [[nodiscard]] RunStatus status() const;
  [[nodiscard]] EventTime newest() const;
  [[nodiscard]] bool has_enough() const { return !options_.reads_on && sequencer_.watermark() >= options_.until; }
  // Behind options_.until nothing is evaluated, however much was read.
  [[nodiscard]] bool ends_with_log() const {
    return sequencer_.next_partition() == Sequencer::none && sequencer_.log_end() < options_.until;
  }
  [[nodiscard]] EventTime evaluated_to() const { return std::min(sequencer_.watermark(), options_.until); }
  [[nodiscard]] EventTime final_to() const { return std::min(sequencer_.watermark(), sequencer_.log_end()); }
  [[nodiscard]] Report report_of_log() const;
  [[nodiscard]] Report report(bool complete) const;
  [[nodiscard]] PartSummary summary() const;

  ReplayOptions options_;
  Executor& executor_;
  std::vector<bool> ends_when_late_;
  std::optional<std::size_t> ended_by_late_;
  Sequencer sequencer_;
  Lanes evaluation_;
  Intake intake_;
};

Result<Report> Replay::Impl::run() {
  while (sequencer_.next_partition() != Sequencer::none && !has_enough() && !stopped()) {
    if (auto done = round(); !done) {
      // A source that was waiting for more ends the reading, as the flag does.
      if (done.error().code == Errc::interrupted) break;
      return tl::unexpected(std::move(done).error());
    }
    if (ended_by_late_) return report(false);
    tell_progress();
    if (options_.status) options_.status([this] { return status(); });
    if (options_.pace) options_.pace(sequencer_.log_start().first_event, newest());
  }
  const bool complete = sequencer_.next_partition() == Sequencer::none || (has_enough() && !stopped());
  const EventTime log_end = sequencer_.log_end();
  const auto gap = sequencer_.gap_at_end();
  auto done = ends_with_log() ? evaluation_.end(log_end, gap ? gap->to : log_end, sequencer_.log_start())
                              : evaluation_.advance(evaluated_to(), sequencer_.log_start());
  if (done && complete) done = evaluation_.end_whole(final_to(), sequencer_.log_start());
  if (done && complete && options_.sealed != nullptr) done = options_.sealed->end(summary());
  if (!done && !evaluation_.is_abandoned()) return tl::unexpected(std::move(done).error());
  if (options_.lists_tally) options_.lists_tally(evaluation_.lists_tally());
  return report(complete && done.has_value());
}

// Shards work while blocks are read and decoded, which fill in where one shard has more to do than the others.
Result<void> Replay::Impl::round() {
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(evaluated_to(), tasks);
  intake_.begin(sequencer_.partitions_by_time(), tasks);
  executor_.run(tasks);
  if (auto read = intake_.complete(); !read) return read;
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  return sequence();
}

Result<void> Replay::Impl::sequence() {
  for (std::size_t p = sequencer_.next_partition(); p != Sequencer::none; p = sequencer_.next_partition()) {
    const auto block = intake_.take(p);
    if (!block) break;
    if (block->lost_before) sequencer_.lose(p);
    sequencer_.read(p, block->events);
    if (block->last) sequencer_.end(p);
    if (ends_when_late_[p] && sequencer_.has_late(p)) {
      ended_by_late_ = p;
      return {};
    }
    // Here and not once a round: what has been read then does not depend on threads, and is the same in all parts.
    if (options_.pace || has_enough()) break;
  }
  if (options_.accepted) return options_.accepted(sequencer_.take_routed());
  evaluation_.receive(sequencer_.take_routed());
  return {};
}

void Replay::Impl::tell_progress() const {
  if (!options_.progress) return;
  ReplayProgress progress{.events = sequencer_.events_read()};
  bool known = true;
  for (std::size_t p = 0; p < intake_.partitions(); ++p) {
    progress.bytes_read += intake_.source(p).bytes_read();
    progress.bytes_total += intake_.source(p).bytes_total();
    known = known && intake_.source(p).bytes_total() > 0;
  }
  if (!known) progress.bytes_total = 0;
  options_.progress(progress);
}

EventTime Replay::Impl::newest() const {
  EventTime newest = minus_infinity;
  for (std::size_t p = 0; p < intake_.partitions(); ++p) {
    newest = std::max(newest, sequencer_.max_time(p).value_or(minus_infinity));
  }
  return newest;
}

RunStatus Replay::Impl::status() const {
  RunStatus status{.report = report(false),
                   .watermark = final_to(),
                   .partitions = {},
                   .held_back_by = sequencer_.slowest(),
                   .letters_wait_since = {},
                   .publish_trouble = {}};
  for (std::size_t p = 0; p < intake_.partitions(); ++p) {
    status.partitions.push_back(
        {.max_time = sequencer_.max_time(p), .is_caught_up = intake_.is_caught_up(p), .end_offset = {}});
  }
  return status;
}

// What reading alone tells.
Report Replay::Impl::report_of_log() const {
  Report report;
  report.final_to = final_to();
  report.gap_at_end = sequencer_.gap_at_end();
  report.partitions = sequencer_.report();
  report.invalid_reasons = sequencer_.invalid_reasons();
  report.invalid_records = sequencer_.invalid_records();
  return report;
}

Report Replay::Impl::report(bool complete) const {
  Report report = report_of_log();
  report.complete = complete;
  evaluation_.report(report);
  report.add_up();
  const bool is_whole = options_.part == Part{} && !options_.accepted;  // else the rest is decided elsewhere
  RECMETER_CHECK(!complete || !ends_with_log() || !is_whole || report.events.undecided == 0,
                 "an event without a fate at the end");
  return report;
}

PartSummary Replay::Impl::summary() const {
  const auto gap = sequencer_.gap_at_end();
  return {.log = report_of_log(),
          .start = sequencer_.log_start(),
          .later_end = gap ? gap->to : sequencer_.log_end(),
          .evaluated_to = ends_with_log() ? sequencer_.watermark() : evaluated_to(),
          .places = options_.share ? options_.share->places : std::vector<std::uint64_t>(),
          .keys = sequencer_.keys(),
          .counts = evaluation_.counts()};
}

Replay::Replay(const EvaluatorPlan& plan, std::vector<PartitionInput> inputs, ReplayOptions options, Executor& executor,
               RowSink& sink)
    : impl_(std::make_unique<Impl>(plan, std::move(inputs), std::move(options), executor, sink)) {}

Replay::~Replay() = default;

Result<Report> Replay::run() {
  return impl_->run();
}

std::optional<std::size_t> Replay::ended_by_late() const {
  return impl_->ended_by_late();
}

}  // namespace recmeter
