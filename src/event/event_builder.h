// EventBuilder: the fields of records become events here, in every encoding: which fields an event needs, what ids, times and
// numbers may be, and which of several faults counts. [S2].
//
// An Encoding has
//   Value                        a value of a record: kind(), text(), integer(), ..., entries() of a list, members() of an
//                                object: ranges of what becomes a Value, and of `key` and `value`
//   find_entry(value, fields)    finds the fields of one entry of a basket, which is an object
//   segment_text(index, value)   the index-th segment's value, a number, as it is written in the record
//   is_hole(value)               whether the value, of a list, stands for a rank without an item
// Texts go to the writer while they are checked, and the event after them, or, when anything was wrong, an invalid event in
// their place. Thread safety: none.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event_batch_writer.h"
#include "event/found_fields.h"
#include "event/time_reader.h"
#include "event/type_words.h"
#include "recmeter/base/check.h"
#include "recmeter/base/rounded_sum.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/value_kind.h"

namespace recmeter {

// What a number may be. `any` and `reward`: at most 10^8 in magnitude; propensity: in (0, 1]; probability: in [0, 1]. Lists
// of probabilities and rewards have one at every rank.
enum class NumberRange : std::uint8_t { any, propensity, reward, probability };

// Where the fields of a basket's entry stand among the paths given for entries.
inline constexpr Field basket_item_id{0};
inline constexpr Field basket_value{1};

// An integer's decimal text.
class Digits {
 public:
  Digits() = default;
  template <class Integer>
  explicit Digits(Integer value) {
    size_ =
        static_cast<std::size_t>(std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr - digits_.data());
  }
  [[nodiscard]] std::string_view text() const { return {digits_.data(), size_}; }

 private:
  std::array<char, 20> digits_;  // of the longest, -9223372036854775808 and 18446744073709551615
  std::size_t size_ = 0;
};

template <class Encoding>
class EventBuilder {
 public:
  using Value = typename Encoding::Value;

  // `options` and `encoding` outlive it.
  EventBuilder(const DecoderOptions& options, Encoding& encoding);

  // `records` outlive finish().
  void begin(const RecordBatch& records) {
    records_ = &records;
    writer_.begin(records.records.size(), records.bytes.size());
  }
  [[nodiscard]] EventBatch finish() { return writer_.finish(); }

  // The `index`-th record, of which one of the following says what it is.
  void begin_record(std::size_t index);
  // Another event of the record, judged alone, of which they say it again.
  void begin_part();
  void add_tombstone() { event_->outcome = Outcome::ignored; }
  [[gnu::noinline]] void add_invalid(InvalidReason reason);
  // Of the fields that the encoding has found.
  void add();
  // What `type` says (TypeWords). Nothing where there is none.
  [[nodiscard]] std::optional<int> meaning() const;
  // Of these, as the event of an impression or an action (TypeWords).
  void add_as(int meaning);
  void add_ignored();
  // Before any of these: what is wrong with the fields.
  // `value`: the one at fault, where it is one.
  [[gnu::cold, gnu::noinline]] void fault(InvalidReason reason, const Value* value = nullptr) {
    if (fault_ && reason >= *fault_) return;  // [S2.25]
    fault_ = reason;
    faulty_field_ = at_field_;
    faulty_value_ = value != nullptr && writer_.wants_sample(reason) ? shown(*value) : std::string();
  }
  void fault_at(Field field, InvalidReason reason, const Value& value) {
    at_field_ = field;
    fault(reason, &value);
  }
  [[nodiscard]] FoundFields<Value>& fields() { return found_; }

 private:
  using Text = EventBatchWriter::Text;
  struct Entry {  // of a basket
    Text item;
    std::optional<double> value;
    bool is_line = false;  // another entry before it has its item
  };
  struct Segment {
    Text key;
    Text value;
  };

  // The steps of an event are small, and many: as calls they took a fifth of the time. What is rare is no part of that.
  [[gnu::flatten]] void decode_impression();
  [[gnu::noinline]] void decode_candidate();
  [[gnu::noinline]] void decode_policy();
  [[nodiscard]] bool read_recommender();
  [[gnu::flatten]] void decode_feedback(std::uint8_t action);

  // Each reads a field or a value, and notes what is wrong with it.
  [[nodiscard]] EventTime time();
  [[nodiscard]] Text id_field(Field field, bool is_required);
  [[nodiscard]] Text id(const Value& value);
  [[nodiscard]] std::string_view id_text(const Value& value, Digits& digits);
  // Of a text.
  [[nodiscard]] std::string_view checked(const Value& value) {
    const std::string_view text = value.text();
    if (text.size() - 1 < options_.id_bytes_max) return text;
    fault(text.empty() ? InvalidReason::empty_id : InvalidReason::id_too_long, &value);
    return text;
  }
  [[nodiscard]] std::optional<double> number_field(Field field, NumberRange range);
  [[nodiscard]] double number(const Value& read, NumberRange range);
  [[nodiscard]] static bool is_no_score(const Value& read) {
    return read.kind() == ValueKind::null || (read.kind() == ValueKind::number && std::isnan(read.number()));
  }
  [[nodiscard, gnu::noinline]] std::size_t add_numbers(Field field, NumberRange range);
  void add_latency();
  [[nodiscard]] Text team(const Value& value);
  [[gnu::noinline]] void add_teams(bool is_whole);
  [[nodiscard]] std::uint32_t position();
  [[nodiscard]] std::uint32_t add_items();
  // Of ids that are texts and nothing else; 0: something is to be looked at one by one.
  [[nodiscard]] std::size_t bytes_of_texts(std::span<const Value> ids) const {
    std::size_t bytes = 0;
    for (const Value& id : ids) {
      if (id.kind() != ValueKind::text || id.text().size() - 1 >= options_.id_bytes_max) return 0;
      bytes += id.text().size();
    }
    return bytes;
  }
  [[nodiscard]] std::uint16_t add_segments();
  [[gnu::noinline]] void sort_segments();
  [[nodiscard]] std::optional<Text> segment_value(const Value& value, std::size_t index);
  void read_items(std::optional<double> value);
  [[gnu::noinline]] void read_basket(std::optional<double> value);
  void read_entry(const Value& read, std::optional<double> value);
  [[gnu::noinline]] void add_up_lines();

  [[nodiscard]] bool has(Field field) const { return found_.has(field); }
  void begin_event();
  [[nodiscard]] static std::string shown(const Value& value);
  [[nodiscard]] InvalidSample sample_of(InvalidReason reason) const;
  void set_user(Event& event, Text user, Text list) const;

  static constexpr double magnitude_max = 1e8;
  static constexpr std::size_t sample_bytes = 200;
  static constexpr std::size_t segments_max = std::numeric_limits<std::uint16_t>::max();

  const DecoderOptions& options_;
  Encoding& encoding_;
  TypeWords types_;
  TimeReader times_;
  EventBatchWriter writer_;

  // The record in hand.
  FoundFields<Value> found_;
  FoundFields<Value> found_entry_;
  EventBatchWriter::Mark mark_;
  Event* event_ = nullptr;  // its last in the batch; kind and fate still open
  std::optional<InvalidReason> fault_;
  std::optional<Field> faulty_field_;
  std::string faulty_value_;
  std::optional<Field> at_field_;  // that is read now
  const RecordBatch* records_ = nullptr;
  std::size_t record_ = 0;
  std::vector<Entry> entries_;
  std::vector<Entry*> by_item_;  // of a basket
  RoundedSum value_;             // of equal ones
  std::vector<Segment> segments_;
  std::vector<Text> teams_;
};

template <class Encoding>
EventBuilder<Encoding>::EventBuilder(const DecoderOptions& options, Encoding& encoding)
    : options_(options),
      encoding_(encoding),
      types_(options.fields, options.actions, !options.candidates.empty(), options.reads.policies),
      times_(options.fields.time, options.fields.shape && options.fields.shape->text_numbers,
             options.fields.shape && options.fields.shape->has_commas) {
  RECMETER_CHECK(options.actions.size() <= 256, "an action's index is 8 bits wide");
  RECMETER_CHECK(options.list_items_max <= std::numeric_limits<std::uint32_t>::max(), "a rank is 32 bits wide");
  RECMETER_CHECK(options.fields.position_base == 0 || options.fields.position_base == 1, "ranks are counted from 0 or 1");
}

template <class Encoding>
void EventBuilder<Encoding>::begin_record(std::size_t index) {
  record_ = index;
  event_ = &writer_.new_event();
  event_->first_of_record = true;
  event_->broker_time = records_->records[index].broker_time;
  begin_event();
}

template <class Encoding>
void EventBuilder<Encoding>::begin_part() {
  const std::optional<EventTime> broker_time = event_->broker_time;
  event_ = &writer_.new_event();
  event_->broker_time = broker_time;
  begin_event();
}

template <class Encoding>
void EventBuilder<Encoding>::begin_event() {
  mark_ = writer_.mark();
  fault_.reset();
  at_field_.reset();
  event_->first_of_part = true;
  event_->first_string = static_cast<std::uint32_t>(mark_.strings);
  event_->first_number = static_cast<std::uint32_t>(mark_.numbers);
}

template <class Encoding>
void EventBuilder<Encoding>::add() {
  const std::optional<int> says = meaning();
  says ? add_as(*says) : add_invalid(InvalidReason::no_type);
}

template <class Encoding>
std::optional<int> EventBuilder<Encoding>::meaning() const {
  if (!has(Field::type) || found_.is_twice(Field::type)) return std::nullopt;
  const Value& type = found_[Field::type];
  const std::string_view word = type.kind() == ValueKind::text ? type.text() : std::string_view();
  return word.empty() ? std::nullopt : std::optional(types_.meaning(word));
}

template <class Encoding>
void EventBuilder<Encoding>::add_as(int meaning) {
  if (meaning == TypeWords::ignored) return add_ignored();
  if (found_.twice != 0) {
    at_field_ = static_cast<Field>(std::countr_zero(found_.twice));
    fault(InvalidReason::duplicate_key);
  }
  if (meaning == TypeWords::impression) return decode_impression();
  if (meaning == TypeWords::candidate) return decode_candidate();
  if (meaning == TypeWords::policy) return decode_policy();
  decode_feedback(static_cast<std::uint8_t>(meaning));
}

template <class Encoding>
void EventBuilder<Encoding>::add_invalid(InvalidReason reason) {
  writer_.take_back(mark_);
  const Event begun = *event_;
  *event_ = Event();
  event_->outcome = Outcome::invalid;
  event_->reason = reason;
  event_->first_of_record = begun.first_of_record;
  event_->first_of_part = true;
  event_->broker_time = begun.broker_time;
  if (writer_.wants_sample(reason)) writer_.add_sample(sample_of(reason));
}

template <class Encoding>
InvalidSample EventBuilder<Encoding>::sample_of(InvalidReason reason) const {
  const Record& record = records_->records[record_];
  InvalidSample sample;
  sample.reason = reason;
  sample.record = records_->record(record_).substr(0, sample_bytes);
  if (fault_ == reason && faulty_field_) {
    sample.field = to_string(*faulty_field_);
    sample.value = faulty_value_;
  }
  if (records_->first_line == 0) return sample;
  const char* const bytes = records_->bytes.data();
  sample.line = records_->first_line +
                static_cast<std::uint64_t>(std::count(bytes + records_->records.front().offset, bytes + record.offset, '\n'));
  return sample;
}

template <class Encoding>
std::string EventBuilder<Encoding>::shown(const Value& value) {
  switch (value.kind()) {
    case ValueKind::text: return '"' + std::string(value.text().substr(0, sample_bytes)) + '"';
    case ValueKind::integer: return std::to_string(value.integer());
    case ValueKind::large_integer: return std::to_string(value.large_integer());
    case ValueKind::number: {
      std::array<char, 32> text;
      return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value.number()).ptr};
    }
    case ValueKind::boolean: return value.boolean() ? "true" : "false";
    case ValueKind::list: return "a list";
    case ValueKind::object: return "an object";
    case ValueKind::time: return "a time";
    case ValueKind::null: return "null";
  }
  return {};
}

template <class Encoding>
void EventBuilder<Encoding>::add_ignored() {
  fault_.reset();
  if (!found_.is_twice(Field::ts)) {
    event_->ts = time();
    event_->has_time = !fault_;
  }
  if (!event_->has_time) event_->ts = EventTime();
  event_->outcome = Outcome::ignored;
}

template <class Encoding>
void EventBuilder<Encoding>::set_user(Event& event, Text user, Text list) const {
  event.nobody = options_.key.is_nobody(writer_.view(user));
  event.key_hash = hash_mostly_short(writer_.view(event.nobody ? list : user));
}

template <class Encoding>
void EventBuilder<Encoding>::decode_impression() {
  const bool is_whole = has(Field::items);
  event_->kind = is_whole ? EventKind::impression : EventKind::row;
  at_field_ = has(Field::item_id) && !is_whole ? Field::position : Field::items;
  if (is_whole && has(Field::item_id)) fault(InvalidReason::items_and_item_id);
  if (!is_whole && !(has(Field::item_id) && has(Field::position))) fault(InvalidReason::missing_field);

  event_->ts = time();
  event_->has_time = true;
  const Text user = id_field(Field::user_id, options_.key.by == JoinKey::By::user);
  const Text list = id_field(Field::list_id, true);
  writer_.add_string(user);
  writer_.add_string(list);
  writer_.add_string({});
  if (has(Field::item_id)) writer_.add_item(id_field(Field::item_id, true));
  event_->item_count = is_whole ? add_items() : 1;
  event_->position = position();
  if (is_whole) event_->position = 0;

  const std::size_t scores = has(Field::scores) ? add_numbers(Field::scores, NumberRange::any) : 0;
  const std::size_t propensities = has(Field::propensities) ? add_numbers(Field::propensities, NumberRange::propensity) : 0;
  const bool has_score = has(Field::score) && !is_no_score(found_[Field::score]);
  const std::optional<double> score = has_score ? number_field(Field::score, NumberRange::any) : std::nullopt;
  const std::optional<double> propensity = number_field(Field::propensity, NumberRange::propensity);
  at_field_ = has(Field::scores) ? Field::scores : Field::propensities;
  if (is_whole) {
    if (has(Field::scores) && scores != event_->item_count) fault(InvalidReason::length_mismatch);
    if (has(Field::propensities) && propensities != event_->item_count) fault(InvalidReason::length_mismatch);
    event_->has_scores = scores != 0;
    event_->has_propensities = propensities != 0;
  } else {
    writer_.take_back_numbers(mark_);
    if (score) writer_.add_number(*score);
    if (propensity) writer_.add_number(*propensity);
    event_->has_scores = score.has_value();
    event_->has_propensities = propensity.has_value();
  }
  add_latency();
  event_->segment_count = add_segments();
  if (has(Field::team) || has(Field::teams)) add_teams(is_whole);
  if (fault_) return add_invalid(*fault_);
  set_user(*event_, user, list);
}

// False: one that nobody asks about, so the record is none of ours.
template <class Encoding>
bool EventBuilder<Encoding>::read_recommender() {
  at_field_ = Field::recommender;
  if (!has(Field::recommender)) {
    fault(InvalidReason::missing_field);
  } else if (const Value& read = found_[Field::recommender]; read.kind() != ValueKind::text) {
    fault(InvalidReason::wrong_type, &read);
  } else {
    const auto at = std::ranges::find(options_.candidates, read.text());
    if (at == options_.candidates.end()) return false;
    event_->candidate = static_cast<std::uint8_t>(at - options_.candidates.begin());
  }
  return true;
}

template <class Encoding>
void EventBuilder<Encoding>::decode_candidate() {
  if (!read_recommender()) return add_ignored();
  event_->kind = EventKind::candidate;
  event_->ts = time();
  event_->has_time = true;
  const bool by_user = options_.key.by == JoinKey::By::user;
  const Text user = id_field(Field::user_id, by_user);
  const Text list = id_field(Field::list_id, !by_user || options_.key.is_nobody(writer_.view(user)));
  writer_.add_string(user);
  writer_.add_string(list);
  writer_.add_string({});
  at_field_ = Field::items;
  if (has(Field::item_id)) fault(InvalidReason::items_and_item_id);
  has(Field::items) ? void(event_->item_count = add_items()) : fault(InvalidReason::missing_field);
  const std::size_t scores = has(Field::scores) ? add_numbers(Field::scores, NumberRange::any) : 0;
  if (has(Field::scores) && scores != event_->item_count) fault(InvalidReason::length_mismatch);
  event_->has_scores = scores != 0;
  event_->segment_count = add_segments();
  if (fault_) return add_invalid(*fault_);
  set_user(*event_, user, list);
}

template <class Encoding>
void EventBuilder<Encoding>::decode_policy() {
  if (!read_recommender()) return add_ignored();
  event_->kind = EventKind::policy;
  event_->ts = time();
  event_->has_time = true;
  const Text user = id_field(Field::user_id, options_.key.by == JoinKey::By::user);
  const Text list = id_field(Field::list_id, true);
  writer_.add_string(user);
  writer_.add_string(list);
  writer_.add_string({});
  at_field_ = Field::propensities;
  if (!has(Field::propensities)) fault(InvalidReason::missing_field);
  const std::size_t ranks = has(Field::propensities) ? add_numbers(Field::propensities, NumberRange::probability) : 0;
  if (ranks > options_.list_items_max) fault(InvalidReason::too_many_items);
  event_->position = static_cast<std::uint32_t>(ranks);
  event_->has_predictions = has(Field::predicted) || has(Field::expected);
  for (const Field field : {Field::predicted, Field::expected}) {
    if (!event_->has_predictions) break;
    at_field_ = field;
    if (!has(field)) {
      fault(InvalidReason::missing_field);
    } else if (add_numbers(field, NumberRange::reward) != ranks) {
      fault(InvalidReason::length_mismatch);
    }
  }
  if (fault_) return add_invalid(*fault_);
  set_user(*event_, user, list);
}

template <class Encoding>
void EventBuilder<Encoding>::decode_feedback(std::uint8_t action) {
  event_->kind = EventKind::feedback;
  event_->action = action;
  event_->item_count = 1;
  event_->ts = time();
  event_->has_time = true;
  const bool is_on_list = action < options_.on_lists.size() && options_.on_lists[action];
  const Text user = id_field(Field::user_id, options_.key.by == JoinKey::By::user);
  const Text list = id_field(Field::list_id, is_on_list);
  const Text event_id = id_field(Field::event_id, false);
  const std::optional<double> value = number_field(Field::value, NumberRange::any);
  entries_.clear();
  is_on_list ? void(entries_.push_back({{}, value})) : read_items(value);
  if (fault_) return add_invalid(*fault_);

  set_user(*event_, user, list);
  EventBatchWriter::Mark next = mark_;
  for (const Entry& entry : entries_) {
    if (&entry != entries_.data()) {
      event_ = &writer_.repeat_event();
      event_->first_of_record = false;
      event_->first_of_part = false;
    }
    event_->first_string = static_cast<std::uint32_t>(next.strings);
    event_->first_number = static_cast<std::uint32_t>(next.numbers);
    for (const Text text : {user, list, event_id}) writer_.add_string(text);
    writer_.add_item(entry.item);
    event_->is_line = entry.is_line;
    event_->has_value = entry.value.has_value();
    if (entry.value) writer_.add_number(*entry.value);
    next = writer_.mark();
  }
}

// Of feedback: the item, or those of the basket.
template <class Encoding>
void EventBuilder<Encoding>::read_items(std::optional<double> value) {
  at_field_ = Field::item_id;
  if (has(Field::items) && has(Field::item_id)) fault(InvalidReason::items_and_item_id);
  if (!has(Field::items) && !has(Field::item_id)) fault(InvalidReason::missing_field);
  if (has(Field::item_id)) entries_.push_back({id_field(Field::item_id, true), value});
  if (has(Field::items)) read_basket(value);
  if (entries_.size() > 1 && !fault_) add_up_lines();
}

template <class Encoding>
void EventBuilder<Encoding>::read_basket(std::optional<double> value) {
  const Value& entries = found_[Field::items];
  at_field_ = Field::items;
  if (entries.kind() != ValueKind::list) return fault(InvalidReason::wrong_type, &entries);
  const auto read = entries.entries();
  for (const Value entry : read) read_entry(entry, value);
  at_field_ = Field::items;
  if (entries_.empty()) fault(InvalidReason::empty_basket);
  if (entries_.size() > options_.list_items_max) fault(InvalidReason::too_many_items);
}

template <class Encoding>
void EventBuilder<Encoding>::read_entry(const Value& read, std::optional<double> value) {
  at_field_ = Field::items;
  if (read.kind() != ValueKind::object) {
    entries_.push_back({id(read), value});
    return;
  }
  encoding_.find_entry(read, found_entry_);
  Entry entry{{}, value};
  if (found_entry_.twice != 0) fault(InvalidReason::duplicate_key);
  if (found_entry_.has(basket_item_id)) {
    entry.item = id(found_entry_[basket_item_id]);
  } else {
    fault(InvalidReason::missing_field);
  }
  if (found_entry_.has(basket_value)) entry.value = number(found_entry_[basket_value], NumberRange::any);
  entries_.push_back(entry);
}

// Entries with one item are one, the first of them, with the sum of what values there are. [S3.34]
template <class Encoding>
void EventBuilder<Encoding>::add_up_lines() {
  by_item_.clear();
  for (Entry& entry : entries_) by_item_.push_back(&entry);
  const auto item_of = [this](const Entry* entry) { return writer_.view(entry->item); };
  std::ranges::stable_sort(by_item_, {}, item_of);
  for (auto first = by_item_.begin(); first != by_item_.end();) {
    const auto end = std::find_if(first + 1, by_item_.end(), [&](const Entry* e) { return item_of(e) != item_of(*first); });
    if (end - first > 1) {
      value_.clear();
      bool has_value = false;
      for (const Entry* entry : std::span(first, end)) {
        if (entry->value) value_.add(*entry->value);
        has_value = has_value || entry->value.has_value();
      }
      for (Entry* entry : std::span(first + 1, end)) entry->is_line = true;
      if (has_value) (*first)->value = value_.value();
      if (std::abs(value_.value()) > magnitude_max) fault(InvalidReason::number_out_of_range);
    }
    first = end;
  }
}

template <class Encoding>
EventTime EventBuilder<Encoding>::time() {
  at_field_ = Field::ts;
  if (!has(Field::ts)) {
    fault(InvalidReason::missing_field);
    return {};
  }
  const TimeReader::Outcome read = times_.read(found_[Field::ts]);
  if (!read) fault(read.error(), &found_[Field::ts]);
  return *read;
}

template <class Encoding>
EventBatchWriter::Text EventBuilder<Encoding>::id_field(Field field, bool is_required) {
  at_field_ = field;
  if (has(field)) return id(found_[field]);
  if (is_required) fault(InvalidReason::missing_field);
  return {};
}

template <class Encoding>
EventBatchWriter::Text EventBuilder<Encoding>::id(const Value& value) {
  Digits digits;
  return writer_.store(id_text(value, digits));
}

// `digits`: room for an id that is a number.
template <class Encoding>
std::string_view EventBuilder<Encoding>::id_text(const Value& value, Digits& digits) {
  std::string_view text;
  switch (value.kind()) {
    case ValueKind::text: return checked(value);
    case ValueKind::integer: text = (digits = Digits(value.integer())).text(); break;
    case ValueKind::large_integer: text = (digits = Digits(value.large_integer())).text(); break;
    default: fault(InvalidReason::wrong_type, &value); return {};
  }
  if (text.size() > options_.id_bytes_max) fault(InvalidReason::id_too_long, &value);
  return text;
}

template <class Encoding>
std::optional<double> EventBuilder<Encoding>::number_field(Field field, NumberRange range) {
  if (!has(field)) return std::nullopt;
  at_field_ = field;
  return number(found_[field], range);
}

template <class Encoding>
double EventBuilder<Encoding>::number(const Value& read, NumberRange range) {
  if (!is_number(read.kind())) {
    fault(InvalidReason::wrong_type, &read);
    return 0;
  }
  const double value = read.number();
  if (range == NumberRange::any || range == NumberRange::reward) {
    if (!(std::abs(value) <= magnitude_max)) fault(InvalidReason::number_out_of_range, &read);
  } else if (!(value <= 1 && (value > 0 || (range == NumberRange::probability && value == 0)))) {
    fault(InvalidReason::bad_propensity, &read);
  }
  return value + 0.0;  // -0.0 becomes 0: equal numbers have equal canonical bytes
}

template <class Encoding>
std::size_t EventBuilder<Encoding>::add_numbers(Field field, NumberRange range) {
  const Value& numbers = found_[field];
  at_field_ = field;
  if (numbers.kind() != ValueKind::list) {
    fault(InvalidReason::wrong_type, &numbers);
    return 0;
  }
  std::size_t count = 0;
  const auto entries = numbers.entries();
  for (const Value entry : entries) {
    const bool is_none =
        field == Field::scores ? is_no_score(entry) : range == NumberRange::propensity && encoding_.is_hole(entry);
    writer_.add_number(is_none ? std::numeric_limits<double>::quiet_NaN() : number(entry, range));
    ++count;
  }
  return count;
}

template <class Encoding>
void EventBuilder<Encoding>::add_latency() {
  const std::optional<double> latency = number_field(Field::latency_ms, NumberRange::any);
  event_->has_latency = latency.has_value();
  if (!latency) return;
  if (*latency < 0) fault(InvalidReason::number_out_of_range, &found_[Field::latency_ms]);
  writer_.add_number(*latency);
}

// Empty: it stands for none.
template <class Encoding>
EventBatchWriter::Text EventBuilder<Encoding>::team(const Value& value) {
  if (value.kind() == ValueKind::null) return {};
  if (value.kind() != ValueKind::text) {
    fault(InvalidReason::wrong_type, &value);
    return {};
  }
  if (value.text().size() > options_.segment_bytes_max) fault(InvalidReason::segment_too_long, &value);
  return writer_.store(value.text());
}

template <class Encoding>
void EventBuilder<Encoding>::add_teams(bool is_whole) {
  teams_.clear();
  if (has(Field::team)) {
    at_field_ = Field::team;
    const Text text = team(found_[Field::team]);
    if (!is_whole && text.size() > 0) teams_.push_back(text);
  }
  if (has(Field::teams)) {
    at_field_ = Field::teams;
    const Value& teams = found_[Field::teams];
    if (teams.kind() != ValueKind::list) return fault(InvalidReason::wrong_type, &teams);
    const auto entries = teams.entries();
    std::size_t count = 0;
    for (const Value entry : entries) {
      const Text text = team(entry);
      if (is_whole) teams_.push_back(text);
      ++count;
    }
    if (is_whole && count != event_->item_count) fault(InvalidReason::length_mismatch);
  }
  for (const Text text : teams_) writer_.add_string(text);
  event_->has_teams = !teams_.empty();
}

template <class Encoding>
std::uint32_t EventBuilder<Encoding>::position() {
  if (!has(Field::position)) return 0;
  const Value& read = found_[Field::position];
  at_field_ = Field::position;
  if (!is_number(read.kind())) {
    fault(InvalidReason::wrong_type, &read);
    return 0;
  }
  const std::int64_t base = options_.fields.position_base;
  const std::int64_t value = read.kind() == ValueKind::integer ? read.integer() : base - 1;
  if (value < base || value - base >= static_cast<std::int64_t>(options_.list_items_max)) {
    fault(InvalidReason::bad_position, &read);
    return 0;
  }
  return static_cast<std::uint32_t>(value - base + 1);
}

template <class Encoding>
std::uint32_t EventBuilder<Encoding>::add_items() {
  const Value& items = found_[Field::items];
  at_field_ = Field::items;
  if (items.kind() != ValueKind::list) {
    fault(InvalidReason::wrong_type, &items);
    return 0;
  }
  const auto entries = items.entries();
  if constexpr (std::is_convertible_v<decltype(entries), std::span<const Value>>) {
    if (const std::size_t bytes = bytes_of_texts(entries); bytes > 0) {
      writer_.add_items(entries, bytes);
      if (entries.size() > options_.list_items_max) fault(InvalidReason::too_many_items);
      return static_cast<std::uint32_t>(entries.size());
    }
  }
  std::uint32_t count = 0;
  Digits digits;
  for (const Value item : entries) {
    writer_.add_item(item.kind() == ValueKind::text ? checked(item)
                     : encoding_.is_hole(item)      ? std::string_view()
                                                    : id_text(item, digits));
    ++count;
  }
  if (count > options_.list_items_max) fault(InvalidReason::too_many_items);
  return count;
}

template <class Encoding>
std::uint16_t EventBuilder<Encoding>::add_segments() {
  if (!has(Field::segments)) return 0;
  const Value& members = found_[Field::segments];
  at_field_ = Field::segments;
  if (members.kind() != ValueKind::object) {
    fault(InvalidReason::wrong_type, &members);
    return 0;
  }
  segments_.clear();
  std::size_t index = 0;
  const auto read = members.members();
  for (const auto& member : read) {
    const std::string_view key = member.key;
    const std::optional<Text> text = segment_value(member.value, index++);
    if (!text) fault(InvalidReason::wrong_type);
    segments_.push_back({writer_.store(key), text.value_or(Text())});
    if (key.size() > options_.segment_bytes_max || segments_.back().value.size() > options_.segment_bytes_max) {
      fault(InvalidReason::segment_too_long);
    }
  }
  if (segments_.size() > 1) sort_segments();
  std::size_t count = 0;
  for (const Segment& segment : segments_) {
    if (segment.value.size() == 0) continue;
    writer_.add_string(segment.key);
    writer_.add_string(segment.value);
    ++count;
  }
  if (count > segments_max) fault(InvalidReason::too_many_items);
  return static_cast<std::uint16_t>(count);
}

template <class Encoding>
void EventBuilder<Encoding>::sort_segments() {
  const auto key_of = [this](const Segment& segment) { return writer_.view(segment.key); };
  std::sort(segments_.begin(), segments_.end(), [&](const Segment& a, const Segment& b) { return key_of(a) < key_of(b); });
  const auto same_key = [&](const Segment& a, const Segment& b) { return key_of(a) == key_of(b); };
  if (std::adjacent_find(segments_.begin(), segments_.end(), same_key) != segments_.end())
    fault(InvalidReason::duplicate_key);
}

// Of the `index`-th member. An empty text is a missing value; nothing is a value of a wrong type.
template <class Encoding>
std::optional<EventBatchWriter::Text> EventBuilder<Encoding>::segment_value(const Value& value, std::size_t index) {
  switch (value.kind()) {
    case ValueKind::text: return writer_.store(value.text());
    case ValueKind::boolean: return writer_.store(value.boolean() ? std::string_view("true") : std::string_view("false"));
    case ValueKind::null: return Text();
    case ValueKind::integer:
      // Of an integer only a zero can be written in two ways.
      if (const std::int64_t integer = value.integer(); integer != 0) return writer_.store(Digits(integer).text());
      [[fallthrough]];
    case ValueKind::large_integer: return writer_.store(encoding_.segment_text(index, value));
    case ValueKind::number:
      if (!std::isfinite(value.number())) return std::nullopt;
      return writer_.store(encoding_.segment_text(index, value));
    default: return std::nullopt;
  }
}

}  // namespace recmeter
