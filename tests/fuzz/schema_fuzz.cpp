// Any bytes are a schema and a value of it, divided by the first NUL byte behind the letter that says which: a: Avro; p: a
// Protobuf source; d: a descriptor set, in hexadecimal digits. Whatever the schema, compiling it and reading by it is done
// in little time and memory [S2.41] [S2.42], and what can be read whole can be read in part.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/cost.h"
#include "fuzz/require.h"
#include "recmeter/avro/program.h"
#include "recmeter/protobuf/program.h"

namespace {

using namespace recmeter;
using test::require;

constexpr fuzz::CostBounds bounds{.seconds = 4, .bytes = std::size_t{160} << 20};

const WantedFields everything{.whole = true, .members = {}};
const WantedFields some = [] {
  WantedFields wanted;
  wanted.members = {{"a", everything}, {"b", {.whole = false, .members = {{"a", everything}, {"c", everything}}}}};
  return wanted;
}();

void read_avro(const std::string& schema, std::string_view value) {
  const auto whole = avro::Program::compile({&schema, 1}, &everything);
  const auto parts = avro::Program::compile({&schema, 1}, &some);
  if (!whole || !parts) return;
  RecordArena arena;
  const auto length = whole->length(value);
  require(length == parts->length(value), "a value's length is its own");
  if (whole->read(value, arena)) require(length == value.size(), "what is read is as long as what is passed over");
  arena.clear();
  static_cast<void>(parts->read(value, arena));
}

void read_protobuf(const Result<protobuf::MessageSchema>& schema, std::string_view value) {
  if (!schema) return;
  protobuf::Programs whole(*schema, everything), parts(*schema, some);
  for (std::int64_t place = 0; place < 4; ++place) {
    const std::int64_t places[]{place};
    const auto* const all = whole.of(places);
    const auto* const chosen = parts.of(places);
    require((all == nullptr) == (chosen == nullptr), "a message is one whatever is wanted of it");
    if (all == nullptr) return;
    RecordArena arena;
    const bool is_read = all->read(value, arena).has_value();
    arena.clear();
    if (is_read) require(chosen->read(value, arena).has_value(), "what can be read can be read in part");
  }
}

std::string bytes_of(std::string_view digits) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>((digit(digits[i]) & 15) << 4 | (digit(digits[i + 1]) & 15));
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string input(data + 1, data + size);
  const std::string schema = input.substr(0, input.find('\0'));
  const std::string value = input.substr(std::min(input.size(), schema.size() + 1));
  const fuzz::Cost cost("schema_fuzz", bounds);
  if (*data == 'a') read_avro(schema, value);
  const protobuf::SchemaFile file{.name = "schema", .text = schema};
  if (*data == 'p') read_protobuf(protobuf::MessageSchema::of_texts({&file, 1}), value);
  if (*data == 'd') read_protobuf(protobuf::MessageSchema::of_descriptors(bytes_of(schema)), value);
  return 0;
}
