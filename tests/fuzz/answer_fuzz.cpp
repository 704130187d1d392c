// Any bytes are what a registry answers to the questions for one schema, divided by NUL bytes, each behind a digit for its
// status: 2: 200, 4: 404, else 500. Whatever it says, the question ends or asks for a path that is one, and what is kept is
// bounded.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/cost.h"
#include "fuzz/require.h"
#include "recmeter/event/schema_bounds.h"
#include "registry/question.h"

namespace {

using namespace recmeter;
using test::require;

constexpr fuzz::CostBounds bounds{.seconds = 2, .bytes = std::size_t{64} << 20};

registry::HttpReply reply_of(std::string_view bytes) {
  registry::HttpReply reply{.status = 500, .body = std::string(bytes.substr(std::min<std::size_t>(1, bytes.size())))};
  if (bytes.starts_with('2')) reply.status = 200;
  if (bytes.starts_with('4')) reply.status = 404;
  return reply;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view left(reinterpret_cast<const char*>(data), size);
  const fuzz::Cost cost("answer_fuzz", bounds);
  registry::Question question(std::string_view("\0\0\0\0\7", 5));
  while (!left.empty() && !question.path().empty()) {
    const std::string path = question.path();
    require(path.starts_with("/schemas/ids/7") || path.starts_with("/subjects/"), "a path is one of two");
    require(std::ranges::all_of(path, [](char c) { return c > ' ' && c < 0x7F; }), "a path is ASCII without spaces");
    const std::string_view reply = left.substr(0, left.find('\0'));
    left.remove_prefix(std::min(left.size(), reply.size() + 1));
    if (!question.take(reply_of(reply))) require(question.path() == "/schemas/ids/7", "it begins anew");
  }
  if (!question.path().empty() || question.schema() == nullptr) return 0;
  const registry::KnownSchema& schema = *question.schema();
  std::size_t bytes = 0;
  for (const auto& part : schema.parts) bytes += part.text.size();
  require(bytes <= schema_text_bytes_max, "what is kept is bounded");
  require(schema.kind == registry::KnownSchema::Kind::too_large || !schema.parts.empty(), "a schema has a text");
  return 0;
}
