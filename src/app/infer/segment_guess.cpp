#include "app/infer/segment_guess.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "app/infer/name_words.h"

namespace recmeter {
namespace {

constexpr std::size_t segments_max = 4;
constexpr std::size_t values_max = 12;
constexpr std::size_t bytes_max = 40;

bool is_arm_name(std::string_view key) {
  constexpr std::array<std::string_view, 13> words{"variant", "variation", "arm",        "experiment", "abtest",
                                                   "bucket",  "policy",    "cohort",     "treatment",  "ab",
                                                   "ranker",  "algorithm", "recommender"};
  std::string text;
  for (const char c : key) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text == "ab" || text == "arm" || std::ranges::any_of(words, [&](std::string_view word) {
           return word.size() > 3 && text.find(word) != std::string::npos;
         });
}

bool is_digits(Cell cell) {
  return std::ranges::all_of(cell, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; });
}

}  // namespace

std::vector<SegmentGuess> guess_segments(const LogSample& sample, const ListColumn& items,
                                         const std::vector<std::string>& used) {
  std::vector<SegmentGuess> segments;
  for (const Column& column : sample.columns) {
    if (column.path == items.path || std::ranges::find(used, column.path) != used.end()) continue;
    if (column.not_finite > 0) continue;  // as a segment's value NaN would make the record invalid
    std::set<Cell> values;
    std::size_t lists = 0, present = 0;
    for (std::size_t i = 0; i < column.cells.size() && values.size() <= values_max; ++i) {
      if (items.cells[i].empty()) continue;
      ++lists;
      if (column.cells[i].empty()) continue;
      ++present;
      values.insert(column.cells[i]);
    }
    const std::size_t dot = column.path.rfind('.');
    SegmentGuess guess{.key = dot == std::string::npos ? column.path : column.path.substr(dot + 1),
                       .path = column.path,
                       .values = values.size()};
    guess.is_arm = is_arm_name(guess.key);
    const bool is_short = std::ranges::all_of(values, [](Cell cell) { return cell.size() <= bytes_max; });
    if (values.size() < 2 || values.size() > values_max || present * 10 < lists * 9 || !is_short) continue;
    const bool are_numbers = std::ranges::all_of(values, is_digits);
    if (are_numbers && (!guess.is_arm || name_score(Role::position, column.path) > 0)) continue;
    if (std::ranges::find(segments, guess.key, &SegmentGuess::key) != segments.end()) continue;
    segments.push_back(std::move(guess));
  }
  std::ranges::stable_sort(segments, std::ranges::greater(), &SegmentGuess::is_arm);
  if (segments.size() > segments_max) segments.resize(segments_max);
  return segments;
}

}  // namespace recmeter
