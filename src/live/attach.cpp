#include "recmeter/live/attach.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <utility>

#include "live/journal.h"
#include "live/journal_replay.h"
#include "live/outbox.h"
#include "live/position_index.h"
#include "live/provisional_feed.h"
#include "recmeter/base/check.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::string_view letters_key = "d";
constexpr Duration first_step{60'000};
constexpr Duration longest_step{60 * 60'000};  // after silence there may be many rows at once

// In memory, without what it points to in others.
std::size_t bytes_of(const Row& row) {
  std::size_t bytes = sizeof(Row);
  for (const MetricValue& metric : row.metrics) bytes += sizeof(metric) + (metric.left_out ? sizeof(*metric.left_out) : 0);
  return bytes;
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
        outbox_(store, publisher, options_.tell, options_.passes),
        opened_(checkpoint_in(store)),
        letters_(options_.dead_letters, options_.letter_fates, options_.tell),
        sequencer_(partition_specs(inputs), spec_.time, options_.shards, letters_.is_used() ? &letters_ : nullptr),
        evaluation_(generations, inputs.size(), options_.shards, executor, *this, options_.memory, options_.abandon),
        intake_(partition_inputs(inputs), {.decoders = options_.decoders,
                                           .block_bytes = options_.block_bytes,
                                           .threads = executor.threads(),
                                           .keep_records = letters_.is_used()}),
        archive_(options_.keep_results, generations.back().plan->longest_window()) {
    if (!publisher.wants_provisional() && !options_.wants_provisional) return;
    provisional_.emplace(*generations.back().plan, store,
                         ProvisionalFeedOptions{.every = options_.publish_every, .memory = options_.memory});
    provisional_from_ = generations.back().from;
  }

  Result<Report> run();

 private:
  struct Partition {
    Duration idle_after;
    std::int64_t next_offset = 0;
    std::optional<RecordMark> last_record = {};
    EventTime last_moved = minus_infinity;      // by the reader's clock
    EventTime last_caught_up = minus_infinity;  // by the reader's clock
    std::uint64_t records_lost = 0;
  };

  std::vector<Sequencer::PartitionSpec> partition_specs(std::vector<AttachInput>& inputs);
  static std::vector<PartitionInput> partition_inputs(std::vector<AttachInput>& inputs);

  Result<void> go_on();
  Result<void> go_on_with_letters();
  void note_beginnings();
  Result<void> restore();
  void end_restoration();
  void begin_evaluation(std::vector<std::function<void()>>& tasks);
  Result<void> complete_evaluation();
  // As of the end of a round: everything before it.
  [[nodiscard]] EventTime evaluated_to() const { return journal_replay_ ? journal_replay_->backlog().to : evaluated_; }
  [[nodiscard]] bool is_behind() const { return !journal_replay_ && evaluated_ < sequencer_.watermark(); }
  [[nodiscard]] EventTime next_step();
  [[nodiscard]] std::size_t unkept_bytes() const;
  [[nodiscard]] bool is_full() const { return unkept_bytes() >= options_.unkept_bytes_max; }
  [[nodiscard]] Result<RunMode> mode() const;
  Result<void> enter_mode(RunMode next);
  Result<void> round();
  void note(std::vector<std::function<void()>>& tasks);
  Result<bool> sequence();
  Result<bool> may_sequence(bool is_due);
  [[nodiscard]] bool has_room() const { return !options_.has_room || options_.has_room(); }
  [[nodiscard]] bool is_backlog_full() const {
    return journal_replay_ && journal_replay_->backlog().events >= options_.backlog_max;
  }
  void look_at_partitions();
  [[nodiscard]] std::vector<std::size_t> aligned() const;
  Result<void> checkpoint();
  void drop_old_events(StateBatch& batch, EventTime w);
  [[nodiscard]] bool has_provisional_rows() const { return provisional_ && !journal_replay_; }
  Result<void> publish_provisional(bool is_due);
  [[nodiscard]] EventTime arrived() const;
  Result<bool> await_letters();
  Result<void> settle();
  Result<void> look_at_published();
  Result<void> write(const Row& row) override;
  void pass(std::string_view point) const {
    if (options_.passes) options_.passes(point);
  }
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  [[nodiscard]] EvaluationCounts counts() const;
  [[nodiscard]] Report report() const;
  void tell_status();

  const EvaluatorSpec& spec_;  // of the newest generation; what events mean is the same in all
  AttachOptions options_;
  StateStore& store_;
  Executor& executor_;
  RowPublisher& publisher_;
  Outbox outbox_;
  Result<std::optional<Checkpoint>> opened_;
  std::vector<Partition> partitions_;
  DeadLetterQueue letters_;
  Sequencer sequencer_;
  GenerationSet evaluation_;
  Intake intake_;
  RowArchive archive_;
  std::deque<Journal> journals_;                   // per shard
  std::vector<std::vector<RoutedBatch>> to_note_;  // per shard, routed since the tasks of the last round
  std::optional<JournalReplay> journal_replay_;    // until the evaluation is where the runs before left it
  EventTime evaluated_ = minus_infinity;           // everything before it is, when there is nothing to restore
  Duration step_ = first_step;                     // of evaluation, while it is behind
  bool is_step_ = false;                           // the last one did not come to the watermark
  std::size_t step_bytes_ = 0;                     // of rows that it made
  EvaluationCounts before_;                        // what runs before this one have counted beyond the journal
  bool has_changed_ = false;                       // since the last checkpoint
  std::optional<ProvisionalFeed> provisional_;     // of the newest generation, where provisional rows are wanted
  EventTime provisional_from_ = minus_infinity;    // where its windows begin
  std::uint64_t revision_ = 0;                     // of provisional rows
  std::uint64_t rows_provisional_ = 0;
  EventTime last_status_ = minus_infinity;  // by the reader's clock
  std::uint64_t read_at_status_ = 0;
  EventTime next_status_ = minus_infinity;  // by the reader's clock
  std::optional<EventTime> letters_wait_since_;
  bool is_held_ = true;  // nothing is read and published
  std::uint64_t checkpoints_ = 0;
  PositionIndex positions_;
  EventTime journal_from_ = minus_infinity;     // events before it are no more in the journal
  EventTime rows_to_ = minus_infinity;          // rows with end + horizon up to here are those of runs before
  EventTime last_checkpoint_ = minus_infinity;  // by the reader's clock
  EventTime last_gap_ = minus_infinity;         // by the reader's clock
  DurationHistogram row_latency_;
  DurationHistogram checkpoint_time_;
  std::size_t made_bytes_ = 0;  // of all who keep them until then
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
  while (done) {
    const auto next = mode();
    if (!next) return tl::unexpected(next.error());
    tell_status();
    if (options_.pulse) options_.pulse(*next);
    done = enter_mode(*next);
    if (*next == RunMode::end) break;
    if (done && *next == RunMode::go_on) done = round();
  }
  if (!done) return tl::unexpected(std::move(done).error());
  return report();
}

Result<RunMode> Attach::Impl::mode() const {
  if (auto sound = store_.condition(); !sound) return tl::unexpected(std::move(sound).error());
  if (stopped()) return RunMode::end;
  return options_.mode ? options_.mode() : RunMode::go_on;
}

// A run begins on hold. What it has when it is held it keeps, and publishes later.
Result<void> Attach::Impl::enter_mode(RunMode next) {
  if (next == RunMode::end) {
    auto done = settle();
    return done && !is_held_ ? look_at_published() : done;
  }
  const bool was_held = std::exchange(is_held_, next == RunMode::hold);
  if (is_held_) {
    if (!was_held) return settle();
    if (journal_replay_) return restore();
    if (options_.wait) options_.wait();
    return {};
  }
  if (!was_held) return {};
  // While nothing was read nobody can have been idle.
  for (Partition& partition : partitions_) partition.last_moved = options_.now();
  return outbox_.hand_over();
}

Result<void> Attach::Impl::go_on() {
  if (!opened_) return tl::unexpected(opened_.error());
  for (std::size_t s = 0; s < options_.shards; ++s) journals_.emplace_back(s);
  to_note_.resize(options_.shards);
  before_.decided.resize(partitions_.size());
  if (auto done = go_on_with_letters(); !done) return done;
  if (auto done = archive_.open(store_); !done) return done;
  if (!*opened_) {
    note_beginnings();
    return outbox_.go_on_from(0, 0, "");
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
  revision_ = from.revision;
  sequencer_.go_on_from(from.sequencer);
  for (std::size_t p = 0; p < from.next_offsets.size(); ++p) {
    partitions_[p].next_offset = from.next_offsets[p];
    partitions_[p].last_record = from.last_records[p];
  }
  note_beginnings();
  journal_replay_.emplace(store_, spec_, from, options_.shards, options_.journal_piece);
  return outbox_.go_on_from(from.published, from.rows, from.publisher_position);
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

void Attach::Impl::note_beginnings() {
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    positions_.begin(std::string(intake_.source(p).name()), sequencer_.max_time(p), partitions_[p].next_offset);
  }
}

// A step, while nothing is read.
Result<void> Attach::Impl::restore() {
  std::vector<std::function<void()>> tasks;
  begin_evaluation(tasks);
  executor_.run(tasks);
  return complete_evaluation();
}

// What the journal holds is counted again; what was before it is not.
void Attach::Impl::end_restoration() {
  before_ = counts();
  before_ -= evaluation_.counts();
  evaluated_ = journal_replay_->backlog().to;
  journal_replay_.reset();
}

void Attach::Impl::begin_evaluation(std::vector<std::function<void()>>& tasks) {
  if (journal_replay_ && journal_replay_->is_done()) end_restoration();
  if (journal_replay_) {
    journal_replay_->begin(evaluation_, tasks);
  } else {
    evaluated_ = next_step();
    evaluation_.begin(evaluated_, tasks);
  }
}

// Where records are few, those of a round span much event time and make many rows: so evaluation goes there in steps, longer
// ones while they make few rows, with checkpoints between them. docs/decisions/0041
EventTime Attach::Impl::next_step() {
  const EventTime w = sequencer_.watermark();
  if (!is_step_) {
    step_ = first_step;
  } else if (is_full()) {
    return evaluated_;
  } else if (step_bytes_ <= options_.unkept_bytes_max / 8) {
    step_ = std::min(step_ + step_, longest_step);
  } else if (step_bytes_ > options_.unkept_bytes_max / 2) {
    step_ = std::max(Duration{1000}, Duration{step_.ms / 2});
  }
  step_bytes_ = 0;
  const EventTime next = std::max(evaluated_, sequencer_.log_start().first_event) + step_;
  is_step_ = next < w;
  return std::min(next, w);
}

std::size_t Attach::Impl::unkept_bytes() const {
  std::size_t bytes = made_bytes_;
  for (const Journal& journal : journals_) bytes += journal.noted_bytes();
  return bytes;
}

Result<void> Attach::Impl::complete_evaluation() {
  const LogStart start = sequencer_.log_start();
  if (!journal_replay_) return evaluation_.complete(start);
  pass("restoring");
  return journal_replay_->complete(evaluation_, start);
}

Result<void> Attach::Impl::round() {
  std::vector<std::function<void()>> tasks;
  begin_evaluation(tasks);
  note(tasks);
  intake_.begin(aligned(), tasks);
  if (has_provisional_rows()) provisional_->begin(arrived(), sequencer_.watermark(), tasks);
  executor_.run(tasks);
  if (auto read = intake_.complete(); !read) return read;
  if (auto done = complete_evaluation(); !done) return done;
  const bool has_rows = has_provisional_rows() && provisional_->is_due(options_.now());
  const bool is_due =
      has_rows || is_full() || (has_changed_ && options_.now() - last_checkpoint_ >= options_.checkpoint_every);
  const auto goes_on = has_room() ? may_sequence(is_due) : false;
  if (!goes_on) return tl::unexpected(goes_on.error());
  const bool is_kept = is_due && *goes_on;
  revision_ += is_kept && has_rows ? 1 : 0;
  if (is_kept) {
    if (auto done = checkpoint(); !done) return done;
  }
  if (auto done = publish_provisional(is_kept && has_rows); !done) return done;
  if (auto done = look_at_published(); !done) return done;
  const bool has_place = outbox_.waiting() < options_.rows_waiting_max;
  const auto some = *goes_on && has_place && !is_backlog_full() && !is_behind() ? sequence() : false;
  if (!some) return tl::unexpected(some.error());
  const bool is_busy = *some || journal_replay_ || (is_behind() && !is_full());
  if (!is_busy && options_.wait) options_.wait();
  look_at_partitions();
  return {};
}

// After a checkpoint, which holds the revision: a run that goes on from there gives its rows a later one.
Result<void> Attach::Impl::publish_provisional(bool is_due) {
  if (!has_provisional_rows()) return {};
  if (auto done = provisional_->complete(); !done) return done;
  if (!has_changed_) {
    if (auto done = provisional_->kept(sequencer_.watermark()); !done) return done;
  }
  if (!is_due) return {};
  for (const Row& row : provisional_->rows(options_.now(), revision_, sequencer_.log_start())) {
    if (row.start < provisional_from_) continue;
    if (publisher_.wants_provisional()) {
      if (auto done = publisher_.publish_provisional(render_key(row), render_json(row)); !done) return done;
    }
    archive_.note(row);
    if (options_.seen) options_.seen(row);
    ++rows_provisional_;
  }
  return {};
}

// As far as events have come in, for a preview: partitions that have nothing more hold nothing back. A little is waited for
// what comes in another order.
EventTime Attach::Impl::arrived() const {
  constexpr Duration patience{250};
  EventTime slowest = plus_infinity;
  EventTime newest = minus_infinity;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    const EventTime time = sequencer_.max_time(p).value_or(minus_infinity);
    newest = std::max(newest, time);
    if (!intake_.is_caught_up(p)) slowest = std::min(slowest, time);
  }
  const EventTime reached = slowest == plus_infinity ? newest : slowest;
  return reached == minus_infinity ? reached : reached - patience;
}

// Not while a checkpoint waits for dead letters, or too many are under way. What is read ahead meanwhile is bounded.
Result<bool> Attach::Impl::may_sequence(bool is_due) {
  auto delivered = letters_.deliver(is_due);
  if (!delivered) return delivered;
  const bool goes_on = *delivered || (!is_due && !letters_.is_full());
  if (goes_on) letters_wait_since_.reset();
  if (!goes_on && !letters_wait_since_) letters_wait_since_ = options_.now();
  return goes_on;
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
    if (block->lost_before) {
      sequencer_.lose(p);
      partitions_[p].last_record.reset();
      partitions_[p].records_lost += block->lost_records;
      last_gap_ = options_.now();
    }
    sequencer_.read(p, block->events, options_.now());
    if (auto sent = letters_.send(intake_.source(p).name(), *block); !sent) return tl::unexpected(std::move(sent).error());
    partitions_[p].next_offset = block->next_offset;
    if (block->last_record) partitions_[p].last_record = block->last_record;
    some = true;
    if (letters_.is_full()) break;
  }
  auto routed = sequencer_.take_routed();
  for (std::size_t s = 0; s < routed.size(); ++s) {
    to_note_[s].insert(to_note_[s].end(), routed[s].begin(), routed[s].end());
  }
  if (provisional_) provisional_->receive(routed);
  if (journal_replay_) journal_replay_->count(routed);
  evaluation_.receive(std::move(routed));
  has_changed_ = has_changed_ || some;
  return some;
}

void Attach::Impl::look_at_partitions() {
  const EventTime now = options_.now();
  Duration behind{0};
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    if (sequencer_.take_moved(p)) partition.last_moved = now;
    if (intake_.is_caught_up(p)) {
      partition.last_caught_up = now;
      if (now - partition.last_moved >= partition.idle_after) sequencer_.set_idle(p, true);
    }
    behind = std::max(behind, now - partition.last_caught_up);
  }
  if (has_provisional_rows()) provisional_->keep_up(behind);
}

Result<void> Attach::Impl::write(const Row& row) {
  if (row.end + row.horizon <= rows_to_) return {};
  outbox_.add(render_key(row), render_json(row), row.end + row.horizon);
  const NumberedRow& made = outbox_.made().back();
  const std::size_t bytes = bytes_of(row) + made.key.size() + made.value.size();
  made_bytes_ += bytes;
  step_bytes_ += bytes;
  archive_.note(row);
  if (options_.seen) options_.seen(row);
  has_changed_ = true;
  return {};
}

// Between evaluation and sequencing: what has been sequenced before the watermark has been evaluated, but for a backlog, and
// noted.
Result<void> Attach::Impl::checkpoint() {
  RECMETER_CHECK(letters_.under_way() == 0, "a checkpoint moves past a record when its dead letter is delivered");
  pass("before_checkpoint");
  const EventTime begun = options_.now();
  const EventTime w = evaluated_to();
  StateBatch batch;
  ++checkpoints_;
  for (Journal& journal : journals_) journal.save(batch, checkpoints_);
  evaluation_.drop_finished(w, batch);
  drop_old_events(batch, w);
  Checkpoint to{.number = checkpoints_,
                .sequencer = sequencer_.state(),
                .next_offsets = {},
                .last_records = {},
                .journal_from = journal_from_,
                .counts = counts(),
                .rows_to = std::max(rows_to_, w - spec_.join.skew),
                .rows = outbox_.rows(),
                .published = outbox_.published(),
                .revision = revision_,
                .publisher_position = publisher_.position(),
                .backlog = {}};
  if (journal_replay_) to.backlog = journal_replay_->backlog();
  if (is_behind()) to.backlog = Backlog{.to = w};  // and of events what one round reads
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    to.next_offsets.push_back(partitions_[p].next_offset);
    to.last_records.push_back(partitions_[p].last_record);
    positions_.note(batch, to.sequencer.partitions[p].name, sequencer_.max_time(p), partitions_[p].next_offset);
  }
  outbox_.save(batch);
  archive_.save(batch, w);
  put_checkpoint(batch, to);
  if (letters_.is_used()) batch.put(std::string(letters_key), options_.dead_letters->position());
  const auto durability = outbox_.made().empty() ? StateStore::Durability::process : StateStore::Durability::machine;
  if (auto written = store_.write(batch, durability); !written) return written;
  pass("after_checkpoint");
  if (options_.kept) {
    std::map<std::string, std::int64_t> positions;
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      positions.emplace(intake_.source(p).name(), partitions_[p].next_offset);
    }
    options_.kept(std::move(positions));
  }
  last_checkpoint_ = options_.now();
  checkpoint_time_.add(last_checkpoint_ - begun);
  for (const NumberedRow& row : outbox_.made()) row_latency_.add(last_checkpoint_ - row.final_at);
  has_changed_ = false;
  outbox_.kept();
  made_bytes_ = 0;
  return is_held_ ? Result<void>() : outbox_.hand_over();
}

// A minute at a time: each is a tombstone that lookups pass by until it is compacted.
void Attach::Impl::drop_old_events(StateBatch& batch, EventTime w) {
  const Duration memory = evaluation_.event_memory();
  const EventTime first = std::max(journal_from_, sequencer_.log_start().first_event);
  if (w - memory < first + Duration{60'000}) return;
  journal_from_ = w - memory;
  Journal::drop(batch, journal_from_);
  PositionIndex::drop(batch, journal_from_ - memory);
  sequencer_.forget_marks(journal_from_);
}

Result<void> Attach::Impl::look_at_published() {
  if (auto done = outbox_.hand_over(); !done) return done;
  const auto is_further = outbox_.look();
  if (!is_further) return tl::unexpected(is_further.error());
  has_changed_ = has_changed_ || *is_further;
  return {};
}

// Keeps what has been read, and evaluates it if it has come so far: nobody waits for a whole journal to be read again.
Result<void> Attach::Impl::settle() {
  std::vector<std::function<void()>> tasks;
  begin_evaluation(tasks);
  note(tasks);
  executor_.run(tasks);
  if (auto done = complete_evaluation(); !done) return done;
  const auto delivered = await_letters();
  if (!delivered) return tl::unexpected(delivered.error());
  return has_changed_ && *delivered && has_room() ? checkpoint() : Result<void>();
}

// For a while: what is not delivered by then is read again by the next run.
Result<bool> Attach::Impl::await_letters() {
  const EventTime begun = options_.now();
  while (true) {
    auto delivered = letters_.deliver(true);
    if (!delivered || *delivered) return delivered;
    if (options_.now() - begun >= options_.drain_patience) break;
    if (options_.pulse) options_.pulse(RunMode::hold);
    if (options_.wait) options_.wait();
  }
  if (options_.tell) {
    options_.tell(Notice::dead_letters_left,
                  std::to_string(letters_.under_way()) +
                      " dead letters are not delivered; the next run reads again what was read since the last checkpoint");
  }
  return false;
}

EvaluationCounts Attach::Impl::counts() const {
  if (journal_replay_) {
    EvaluationCounts kept = (**opened_).counts;
    kept.decided.resize(partitions_.size());
    return kept;
  }
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
  report.rows_final = outbox_.rows();
  report.rows_provisional = rows_provisional_;
  for (std::size_t p = 0; p < report.partitions.size(); ++p) {
    EventCounts& events = report.partitions[p].events;
    events += counts.decided[p];
    events.settle_undecided();
    report.events += events;
    report.records += report.partitions[p].records;
  }
  return report;
}

void Attach::Impl::tell_status() {
  if (!options_.status) return;
  const EventTime now = options_.now();
  if (now < next_status_) return;
  constexpr Duration period{1000};
  const EventTime last = std::exchange(last_status_, now);
  next_status_ = now + period;
  RunStatus status{.report = report(),
                   .watermark = evaluated_to(),
                   .partitions = {},
                   .held_back_by = sequencer_.slowest(),
                   .now = now,
                   .restored_to = journal_replay_ ? std::optional(journal_replay_->reached()) : std::nullopt,
                   .is_held = is_held_,
                   .has_room = has_room(),
                   .letters_under_way = letters_.under_way(),
                   .letters_wait_since = letters_wait_since_,
                   .rows_waiting = outbox_.waiting(),
                   .checkpoints = checkpoints_,
                   .last_checkpoint = last_checkpoint_,
                   .last_gap = last_gap_,
                   .row_latency = row_latency_,
                   .checkpoint_time = checkpoint_time_,
                   .publish_errors = publisher_.errors(),
                   .publish_trouble = outbox_.trouble()};
  status.report.complete = false;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    const RecordSource& source = intake_.source(p);
    LivePartition partition{.max_time = sequencer_.max_time(p),
                            .is_idle = sequencer_.is_idle(p),
                            .is_caught_up = intake_.is_caught_up(p),
                            .next_offset = partitions_[p].next_offset,
                            .end_offset = source.end_offset(),
                            .records_lost = partitions_[p].records_lost};
    if (partition.is_caught_up && partition.end_offset) {
      partition.in_open_transaction = std::max<std::int64_t>(0, *partition.end_offset - source.next_offset());
    }
    status.partitions.push_back(partition);
  }
  const std::uint64_t read = std::exchange(read_at_status_, status.report.events.read);
  if (last != minus_infinity) {
    status.report.events_per_second =
        static_cast<double>(read_at_status_ - read) * 1000 / static_cast<double>((now - last).ms);
  }
  options_.status(status);
}

Attach::Attach(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs, AttachOptions options,
               StateStore& store, Executor& executor, RowPublisher& publisher)
    : impl_(std::make_unique<Impl>(generations, std::move(inputs), std::move(options), store, executor, publisher)) {}

Attach::~Attach() = default;

Result<Report> Attach::run() {
  return impl_->run();
}

}  // namespace recmeter
