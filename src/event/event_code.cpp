#include "recmeter/event/event_code.h"

#include <limits>
#include <vector>

#include "event/event_batch_writer.h"

namespace recmeter {

namespace {

// What an event is, in one number: its kind and what of it is there. A policy has the bits of a candidate and one more, for
// kinds have two.
enum Flag : std::uint64_t {
  kind_bits = 3,
  has_value = 1 << 2,
  has_scores = 1 << 3,
  has_propensities = 1 << 4,
  has_list = 1 << 5,
  has_event_id = 1 << 6,
  has_segments = 1 << 7,
  has_teams = 1 << 8,
  has_latency = 1 << 9,
  is_policy = 1 << 10,
  has_predictions = 1 << 11,
  flags_end = 1 << 12,
};

std::uint64_t flags_of(const EventBatch& batch, const Event& event) {
  const auto flag = [](bool is_set, Flag bit) { return is_set ? std::uint64_t{bit} : 0; };
  const bool policy = event.kind == EventKind::policy;
  return static_cast<std::uint64_t>(policy ? EventKind::candidate : event.kind) | flag(policy, is_policy) |
         flag(event.has_predictions, has_predictions) | flag(event.has_value, has_value) |
         flag(event.has_scores, has_scores) | flag(event.has_propensities, has_propensities) |
         flag(!batch.list_id(event).empty(), has_list) | flag(!batch.event_id(event).empty(), has_event_id) |
         flag(event.segment_count > 0, has_segments) | flag(event.has_teams, has_teams) |
         flag(event.has_latency, has_latency);
}

class Reading {
 public:
  Reading(EventBatchWriter& to, const JoinKey& key, const EventKinds& kinds) : to_(to), key_(key), kinds_(kinds) {}

  // False where the bytes are no event.
  bool read_one(ByteReader& from) {
    from_ = from;
    const bool is_event = read_one();
    from = from_;
    return is_event;
  }

 private:
  bool read_one() {
    const std::uint64_t flags = from_.number();
    if (flags >= flags_end) return false;
    const EventBatchWriter::Mark mark = to_.mark();
    Event event;
    event.kind = static_cast<EventKind>(flags & kind_bits);
    if ((flags & is_policy) != 0) {
      if (event.kind != EventKind::candidate) return false;
      event.kind = EventKind::policy;
    }
    event.ts = EventTime{from_.signed_number()};
    event.has_time = true;
    event.first_of_record = true;
    event.first_of_part = true;
    event.first_string = static_cast<std::uint32_t>(mark.strings);
    event.first_number = static_cast<std::uint32_t>(mark.numbers);
    const auto user = to_.store(from_.text());
    const auto list = (flags & has_list) != 0 ? to_.store(from_.text()) : EventBatchWriter::Text{};
    to_.add_string(user);
    to_.add_string(list);
    to_.add_string((flags & has_event_id) != 0 ? to_.store(from_.text()) : EventBatchWriter::Text{});
    event.nobody = key_.is_nobody(to_.view(user));
    event.key_hash = hash_mostly_short(to_.view(event.nobody ? list : user));
    if (event.kind == EventKind::policy ? !read_policy(event, flags) : !read_items(event)) return false;
    if (!read_numbers(event, flags) || !read_segments(event, flags) || !read_teams(event, flags)) return false;
    to_.add_event(event);
    return !from_.has_failed();
  }
  bool read_items(Event& event) {
    std::uint64_t items = 1;
    if (event.kind == EventKind::impression || event.kind == EventKind::candidate) items = from_.number();
    if (event.kind == EventKind::candidate && !read_recommender(event)) return false;
    if (event.kind == EventKind::row) event.position = static_cast<std::uint32_t>(from_.number());
    if (event.kind == EventKind::feedback) {
      const std::uint64_t action = from_.number();
      if (action >= kinds_.actions) return false;
      event.action = static_cast<std::uint8_t>(action);
    }
    items_.clear();
    std::size_t bytes = 0;
    for (std::uint64_t i = 0; i < items && !from_.has_failed(); ++i) {
      items_.push_back({from_.text()});
      bytes += items_.back().bytes.size();
    }
    if (from_.has_failed()) return false;
    to_.add_items(items_, bytes);
    event.item_count = static_cast<std::uint32_t>(items);
    return true;
  }
  bool read_recommender(Event& event) {
    const std::uint64_t candidate = from_.number();
    if (candidate >= kinds_.candidates) return false;
    event.candidate = static_cast<std::uint8_t>(candidate);
    return true;
  }
  bool read_policy(Event& event, std::uint64_t flags) {
    const std::uint64_t ranks = from_.number();
    if (ranks > from_.left() || !read_recommender(event)) return false;
    event.position = static_cast<std::uint32_t>(ranks);
    event.has_predictions = (flags & has_predictions) != 0;
    const std::uint64_t numbers = ranks * (event.has_predictions ? 3 : 1);
    for (std::uint64_t i = 0; i < numbers && !from_.has_failed(); ++i) to_.add_number(from_.number_double());
    return !from_.has_failed();
  }
  bool read_numbers(Event& event, std::uint64_t flags) {
    event.has_value = (flags & has_value) != 0;
    event.has_scores = (flags & has_scores) != 0;
    event.has_propensities = (flags & has_propensities) != 0;
    event.has_latency = (flags & has_latency) != 0;
    const std::uint64_t by_item = std::uint64_t{event.has_scores} + std::uint64_t{event.has_propensities};
    const std::uint64_t numbers =
        std::uint64_t{event.has_value} + by_item * event.item_count + std::uint64_t{event.has_latency};
    for (std::uint64_t i = 0; i < numbers && !from_.has_failed(); ++i) to_.add_number(from_.number_double());
    return !from_.has_failed();
  }
  bool read_segments(Event& event, std::uint64_t flags) {
    if ((flags & has_segments) == 0) return true;
    const std::uint64_t segments = from_.number();
    if (segments > std::numeric_limits<std::uint16_t>::max()) return false;
    for (std::uint64_t i = 0; i < 2 * segments && !from_.has_failed(); ++i) to_.add_string(to_.store(from_.text()));
    event.segment_count = static_cast<std::uint16_t>(segments);
    return !from_.has_failed();
  }
  bool read_teams(Event& event, std::uint64_t flags) {
    event.has_teams = (flags & has_teams) != 0;
    for (std::size_t i = 0; event.has_teams && i < event.item_count && !from_.has_failed(); ++i) {
      to_.add_string(to_.store(from_.text()));
    }
    return !from_.has_failed();
  }

  struct Item {
    std::string_view bytes;
    [[nodiscard]] std::string_view text() const { return bytes; }
  };

  ByteReader from_{std::string_view()};
  EventBatchWriter& to_;
  std::vector<Item> items_;  // of the event in hand
  const JoinKey& key_;
  EventKinds kinds_;
};

}  // namespace

void write_event(ByteWriter& to, const EventBatch& batch, const Event& event) {
  const std::uint64_t flags = flags_of(batch, event);
  to.add(flags);
  to.add_signed(event.ts.ms);
  to.add_text(batch.user_id(event));
  if ((flags & has_list) != 0) to.add_text(batch.list_id(event));
  if ((flags & has_event_id) != 0) to.add_text(batch.event_id(event));
  if (event.kind == EventKind::impression || event.kind == EventKind::candidate) to.add(event.item_count);
  if (event.kind == EventKind::policy) to.add(event.position);
  if (event.kind == EventKind::candidate || event.kind == EventKind::policy) to.add(event.candidate);
  if (event.kind == EventKind::row) to.add(event.position);
  if (event.kind == EventKind::feedback) to.add(event.action);
  for (std::size_t i = 0; i < event.item_count; ++i) to.add_text(batch.item(event, i));
  if (event.kind == EventKind::policy) {
    const EventBatch::Policy policy = batch.policy(event);
    for (const auto& numbers : {policy.propensities, policy.predicted, policy.expected}) {
      for (const double number : numbers) to.add_double(number);
    }
  }
  if (event.has_value) to.add_double(batch.value(event));
  for (const double score : batch.scores(event)) to.add_double(score);
  for (const double propensity : batch.propensities(event)) to.add_double(propensity);
  if (event.has_latency) to.add_double(batch.latency(event));
  if (event.segment_count > 0) to.add(event.segment_count);
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    to.add_text(batch.segment_key(event, i));
    to.add_text(batch.segment_value(event, i));
  }
  for (std::size_t i = 0; event.has_teams && i < event.item_count; ++i) to.add_text(batch.team(event, i));
}

namespace {

constexpr std::size_t bytes_of_string = 6;  // of one as short as an item's id, with its length

// When the next event is; nothing where there is none.
std::optional<EventTime> time_of_next(ByteReader from) {
  if (from.left() == 0) return std::nullopt;
  static_cast<void>(from.number());  // flags
  return EventTime{from.signed_number()};
}

}  // namespace

std::optional<EventBatch> read_events(ByteReader& from, std::size_t count, const JoinKey& key, const EventKinds& kinds) {
  if (count > from.left()) return std::nullopt;
  EventBatchWriter writer;
  writer.begin(count, from.left(), from.left() / bytes_of_string);
  Reading reading(writer, key, kinds);
  for (std::size_t i = 0; i < count; ++i) {
    if (!reading.read_one(from)) return std::nullopt;
  }
  return writer.finish();
}

std::optional<EventBatch> read_events_between(EventTime begin, EventTime before, std::span<ByteReader> from,
                                              const JoinKey& key, const EventKinds& kinds) {
  EventBatchWriter writer;
  writer.begin(0, 0);
  Reading reading(writer, key, kinds);
  for (ByteReader& each : from) {
    for (auto time = time_of_next(each); time && *time < before; time = time_of_next(each)) {
      if (*time < begin || !reading.read_one(each)) return std::nullopt;
    }
  }
  return writer.finish();
}

}  // namespace recmeter
