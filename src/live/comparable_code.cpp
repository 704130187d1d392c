#include "live/comparable_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace recmeter {

namespace {

enum Form : std::uint8_t { without_value, one_by_one, by_table };

std::vector<std::uint32_t> distances_of(const Comparable& of) {
  std::vector<std::uint32_t> distances;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (!of.left_out.holds(g)) continue;
    const auto theta = of.left_out.theta[g];
    const float distance = theta ? static_cast<float>(*theta - *of.value) : std::numeric_limits<float>::quiet_NaN();
    distances.push_back(std::bit_cast<std::uint32_t>(distance));
  }
  return distances;
}

int bits_of_place(std::size_t table_size) {
  return static_cast<int>(std::bit_width(table_size - 1));
}

void add_places(const std::vector<std::uint32_t>& distances, const std::vector<std::uint32_t>& table, ByteWriter& to) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint32_t distance : distances) {
    const auto place = std::ranges::find(table, distance) - table.begin();
    bits |= static_cast<std::uint32_t>(place) << held;
    for (held += bits_of_place(table.size()); held >= 8; held -= 8, bits >>= 8) bytes.push_back(static_cast<char>(bits));
  }
  if (held > 0) bytes.push_back(static_cast<char>(bits));
  to.add_text(bytes);
}

// Of `count` groups. Empty: damaged.
std::vector<std::uint32_t> read_by_table(std::size_t count, ByteReader& from) {
  std::vector<std::uint32_t> table(std::min<std::size_t>(from.number(), user_groups));
  for (std::uint32_t& distance : table) distance = static_cast<std::uint32_t>(from.number());
  if (table.empty()) return {};
  std::vector<std::uint32_t> distances;
  const std::string_view places = from.text();
  const auto width = static_cast<std::size_t>(bits_of_place(table.size()));
  if (places.size() != (count * width + 7) / 8) return {};
  for (std::size_t at = 0; distances.size() < count; at += width) {
    std::uint32_t bits = 0;  // of the byte that has the first bit, and of the next
    for (std::size_t byte = 0; byte < 2 && at / 8 + byte < places.size(); ++byte) {
      bits |= std::uint32_t{static_cast<std::uint8_t>(places[at / 8 + byte])} << (8 * byte);
    }
    const std::uint32_t place = bits >> at % 8 & ((std::uint32_t{1} << width) - 1);
    if (place >= table.size()) return {};
    distances.push_back(table[place]);
  }
  return distances;
}

}  // namespace

// Groups without clicks that have as many lists move a value by as much: so few distances differ, unless there are clicks in
// most groups. Then a table would cost more than it saves.
void add_comparable(const Comparable& of, ByteWriter& to) {
  if (!of.value) return to.add(without_value);
  const std::vector<std::uint32_t> distances = distances_of(of);
  std::vector<std::uint32_t> table;
  for (const std::uint32_t distance : distances) {
    if (std::ranges::find(table, distance) == table.end()) table.push_back(distance);
  }
  const bool has_table = !table.empty() && table.size() * 4 < distances.size() * 3;
  to.add(has_table ? by_table : one_by_one);
  to.add_double(*of.value);
  to.add(of.left_out.evidence_groups);
  to.add(of.left_out.groups);
  if (has_table) to.add(table.size());
  for (const std::uint32_t distance : has_table ? table : distances) to.add(distance);
  if (has_table) add_places(distances, table, to);
}

std::optional<Comparable> read_comparable_from(ByteReader& from) {
  Comparable of;
  const std::uint64_t form = from.number();
  if (form == without_value) return from.is_done() ? std::optional(of) : std::nullopt;
  if (form > by_table) return std::nullopt;
  of.value = from.number_double();
  of.left_out.evidence_groups = from.number();
  const std::uint64_t groups = from.number();
  const auto count = static_cast<std::size_t>(std::popcount(groups));
  std::vector<std::uint32_t> distances;
  if (form == by_table) {
    distances = read_by_table(count, from);
  } else {
    while (distances.size() < count) distances.push_back(static_cast<std::uint32_t>(from.number()));
  }
  if (!from.is_done() || distances.size() != count) return std::nullopt;
  auto next = distances.begin();
  for (std::size_t g = 0; g < user_groups; ++g) {
    if ((groups >> g & 1) == 0) continue;
    const auto distance = std::bit_cast<float>(*next++);
    of.left_out.add(g, std::isnan(distance) ? std::nullopt : std::optional(*of.value + static_cast<double>(distance)));
  }
  return of;
}

}  // namespace recmeter
