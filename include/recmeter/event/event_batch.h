// EventBatch: decoded events of one RecordBatch, in record order, in three flat arrays.
//
// One decoder writes a batch; after that it is read only, by any number of threads at a time. Views handed out live as
// long as the batch. Invariants:
//   (1) events of one record are adjacent; the first has `first_of_record`, and the first of each part `first_of_part`;
//   (2) an event whose outcome is not `event` has no strings and no numbers, but may have a time;
//   (3) an absent id is an empty string (ids are never empty), and its score is not a number; segments are sorted by key
//       bytes and hold no empty value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/hashed_text.h"
#include "recmeter/base/text_buffer.h"
#include "recmeter/base/unfilled.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/invalid_sample.h"

namespace recmeter {

// impression: a whole list; row: one item of a list; candidate: the whole list of a recommender that was not shown;
// policy: how likely a recommender would have shown what a list shows.
enum class EventKind : std::uint8_t { impression, row, feedback, candidate, policy };
enum class Outcome : std::uint8_t { event, ignored, invalid };

struct Event {
  EventTime ts;                // meaningful when has_time
  std::uint64_t key_hash = 0;  // XXH3-64 of the join key, see event/join_key.h
  std::uint32_t first_string = 0;
  std::uint32_t first_number = 0;
  std::uint32_t item_count = 0;  // impression and candidate: length of the list; row and feedback: 1; policy: 0
  std::uint32_t position = 0;    // row: rank, 1-based; policy: how many ranks it speaks of
  std::uint16_t segment_count = 0;
  std::uint8_t action = 0;     // feedback: index into the configured actions
  std::uint8_t candidate = 0;  // candidate and policy: index into the configured recommenders
  EventKind kind = EventKind::impression;
  Outcome outcome = Outcome::event;
  InvalidReason reason = InvalidReason::not_json;  // meaningful when outcome is invalid
  bool has_time : 1 = false;
  bool first_of_record : 1 = false;
  bool first_of_part : 1 = false;  // of what has one fate: a record, or what one of its shape's rules makes of it
  bool is_line : 1 = false;        // feedback: a further line of its basket; its value is in that of the first. [S3.34]
  bool nobody : 1 = false;         // the user is a placeholder, or there is none: joined by list id alone
  bool has_value : 1 = false;      // feedback
  bool has_scores : 1 = false;     // impression and candidate: item_count of them; row: one
  bool has_propensities : 1 = false;
  bool has_teams : 1 = false;        // impression: item_count of them; row: one
  bool has_latency : 1 = false;      // impression and row
  bool has_predictions : 1 = false;  // policy
  std::optional<EventTime> broker_time;

  // Whether it is of a recommender that was not shown.
  [[nodiscard]] bool is_of_lane() const { return kind == EventKind::candidate || kind == EventKind::policy; }
};

class EventBatch {
 public:
  [[nodiscard]] std::span<const Event> events() const { return events_; }
  // How many records were read, blank lines not counted.
  [[nodiscard]] std::size_t records() const { return records_; }

  [[nodiscard]] std::string_view user_id(const Event& e) const { return string(e.first_string); }
  [[nodiscard]] std::string_view list_id(const Event& e) const { return string(e.first_string + 1); }
  [[nodiscard]] std::string_view event_id(const Event& e) const { return string(e.first_string + 2); }
  // Requires: i < e.item_count.
  // Empty where a whole list has no item at a rank.
  [[nodiscard]] std::string_view item(const Event& e, std::size_t i) const { return string(e.first_string + 3 + i); }
  [[nodiscard]] HashedText hashed_item(const Event& e, std::size_t i) const {
    return {item(e, i), strings_[e.first_string + 3 + i].hash};
  }
  // Requires: i < e.segment_count.
  [[nodiscard]] std::string_view segment_key(const Event& e, std::size_t i) const {
    return string(e.first_string + 3 + e.item_count + 2 * i);
  }
  [[nodiscard]] std::string_view segment_value(const Event& e, std::size_t i) const {
    return string(e.first_string + 4 + e.item_count + 2 * i);
  }
  // Requires: e.has_value.
  [[nodiscard]] double value(const Event& e) const { return numbers_[e.first_number]; }
  // Of the item; empty where it has none. Requires: e.has_teams and i < e.item_count.
  [[nodiscard]] std::string_view team(const Event& e, std::size_t i) const {
    return string(e.first_string + 3 + e.item_count + 2 * e.segment_count + i);
  }
  // Empty unless has_scores, has_propensities.
  [[nodiscard]] std::span<const double> scores(const Event& e) const;
  [[nodiscard]] std::span<const double> propensities(const Event& e) const;
  // By rank, of a policy: the probability of what is shown there, in [0, 1]; what is foreseen for it, and for what the
  // recommender would show there, both empty unless has_predictions.
  struct Policy {
    std::span<const double> propensities;
    std::span<const double> predicted;
    std::span<const double> expected;
  };
  // Requires: e.kind is policy.
  [[nodiscard]] Policy policy(const Event& e) const;
  // In milliseconds. Requires: e.has_latency.
  [[nodiscard]] double latency(const Event& e) const;

  // Hide the latency of reading an event that follows soon: first the one, some events later the other.
  void prefetch_strings(const Event& e) const {
    for (std::size_t i = 0; i < 3 + e.item_count; i += strings_per_line) fetch_ahead(&strings_[e.first_string + i]);
  }
  void prefetch_bytes(const Event& e) const {
    fetch_ahead(bytes_.data() + strings_[e.first_string].offset);
    if (e.item_count == 0) return;
    const StringRef* const items = &strings_[e.first_string + 3];
    const std::uint32_t end = items[e.item_count - 1].offset + items[e.item_count - 1].size;
    for (std::uint32_t at = items[0].offset; at < end; at += 64) fetch_ahead(bytes_.data() + at);
    fetch_ahead(bytes_.data() + end - 1);
  }

  // The first invalid event for each reason, in their order.
  [[nodiscard]] std::span<const InvalidSample> invalid_samples() const { return samples_; }

  // Where the batch stands among others is the owner's business; a batch only counts its bytes, for memory limits.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class EventBatchWriter;  // src/event: the decoder's hand
  struct StringRef {
    std::uint32_t offset;
    std::uint32_t size;
    std::uint32_t hash;  // of an item
  };
  static constexpr std::size_t strings_per_line = 64 / sizeof(StringRef);
  [[nodiscard]] std::string_view string(std::size_t i) const {
    return {bytes_.data() + strings_[i].offset, strings_[i].size};
  }

  std::vector<Event> events_;
  std::vector<StringRef, UnfilledAllocator<StringRef>>
      strings_;                  // per event: user, list, event id, items, segment key and value in turn, teams
  std::vector<double> numbers_;  // per event: value | scores, propensities, latency | those of a policy
  TextBuffer bytes_;
  std::vector<InvalidSample> samples_;
  std::size_t records_ = 0;
};

}  // namespace recmeter
