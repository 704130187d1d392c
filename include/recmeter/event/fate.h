// Fate: what became of an event, and why an invalid one is invalid. Both sets are closed; [S3] and [S9].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recmeter {

// Checked in this order: unreadable and invalid, ignored (an ignored record's other fields are not looked at), future, late,
// duplicate, accepted. `undecided` is the state of an event whose fate needs later events.
enum class Fate : std::uint8_t { invalid, ignored, future, late, duplicate, accepted, undecided };

// Why a record is unreadable (first group) or an event invalid (second group). The names are what users see in
// `invalid_reasons` of the run report; never renamed.
enum class InvalidReason : std::uint8_t {
  too_long,             // longer than limits.message_bytes
  not_json,             // not one whole valid JSON value in UTF-8
  not_a_row,            // CSV: of another number of columns than the header, or with a broken quote
  not_avro,             // not one whole value of its schema
  not_protobuf,         // not one whole message
  no_frame,             // of a topic with a schema registry: without the frame that names its schema
  unknown_schema,       // of a schema that the registry does not know
  not_an_object,        // well formed, but no object
  no_type,              // `type` absent, null, empty, not a string, or there twice
  bad_embedded_json,    // a text that is read as JSON is none
  missing_field,        // a required field absent or null
  wrong_type,           // a field of another JSON type than its own
  empty_id,             // an id that is ""
  id_too_long,          // an id over limits.id_bytes
  duplicate_key,        // a known key or a segment key twice
  time_out_of_range,    // ts before 1980 or not before 2200
  time_in_gap,          // a local time that its zone skips
  too_many_items,       // over limits.list_items
  bad_position,         // no integer in 1..limits.list_items
  items_and_item_id,    // both `items` and `item_id`
  empty_basket,         // feedback with `items: []`
  length_mismatch,      // scores, propensities or teams of another length than items
  number_out_of_range,  // score, value or latency not finite or beyond 1e8 in magnitude, or a latency below 0
  bad_propensity,       // propensity outside (0, 1]
  segment_too_long,     // a segment key or value, or a team, over limits.segment_bytes
};

inline constexpr std::size_t invalid_reason_count = 25;

// Those that a record of native JSON can have; the others belong to other encodings and shapes.
inline constexpr std::array native_json_reasons{InvalidReason::too_long,          InvalidReason::not_json,
                                                InvalidReason::not_an_object,     InvalidReason::no_type,
                                                InvalidReason::missing_field,     InvalidReason::wrong_type,
                                                InvalidReason::empty_id,          InvalidReason::id_too_long,
                                                InvalidReason::duplicate_key,     InvalidReason::time_out_of_range,
                                                InvalidReason::too_many_items,    InvalidReason::bad_position,
                                                InvalidReason::items_and_item_id, InvalidReason::empty_basket,
                                                InvalidReason::length_mismatch,   InvalidReason::number_out_of_range,
                                                InvalidReason::bad_propensity,    InvalidReason::segment_too_long};

[[nodiscard]] std::string_view to_string(Fate fate) noexcept;
[[nodiscard]] std::string_view to_string(InvalidReason reason) noexcept;

}  // namespace recmeter
