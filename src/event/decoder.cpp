#include "recmeter/event/decoder.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "event/event_batch_writer.h"
#include "event/event_time_text.h"
#include "event/field_paths.h"
#include "event/raw_members.h"
#include "event/type_words.h"
#include "recmeter/base/check.h"

namespace recmeter {
namespace {

namespace dom = simdjson::dom;
using dom::element_type;

constexpr double magnitude_max = 1e8;
constexpr std::size_t segments_max = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t parser_bytes_min = 64 << 10;  // room for ordinary records from the start

// Where the fields of a basket's entry stand in the list of paths given for entries.
constexpr Field entry_item_id{0};
constexpr Field entry_value{1};

FieldPaths entry_paths(const FieldTable& fields) {
  const std::array<std::vector<std::string>, 2> paths{fields.entry_item_id, fields.entry_value};
  return FieldPaths(paths);
}

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

std::string_view text_of(const dom::element& element) {
  return element.get_string().value_unsafe();
}

bool starts_with_byte_order_mark(std::string_view record) {
  return record.substr(0, 3) == "\xEF\xBB\xBF";
}

}  // namespace

// One record at a time: its fields are found, its texts go to the writer while they are checked, and the event after them,
// or, when anything was wrong, an invalid event in their place.
class EventDecoder::Impl {
 public:
  explicit Impl(DecoderOptions options);

  [[nodiscard]] EventBatch decode(const RecordBatch& records);

 private:
  using Text = EventBatchWriter::Text;
  struct Entry {  // of a basket
    Text item;
    std::optional<double> value;
  };
  struct Segment {
    Text key;
    Text value;
  };

  void decode_record(const RecordBatch& records, std::size_t index);
  [[nodiscard]] std::optional<InvalidReason> parse(std::string_view record);
  void decode_ignored();
  void decode_impression();
  void decode_feedback(std::uint8_t action);

  // Each reads a field or an element, and notes what is wrong with it.
  [[nodiscard]] EventTime time();
  [[nodiscard]] Text id_field(Field field, bool is_required);
  [[nodiscard]] Text id(const dom::element& element);
  [[nodiscard]] std::string_view id_text(const dom::element& element, Digits& digits);
  [[nodiscard]] std::optional<double> number_field(Field field, InvalidReason out_of_range);
  [[nodiscard]] double number(const dom::element& element, InvalidReason out_of_range);
  [[nodiscard]] std::size_t add_numbers(Field field, InvalidReason out_of_range);
  [[nodiscard]] std::uint32_t position();
  [[nodiscard]] std::uint32_t add_items();
  [[nodiscard]] std::uint16_t add_segments();
  [[nodiscard]] std::optional<Text> segment_value(const dom::element& element, std::size_t index);
  void read_basket(std::optional<double> value);
  void read_entry(const dom::element& element, std::optional<double> value);

  [[nodiscard]] bool has(Field field) const { return found_.has(field); }
  void fault(InvalidReason reason) {
    if (!fault_ || reason < *fault_) fault_ = reason;  // [S2.25]
  }
  void check_keys();
  void set_user(Event& event, Text user, Text list) const;
  void add_invalid(InvalidReason reason);

  DecoderOptions options_;
  FieldPaths paths_;
  FieldPaths entry_paths_;
  TypeWords types_;
  dom::parser parser_;
  RawMembers raw_members_;
  EventBatchWriter writer_;

  // The record in hand.
  std::string_view record_;
  dom::object object_;
  FoundFields found_;
  FoundFields found_entry_;
  EventBatchWriter::Mark mark_;
  Event* event_ = nullptr;  // its last in the batch; kind and fate still open
  std::optional<InvalidReason> fault_;
  std::vector<Entry> entries_;
  std::vector<Segment> segments_;
  std::span<const std::string_view> raw_segments_;  // read when first needed
};

EventDecoder::Impl::Impl(DecoderOptions options)
    : options_(std::move(options)),
      paths_(options_.fields.paths),
      entry_paths_(recmeter::entry_paths(options_.fields)),
      types_(options_.fields, options_.actions) {
  RECMETER_CHECK(options_.actions.size() <= 256, "an action's index is 8 bits wide");
  RECMETER_CHECK(options_.list_items_max <= std::numeric_limits<std::uint32_t>::max(), "a rank is 32 bits wide");
  RECMETER_CHECK(options_.fields.position_base == 0 || options_.fields.position_base == 1, "ranks are counted from 0 or 1");
  RECMETER_CHECK(parser_.allocate(parser_bytes_min) == simdjson::SUCCESS, "there is memory for a parser");
}

EventBatch EventDecoder::Impl::decode(const RecordBatch& records) {
  writer_.begin(records.records.size(), records.bytes.size());
  for (std::size_t i = 0; i < records.records.size(); ++i) decode_record(records, i);
  return writer_.finish();
}

void EventDecoder::Impl::decode_record(const RecordBatch& records, std::size_t index) {
  const Record& record = records.records[index];
  mark_ = writer_.mark();
  fault_.reset();
  raw_segments_ = {};
  event_ = &writer_.new_event();
  event_->first_string = static_cast<std::uint32_t>(mark_.strings);
  event_->first_number = static_cast<std::uint32_t>(mark_.numbers);
  event_->first_of_record = true;
  event_->broker_time = record.broker_time;
  if (record.tombstone) {
    event_->outcome = Outcome::ignored;
    return;
  }
  record_ = records.record(index);
  if (const auto unreadable = parse(record_)) return add_invalid(*unreadable);
  paths_.find(object_, found_);
  if (!has(Field::type) || found_.is_twice(Field::type) || !found_[Field::type].is_string() ||
      text_of(found_[Field::type]).empty()) {
    return add_invalid(InvalidReason::no_type);
  }
  const int meaning = types_.meaning(text_of(found_[Field::type]));
  if (meaning == TypeWords::ignored) return decode_ignored();
  check_keys();
  if (meaning == TypeWords::impression) return decode_impression();
  decode_feedback(static_cast<std::uint8_t>(meaning));
}

std::optional<InvalidReason> EventDecoder::Impl::parse(std::string_view record) {
  static_assert(RecordBatch::padding >= simdjson::SIMDJSON_PADDING);
  if (record.size() > options_.message_bytes_max) return InvalidReason::too_long;
  // At the start of a file the source took it off; elsewhere it is no JSON, whatever the parser's version thinks.
  if (starts_with_byte_order_mark(record)) return InvalidReason::not_json;
  dom::element root;
  if (parser_.parse(record.data(), record.size(), false).get(root) != simdjson::SUCCESS) return InvalidReason::not_json;
  if (root.get_object().get(object_) != simdjson::SUCCESS) return InvalidReason::not_an_object;
  return std::nullopt;
}

void EventDecoder::Impl::add_invalid(InvalidReason reason) {
  writer_.take_back(mark_);
  const std::optional<EventTime> broker_time = event_->broker_time;
  *event_ = Event();
  event_->outcome = Outcome::invalid;
  event_->reason = reason;
  event_->first_of_record = true;
  event_->broker_time = broker_time;
}

void EventDecoder::Impl::decode_ignored() {
  if (!found_.is_twice(Field::ts)) {
    event_->ts = time();
    event_->has_time = !fault_;
  }
  if (!event_->has_time) event_->ts = EventTime();
  event_->outcome = Outcome::ignored;
}

void EventDecoder::Impl::check_keys() {
  if (found_.twice != 0) fault(InvalidReason::duplicate_key);
}

void EventDecoder::Impl::set_user(Event& event, Text user, Text list) const {
  event.nobody = options_.key.is_nobody(writer_.view(user));
  event.key_hash = hash_id(writer_.view(event.nobody ? list : user));
}

void EventDecoder::Impl::decode_impression() {
  const bool is_whole = has(Field::items);
  event_->kind = is_whole ? EventKind::impression : EventKind::row;
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

  const std::size_t scores = add_numbers(Field::scores, InvalidReason::number_out_of_range);
  const std::size_t propensities = add_numbers(Field::propensities, InvalidReason::bad_propensity);
  const std::optional<double> score = number_field(Field::score, InvalidReason::number_out_of_range);
  const std::optional<double> propensity = number_field(Field::propensity, InvalidReason::bad_propensity);
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
  event_->segment_count = add_segments();
  if (fault_) return add_invalid(*fault_);
  set_user(*event_, user, list);
}

void EventDecoder::Impl::decode_feedback(std::uint8_t action) {
  event_->kind = EventKind::feedback;
  event_->action = action;
  event_->item_count = 1;
  event_->ts = time();
  event_->has_time = true;
  const Text user = id_field(Field::user_id, options_.key.by == JoinKey::By::user);
  const Text list = id_field(Field::list_id, false);
  const Text event_id = id_field(Field::event_id, false);
  const std::optional<double> value = number_field(Field::value, InvalidReason::number_out_of_range);
  if (has(Field::items) && has(Field::item_id)) fault(InvalidReason::items_and_item_id);
  if (!has(Field::items) && !has(Field::item_id)) fault(InvalidReason::missing_field);
  entries_.clear();
  if (has(Field::item_id)) entries_.push_back({id_field(Field::item_id, true), value});
  if (has(Field::items)) read_basket(value);
  if (fault_) return add_invalid(*fault_);

  set_user(*event_, user, list);
  EventBatchWriter::Mark next = mark_;
  for (const Entry& entry : entries_) {
    if (&entry != entries_.data()) {
      event_ = &writer_.repeat_event();
      event_->first_of_record = false;
    }
    event_->first_string = static_cast<std::uint32_t>(next.strings);
    event_->first_number = static_cast<std::uint32_t>(next.numbers);
    for (const Text text : {user, list, event_id}) writer_.add_string(text);
    writer_.add_item(entry.item);
    event_->has_value = entry.value.has_value();
    if (entry.value) writer_.add_number(*entry.value);
    next = writer_.mark();
  }
}

void EventDecoder::Impl::read_basket(std::optional<double> value) {
  dom::array entries;
  if (found_[Field::items].get_array().get(entries) != simdjson::SUCCESS) return fault(InvalidReason::wrong_type);
  for (const dom::element entry : entries) read_entry(entry, value);
  if (entries_.empty()) fault(InvalidReason::empty_basket);
  if (entries_.size() > options_.list_items_max) fault(InvalidReason::too_many_items);
}

void EventDecoder::Impl::read_entry(const dom::element& element, std::optional<double> value) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS) {
    entries_.push_back({id(element), value});
    return;
  }
  entry_paths_.find(object, found_entry_);
  Entry entry{{}, value};
  if (found_entry_.twice != 0) fault(InvalidReason::duplicate_key);
  if (found_entry_.has(entry_item_id)) {
    entry.item = id(found_entry_[entry_item_id]);
  } else {
    fault(InvalidReason::missing_field);
  }
  if (found_entry_.has(entry_value)) entry.value = number(found_entry_[entry_value], InvalidReason::number_out_of_range);
  entries_.push_back(entry);
}

EventTime EventDecoder::Impl::time() {
  if (!has(Field::ts)) {
    fault(InvalidReason::missing_field);
    return {};
  }
  const dom::element& element = found_[Field::ts];
  std::optional<EventTime> time;
  if (options_.fields.unit == TimeUnit::rfc3339) {
    if (element.is_string()) time = parse_rfc3339(text_of(element));
    if (!time) {
      fault(InvalidReason::wrong_type);
      return {};
    }
    if (!is_event_time(*time)) time.reset();
  } else if (element.type() == element_type::INT64) {
    time = event_time_from(element.get_int64().value_unsafe(), options_.fields.unit);
  } else if (element.type() != element_type::UINT64) {  // beyond int64 is beyond 2200 in every unit
    fault(InvalidReason::wrong_type);
    return {};
  }
  if (!time) fault(InvalidReason::time_out_of_range);
  return time.value_or(EventTime());
}

EventBatchWriter::Text EventDecoder::Impl::id_field(Field field, bool is_required) {
  if (has(field)) return id(found_[field]);
  if (is_required) fault(InvalidReason::missing_field);
  return {};
}

EventBatchWriter::Text EventDecoder::Impl::id(const dom::element& element) {
  Digits digits;
  return writer_.store(id_text(element, digits));
}

// `digits`: room for an id that is a number.
std::string_view EventDecoder::Impl::id_text(const dom::element& element, Digits& digits) {
  std::string_view text;
  switch (element.type()) {
    case element_type::STRING: text = text_of(element); break;
    case element_type::INT64: text = (digits = Digits(element.get_int64().value_unsafe())).text(); break;
    case element_type::UINT64: text = (digits = Digits(element.get_uint64().value_unsafe())).text(); break;
    default: fault(InvalidReason::wrong_type); return {};
  }
  if (text.empty()) fault(InvalidReason::empty_id);
  if (text.size() > options_.id_bytes_max) fault(InvalidReason::id_too_long);
  return text;
}

std::optional<double> EventDecoder::Impl::number_field(Field field, InvalidReason out_of_range) {
  if (!has(field)) return std::nullopt;
  return number(found_[field], out_of_range);
}

// `out_of_range` says what range is asked for: propensities have their own.
double EventDecoder::Impl::number(const dom::element& element, InvalidReason out_of_range) {
  double value = 0;
  if (!element.is_number() || element.get_double().get(value) != simdjson::SUCCESS) {
    fault(InvalidReason::wrong_type);
    return 0;
  }
  const bool is_in_range =
      out_of_range == InvalidReason::bad_propensity ? value > 0 && value <= 1 : std::abs(value) <= magnitude_max;
  if (!is_in_range) fault(out_of_range);
  return value + 0.0;  // -0.0 becomes 0: equal numbers have equal canonical bytes
}

std::size_t EventDecoder::Impl::add_numbers(Field field, InvalidReason out_of_range) {
  if (!has(field)) return 0;
  dom::array numbers;
  if (found_[field].get_array().get(numbers) != simdjson::SUCCESS) {
    fault(InvalidReason::wrong_type);
    return 0;
  }
  std::size_t count = 0;
  for (const dom::element element : numbers) {
    writer_.add_number(number(element, out_of_range));
    ++count;
  }
  return count;
}

std::uint32_t EventDecoder::Impl::position() {
  if (!has(Field::position)) return 0;
  const dom::element& element = found_[Field::position];
  if (!element.is_number()) {
    fault(InvalidReason::wrong_type);
    return 0;
  }
  std::int64_t value = 0;
  const std::int64_t base = options_.fields.position_base;
  if (element.type() != element_type::INT64 || element.get_int64().get(value) != simdjson::SUCCESS || value < base ||
      value - base >= static_cast<std::int64_t>(options_.list_items_max)) {
    fault(InvalidReason::bad_position);
    return 0;
  }
  return static_cast<std::uint32_t>(value - base + 1);
}

std::uint32_t EventDecoder::Impl::add_items() {
  dom::array items;
  if (found_[Field::items].get_array().get(items) != simdjson::SUCCESS) {
    fault(InvalidReason::wrong_type);
    return 0;
  }
  std::uint32_t count = 0;
  Digits digits;
  for (const dom::element item : items) {
    writer_.add_item(id_text(item, digits));
    ++count;
  }
  if (count > options_.list_items_max) fault(InvalidReason::too_many_items);
  return count;
}

std::uint16_t EventDecoder::Impl::add_segments() {
  if (!has(Field::segments)) return 0;
  dom::object object;
  if (found_[Field::segments].get_object().get(object) != simdjson::SUCCESS) {
    fault(InvalidReason::wrong_type);
    return 0;
  }
  segments_.clear();
  std::size_t index = 0;
  for (const auto [key, value] : object) {
    const std::optional<Text> text = segment_value(value, index++);
    if (!text) fault(InvalidReason::wrong_type);
    segments_.push_back({writer_.store(key), text.value_or(Text())});
    if (key.size() > options_.segment_bytes_max || segments_.back().value.size() > options_.segment_bytes_max) {
      fault(InvalidReason::segment_too_long);
    }
  }
  const auto key_of = [this](const Segment& segment) { return writer_.view(segment.key); };
  std::sort(segments_.begin(), segments_.end(), [&](const Segment& a, const Segment& b) { return key_of(a) < key_of(b); });
  const auto same_key = [&](const Segment& a, const Segment& b) { return key_of(a) == key_of(b); };
  if (std::adjacent_find(segments_.begin(), segments_.end(), same_key) != segments_.end())
    fault(InvalidReason::duplicate_key);
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

// Of the `index`-th member. An empty text is a missing value; nothing is a value of a wrong type.
std::optional<EventBatchWriter::Text> EventDecoder::Impl::segment_value(const dom::element& element, std::size_t index) {
  switch (element.type()) {
    case element_type::STRING: return writer_.store(text_of(element));
    case element_type::BOOL: return writer_.store(element.get_bool().value_unsafe() ? "true" : "false");
    case element_type::NULL_VALUE: return Text();
    case element_type::INT64:
      // Of an integer only a zero can be written in two ways.
      if (const std::int64_t value = element.get_int64().value_unsafe(); value != 0)
        return writer_.store(Digits(value).text());
      [[fallthrough]];
    case element_type::UINT64:
    case element_type::DOUBLE:
      if (raw_segments_.empty()) {
        raw_segments_ = raw_members_.read(record_, options_.fields.paths[static_cast<std::size_t>(Field::segments)]);
      }
      return writer_.store(raw_segments_[index]);
    default: return std::nullopt;
  }
}

EventDecoder::EventDecoder(DecoderOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
EventDecoder::~EventDecoder() = default;
EventDecoder::EventDecoder(EventDecoder&&) noexcept = default;

EventBatch EventDecoder::decode(const RecordBatch& records) {
  return impl_->decode(records);
}

}  // namespace recmeter
