// Any bytes are a record. The decoder must not crash, must call unreadable exactly what the reference does, and must read
// back the canonical form of what it read.
//
// The reference: the DOM parser by itself, a surrogate check of the plainest kind, and the search for a single `type`. Every
// input goes through three sets of options, so that renamed tables and other units are visited too.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "recmeter/event/canonical.h"
#include "recmeter/event/decoder.h"

namespace {

using namespace recmeter;

constexpr std::size_t message_bytes_max = 2048;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "decoder_fuzz: %s\n", what);
  std::abort();
}

DecoderOptions make_options(unsigned variant) {
  DecoderOptions options;
  options.actions = {"click", "purchase", "rating"};
  options.list_items_max = 4;
  options.id_bytes_max = 8;
  options.message_bytes_max = message_bytes_max;
  auto path = [&](Field field) -> std::vector<std::string>& { return options.fields.paths[static_cast<std::size_t>(field)]; };
  if (variant == 1) {
    path(Field::user_id) = {"user", "id"};
    path(Field::list_id) = {"user", "list"};
    path(Field::segments) = {"user"};
    options.fields.entry_item_id = {"a", "b"};
    options.fields.time.unit = TimeUnit::rfc3339;
    options.fields.position_base = 0;
  } else if (variant == 2) {
    options.key.by = JoinKey::By::list;
    options.key.not_users = {"anon"};
    options.fields.types = {{"buy", "purchase"}, {"view", "impression"}};
    options.fields.time.unit = TimeUnit::nanoseconds;
  }
  return options;
}

RecordBatch batch_of(std::string_view record) {
  RecordBatch batch;
  batch.bytes.assign(record.begin(), record.end());
  batch.bytes.resize(record.size() + RecordBatch::padding, '"');  // what follows must not matter
  batch.records.push_back({0, record.size(), std::nullopt, false});
  return batch;
}

// Takes the string apart into code units by hand.
bool reference_has_lone_surrogate(std::string_view json) {
  bool is_high_open = false;
  for (std::size_t i = 0; i < json.size();) {
    unsigned unit = 0;
    std::size_t size = 1;
    if (json[i] == '\\' && i + 1 < json.size()) {
      size = 2;
      if (json[i + 1] == 'u' && i + 6 <= json.size()) {
        unit = static_cast<unsigned>(std::strtoul(std::string(json.substr(i + 2, 4)).c_str(), nullptr, 16));
        size = 6;
      }
    }
    const bool is_low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (is_low != is_high_open) return true;
    is_high_open = unit >= 0xD800 && unit <= 0xDBFF;
    i += size;
  }
  return is_high_open;
}

// Numbers that the parser refuses and [S2.19] takes: what it says of such a record is no reference.
bool may_hold_wide_numbers(std::string_view record) {
  if (record.find("NaN") != std::string_view::npos || record.find("Infinity") != std::string_view::npos) return true;
  std::size_t digits = 0;
  for (const char c : record) {
    if (digits > 0 && (c == 'e' || c == 'E')) return true;
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 18) return true;
  }
  return false;
}

bool reference_is_unreadable(std::string_view record) {
  if (record.size() > message_bytes_max || record.substr(0, 3) == "\xEF\xBB\xBF") return true;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(simdjson::padded_string(record)).get_object().get(object) != simdjson::SUCCESS) return true;
  if (reference_has_lone_surrogate(record)) return true;
  int types = 0;
  bool is_text = false;
  for (const auto [key, value] : object) {
    if (key != "type") continue;
    ++types;
    is_text = value.is_string() && !value.get_string().value_unsafe().empty();
  }
  return types != 1 || !is_text;
}

void check_canonical(const DecoderOptions& options, EventDecoder& native, const EventBatch& batch, const Event& event) {
  // An empty list is left out of its canonical form, which then is no list.
  if (event.kind == EventKind::impression && event.item_count == 0) return;
  const std::string canonical = canonical_bytes(batch, event, options.actions);
  const EventBatch again = native.decode(batch_of(canonical));
  require(again.events().size() == 1 && again.events()[0].outcome == Outcome::event, "a canonical form is an event");
  require(canonical_bytes(again, again.events()[0], options.actions) == canonical, "a canonical form is its own");
}

void check_strings(const EventBatch& batch, const Event& event) {
  require(event.has_time && event.ts >= event_time_min && event.ts < event_time_end, "an event has a time in range");
  require(event.nobody ? event.key_hash == hash_id(batch.list_id(event)) : event.key_hash == hash_id(batch.user_id(event)),
          "an event's hash is that of its join key");
  for (std::size_t i = 0; i < event.item_count; ++i) require(!batch.item(event, i).empty(), "an id is not empty");
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    require(!batch.segment_value(event, i).empty(), "a segment value is not empty");
    require(i == 0 || batch.segment_key(event, i - 1) < batch.segment_key(event, i), "segment keys are sorted and unique");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<DecoderOptions, 3> options{make_options(0), make_options(1), make_options(2)};
  static const std::array decoders{make_decoder(options[0]), make_decoder(options[1]), make_decoder(options[2])};
  static const auto native = [] {
    DecoderOptions all;
    all.actions = options[0].actions;
    all.key.by = JoinKey::By::list;  // a user is not asked for
    all.message_bytes_max = 1 << 20;
    return make_decoder(all);
  }();
  const std::string record(data, data + size);
  const bool is_unreadable = reference_is_unreadable(record);
  const bool is_compared = !is_unreadable || !may_hold_wide_numbers(record);
  for (std::size_t variant = 0; variant < options.size(); ++variant) {
    const EventBatch batch = decoders[variant]->decode(batch_of(record));
    require(batch.records() == 1 && !batch.events().empty(), "a record has an event");
    const Event& first = batch.events().front();
    require(first.first_of_record, "a record begins with its first event");
    const bool was_unreadable = first.outcome == Outcome::invalid && first.reason <= InvalidReason::no_type;
    require(!is_compared || was_unreadable == is_unreadable, "unreadable is what the reference cannot read");
    for (const Event& event : batch.events()) {
      require(event.outcome == Outcome::event || batch.events().size() == 1, "only events are several");
      if (event.outcome != Outcome::event) continue;
      check_strings(batch, event);
      check_canonical(options[variant], *native, batch, event);
    }
  }
  return 0;
}
