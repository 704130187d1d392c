#include "recmeter/evaluation/partition_clock.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {
constexpr std::uint64_t first_events = 64;    // that M_p starts from
constexpr std::size_t held_records_max = 64;  // in a row, and time really moved on
}  // namespace

std::optional<EventTime> PartitionClock::watermark() const {
  return started_ ? std::optional(max_time_ - lateness_) : std::nullopt;
}

PartitionClock::State PartitionClock::state() const {
  RECMETER_CHECK(first_.empty() && held_.empty(), "a run that goes on later knows the fate of all it has read");
  return {.max_time = max_time(), .min_time = min_time_, .disorder = disorder_, .lost = lost_.spans()};
}

void PartitionClock::go_on_from(const State& state) {
  RECMETER_CHECK(!started_ && first_.empty(), "a clock goes on from a state before it reads");
  started_ = state.max_time.has_value();
  max_time_ = state.max_time.value_or(minus_infinity);
  min_time_ = state.min_time;
  disorder_ = state.disorder;
  lost_ = LostRecords(state.lost);
}

void PartitionClock::read(const PlacedBatch& batch, EventTime watermark, FateSink& sink, EventTime now) {
  now_ = now;
  if (clocks_) {
    read_sorted(batch, sink);
    return;
  }
  const std::span<const Event> events = batch.batch->events();
  for (std::uint32_t i = 0; i < events.size();) {
    std::uint32_t end = i + 1;
    while (end < events.size() && !events[end].first_of_part) ++end;
    const Event& event = events[i];
    if (event.outcome == Outcome::invalid) {
      sink.decided(batch, i, Fate::invalid);
    } else {
      if (event.outcome == Outcome::ignored) sink.decided(batch, i, Fate::ignored);
      if (event.has_time) take({batch, i, end - i}, watermark, sink);
    }
    i = end;
  }
}

// A record stands where its earliest event belongs ([S3.27]), and what follows is no earlier: M_p goes by that one, whatever
// the record's other events.
void PartitionClock::read_sorted(const PlacedBatch& batch, FateSink& sink) {
  const std::span<const Event> events = batch.batch->events();
  const Event* earliest = nullptr;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const bool is_timed = event.outcome != Outcome::invalid && event.has_time;
    const Fate fate = is_timed ? sorted_fate(event) : Fate::undecided;
    if (is_timed && fate == Fate::undecided) {
      newest_ = std::max(newest_, event.ts);
      min_time_ = std::min(min_time_.value_or(event.ts), event.ts);
    }
    if (event.outcome == Outcome::invalid) {
      sink.decided(batch, i, Fate::invalid);
    } else {
      sink.decided(batch, i, event.outcome == Outcome::ignored ? Fate::ignored : fate);
    }
    if (event.first_of_record) earliest = nullptr;
    if (is_timed && (earliest == nullptr || event.ts < earliest->ts)) earliest = &event;
    const bool ends_record = i + 1 == events.size() || events[i + 1].first_of_record;
    if (!ends_record || earliest == nullptr || sorted_fate(*earliest) != Fate::undecided) continue;
    started_ = true;
    max_time_ = std::max(max_time_, earliest->ts);
    if (lost_.is_open()) lost_.close(max_time_ + lateness_);
  }
}

Fate PartitionClock::sorted_fate(const Event& event) const {
  if (event.ts > clocks_->to || too_far_ahead(event)) return Fate::future;
  return event.ts < clocks_->from ? Fate::late : Fate::undecided;
}

void PartitionClock::take(TimedRecord record, EventTime watermark, FateSink& sink) {
  // With broker timestamps the future rule needs no history.
  if (started_ || record.event().broker_time) {
    judge(record, watermark, sink);
    return;
  }
  first_events_ += record.count;
  hold(first_, record);
  if (first_events_ >= first_events) start(watermark, sink);
}

void PartitionClock::start(EventTime watermark, FateSink& sink) {
  if (first_.empty()) return;
  started_ = true;
  for (const TimedRecord& record : first_) {
    max_time_ = max_time_ == minus_infinity ? record.event().ts : std::min(max_time_, record.event().ts);
  }
  for (const TimedRecord& record : std::exchange(first_, {})) {
    if (record.event().outcome == Outcome::event) held_events_ -= record.count;
    judge(record, watermark, sink);
  }
}

bool PartitionClock::too_far_ahead(const Event& event) const {
  if (event.broker_time) {
    return event.ts > *event.broker_time + rule_.max_future_skew || *event.broker_time > now_ + rule_.max_future_skew;
  }
  return rule_.max_step.ms > 0 && event.ts > max_time_ + rule_.max_step;
}

void PartitionClock::judge(const TimedRecord& record, EventTime watermark, FateSink& sink) {
  const Event& event = record.event();
  if (!too_far_ahead(event)) {
    judge_on_time(record, watermark, sink);
    resolve_held(watermark, sink);
  } else if (event.broker_time) {
    if (event.outcome != Outcome::ignored) decide(record, Fate::future, sink);
  } else {
    note_ahead(event.ts);
    if (event.outcome == Outcome::ignored) return;
    hold(held_, record);
    if (held_.size() == held_records_max) time_moved_on(watermark, sink);
  }
}

void PartitionClock::judge_on_time(const TimedRecord& record, EventTime watermark, FateSink& sink) {
  const Event& event = record.event();
  disorder_.add(Duration{started_ ? std::max<std::int64_t>(0, (max_time_ - event.ts).ms) : 0});
  const bool late = event.ts < std::max(max_time_ - lateness_, watermark);
  if (!late) min_time_ = std::min(min_time_.value_or(event.ts), event.ts);
  if (event.outcome == Outcome::event) decide(record, late ? Fate::late : Fate::undecided, sink);
  max_time_ = std::max(max_time_, event.ts);
  started_ = true;
  if (lost_.is_open()) lost_.close(max_time_ + lateness_);
}

void PartitionClock::decide(const TimedRecord& record, Fate fate, FateSink& sink) {
  for (std::uint32_t i = 0; i < record.count; ++i) sink.decided(record.batch, record.first + i, fate);
}

// A record that is not too far ahead has come: the held ones still too far ahead were wrong clocks.
void PartitionClock::resolve_held(EventTime watermark, FateSink& sink) {
  if (held_.empty()) return;
  ahead_ = {};
  std::vector<TimedRecord> on_time;
  for (const TimedRecord& record : std::exchange(held_, {})) {
    held_events_ -= record.count;
    if (too_far_ahead(record.event())) {
      decide(record, Fate::future, sink);
    } else {
      on_time.push_back(record);
    }
  }
  for (const TimedRecord& record : on_time) judge_on_time(record, watermark, sink);
}

// Every record for a while was far ahead: it was not the clocks. The held ones are judged anew from the first of them on.
void PartitionClock::time_moved_on(EventTime watermark, FateSink& sink) {
  for (const TimedRecord& record : held_) held_events_ -= record.count;
  const std::vector<TimedRecord> held = std::exchange(held_, {});
  const auto earliest = std::min_element(
      held.begin(), held.end(), [](const TimedRecord& a, const TimedRecord& b) { return a.event().ts < b.event().ts; });
  max_time_ = std::max(max_time_, earliest->event().ts);
  for (const TimedRecord& record : held) judge(record, watermark, sink);
}

void PartitionClock::end(EventTime watermark, FateSink& sink) {
  if (!started_) start(watermark, sink);
  max_time_ = std::max(max_time_, newest_);
  log_end_ = max_time();
  if (ahead_.from == max_time_) ahead_at_end_ = ahead_;
  while (!held_.empty()) time_moved_on(watermark, sink);
}

void PartitionClock::note_ahead(EventTime time) {
  if (ahead_.from != max_time_) ahead_ = {.records = 0, .step = {}, .from = max_time_, .to = max_time_};
  ++ahead_.records;
  ahead_.step = std::max(ahead_.step, time - ahead_.to);
  ahead_.to = std::max(ahead_.to, time);
}

void PartitionClock::hold(std::vector<TimedRecord>& where, const TimedRecord& record) {
  where.push_back(record);
  if (record.event().outcome == Outcome::event) held_events_ += record.count;
}

}  // namespace recmeter
