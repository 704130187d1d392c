#include "recmeter/live/attach.h"

#include <algorithm>
#include <string>
#include <utility>

#include "live/attach_inputs.h"
#include "live/checkpoint_clock.h"
#include "live/journal_writer.h"
#include "live/live_evaluation.h"
#include "live/outbox.h"
#include "live/position_index.h"
#include "live/provisional_feed.h"
#include "live/read_positions.h"
#include "live/reading_order.h"
#include "live/run_reporter.h"
#include "recmeter/base/check.h"
#include "recmeter/base/fail_point.h"
#include "recmeter/live/kept_experiments.h"
#include "recmeter/live/kept_sums.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

namespace {

Tell tell_of(RunHost& host) {
  return [&host](Notice notice, std::string_view message) { host.tell(notice, message); };
}

// As it is published, and kept in memory for those who ask.
Row without_sums(Row row) {
  for (MetricValue& metric : row.metrics) metric.group_sums = nullptr, metric.shown = nullptr;
  return row;
}

// The steps of a run, in their order. What each of them takes is in its parts.
class LiveRun : private RowSink {
 public:
  LiveRun(const std::vector<PlannedGeneration>& generations, std::vector<ExperimentPast> pasts,
          std::vector<AttachInput> inputs, AttachOptions options, StateStore& store, Executor& executor,
          RowPublisher& publisher, RunHost& host)
      : options_(std::move(options)),
        store_(store),
        executor_(executor),
        publisher_(publisher),
        host_(host),
        outbox_(store, publisher, tell_of(host)),
        letters_(options_.dead_letters, options_.letter_fates, tell_of(host)),
        sequencer_(partition_specs(inputs), generations.back().plan->spec->time, options_.shards,
                   letters_.is_used() ? &letters_ : nullptr),
        evaluation_(generations, executor, *this,
                    {.partitions = inputs.size(),
                     .shards = options_.shards,
                     .unkept_bytes_max = options_.unkept_bytes_max,
                     .memory = options_.memory,
                     .abandon = [&host] { return host.is_abandoned(); },
                     .program = options_.program,
                     .pasts = std::move(pasts),
                     .write_experiment = [this](const SharedExperimentRow& row) { return write(row); }}),
        positions_(inputs),
        order_(sequencer_, intake_, inputs, options_.align),
        intake_(partitions_of(std::move(inputs)), {.decoders = options_.decoders,
                                                   .block_bytes = options_.block_bytes,
                                                   .threads = executor.threads(),
                                                   .keep_records = letters_.is_used()}),
        journal_(options_.shards, positions_.units()),
        archive_(options_.keep_results, generations.back().plan->longest_window()),
        sums_(options_.keep_sums),
        provisional_(*generations.back().plan, store,
                     {.every = options_.publish_every,
                      .from = generations.back().from,
                      .is_wanted = publisher.wants_provisional() || options_.wants_provisional,
                      .memory = options_.memory}),
        checkpoints_(options_.checkpoint_every),
        reporter_({intake_, sequencer_, positions_, evaluation_, provisional_, letters_, outbox_, checkpoints_}) {}

  Result<Report> run(const std::optional<Checkpoint>& from);

 private:
  Result<void> resume(const std::optional<Checkpoint>& from);
  // How far a restart reads back.
  void tell_reach(const Checkpoint& from, EventTime events_from) const;
  Result<void> enter(RunMode mode);
  Result<void> round();
  Result<void> replay();
  Result<bool> sequence();
  Result<void> checkpoint();
  void drop_old_events(StateBatch& batch);
  Result<void> publish();
  Result<void> publish_provisional(bool is_due);
  Result<void> settle();
  Result<void> write(const Row& row) override;
  Result<void> write(const SharedExperimentRow& row);

  [[nodiscard]] bool is_full() const {
    return outbox_.made_bytes() + sums_.noted_bytes() + journal_.bytes() + evaluation_.unkept_bytes() >=
           options_.unkept_bytes_max;
  }
  [[nodiscard]] bool has_provisional_rows() const { return provisional_.is_wanted() && !evaluation_.is_replaying(); }

  AttachOptions options_;
  StateStore& store_;
  Executor& executor_;
  RowPublisher& publisher_;
  RunHost& host_;
  Outbox outbox_;
  DeadLetterQueue letters_;
  Sequencer sequencer_;
  LiveEvaluation evaluation_;
  ReadPositions positions_;
  ReadingOrder order_;
  Intake intake_;
  JournalWriter journal_;
  RowArchive archive_;
  KeptSums sums_;
  ProvisionalFeed provisional_;  // of the newest generation
  CheckpointClock checkpoints_;
  RunReporter reporter_;
  bool is_held_ = true;  // nothing is read and published
};

Result<Report> LiveRun::run(const std::optional<Checkpoint>& from) {
  auto done = resume(from);
  while (done) {
    if (auto sound = store_.condition(); !sound) return tl::unexpected(std::move(sound).error());
    const auto mode = host_.mode();
    if (!mode) return tl::unexpected(mode.error());
    reporter_.update(host_, is_held_, publisher_.errors());
    host_.alive(*mode);
    done = enter(*mode);
    if (*mode == RunMode::end) break;
    if (done && *mode == RunMode::go_on) done = round();
  }
  if (!done) return tl::unexpected(std::move(done).error());
  return reporter_.report();
}

Result<void> LiveRun::resume(const std::optional<Checkpoint>& from) {
  order_.start(host_.now());
  if (auto done = letters_.resume(store_); !done) return done;
  if (from) {
    if (auto done = positions_.resume(*from); !done) return done;
    sequencer_.go_on_from(from->sequencer);
    if (auto done = journal_.resume(store_, from->number, from->journal_from); !done) return done;
    checkpoints_.resume(from->number);
    provisional_.resume(from->revision);
    const auto reach = evaluation_.resume(store_, *from, options_.journal_piece);
    if (!reach) return tl::unexpected(reach.error());
    if (reach->is_damaged) {
      host_.tell(Notice::panes_damaged, "sealed panes in the state are damaged; they are made anew of the journal of events");
    }
    tell_reach(*from, reach->events_from);
  }
  positions_.begin(sequencer_);
  return outbox_.resume(from.value_or(Checkpoint()));
}

void LiveRun::tell_reach(const Checkpoint& from, EventTime events_from) const {
  const EventTime to = from.backlog ? from.backlog->to : from.sequencer.watermark;
  if (to == minus_infinity || from.journal_from == minus_infinity) return;
  const auto minutes_from = [to](EventTime time) {
    return std::to_string(std::max<std::int64_t>(0, (to - time).ms) / one_minute.ms);
  };
  const std::string all = minutes_from(from.journal_from);
  host_.tell(Notice::state_restored, events_from <= from.journal_from
                                         ? "the journal's " + all + " minutes of events are read again"
                                         : "of the journal's " + all + " minutes of events the last " +
                                               minutes_from(events_from) +
                                               " are read again; sealed panes have what was before");
}

// A run begins on hold. What it has when it is held it keeps, and publishes later.
Result<void> LiveRun::enter(RunMode mode) {
  if (mode == RunMode::end) {
    auto done = settle();
    if (done && !is_held_) done = publish();
    // Of the rows published just now the state should know, too, where others may move their file before the next run.
    const bool is_known = !publisher_.can_be_taken_away() || !checkpoints_.has_changed() || letters_.under_way() > 0;
    return !done || is_known ? done : settle();
  }
  const bool was_held = std::exchange(is_held_, mode == RunMode::hold);
  if (is_held_) {
    if (!was_held) return settle();
    if (evaluation_.is_replaying()) return replay();
    host_.wait();
    return {};
  }
  if (!was_held) return {};
  order_.start(host_.now());
  return outbox_.hand_over();
}

// A step of it, while nothing is read.
Result<void> LiveRun::replay() {
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), sequencer_.log_start(), is_full(), tasks);
  executor_.run(tasks);
  return evaluation_.complete(sequencer_.log_start());
}

// What was routed in the round before is evaluated and written down, while what was read in it is decoded and more is read.
// Then a checkpoint, if one is due, keeps all of that; rows that it keeps are published; and what was decoded is sequenced.
Result<void> LiveRun::round() {
  const LogStart start = sequencer_.log_start();
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), start, is_full(), tasks);
  journal_.begin(tasks);
  intake_.begin(order_.next(), tasks);
  if (has_provisional_rows()) provisional_.begin(order_.arrived(), sequencer_.watermark(), tasks);
  executor_.run(tasks);
  if (auto read = intake_.complete(); !read) return read;
  if (auto done = evaluation_.complete(start); !done) return done;

  const bool has_rows = has_provisional_rows() && provisional_.is_due(host_.now());
  const bool is_due = has_rows || is_full() || publisher_.awaits_state() || checkpoints_.is_due(host_.now());
  const auto goes_on = host_.has_room() ? letters_.may_sequence(is_due, host_.now()) : false;
  if (!goes_on) return tl::unexpected(goes_on.error());
  const bool is_kept = is_due && *goes_on;
  if (is_kept && has_rows) provisional_.revise();
  if (is_kept) {
    if (auto done = checkpoint(); !done) return done;
  }
  if (auto done = publish_provisional(is_kept && has_rows); !done) return done;
  if (auto done = publish(); !done) return done;

  const bool has_place = outbox_.waiting() < options_.rows_waiting_max && !evaluation_.is_backlogged(options_.backlog_max);
  const bool is_behind = evaluation_.is_behind(sequencer_.watermark());
  const auto some = *goes_on && has_place && !is_behind ? sequence() : false;
  if (!some) return tl::unexpected(some.error());
  const bool is_busy = *some || evaluation_.is_replaying() || (evaluation_.is_behind(sequencer_.watermark()) && !is_full());
  if (!is_busy) host_.wait();
  const Duration behind = order_.update(host_.now());
  if (has_provisional_rows()) provisional_.keep_up(behind);
  return {};
}

// Partitions that have nothing are passed over: what they have not said yet, the watermark waits for.
Result<bool> LiveRun::sequence() {
  bool some = false;
  for (const std::size_t p : order_.next()) {
    // One block each, since others may be behind then.
    const auto block = intake_.take(p);
    if (!block) continue;
    if (block->lost_before) sequencer_.lose(p);
    sequencer_.read(p, block->events, host_.now());
    for (const InvalidRecord& record : sequencer_.take_new_invalid()) host_.tell(Notice::record_invalid, sentence_of(record));
    if (auto sent = letters_.send(intake_.source(p).name(), *block); !sent) return tl::unexpected(std::move(sent).error());
    positions_.take(p, *block, host_.now());
    some = true;
    if (letters_.is_full()) break;
  }
  auto routed = sequencer_.take_routed();
  journal_.add(routed);
  provisional_.receive(routed);
  evaluation_.receive(std::move(routed));
  checkpoints_.change(some);
  return some;
}

Result<void> LiveRun::write(const Row& row) {
  if (outbox_.had(row.end + row.horizon)) return {};
  const std::size_t noted = sums_.noted_bytes();
  sums_.note(row);
  const SharedRow rendered = render(without_sums(row));
  evaluation_.made(outbox_.add(*rendered, archive_.note(*rendered)) + sums_.noted_bytes() - noted);
  host_.row(rendered);
  checkpoints_.change();
  return {};
}

// Looks of the runs before come again.
Result<void> LiveRun::write(const SharedExperimentRow& row) {
  host_.experiment(row);
  if (outbox_.had(row->row.end + row->row.horizon)) return {};
  evaluation_.made(outbox_.add(*row));
  checkpoints_.change();
  return {};
}

// Between evaluation and sequencing: what has been sequenced before the watermark has been evaluated, but for a backlog, and
// noted.
Result<void> LiveRun::checkpoint() {
  RECMETER_CHECK(letters_.under_way() == 0, "a checkpoint moves past a record when its dead letter is delivered");
  fail_point("before_checkpoint");
  const EventTime w = evaluation_.evaluated_to();
  StateBatch batch;
  Checkpoint to;
  to.number = checkpoints_.begin(host_.now());
  journal_.save(batch, to.number);
  evaluation_.save(batch, to.number);
  drop_old_events(batch);
  to.sequencer = sequencer_.state();
  to.journal_from = journal_.from();
  to.revision = provisional_.revision();
  to.backlog = evaluation_.backlog(sequencer_.watermark());
  EvaluationCounts counts = evaluation_.counts();
  positions_.save(sequencer_, counts.decided, to, batch);
  to.outcomes = counts.outcomes;
  to.lists = counts.lists;
  to.lanes = std::move(counts.lanes);
  outbox_.save(batch, evaluation_.rows_to(), to);
  archive_.save(batch, std::min(w, outbox_.needs_kept_from()));
  sums_.save(batch, w);
  put_checkpoint(batch, to);
  letters_.save(batch);
  const auto durability = outbox_.has_made() ? StateStore::Durability::machine : StateStore::Durability::process;
  if (auto written = store_.write(batch, durability); !written) return written;
  fail_point("after_checkpoint");
  host_.kept(positions_.next_offsets());
  checkpoints_.end(host_.now());
  outbox_.kept(checkpoints_.last());
  return is_held_ ? Result<void>() : outbox_.hand_over();
}

// Not while the journal is read again: what is missing in it is damage.
void LiveRun::drop_old_events(StateBatch& batch) {
  if (evaluation_.is_replaying()) return;
  const Duration memory = evaluation_.event_memory();
  const EventTime keep_from = evaluation_.evaluated_to() - memory;
  if (!journal_.drop_before(keep_from, sequencer_.log_start().first_event, batch)) return;
  PositionIndex::drop(batch, keep_from - memory);
  sequencer_.forget_marks(keep_from);
}

Result<void> LiveRun::publish() {
  if (auto done = outbox_.hand_over(); !done) return done;
  const auto is_further = outbox_.look();
  if (!is_further) return tl::unexpected(is_further.error());
  checkpoints_.change(*is_further || publisher_.awaits_state());
  return {};
}

Result<void> LiveRun::publish_provisional(bool is_due) {
  if (!has_provisional_rows()) return {};
  if (auto done = provisional_.complete(); !done) return done;
  if (!checkpoints_.has_changed()) {
    if (auto done = provisional_.kept(sequencer_.watermark()); !done) return done;
  }
  if (!is_due) return {};
  const EventTime begin = host_.now();
  for (const SharedRow& row : provisional_.rows(begin, sequencer_.log_start())) {
    if (publisher_.wants_provisional()) {
      if (auto done = publisher_.publish_provisional(row->key, row->json); !done) return done;
    }
    archive_.note(*row);
    host_.row(row);
  }
  provisional_.gave(begin, host_.now());
  return {};
}

// Keeps what has been read, and evaluates it if it has come so far: nobody waits for a whole journal to be read again.
Result<void> LiveRun::settle() {
  std::vector<std::function<void()>> tasks;
  evaluation_.begin(sequencer_.watermark(), sequencer_.log_start(), is_full(), tasks);
  journal_.begin(tasks);
  executor_.run(tasks);
  if (auto done = evaluation_.complete(sequencer_.log_start()); !done) return done;
  const auto delivered = letters_.drain(host_, options_.drain_patience);
  if (!delivered) return tl::unexpected(delivered.error());
  return checkpoints_.has_changed() && *delivered && host_.has_room() ? checkpoint() : Result<void>();
}

}  // namespace

Result<Report> attach(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs,
                      AttachOptions options, StateStore& store, Executor& executor, RowPublisher& publisher, RunHost& host) {
  const auto checkpoint = checkpoint_in(store);
  if (!checkpoint) return tl::unexpected(checkpoint.error());
  if (*checkpoint) put_in_order(inputs, **checkpoint);
  if (*checkpoint) {
    if (auto sound = check_looks(store, (*checkpoint)->number); !sound) return tl::unexpected(std::move(sound).error());
  }
  auto pasts = pasts_in(store, *generations.back().plan);
  if (!pasts) return tl::unexpected(std::move(pasts).error());
  return LiveRun(generations, std::move(*pasts), std::move(inputs), std::move(options), store, executor, publisher, host)
      .run(*checkpoint);
}

}  // namespace recmeter
