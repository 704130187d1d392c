#include "app/generate/malformed_record.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

#include "recmeter/base/check.h"

namespace recmeter::generate {

namespace {

// The default limits that these records break.
constexpr std::size_t message_bytes_max = 1 << 20;
constexpr std::size_t list_items_max = 1000;
constexpr std::size_t id_bytes_max = 256;
constexpr std::size_t segment_bytes_max = 256;

std::string_view pick(std::span<const std::string_view> forms, std::uint64_t form) {
  return forms[form % forms.size()];
}

// An impression with `rest` after the user; a click likewise.
std::string impression(EventTime ts, std::string_view rest) {
  return fmt::format(R"({{"type":"impression","ts":{},"list_id":"bad","user_id":"u1",{}}})", ts.ms, rest);
}
std::string click(EventTime ts, std::string_view rest) {
  return fmt::format(R"({{"type":"click","ts":{},"user_id":"u1",{}}})", ts.ms, rest);
}

std::string not_json(EventTime ts, std::uint64_t form) {
  const std::string good = click(ts, R"("item_id":"i1")");
  switch (form % 6) {
    case 0: return good.substr(0, good.size() / 2);
    case 1: return good + "}";
    case 2: return click(ts, "\"item_id\":\"i\xff\xfe\"");  // not UTF-8
    case 3: return click(ts, R"("item_id":"i\ud800")");     // a lone surrogate
    case 4: return click(ts, R"("item_id":"i1","value":.5)");
    default: return std::string("\x00\x01\x1f\x8b\x08\x7f\x80", 7);  // binary
  }
}

std::string too_many_items(EventTime ts) {
  std::string items = R"("items":["i0")";
  for (std::size_t i = 1; i <= list_items_max; ++i) items += fmt::format(R"(,"i{}")", i);
  return impression(ts, items + "]");
}

std::string time_out_of_range(std::uint64_t form) {
  constexpr std::array<std::string_view, 4> times{"0", "-1", "315532799999", "7258118400000"};
  return fmt::format(R"({{"type":"click","ts":{},"user_id":"u1","item_id":"i1"}})", pick(times, form));
}

constexpr std::array<std::string_view, 3> no_objects{"[1,2]", "42", "\"click\""};
constexpr std::array<std::string_view, 4> no_types{R"({"ts":1})", R"({"type":"","ts":1})", R"({"type":7,"ts":1})",
                                                   R"({"type":null,"ts":1})"};
constexpr std::array<std::string_view, 3> wrong_types{R"("items":"i1")", R"("items":["i1",null])",
                                                      R"("items":["i1"],"segments":[])"};
constexpr std::array<std::string_view, 2> bad_positions{R"("item_id":"i1","position":0)",
                                                        R"("item_id":"i1","position":1001)"};
constexpr std::array<std::string_view, 2> mismatches{R"("items":["i1","i2"],"scores":[0.5])",
                                                     R"("items":["i1"],"propensities":[0.5,0.5])"};
constexpr std::array<std::string_view, 2> propensities{R"("items":["i1"],"propensities":[0])",
                                                       R"("items":["i1"],"propensities":[1.5])"};

}  // namespace

std::string malformed_record(InvalidReason reason, EventTime ts, std::uint64_t form) {
  switch (reason) {
    case InvalidReason::too_long:
      return click(ts, fmt::format(R"("item_id":"i1","note":"{}")", std::string(message_bytes_max, 'x')));
    case InvalidReason::not_json: return not_json(ts, form);
    case InvalidReason::not_an_object: return std::string(pick(no_objects, form));
    case InvalidReason::no_type: return std::string(pick(no_types, form));
    case InvalidReason::missing_field:
      return form % 2 == 0 ? click(ts, R"("list_id":"l1")") : impression(ts, R"("items":null)");
    case InvalidReason::wrong_type: return impression(ts, pick(wrong_types, form));
    case InvalidReason::empty_id: return click(ts, R"("item_id":"")");
    case InvalidReason::id_too_long: return click(ts, fmt::format(R"("item_id":"{}")", std::string(id_bytes_max + 1, 'i')));
    case InvalidReason::duplicate_key: return click(ts, R"("item_id":"i1","item_id":"i2")");
    case InvalidReason::time_out_of_range: return time_out_of_range(form);
    case InvalidReason::too_many_items: return too_many_items(ts);
    case InvalidReason::bad_position: return impression(ts, pick(bad_positions, form));
    case InvalidReason::items_and_item_id: return impression(ts, R"("items":["i1"],"item_id":"i1","position":1)");
    case InvalidReason::empty_basket: return click(ts, R"("items":[])");
    case InvalidReason::length_mismatch: return impression(ts, pick(mismatches, form));
    case InvalidReason::number_out_of_range: return click(ts, R"("item_id":"i1","value":1000000000)");
    case InvalidReason::bad_propensity: return impression(ts, pick(propensities, form));
    case InvalidReason::segment_too_long:
      return impression(
          ts, fmt::format(R"("items":["i1"],"segments":{{"variant":"{}"}})", std::string(segment_bytes_max + 1, 'v')));
    default: break;
  }
  RECMETER_CHECK(false, "a reason that native JSON does not have");
}

}  // namespace recmeter::generate
