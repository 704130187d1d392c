// Any bytes are a message. Reading must not crash, must look at no byte beyond, and must not make more of them than there is:
// what can be read whole can be read in part, and every text lies within the message.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "recmeter/protobuf/program.h"

namespace {

using namespace recmeter;

const WantedFields everything{.whole = true, .members = {}};
const WantedFields some = [] {
  const WantedFields key{.whole = false, .members = {{"k", everything}}};
  WantedFields wanted;
  wanted.members = {{"name", everything}, {"words", everything}, {"below", key},
                    {"map", key},         {"one", everything},   {"at", everything}};
  return wanted;
}();

constexpr const char* schema = R"(syntax = "proto3"; package t;
import "google/protobuf/timestamp.proto";
enum E { ZERO = 0; ONE = 1; }
message M {
  string name = 1; int64 count = 2; repeated string words = 3; map<string, string> map = 4; M below = 5;
  oneof o { string one = 6; int32 other = 7; }
  repeated sint32 packed = 8; double number = 9; repeated M list = 10; map<int32, M> deep = 11; E kind = 12;
  google.protobuf.Timestamp at = 13; fixed32 k = 14; bytes raw = 15; string far = 400; })";

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "protobuf_fuzz: %s\n", what);
  std::abort();
}

// Looks at all there is. Keys are names of the schema, or texts of a map, or made of its numbers.
std::size_t texts_within(const FieldValue& value, std::string_view message) {
  std::size_t count = 0;
  if (value.kind() == ValueKind::list) {
    for (const FieldValue& entry : value.entries()) count += texts_within(entry, message);
  } else if (value.kind() == ValueKind::object) {
    for (const FieldMember& member : value.members()) count += member.key.size() + texts_within(member.value, message);
  } else if (value.kind() == ValueKind::text && value.text() != "ZERO" && value.text() != "ONE") {
    const std::string_view text = value.text();
    require(text.data() >= message.data() && text.data() + text.size() <= message.data() + message.size(),
            "a text lies within its message");
    count += text.size();
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto types = [] {
    const protobuf::SchemaFile file{.name = "t.proto", .text = schema};
    auto made = protobuf::MessageSchema::of_texts({&file, 1});
    require(made.has_value(), "the schema is one");
    return *made;
  }();
  static const protobuf::Program whole(types, *types.message("t.M"), everything);
  static const protobuf::Program parts(types, *types.message("t.M"), some);
  const std::string message(data, data + size);
  RecordArena arena;
  const auto all = whole.read(message, arena);
  const auto chosen = parts.read(message, arena);
  if (all) require(chosen.has_value(), "what can be read can be read in part");
  if (all) static_cast<void>(texts_within(*all, message));
  if (chosen) static_cast<void>(texts_within(*chosen, message));
  return 0;
}
