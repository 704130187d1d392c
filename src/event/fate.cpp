#include "recmeter/event/fate.h"

#include "recmeter/base/check.h"

namespace recmeter {

std::string_view to_string(Fate fate) noexcept {
  switch (fate) {
    case Fate::invalid: return "invalid";
    case Fate::ignored: return "ignored";
    case Fate::future: return "future";
    case Fate::late: return "late";
    case Fate::duplicate: return "duplicate";
    case Fate::accepted: return "accepted";
    case Fate::undecided: return "undecided";
  }
  RECMETER_CHECK(false, "a fate without a name");
}

std::string_view to_string(InvalidReason reason) noexcept {
  switch (reason) {
    case InvalidReason::too_long: return "too_long";
    case InvalidReason::not_json: return "not_json";
    case InvalidReason::not_a_row: return "not_a_row";
    case InvalidReason::not_avro: return "not_avro";
    case InvalidReason::not_protobuf: return "not_protobuf";
    case InvalidReason::no_frame: return "no_frame";
    case InvalidReason::unknown_schema: return "unknown_schema";
    case InvalidReason::not_an_object: return "not_an_object";
    case InvalidReason::no_type: return "no_type";
    case InvalidReason::missing_field: return "missing_field";
    case InvalidReason::wrong_type: return "wrong_type";
    case InvalidReason::empty_id: return "empty_id";
    case InvalidReason::id_too_long: return "id_too_long";
    case InvalidReason::duplicate_key: return "duplicate_key";
    case InvalidReason::bad_embedded_json: return "bad_embedded_json";
    case InvalidReason::time_out_of_range: return "time_out_of_range";
    case InvalidReason::time_in_gap: return "time_in_gap";
    case InvalidReason::too_many_items: return "too_many_items";
    case InvalidReason::bad_position: return "bad_position";
    case InvalidReason::items_and_item_id: return "items_and_item_id";
    case InvalidReason::empty_basket: return "empty_basket";
    case InvalidReason::length_mismatch: return "length_mismatch";
    case InvalidReason::number_out_of_range: return "number_out_of_range";
    case InvalidReason::bad_propensity: return "bad_propensity";
    case InvalidReason::segment_too_long: return "segment_too_long";
  }
  RECMETER_CHECK(false, "a reason without a name");
}

}  // namespace recmeter
