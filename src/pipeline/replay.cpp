#include "recmeter/pipeline/replay.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/pipeline/sequencer.h"

namespace recmeter {

namespace {

constexpr std::size_t block_bytes_max = 512 << 10;
constexpr std::size_t block_bytes_min = 32 << 10;
constexpr std::size_t beginning_bytes = 16 << 10;     // enough for M_p, where not all partitions can stay open
constexpr std::size_t buffered_bytes_max = 64 << 20;  // of blocks, over all partitions

struct Partition {
  ReplayInput input;
  std::deque<RecordBatch> raw;  // read, not decoded
  struct Decoded {
    std::shared_ptr<const EventBatch> events;
    bool last;
  };
  std::deque<Decoded> decoded;  // not sequenced
  bool read_to_end = false;
};

std::vector<Sequencer::PartitionSpec> partition_specs(const std::vector<ReplayInput>& inputs) {
  std::vector<Sequencer::PartitionSpec> specs;
  for (const ReplayInput& input : inputs)
    specs.push_back({std::string(input.source->name()), input.lateness, input.source->is_cut_at_start()});
  return specs;
}

}  // namespace

class Replay::Impl {
 public:
  Impl(const EvaluatorPlan& plan, std::vector<ReplayInput> inputs, ReplayOptions options, Executor& executor, RowSink& sink)
      : plan_(plan),
        options_(std::move(options)),
        executor_(executor),
        sink_(sink),
        sequencer_(partition_specs(inputs), plan.spec->time, options_.shards, options_.witness),
        merger_(plan, options_.shards, options_.range) {
    RECMETER_CHECK(options_.witness == nullptr || options_.shards == 1, "a witness is not called from several threads");
    for (std::size_t s = 0; s < options_.shards; ++s) {
      shards_.emplace_back(plan, inputs.size(), merger_.popularity(s), options_.witness);
    }
    for (ReplayInput& input : inputs) partitions_.push_back({.input = std::move(input), .raw = {}, .decoded = {}});
  }

  Result<Report> run();

 private:
  Result<void> round();
  void plan_reads(std::vector<std::function<void()>>& tasks, std::vector<Result<void>>& outcomes);
  void plan_decoding(std::vector<std::function<void()>>& tasks);
  [[nodiscard]] std::size_t block_bytes(bool beginning) const;
  void sequence();
  void settle_all(EventTime w);
  void share_popularity(EventTime w);
  Result<void> advance_to(EventTime w, EventTime log_end, Stage stage);
  Result<void> step_to(EventTime w, EventTime log_end, Stage stage);
  Result<void> take_step(EventTime w, Stage stage);
  Result<void> finish_log();
  [[nodiscard]] bool needs_popularity() const { return plan_.metrics.needs(ListPart::popularity); }
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  void tell_progress() const;
  [[nodiscard]] Report report(bool complete) const;

  const EvaluatorPlan& plan_;
  ReplayOptions options_;
  Executor& executor_;
  RowSink& sink_;
  std::vector<Partition> partitions_;
  Sequencer sequencer_;
  std::deque<Shard> shards_;
  Merger merger_;
  std::vector<std::shared_ptr<RecordBatch>> decoding_;  // blocks of the current round
  std::vector<RecordBatch> spare_;                      // their buffers afterwards, for the next reads
  std::vector<std::vector<EventDecoder>> decoders_;     // per task of a round, per kind of input
  EventTime advanced_ = minus_infinity;                 // to where all shards have
  std::uint64_t rows_final_ = 0;
  std::uint64_t rows_truncated_ = 0;
  std::uint64_t sums_bytes_max_ = 0;
  std::uint64_t exposure_bytes_max_ = 0;
  std::uint64_t popularity_bytes_max_ = 0;
};

Result<Report> Replay::Impl::run() {
  const auto is_enough = [this] { return sequencer_.watermark() >= options_.until; };
  while (sequencer_.next_partition() != Sequencer::none && !is_enough() && !stopped()) {
    if (auto done = round(); !done) {
      // A source that was waiting for more ends the reading, as the flag does.
      if (done.error().code == Errc::interrupted) break;
      return tl::unexpected(std::move(done).error());
    }
    tell_progress();
  }
  const bool is_at_end = sequencer_.next_partition() == Sequencer::none;
  const bool complete = is_at_end || (is_enough() && !stopped());
  if (is_at_end) {
    if (auto done = finish_log(); !done) return tl::unexpected(std::move(done).error());
  } else {
    settle_all(sequencer_.watermark());
    if (auto done = advance_to(sequencer_.watermark(), plus_infinity, Stage::final); !done) {
      return tl::unexpected(std::move(done).error());
    }
  }
  return report(complete);
}

// Shards settle and advance in one task, with decoding to fill in where one has more to do than the others; only where the
// watermark jumps over a seal do they have to meet more than once, or where a list's value depends on what other shards'
// users did before it.
Result<void> Replay::Impl::round() {
  const EventTime w = sequencer_.watermark();
  const EventTime first = std::min(w, plan_.next_seal_after(advanced_));
  std::vector<std::function<void()>> tasks;
  for (Shard& shard : shards_) {
    tasks.emplace_back([&shard, w, first, advance = !needs_popularity() && w != minus_infinity] {
      shard.settle(w);
      if (advance) shard.advance(first, plus_infinity);
    });
  }
  plan_decoding(tasks);
  std::vector<Result<void>> outcomes(partitions_.size());
  plan_reads(tasks, outcomes);
  executor_.run(tasks);
  for (const auto& block : std::exchange(decoding_, {})) spare_.push_back(std::move(*block));
  for (Result<void>& outcome : outcomes) {
    if (!outcome) return outcome;
  }
  if (w != minus_infinity) {
    share_popularity(w);
    auto step = needs_popularity() ? step_to(first, plus_infinity, Stage::final) : take_step(first, Stage::final);
    if (!step) return step;
    if (auto done = advance_to(w, plus_infinity, Stage::final); !done) return done;
  }
  sequence();
  return {};
}

std::size_t Replay::Impl::block_bytes(bool beginning) const {
  if (options_.block_bytes > 0) return options_.block_bytes;
  if (beginning && partitions_.size() > options_.open_max) return beginning_bytes;
  const std::size_t share = buffered_bytes_max / 4 / std::min(partitions_.size(), options_.open_max);
  return std::clamp(share, block_bytes_min, block_bytes_max);
}

// Keeps open, and a few blocks ahead, the partitions that are behind in event time.
void Replay::Impl::plan_reads(std::vector<std::function<void()>>& tasks, std::vector<Result<void>>& outcomes) {
  std::vector<std::size_t> order = sequencer_.partitions_by_time();
  for (std::size_t i = options_.open_max; i < order.size(); ++i) partitions_[order[i]].input.source->suspend();
  order.resize(std::min(order.size(), options_.open_max));
  const std::size_t ahead = std::max<std::size_t>(2, 2 * executor_.threads() / order.size());
  for (const std::size_t p : order) {
    Partition& partition = partitions_[p];
    const std::size_t buffered = partition.raw.size() + partition.decoded.size();
    if (partition.read_to_end || buffered >= 2 * ahead) continue;
    const std::size_t blocks = std::min(ahead, 2 * ahead - buffered);
    const bool beginning = partition.input.source->bytes_read() == 0;
    // Its own buffers, so that tasks share nothing.
    std::vector<RecordBatch> buffers;
    for (std::size_t b = 0; b < blocks && !spare_.empty(); ++b) {
      buffers.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    tasks.emplace_back([&partition, &outcome = outcomes[p], blocks, bytes = block_bytes(beginning),
                        reuse = std::make_shared<std::vector<RecordBatch>>(std::move(buffers))] {
      for (std::size_t b = 0; b < blocks && !partition.read_to_end; ++b) {
        RecordBatch buffer;
        if (b < reuse->size()) buffer = std::move((*reuse)[b]);
        auto read = partition.input.source->read(bytes, std::move(buffer));
        if (!read) {
          outcome = tl::unexpected(std::move(read).error());
          return;
        }
        partition.read_to_end = read->last;
        partition.raw.push_back(std::move(*read));
      }
    });
  }
}

void Replay::Impl::plan_decoding(std::vector<std::function<void()>>& tasks) {
  std::size_t slot = 0;
  for (Partition& partition : partitions_) {
    while (!partition.raw.empty()) {
      if (slot == decoders_.size()) {
        auto& kinds = decoders_.emplace_back();
        for (const DecoderOptions& options : options_.decoders) kinds.emplace_back(options);
      }
      auto raw = std::make_shared<RecordBatch>(std::move(partition.raw.front()));
      partition.raw.pop_front();
      partition.decoded.push_back({nullptr, raw->last});
      decoding_.push_back(raw);
      tasks.emplace_back([&to = partition.decoded.back(), &decoder = decoders_[slot][partition.input.decoder], raw] {
        to.events = std::make_shared<const EventBatch>(decoder.decode(*raw));
      });
      ++slot;
    }
  }
}

void Replay::Impl::sequence() {
  for (std::size_t p = sequencer_.next_partition(); p != Sequencer::none; p = sequencer_.next_partition()) {
    Partition& partition = partitions_[p];
    if (partition.decoded.empty()) break;
    const Partition::Decoded block = std::move(partition.decoded.front());
    partition.decoded.pop_front();
    sequencer_.read(p, block.events);
    if (!block.last) continue;
    sequencer_.end(p);
    partition.input.source->suspend();
  }
  auto routed = sequencer_.take_routed();
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    for (RoutedBatch& batch : routed[s]) shards_[s].receive(std::move(batch));
  }
}

void Replay::Impl::settle_all(EventTime w) {
  std::vector<std::function<void()>> tasks;
  for (Shard& shard : shards_) tasks.emplace_back([&shard, w] { shard.settle(w); });
  executor_.run(tasks);
  share_popularity(w);
}

// What users of all shards did before `w`, for the lists of each.
void Replay::Impl::share_popularity(EventTime w) {
  if (!needs_popularity()) return;
  for (std::size_t s = 0; s < shards_.size(); ++s) merger_.collect(s, shards_[s].take_output());
  merger_.settled(w, advanced_);
}

// In steps of about a pane: where the watermark jumps, no more than a pane's sums are held at a time.
Result<void> Replay::Impl::advance_to(EventTime w, EventTime log_end, Stage stage) {
  while (advanced_ < w) {
    EventTime next = w;
    for (const Shard& shard : shards_) next = std::min(next, shard.next_seal());
    if (auto done = step_to(next, log_end, stage); !done) return done;
  }
  return {};
}

Result<void> Replay::Impl::step_to(EventTime w, EventTime log_end, Stage stage) {
  std::vector<std::function<void()>> tasks;
  for (Shard& shard : shards_) tasks.emplace_back([&shard, w, log_end] { shard.advance(w, log_end); });
  executor_.run(tasks);
  return take_step(w, stage);
}

// Makes rows of what the shards have sealed, all advanced to `w`.
Result<void> Replay::Impl::take_step(EventTime w, Stage stage) {
  advanced_ = w;
  std::size_t sums_bytes = merger_.sums_bytes();
  std::size_t exposure_bytes = merger_.exposure_bytes();
  std::size_t popularity_bytes = merger_.popularity_bytes();
  std::vector<ScoredLine> lines;
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    sums_bytes += shards_[s].sums_bytes();
    exposure_bytes += shards_[s].exposure_bytes();
    popularity_bytes += shards_[s].popularity_bytes();
    ShardOutput output = shards_[s].take_output();
    std::move(output.lines.begin(), output.lines.end(), std::back_inserter(lines));
    merger_.collect(s, std::move(output));
  }
  sums_bytes_max_ = std::max<std::uint64_t>(sums_bytes_max_, sums_bytes);
  exposure_bytes_max_ = std::max<std::uint64_t>(exposure_bytes_max_, exposure_bytes);
  popularity_bytes_max_ = std::max<std::uint64_t>(popularity_bytes_max_, popularity_bytes);
  std::sort(lines.begin(), lines.end());
  for (const ScoredLine& line : lines) {
    if (auto written = options_.scored_lists(line); !written) return written;
  }
  for (const Row& row : merger_.finish(w, stage, sequencer_.log_start(), executor_)) {
    ++(stage == Stage::final ? rows_final_ : rows_truncated_);
    if (auto written = sink_.write(row); !written) return written;
  }
  return {};
}

Result<void> Replay::Impl::finish_log() {
  settle_all(plus_infinity);
  const EventTime end = sequencer_.log_end();
  if (auto done = advance_to(end, plus_infinity, Stage::final); !done) return done;
  return advance_to(plus_infinity, end, Stage::truncated);
}

void Replay::Impl::tell_progress() const {
  if (!options_.progress) return;
  ReplayProgress progress{.events = sequencer_.events_read()};
  bool known = true;
  for (const Partition& partition : partitions_) {
    progress.bytes_read += partition.input.source->bytes_read();
    progress.bytes_total += partition.input.source->bytes_total();
    known = known && partition.input.source->bytes_total() > 0;
  }
  if (!known) progress.bytes_total = 0;
  options_.progress(progress);
}

Report Replay::Impl::report(bool complete) const {
  Report report;
  report.complete = complete;
  report.partitions = sequencer_.report();
  report.invalid_reasons = sequencer_.invalid_reasons();
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    PartitionReport& partition = report.partitions[p];
    for (const Shard& shard : shards_) partition.events += shard.decided()[p];
    EventCounts& counts = partition.events;
    counts.undecided = counts.read - counts.invalid - counts.ignored - counts.future - counts.late - counts.duplicate -
                       counts.impressions - counts.feedback;
    report.events += counts;
    report.records += partition.records;
  }
  for (const Shard& shard : shards_) {
    report.lists += shard.lists();
    report.feedback += shard.outcomes();
  }
  report.rows_final = rows_final_;
  report.rows_truncated = rows_truncated_;
  report.sums_bytes_max = sums_bytes_max_;
  report.exposure_bytes_max = exposure_bytes_max_;
  report.popularity_bytes_max = popularity_bytes_max_;
  const bool is_at_end = sequencer_.next_partition() == Sequencer::none;
  RECMETER_CHECK(!is_at_end || report.events.undecided == 0, "an event without a fate at the end");
  RECMETER_CHECK(report.events.feedback == report.feedback.credited + report.feedback.repeated + report.feedback.organic +
                                               report.feedback.not_in_list + report.feedback.unmatched +
                                               report.feedback.pending,
                 "feedback without an outcome");
  return report;
}

Replay::Replay(const EvaluatorPlan& plan, std::vector<ReplayInput> inputs, ReplayOptions options, Executor& executor,
               RowSink& sink)
    : impl_(std::make_unique<Impl>(plan, std::move(inputs), std::move(options), executor, sink)) {}

Replay::~Replay() = default;

Result<Report> Replay::run() {
  return impl_->run();
}

}  // namespace recmeter
