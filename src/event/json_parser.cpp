#include "event/json_parser.h"

#include <bit>
#include <cstdint>
#include <span>

#include "recmeter/base/check.h"

namespace recmeter {
namespace {

constexpr std::size_t parser_bytes_min = 64 << 10;  // room for ordinary records from the start

// The tape of a document has a word for each value, two for a number: its type, then its bits.
void set_numbers(simdjson::dom::document& document, std::span<const WideNumbers::Special> specials) {
  constexpr int type_shift = 56;
  std::uint64_t* const tape = document.tape.get();
  const std::uint64_t end = tape[0] & ((std::uint64_t{1} << type_shift) - 1);
  std::size_t number = 0;
  auto next = specials.begin();
  for (std::uint64_t at = 1; at < end && next != specials.end(); ++at) {
    const auto type = static_cast<char>(tape[at] >> type_shift);
    if (type != 'l' && type != 'u' && type != 'd') continue;
    ++at;
    if (number++ != next->number) continue;
    RECMETER_CHECK(type == 'd', "what stands for a special number is a double");
    tape[at] = std::bit_cast<std::uint64_t>((next++)->value);
  }
}

}  // namespace

JsonParser::JsonParser() {
  RECMETER_CHECK(parser_.allocate(parser_bytes_min) == simdjson::SUCCESS, "there is memory for a parser");
}

std::optional<InvalidReason> JsonParser::parse_object(const RecordBatch& records, std::size_t index,
                                                      simdjson::dom::element& object) {
  static_assert(RecordBatch::padding >= simdjson::SIMDJSON_PADDING);
  text_ = records.record(index);
  // At the start of a file the source took it off; elsewhere it is no JSON, whatever the parser's version thinks.
  if (text_.starts_with("\xEF\xBB\xBF")) return InvalidReason::not_json;
  if (parser_.parse(text_.data(), text_.size(), false).get(object) != simdjson::SUCCESS && !parse_anew(object)) {
    return InvalidReason::not_json;
  }
  return object.is_object() ? std::nullopt : std::optional(InvalidReason::not_an_object);
}

bool JsonParser::parse(std::string_view text, simdjson::dom::element& root) {
  text_ = text;
  // The parser copies it to where bytes may be read behind it.
  return parser_.parse(text.data(), text.size(), true).get(root) == simdjson::SUCCESS || parse_anew(root);
}

bool JsonParser::parse_anew(simdjson::dom::element& root) {
  if (!wide_.write_anew(text_, simdjson::SIMDJSON_PADDING)) return false;
  text_ = wide_.text();
  if (parser_.parse(text_.data(), text_.size(), false).get(root) != simdjson::SUCCESS) return false;
  set_numbers(parser_.doc, wide_.specials());
  return true;
}

}  // namespace recmeter
