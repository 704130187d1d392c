#include "recmeter/result/invalid_record.h"

#include <fmt/format.h>

#include "recmeter/base/utf8.h"

namespace recmeter {
namespace {

constexpr std::size_t quoted_characters = 80;

}  // namespace

std::string quoted_text(std::string_view text) {
  std::string quoted;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == quoted_characters) return quoted + "...";
    const CodePoint next = code_point_at(text, at);
    if (!next.valid || is_unprintable(next.value)) {
      for (const char byte : text.substr(at, next.bytes)) {
        quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
      }
    } else {
      quoted += text.substr(at, next.bytes);
    }
    at += next.bytes;
  }
  return quoted;
}

std::string fault_text(const InvalidSample& sample) {
  const std::string_view reason = to_string(sample.reason);
  if (sample.field.empty()) return std::string(reason);
  if (sample.value.empty()) return fmt::format("{}: `{}`", reason, sample.field);
  return fmt::format("{}: `{}` is {}", reason, sample.field, quoted_text(sample.value));
}

std::string sentence_of(const InvalidRecord& record) {
  const InvalidSample& sample = record.sample;
  const std::string place = sample.line == 0 ? fmt::format("a record of {}", record.partition)
                                             : fmt::format("line {} of {}", sample.line, record.partition);
  return fmt::format("{} is invalid, {}, in {}", place, fault_text(sample), quoted_text(sample.record));
}

}  // namespace recmeter
