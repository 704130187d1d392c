#include "config/nearest.h"

#include <algorithm>
#include <cctype>

namespace recmeter::config {

namespace {

constexpr std::size_t written_bytes_max = 64;  // nothing longer is a mistyped name, and the table stays small

std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '_' && c != '-') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view written, std::span<const std::string_view> names) {
  if (written.empty() || written.size() > written_bytes_max) return std::nullopt;
  const std::string wanted = folded(written);
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(wanted, folded(name));
    // A name of two letters is not "near" another one that shares one of them.
    if (distance >= best_distance || distance >= std::max(wanted.size(), name.size())) continue;
    best_distance = distance;
    best = std::string(name);
  }
  if (best) return best;
  const auto begins = std::ranges::find_if(names, [&](std::string_view name) { return folded(name).starts_with(wanted); });
  if (wanted.empty() || begins == names.end()) return std::nullopt;
  return std::string(*begins);
}

std::string name_question(std::string_view written, std::span<const std::string_view> names) {
  const auto meant = nearest(written, names);
  return meant ? "did you mean `" + *meant + "`?" : std::string();
}

std::string question_or_choices(std::string_view written, std::span<const std::string_view> names) {
  const std::string question = name_question(written, names);
  return question.empty() ? "write " + one_of(names) : question;
}

std::string one_of(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += '`';
    text += names[i];
    text += '`';
  }
  return text;
}

}  // namespace recmeter::config
