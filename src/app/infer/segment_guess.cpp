#include "app/infer/segment_guess.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/infer/name_words.h"
#include "recmeter/experiment/arm_names.h"

namespace recmeter {
namespace {

constexpr std::size_t segments_max = 4;

bool is_digits(Cell cell) {
  return std::ranges::all_of(cell, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; });
}

// By list, the value that its records have. Nothing: in some lists there are several.
std::optional<std::vector<Cell>> values_of(const Column& column, const ListRecords& lists) {
  std::vector<Cell> values;
  std::size_t several = 0;
  for (const auto& records : lists) {
    Cell value;
    bool is_one = true;
    for (const std::size_t i : records) {
      if (value.empty()) value = column.cells[i];
      is_one = is_one && (column.cells[i].empty() || column.cells[i] == value);
    }
    several += is_one ? 0U : 1U;
    values.push_back(value);
  }
  return several * 100 > lists.size() ? std::nullopt : std::optional(std::move(values));
}

// Few and short values, in nearly all lists.
bool divides(const std::vector<Cell>& values) {
  std::set<Cell> distinct;
  std::size_t present = 0;
  for (const Cell value : values) {
    if (value.empty()) continue;
    ++present;
    distinct.insert(value);
    if (distinct.size() > segment_values_max || value.size() > segment_text_max) return false;
  }
  return distinct.size() >= 2 && present * 10 >= values.size() * 9;
}

}  // namespace

std::vector<SegmentGuess> guess_segments(const LogSample& sample, const ListRecords& lists, const Column* user,
                                         const std::vector<std::string>& used) {
  const std::vector<Cell> users =
      user == nullptr ? std::vector<Cell>() : values_of(*user, lists).value_or(std::vector<Cell>());
  std::vector<SegmentGuess> segments;
  for (const Column& column : sample.columns) {
    if (std::ranges::find(used, column.path) != used.end()) continue;
    if (column.not_finite > 0) continue;  // as a segment's value NaN would make the record invalid
    const auto values = values_of(column, lists);
    if (!values || !divides(*values)) continue;
    const bool are_numbers = std::ranges::all_of(*values, is_digits);
    if (are_numbers && (!is_arm_name(column.path) || name_score(Role::position, column.path) > 0)) continue;
    const std::size_t dot = column.path.rfind('.');
    SegmentGuess guess{.key = dot == std::string::npos ? column.path : column.path.substr(dot + 1),
                       .path = column.path,
                       .arm = guess_arm(column.path, *values, users)};
    if (std::ranges::find(segments, guess.key, &SegmentGuess::key) != segments.end()) continue;
    segments.push_back(std::move(guess));
  }
  std::ranges::stable_sort(segments, std::ranges::greater(), [](const SegmentGuess& guess) { return guess.arm.is_arm; });
  if (segments.size() > segments_max) segments.resize(segments_max);
  return segments;
}

}  // namespace recmeter
