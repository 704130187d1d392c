#include "evaluation/stamped_line.h"

#include <xxhash.h>

#include "recmeter/base/base64.h"
#include "recmeter/base/read_number.h"

namespace recmeter {

std::optional<StampedLine> parse_stamped(std::string_view line) {
  const std::size_t first = line.find('\t');
  const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  StampedLine parsed{.slot = {}, .ts = {}, .base64 = line.substr(second + 1)};
  if (line.substr(0, first) != "-") {
    parsed.slot = read_number<std::uint8_t>(line.substr(0, first));
    if (!parsed.slot) return std::nullopt;
  }
  const auto ms = read_number<std::int64_t>(line.substr(first + 1, second - first - 1));
  if (!ms) return std::nullopt;
  parsed.ts.ms = *ms;
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

std::uint64_t stamp_checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace recmeter
