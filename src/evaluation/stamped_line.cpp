#include "evaluation/stamped_line.h"

#include <xxhash.h>

#include <charconv>

#include "recmeter/base/base64.h"

namespace recmeter {

namespace {

template <class Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<StampedLine> parse_stamped(std::string_view line) {
  const std::size_t first = line.find('\t');
  const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  StampedLine parsed{.slot = {}, .ts = {}, .base64 = line.substr(second + 1)};
  std::uint8_t slot = 0;
  if (line.substr(0, first) != "-") {
    if (!read_whole(line.substr(0, first), slot)) return std::nullopt;
    parsed.slot = slot;
  }
  if (!read_whole(line.substr(first + 1, second - first - 1), parsed.ts.ms)) return std::nullopt;
  return parsed;
}

void add_stamped(std::string& to, std::optional<std::uint8_t> slot, EventTime ts, std::string_view bytes) {
  to += slot ? std::to_string(*slot) : "-";
  to += '\t';
  to += std::to_string(ts.ms);
  to += '\t';
  add_base64(to, bytes);
  to += '\n';
}

std::uint64_t partition_hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

}  // namespace recmeter
