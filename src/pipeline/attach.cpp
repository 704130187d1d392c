#include "recmeter/pipeline/attach.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/pipeline/evaluation.h"
#include "recmeter/pipeline/journal.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::string_view checkpoint_key = "c";
constexpr std::string_view letters_key = "d";

std::string outbox_key(std::uint64_t number) {
  std::string key = "o";
  for (int byte = 7; byte >= 0; --byte) key.push_back(static_cast<char>(number >> (8 * byte)));
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

Result<std::optional<Checkpoint>> checkpoint_in(const StateStore& store) {
  const auto bytes = store.get(checkpoint_key);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!*bytes) return std::optional<Checkpoint>();
  auto checkpoint = checkpoint_from(**bytes);
  if (!checkpoint)
    return failure(Errc::state_unusable,
                   "the state is damaged: its checkpoint cannot be read; restore it, or move it "
                   "away and start anew");
  return checkpoint;
}

class Attach::Impl : private RowSink {
 public:
  Impl(const EvaluatorPlan& plan, std::vector<AttachInput> inputs, AttachOptions options, StateStore& store,
       Executor& executor, RowPublisher& publisher)
      : plan_(plan),
        options_(std::move(options)),
        store_(store),
        executor_(executor),
        publisher_(publisher),
        opened_(checkpoint_in(store)),
        letters_(options_.dead_letters, options_.letter_fates, options_.tell),
        sequencer_(partition_specs(inputs), plan.spec->time, options_.shards, letters_.is_used() ? &letters_ : nullptr),
        evaluation_(plan, {.partitions = inputs.size(), .shards = options_.shards, .range = {}, .scored_lists = {}}, executor,
                    *this),
        intake_(partition_inputs(inputs), {.decoders = options_.decoders,
                                           .block_bytes = options_.block_bytes,
                                           .threads = executor.threads(),
                                           .keep_records = letters_.is_used()}) {}

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
  Result<void> go_on_with_letters();
  Result<void> read_journal(EventTime w);
  Result<void> publish_again();
  Result<void> round();
  void note(std::vector<std::function<void()>>& tasks);
  Result<bool> sequence();
  Result<bool> may_sequence(bool is_due);
  [[nodiscard]] bool has_room() const { return !options_.has_room || options_.has_room(); }
  void look_for_idle();
  [[nodiscard]] std::vector<std::size_t> aligned() const;
  Result<void> checkpoint();
  void drop_old_events(StateBatch& batch);
  Result<bool> await_letters();
  Result<void> drain();
  Result<void> look_at_published();
  Result<void> write(const Row& row) override;
  void pass(std::string_view point) const {
    if (options_.passes) options_.passes(point);
  }
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  [[nodiscard]] EvaluationCounts counts() const;
  [[nodiscard]] Report report() const;

  const EvaluatorPlan& plan_;
  AttachOptions options_;
  StateStore& store_;
  Executor& executor_;
  RowPublisher& publisher_;
  Result<std::optional<Checkpoint>> opened_;
  std::vector<Partition> partitions_;
  LetterBox letters_;
  Sequencer sequencer_;
  Evaluation evaluation_;
  Intake intake_;
  std::deque<Journal> journals_;                   // per shard
  std::vector<std::vector<RoutedBatch>> to_note_;  // per shard, routed since the tasks of the last round
  EvaluationCounts before_;                        // what runs before this one have counted beyond the journal
  bool is_going_on_ = false;                       // rows are those of runs before
  bool has_changed_ = false;                       // since the last checkpoint
  std::uint64_t checkpoints_ = 0;
  EventTime dropped_to_;                        // events before it are no more in the journal
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
    partitions_.push_back({.idle_after = input.idle_after, .last_moved = options_.now()});
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
  if (auto done = go_on_with_letters(); !done) return done;
  if (!*opened_) return publisher_.go_on_from("");
  const Checkpoint& from = **opened_;
  for (std::size_t p = 0; p < from.sequencer.partitions.size(); ++p) {
    const std::string& name = from.sequencer.partitions[p].name;
    if (p < partitions_.size() && intake_.source(p).name() == name) continue;
    return failure(Errc::state_unusable, "the state has read " + name +
                                             ", which is not among the inputs any more; name its " +
                                             "topic again, or start with another state.dir");
  }
  checkpoints_ = from.number;
  rows_ = from.rows;
  published_ = from.published;
  sequencer_.go_on_from(from.sequencer);
  for (std::size_t p = 0; p < from.next_offsets.size(); ++p) partitions_[p].next_offset = from.next_offsets[p];
  if (auto read = read_journal(from.sequencer.watermark); !read) return read;
  const EvaluationCounts again = evaluation_.counts();
  before_ = from.counts;
  before_.decided.resize(partitions_.size());
  before_ -= again;
  return publish_again();
}

// Letters are delivered before the checkpoint that moves past them: where they begin is kept before the first.
Result<void> Attach::Impl::go_on_with_letters() {
  if (!letters_.is_used()) return {};
  const auto kept = store_.get(letters_key);
  if (!kept) return tl::unexpected(kept.error());
  if (auto done = options_.dead_letters->go_on_from(kept->value_or("")); !done) return done;
  std::string position = options_.dead_letters->position();
  if (*kept == position) return {};
  StateBatch batch;
  batch.put(std::string(letters_key), std::move(position));
  return store_.write(batch, StateStore::Durability::machine);
}

// Bucket after bucket, so that no more is held than was when the events came.
Result<void> Attach::Impl::read_journal(EventTime w) {
  is_going_on_ = true;
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
  auto read = Journal::read(store_, plan_.spec->join.key, plan_.actions.size(), receive);
  if (!read) return read;
  if (outcome) outcome = evaluation_.advance(w, sequencer_.log_start());
  is_going_on_ = false;
  return outcome;
}

Result<void> Attach::Impl::publish_again() {
  if (auto done = publisher_.go_on_from((**opened_).publisher_position); !done) return done;
  Result<void> outcome;
  auto scanned = store_.scan(outbox_key(published_), "p", [&](std::string_view key, std::string_view value) {
    ByteReader from(value);
    NumberedRow row;
    for (const char byte : key.substr(1)) row.number = row.number << 8 | static_cast<std::uint8_t>(byte);
    row.key = from.text();
    row.value = from.text();
    row.final_at = EventTime{from.signed_number()};
    outcome = from.is_done() ? publisher_.publish(row)
                             : failure(Errc::state_unusable,
                                       "the state is damaged: a row to be published cannot be read; "
                                       "restore it, or move it away and start anew");
    return outcome.has_value();
  });
  return scanned ? outcome : scanned;
}

Result<void> Attach::Impl::round() {
  if (options_.pulse) options_.pulse();
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), tasks);
  note(tasks);
  intake_.begin(aligned(), tasks);
  executor_.run(tasks);
  if (auto read = intake_.complete(); !read) return read;
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  const bool is_due = has_changed_ && options_.now() - last_checkpoint_ >= options_.checkpoint_every;
  const auto goes_on = has_room() ? may_sequence(is_due) : false;
  if (!goes_on) return tl::unexpected(goes_on.error());
  if (is_due && *goes_on) {
    if (auto done = checkpoint(); !done) return done;
  }
  if (auto done = look_at_published(); !done) return done;
  const auto some = *goes_on ? sequence() : false;
  if (!some) return tl::unexpected(some.error());
  if (!*some && options_.wait) options_.wait();
  look_for_idle();
  return {};
}

// Not while a checkpoint waits for dead letters, or too many are under way. What is read ahead meanwhile is bounded.
Result<bool> Attach::Impl::may_sequence(bool is_due) {
  auto delivered = letters_.deliver(is_due);
  if (!delivered) return delivered;
  return *delivered || (!is_due && !letters_.is_full());
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
Result<bool> Attach::Impl::sequence() {
  bool some = false;
  for (const std::size_t p : aligned()) {
    // One block each, since others may be behind then.
    const auto block = intake_.take(p);
    if (!block) continue;
    sequencer_.read(p, block->events);
    if (auto sent = letters_.send(intake_.source(p).name(), *block); !sent) return tl::unexpected(std::move(sent).error());
    partitions_[p].next_offset = block->next_offset;
    some = true;
    if (letters_.is_full()) break;
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
  if (is_going_on_) return {};
  made_.push_back({.number = rows_++, .key = render_key(row), .value = render_json(row), .final_at = row.end + row.horizon});
  has_changed_ = true;
  return {};
}

// Between evaluation and sequencing: what has been sequenced before the watermark has been evaluated, and noted.
Result<void> Attach::Impl::checkpoint() {
  RECMETER_CHECK(letters_.under_way() == 0, "a checkpoint moves past a record when its dead letter is delivered");
  pass("before_checkpoint");
  Checkpoint to{.number = ++checkpoints_,
                .sequencer = sequencer_.state(),
                .next_offsets = {},
                .counts = counts(),
                .rows = rows_,
                .published = published_,
                .publisher_position = publisher_.position()};
  for (const Partition& partition : partitions_) to.next_offsets.push_back(partition.next_offset);
  StateBatch batch;
  for (Journal& journal : journals_) journal.save(batch, checkpoints_);
  drop_old_events(batch);
  for (const NumberedRow& row : made_) {
    ByteWriter value;
    value.add_text(row.key);
    value.add_text(row.value);
    value.add_signed(row.final_at.ms);
    batch.put(outbox_key(row.number), value.take());
  }
  batch.erase_range(outbox_key(0), outbox_key(published_));
  batch.put(std::string(checkpoint_key), to_bytes(to));
  if (letters_.is_used()) batch.put(std::string(letters_key), options_.dead_letters->position());
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
void Attach::Impl::drop_old_events(StateBatch& batch) {
  const EventTime w = sequencer_.watermark();
  if (w == minus_infinity || w - plan_.event_memory() < dropped_to_ + Duration{60'000}) return;
  dropped_to_ = w - plan_.event_memory();
  Journal::drop(batch, dropped_to_);
}

Result<void> Attach::Impl::look_at_published() {
  const auto published = publisher_.published();
  if (!published) return tl::unexpected(published.error());
  has_changed_ = has_changed_ || *published > published_;
  published_ = std::max(published_, *published);
  return {};
}

Result<void> Attach::Impl::drain() {
  if (options_.pulse) options_.pulse();
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), tasks);
  note(tasks);
  executor_.run(tasks);
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  const auto delivered = await_letters();
  if (!delivered) return tl::unexpected(delivered.error());
  if (has_changed_ && *delivered && has_room()) {
    if (auto done = checkpoint(); !done) return done;
  }
  return look_at_published();
}

// For a while: what is not delivered by then is read again by the next run.
Result<bool> Attach::Impl::await_letters() {
  const EventTime begun = options_.now();
  while (true) {
    auto delivered = letters_.deliver(true);
    if (!delivered || *delivered) return delivered;
    if (options_.now() - begun >= options_.drain_patience) break;
    if (options_.wait) options_.wait();
  }
  if (options_.tell) {
    options_.tell(std::to_string(letters_.under_way()) +
                  " dead letters are not delivered; the next run reads again what was read since the last checkpoint");
  }
  return false;
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
  report.rows_final = counts.rows_final;
  for (std::size_t p = 0; p < report.partitions.size(); ++p) {
    EventCounts& events = report.partitions[p].events;
    events += counts.decided[p];
    events.settle_undecided();
    report.events += events;
    report.records += report.partitions[p].records;
  }
  return report;
}

Attach::Attach(const EvaluatorPlan& plan, std::vector<AttachInput> inputs, AttachOptions options, StateStore& store,
               Executor& executor, RowPublisher& publisher)
    : impl_(std::make_unique<Impl>(plan, std::move(inputs), std::move(options), store, executor, publisher)) {}

Attach::~Attach() = default;

Result<Report> Attach::run() {
  return impl_->run();
}

}  // namespace recmeter
