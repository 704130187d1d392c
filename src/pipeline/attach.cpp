#include "recmeter/pipeline/attach.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/pipeline/journal.h"
#include "recmeter/pipeline/position_index.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string outbox_key(std::uint64_t number) {
  std::string key = "o";
  append_big_endian(key, number);
  return key;
}

// Partitions that the state knows come first, in its order: the journal names them by their place.
void put_in_order(std::vector<AttachInput>& inputs, const std::optional<Checkpoint>& checkpoint) {
  if (!checkpoint) return;
  const auto& known = checkpoint->sequencer.partitions;
  std::stable_sort(inputs.begin(), inputs.end(), [&](const AttachInput& a, const AttachInput& b) {
    const auto place = [&](const AttachInput& input) {
      return std::find_if(known.begin(), known.end(),
                          [&](const auto& p) { return p.name == input.partition.source->name(); });
    };
    return place(a) < place(b);
  });
}

}  // namespace

class Attach::Impl : private RowSink {
 public:
  Impl(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs, AttachOptions options,
       StateStore& store, Executor& executor, RowPublisher& publisher)
      : spec_(*generations.back().plan->spec),
        options_(std::move(options)),
        store_(store),
        executor_(executor),
        publisher_(publisher),
        opened_(checkpoint_in(store)),
        sequencer_(partition_specs(inputs), spec_.time, options_.shards),
        evaluation_(generations, inputs.size(), options_.shards, executor, *this),
        intake_(partition_inputs(inputs),
                {.decoders = options_.decoders, .block_bytes = options_.block_bytes, .threads = executor.threads()}) {}

  Result<Report> run();

 private:
  struct Partition {
    Duration idle_after;
    std::int64_t next_offset = 0;
    EventTime last_moved = minus_infinity;  // by the reader's clock
  };

  std::vector<Sequencer::PartitionSpec> partition_specs(std::vector<AttachInput>& inputs);
  static std::vector<PartitionInput> partition_inputs(std::vector<AttachInput>& inputs);

  Result<void> go_on();
  void note_beginnings();
  Result<void> read_journal(EventTime w);
  Result<void> publish_again();
  Result<void> round();
  void note(std::vector<std::function<void()>>& tasks);
  bool sequence();
  void look_for_idle();
  [[nodiscard]] std::vector<std::size_t> aligned() const;
  Result<void> checkpoint();
  void drop_old_events(StateBatch& batch, EventTime w);
  Result<void> drain();
  Result<void> look_at_published();
  Result<void> write(const Row& row) override;
  void pass(std::string_view point) const {
    if (options_.passes) options_.passes(point);
  }
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  [[nodiscard]] EvaluationCounts counts() const;
  [[nodiscard]] Report report() const;

  const EvaluatorSpec& spec_;  // of the newest generation; what events mean is the same in all
  AttachOptions options_;
  StateStore& store_;
  Executor& executor_;
  RowPublisher& publisher_;
  Result<std::optional<Checkpoint>> opened_;
  std::vector<Partition> partitions_;
  Sequencer sequencer_;
  Generations evaluation_;
  Intake intake_;
  std::deque<Journal> journals_;                   // per shard
  std::vector<std::vector<RoutedBatch>> to_note_;  // per shard, routed since the tasks of the last round
  EvaluationCounts before_;                        // what runs before this one have counted beyond the journal
  bool has_changed_ = false;                       // since the last checkpoint
  std::uint64_t checkpoints_ = 0;
  PositionIndex positions_;
  EventTime journal_from_ = minus_infinity;     // events before it are no more in the journal
  EventTime rows_to_ = minus_infinity;          // rows with end + horizon up to here are those of runs before
  EventTime last_checkpoint_ = minus_infinity;  // by the reader's clock
  std::deque<NumberedRow> made_;                // since the last checkpoint
  std::uint64_t rows_ = 0;                      // number of the next one
  std::uint64_t published_ = 0;
};

std::vector<Sequencer::PartitionSpec> Attach::Impl::partition_specs(std::vector<AttachInput>& inputs) {
  if (opened_) put_in_order(inputs, *opened_);
  std::vector<Sequencer::PartitionSpec> specs;
  for (const AttachInput& input : inputs) {
    const RecordSource& source = *input.partition.source;
    specs.push_back({std::string(source.name()), input.partition.lateness, source.is_cut_at_start()});
    partitions_.push_back(
        {.idle_after = input.idle_after, .next_offset = source.next_offset(), .last_moved = options_.now()});
  }
  return specs;
}

std::vector<PartitionInput> Attach::Impl::partition_inputs(std::vector<AttachInput>& inputs) {
  std::vector<PartitionInput> out;
  for (AttachInput& input : inputs) out.push_back(std::move(input.partition));
  return out;
}

Result<Report> Attach::Impl::run() {
  auto done = go_on();
  while (done && !stopped()) done = round();
  if (done) done = drain();
  if (!done) return tl::unexpected(std::move(done).error());
  return report();
}

Result<void> Attach::Impl::go_on() {
  if (!opened_) return tl::unexpected(opened_.error());
  for (std::size_t s = 0; s < options_.shards; ++s) journals_.emplace_back(s);
  to_note_.resize(options_.shards);
  before_.decided.resize(partitions_.size());
  if (!*opened_) {
    note_beginnings();
    return publisher_.go_on_from("");
  }
  const Checkpoint& from = **opened_;
  for (std::size_t p = 0; p < from.sequencer.partitions.size(); ++p) {
    const std::string& name = from.sequencer.partitions[p].name;
    if (p < partitions_.size() && intake_.source(p).name() == name) continue;
    return failure(Errc::state_unusable, "the state has read " + name +
                                             ", which is not among the inputs any more; name its " +
                                             "topic again, or start with another state.dir");
  }
  checkpoints_ = from.number;
  journal_from_ = from.journal_from;
  rows_to_ = from.rows_to;
  rows_ = from.rows;
  published_ = from.published;
  sequencer_.go_on_from(from.sequencer);
  for (std::size_t p = 0; p < from.next_offsets.size(); ++p) partitions_[p].next_offset = from.next_offsets[p];
  note_beginnings();
  if (auto read = read_journal(from.sequencer.watermark); !read) return read;
  const EvaluationCounts again = evaluation_.counts();
  before_ = from.counts;
  before_.decided.resize(partitions_.size());
  before_ -= again;
  return publish_again();
}

void Attach::Impl::note_beginnings() {
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    positions_.begin(std::string(intake_.source(p).name()), sequencer_.max_time(p), partitions_[p].next_offset);
  }
}

// Bucket after bucket, so that no more is held than was when the events came.
Result<void> Attach::Impl::read_journal(EventTime w) {
  Result<void> outcome;
  EventTime reached = minus_infinity;
  const auto receive = [&](EventTime bucket, const RoutedBatch& kept) {
    if (outcome && bucket > reached) outcome = evaluation_.advance(std::min(bucket, w), sequencer_.log_start());
    reached = std::max(reached, bucket);
    std::vector<std::vector<RoutedBatch>> routed(options_.shards);
    for (const std::uint32_t index : kept.events) {
      std::vector<RoutedBatch>& to = routed[shard_of(kept.batch->events()[index].key_hash, options_.shards)];
      if (to.empty()) {
        to.push_back({.batch = kept.batch, .partition = kept.partition, .first_place = kept.first_place, .events = {}});
      }
      to.back().events.push_back(index);
    }
    evaluation_.receive(std::move(routed));
    return outcome.has_value();
  };
  auto read = Journal::read(store_, spec_.join.key, spec_.join.actions.size(), receive);
  if (!read) return read;
  if (outcome) outcome = evaluation_.advance(w, sequencer_.log_start());
  return outcome;
}

Result<void> Attach::Impl::publish_again() {
  if (auto done = publisher_.go_on_from((**opened_).publisher_position); !done) return done;
  Result<void> outcome;
  auto scanned = store_.scan(outbox_key(published_), "p", [&](std::string_view key, std::string_view value) {
    ByteReader from(value);
    NumberedRow row;
    row.number = big_endian(key.substr(1));
    row.key = from.text();
    row.value = from.text();
    outcome = from.is_done() ? publisher_.publish(row) : failure(Errc::state_unusable, "a row to be published is damaged");
    return outcome.has_value();
  });
  return scanned ? outcome : scanned;
}

Result<void> Attach::Impl::round() {
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), tasks);
  note(tasks);
  intake_.begin(aligned(), tasks);
  executor_.run(tasks);
  if (auto read = intake_.complete(); !read) return read;
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  if (has_changed_ && options_.now() - last_checkpoint_ >= options_.checkpoint_every) {
    if (auto done = checkpoint(); !done) return done;
  }
  if (auto done = look_at_published(); !done) return done;
  if (!sequence() && options_.wait) options_.wait();
  look_for_idle();
  return {};
}

// What was routed is written down while shards settle it; both only read it.
void Attach::Impl::note(std::vector<std::function<void()>>& tasks) {
  for (std::size_t s = 0; s < journals_.size(); ++s) {
    if (to_note_[s].empty()) continue;
    tasks.emplace_back([this, s] {
      for (const RoutedBatch& routed : to_note_[s]) journals_[s].add(routed);
      to_note_[s].clear();
    });
  }
}

// What has nothing more to be read holds nobody back.
std::vector<std::size_t> Attach::Impl::aligned() const {
  std::vector<std::size_t> order = sequencer_.partitions_by_time();
  if (order.empty()) return order;
  const auto time_of = [&](std::size_t p) { return sequencer_.max_time(p).value_or(minus_infinity); };
  EventTime slowest = plus_infinity;
  for (const std::size_t p : order) {
    if (!intake_.is_caught_up(p)) slowest = std::min(slowest, time_of(p));
  }
  std::erase_if(order, [&](std::size_t p) {
    return slowest != minus_infinity && slowest != plus_infinity && time_of(p) > slowest + options_.align;
  });
  return order;
}

// Partitions that have nothing are passed over: what they have not said yet, the watermark waits for.
bool Attach::Impl::sequence() {
  bool some = false;
  for (const std::size_t p : aligned()) {
    // One block each, since others may be behind then.
    const auto block = intake_.take(p);
    if (!block) continue;
    sequencer_.read(p, block->events);
    partitions_[p].next_offset = block->next_offset;
    some = true;
  }
  auto routed = sequencer_.take_routed();
  for (std::size_t s = 0; s < routed.size(); ++s) {
    to_note_[s].insert(to_note_[s].end(), routed[s].begin(), routed[s].end());
  }
  evaluation_.receive(std::move(routed));
  has_changed_ = has_changed_ || some;
  return some;
}

void Attach::Impl::look_for_idle() {
  const EventTime now = options_.now();
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    if (sequencer_.take_moved(p)) partition.last_moved = now;
    if (intake_.is_caught_up(p) && now - partition.last_moved >= partition.idle_after) sequencer_.set_idle(p, true);
  }
}

Result<void> Attach::Impl::write(const Row& row) {
  if (row.end + row.horizon <= rows_to_) return {};
  made_.push_back({.number = rows_++, .key = render_key(row), .value = render_json(row)});
  has_changed_ = true;
  return {};
}

// Between evaluation and sequencing: what has been sequenced before the watermark has been evaluated, and noted.
Result<void> Attach::Impl::checkpoint() {
  pass("before_checkpoint");
  const EventTime w = sequencer_.watermark();
  StateBatch batch;
  ++checkpoints_;
  for (Journal& journal : journals_) journal.save(batch, checkpoints_);
  evaluation_.drop_finished(w, batch);
  drop_old_events(batch, w);
  Checkpoint to{.number = checkpoints_,
                .sequencer = sequencer_.state(),
                .next_offsets = {},
                .journal_from = journal_from_,
                .counts = counts(),
                .rows_to = std::max(rows_to_, w - spec_.join.skew),
                .rows = rows_,
                .published = published_,
                .publisher_position = publisher_.position()};
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    to.next_offsets.push_back(partitions_[p].next_offset);
    positions_.note(batch, to.sequencer.partitions[p].name, sequencer_.max_time(p), partitions_[p].next_offset);
  }
  for (const NumberedRow& row : made_) {
    ByteWriter value;
    value.add_text(row.key);
    value.add_text(row.value);
    batch.put(outbox_key(row.number), value.take());
  }
  batch.erase_range(outbox_key(0), outbox_key(published_));
  put_checkpoint(batch, to);
  const auto durability = made_.empty() ? StateStore::Durability::process : StateStore::Durability::machine;
  if (auto written = store_.write(batch, durability); !written) return written;
  pass("after_checkpoint");
  for (const NumberedRow& row : std::exchange(made_, {})) {
    if (auto done = publisher_.publish(row); !done) return done;
    pass("after_publish");
  }
  last_checkpoint_ = options_.now();
  has_changed_ = false;
  return {};
}

// A minute at a time: each is a tombstone that lookups pass by until it is compacted.
void Attach::Impl::drop_old_events(StateBatch& batch, EventTime w) {
  const Duration memory = evaluation_.event_memory();
  const EventTime first = std::max(journal_from_, sequencer_.log_start().first_event);
  if (w - memory < first + Duration{60'000}) return;
  journal_from_ = w - memory;
  Journal::drop(batch, journal_from_);
  PositionIndex::drop(batch, journal_from_ - memory);
}

Result<void> Attach::Impl::look_at_published() {
  const auto published = publisher_.published();
  if (!published) return tl::unexpected(published.error());
  has_changed_ = has_changed_ || *published > published_;
  published_ = std::max(published_, *published);
  return {};
}

Result<void> Attach::Impl::drain() {
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), tasks);
  note(tasks);
  executor_.run(tasks);
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  if (has_changed_) {
    if (auto done = checkpoint(); !done) return done;
  }
  return look_at_published();
}

EvaluationCounts Attach::Impl::counts() const {
  EvaluationCounts counts = evaluation_.counts();
  counts += before_;
  return counts;
}

Report Attach::Impl::report() const {
  Report report;
  report.complete = true;
  report.partitions = sequencer_.report();
  report.invalid_reasons = sequencer_.invalid_reasons();
  const EvaluationCounts counts = this->counts();
  report.lists = counts.lists;
  report.feedback = counts.outcomes;
  report.rows_final = rows_;
  for (std::size_t p = 0; p < report.partitions.size(); ++p) {
    EventCounts& events = report.partitions[p].events;
    events += counts.decided[p];
    events.settle_undecided();
    report.events += events;
    report.records += report.partitions[p].records;
  }
  return report;
}

Attach::Attach(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs, AttachOptions options,
               StateStore& store, Executor& executor, RowPublisher& publisher)
    : impl_(std::make_unique<Impl>(generations, std::move(inputs), std::move(options), store, executor, publisher)) {}

Attach::~Attach() = default;

Result<Report> Attach::run() {
  return impl_->run();
}

}  // namespace recmeter
