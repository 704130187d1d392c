#include "recmeter/evaluation/sequencer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {
void append(std::vector<TimeSpan>& to, const std::vector<TimeSpan>& spans) {
  to.insert(to.end(), spans.begin(), spans.end());
}
}  // namespace

Sequencer::Sequencer(std::vector<PartitionSpec> partitions, const TimeRule& rule, std::size_t shards, FateWitness* witness,
                     Part part)
    : shards_(shards), part_(part), witness_(witness), routed_(shards) {
  for (PartitionSpec& spec : partitions) {
    PartitionClock clock =
        spec.sorted ? PartitionClock(spec.lateness, rule, spec.sorted->clocks) : PartitionClock(spec.lateness, rule);
    partitions_.push_back(
        {.spec = std::move(spec), .clock = std::move(clock), .counts = {}, .late_after_idle = {}, .future_by_clock = {}});
  }
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    if (partitions_[p].spec.sorted) keep_samples(p, partitions_[p].spec.sorted->samples);
  }
}

std::size_t Sequencer::next_partition() const {
  std::size_t next = none;
  EventTime smallest = plus_infinity;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    if (partitions_[p].ended) continue;
    const EventTime time = partitions_[p].clock.max_time().value_or(minus_infinity);
    if (next == none || time < smallest) {
      next = p;
      smallest = time;
    }
  }
  return next;
}

std::vector<std::size_t> Sequencer::partitions_by_time() const {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    if (!partitions_[p].ended) order.push_back(p);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return partitions_[a].clock.max_time().value_or(minus_infinity) <
           partitions_[b].clock.max_time().value_or(minus_infinity);
  });
  return order;
}

void Sequencer::read(std::size_t partition, std::shared_ptr<const EventBatch> batch, EventTime now) {
  current_ = partition;
  Partition& from = partitions_[partition];
  RECMETER_CHECK(!from.ended, "a partition is read after its end");
  const std::uint64_t events = batch->events().size();
  from.records += batch->records();
  from.counts.read += events;
  events_read_ += events;
  if (!from.spec.sorted) keep_samples(partition, batch->invalid_samples());
  const PlacedBatch placed{std::move(batch), from.places};
  from.places += events;
  const auto before = from.clock.max_time();
  from.clock.read(placed, watermark_, *this, now);
  if (from.clock.max_time() != before) {
    from.idle = false;
    from.moved = true;
  }
  move_watermark();
}

// Where nothing was read before, the partition only begins later.
void Sequencer::lose(std::size_t partition) {
  Partition& from = partitions_[partition];
  if (from.clock.max_time()) {
    from.clock.lose();
  } else {
    from.spec.is_cut_at_start = true;
  }
}

void Sequencer::forget_marks(EventTime time) {
  for (Partition& partition : partitions_) {
    partition.clock.forget_lost(time);
    partition.late_after_idle.forget(time);
    partition.future_by_clock.forget(time);
  }
}

void Sequencer::end(std::size_t partition) {
  current_ = partition;
  partitions_[partition].clock.end(watermark_, *this);
  partitions_[partition].ended = true;
  move_watermark();
}

// With every partition idle it stays; when all have ended it is infinite.
void Sequencer::move_watermark() {
  EventTime smallest = plus_infinity;
  bool some_idle = false;
  for (const Partition& partition : partitions_) {
    if (partition.ended) continue;
    some_idle = some_idle || partition.idle;
    if (!partition.idle) smallest = std::min(smallest, partition.clock.watermark().value_or(minus_infinity));
  }
  if (smallest == plus_infinity && some_idle) return;
  watermark_ = std::max(watermark_, smallest);
}

std::optional<std::size_t> Sequencer::slowest() const {
  std::optional<std::size_t> slowest;
  EventTime smallest = plus_infinity;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    if (partitions_[p].ended || partitions_[p].idle) continue;
    const EventTime watermark = partitions_[p].clock.watermark().value_or(minus_infinity);
    if (slowest && watermark >= smallest) continue;
    slowest = p;
    smallest = watermark;
  }
  return slowest;
}

void Sequencer::set_idle(std::size_t partition, bool is_idle) {
  if (std::exchange(partitions_[partition].idle, is_idle) != is_idle) move_watermark();
}

Sequencer::State Sequencer::state() const {
  State state{.watermark = watermark_, .first_event = first_event_, .invalid_reasons = invalid_reasons_, .partitions = {}};
  for (const Partition& partition : partitions_) {
    state.partitions.push_back({.name = partition.spec.name,
                                .clock = partition.clock.state(),
                                .counts = partition.counts,
                                .records = partition.records,
                                .places = partition.places,
                                .is_cut_at_start = partition.spec.is_cut_at_start,
                                .late_after_idle = partition.late_after_idle.spans(),
                                .future_by_clock = partition.future_by_clock.spans()});
  }
  return state;
}

void Sequencer::go_on_from(const State& state) {
  watermark_ = state.watermark;
  first_event_ = state.first_event;
  invalid_reasons_ = state.invalid_reasons;
  for (const PartitionState& known : state.partitions) {
    const auto at = std::find_if(partitions_.begin(), partitions_.end(),
                                 [&](const Partition& partition) { return partition.spec.name == known.name; });
    RECMETER_CHECK(at != partitions_.end(), "a partition of the state is there");
    at->clock.go_on_from(known.clock);
    at->counts = known.counts;
    at->records = known.records;
    at->places = known.places;
    at->spec.is_cut_at_start = known.is_cut_at_start;
    at->late_after_idle = MarkedTimes(known.late_after_idle);
    at->future_by_clock = MarkedTimes(known.future_by_clock);
    events_read_ += known.counts.read;
  }
}

EventTime Sequencer::log_end() const {
  EventTime end = minus_infinity;
  for (const Partition& partition : partitions_) {
    const auto time = partition.ended ? partition.clock.log_end() : partition.clock.max_time();
    end = std::max(end, time.value_or(minus_infinity));
  }
  return end;
}

std::optional<GapAtEnd> Sequencer::gap_at_end() const {
  std::optional<GapAtEnd> gap;
  for (const Partition& partition : partitions_) {
    const PartitionClock::Ahead& ahead = partition.clock.ahead_at_end();
    if (ahead.to <= (gap ? gap->to : log_end())) continue;
    gap = {.partition = partition.spec.name, .records = ahead.records, .step = ahead.step, .to = ahead.to};
  }
  return gap;
}

LogStart Sequencer::log_start() const {
  LogStart start{.first_event = first_event_};
  for (const Partition& partition : partitions_) {
    const auto first = partition.spec.is_cut_at_start ? partition.clock.min_time() : std::nullopt;
    start.first_after_cut = std::max(start.first_after_cut, first.value_or(minus_infinity));
    append(start.lost, partition.clock.lost().spans());
    append(start.late_after_idle, partition.late_after_idle.spans());
    append(start.future_by_clock, partition.future_by_clock.spans());
  }
  return start;
}

void Sequencer::decided(const PlacedBatch& batch, std::uint32_t index, Fate fate) {
  Partition& partition = partitions_[current_];
  EventCounts& counts = partition.counts;
  const Event& event = batch.batch->events()[index];
  // Its value is in that of the first line.
  const bool is_line = fate == Fate::undecided && event.is_line;
  if (is_line) fate = Fate::duplicate;
  const bool is_witnessed = witness_ != nullptr && fate != Fate::undecided && !event.is_of_lane();
  if (is_witnessed) {
    witness_->fate(*batch.batch, event, PartitionIndex(current_), fate,
                   is_line ? std::optional(DuplicateReason::line) : std::nullopt);
  }
  switch (fate) {
    case Fate::invalid:
      ++counts.invalid;
      ++invalid_reasons_[static_cast<std::size_t>(event.reason)];
      // What the record says is not known, and may be to a replay.
      if (event.reason == InvalidReason::unknown_schema) lose(current_);
      return;
    case Fate::ignored: ++counts.ignored; return;
    case Fate::future:
      ++counts.future;
      if (partition.clock.is_future_by_clock(event)) {
        ++counts.future_by_clock;
        partition.future_by_clock.add(event.ts);
      }
      return;
    case Fate::late:
      ++counts.late;
      if (partition.clock.is_late_by_watermark(event)) {
        ++counts.late_after_idle;
        partition.late_after_idle.add(event.ts);
      }
      return;
    case Fate::undecided: break;
    case Fate::duplicate:
      RECMETER_CHECK(is_line, "only the join can tell another duplicate");
      return counts.add_duplicate(DuplicateReason::line);
    case Fate::accepted: RECMETER_CHECK(false, "a fate that only the join can tell");
  }
  // What one recommender would have shown begins no other lane's log.
  if (!event.is_of_lane()) {
    first_event_ = std::min(first_event_, event.ts);
  } else if (witness_ != nullptr) {
    witness_->came_for_lane(*batch.batch, event);
  }
  if (sampled_part_ && keys_.lacks(event.key_hash)) {
    const std::string_view id = event.nobody ? batch.batch->list_id(event) : batch.batch->user_id(event);
    keys_.add({.hash = event.key_hash, .part = *sampled_part_, .id = std::string(id)});
  }
  if (!part_.keeps(event.key_hash)) return;
  std::vector<RoutedBatch>& to = routed_[shard_of(event.key_hash, shards_)];
  if (to.empty() || to.back().batch != batch.batch) {
    to.push_back({.batch = batch.batch,
                  .partition = static_cast<std::uint32_t>(current_),
                  .first_place = batch.first_place,
                  .events = {}});
  }
  to.back().events.push_back(index);
}

std::vector<std::vector<RoutedBatch>> Sequencer::take_routed() {
  return std::exchange(routed_, std::vector<std::vector<RoutedBatch>>(shards_));
}

// Which partition is read first depends on times and blocks; which has the first sample must not.
void Sequencer::keep_samples(std::size_t partition, std::span<const InvalidSample> samples) {
  for (const InvalidSample& sample : samples) {
    const auto [at, is_new] = samples_.try_emplace(sample.reason, partition, sample);
    if (is_new) {
      new_invalid_.push_back({.partition = partitions_[partition].spec.name, .sample = sample});
    } else if (partition < at->second.first) {
      at->second = {partition, sample};
    }
  }
}

std::vector<InvalidRecord> Sequencer::invalid_records() const {
  std::vector<InvalidRecord> records;
  for (const auto& [reason, found] : samples_) {
    records.push_back({.partition = partitions_[found.first].spec.name, .sample = found.second});
  }
  return records;
}

std::vector<PartitionReport> Sequencer::report() const {
  std::vector<PartitionReport> out;
  for (const Partition& partition : partitions_) {
    EventCounts counts = partition.counts;
    counts.undecided = partition.clock.held_events();
    out.push_back({.name = partition.spec.name,
                   .records = partition.records,
                   .events = counts,
                   .watermark = partition.clock.watermark(),
                   .disorder = partition.spec.sorted ? partition.spec.sorted->found : partition.clock.disorder(),
                   .is_sorted = partition.spec.sorted.has_value()});
  }
  return out;
}

}  // namespace recmeter
