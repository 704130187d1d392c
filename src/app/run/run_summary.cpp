// A run in one sentence.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/run/run_verdict.h"
#include "recmeter/event/duplicate_reason.h"

namespace recmeter {

namespace {

// As the run report's names, in words.
std::string_view words_of(DuplicateReason reason) {
  switch (reason) {
    case DuplicateReason::again: return "again";
    case DuplicateReason::nothing_new: return "with nothing new";
    case DuplicateReason::taken: return "at a position that is taken";
    case DuplicateReason::shown: return "of items on the list already";
    case DuplicateReason::late_row: return "after their list";
    case DuplicateReason::full: return "beyond a full list";
    case DuplicateReason::once: return "of what counts once";
    case DuplicateReason::line: return "of one basket";
  }
  return to_string(reason);
}

}  // namespace

std::string duplicates_text(const EventCounts& events) {
  std::vector<std::pair<std::uint64_t, std::string_view>> found;
  for (std::size_t reason = 0; reason < duplicate_reason_count; ++reason) {
    const std::uint64_t count = events.duplicates[reason];
    if (count > 0) found.emplace_back(count, words_of(static_cast<DuplicateReason>(reason)));
  }
  if (found.empty()) return "";
  if (found.size() == 1) return fmt::format(", {} duplicate ({})", found.front().first, found.front().second);
  std::ranges::stable_sort(found, std::ranges::greater(), &std::pair<std::uint64_t, std::string_view>::first);
  std::vector<std::string> texts;
  for (const auto& [count, name] : found) texts.push_back(fmt::format("{} {}", count, name));
  return fmt::format(", {} duplicate ({})", events.duplicate(), fmt::join(texts, ", "));
}

std::string run_summary(const Report& report) {
  const EventCounts& e = report.events;
  std::string text = fmt::format("{} events in {:.1f} s: {} impressions, {} actions", e.read, report.wall_seconds,
                                 e.impressions, e.feedback);
  const auto also = [&](std::uint64_t count, const char* name) {
    if (count > 0) text += fmt::format(", {} {}", count, name);
  };
  also(e.candidates, "candidates");
  also(e.policies, "policies");
  also(e.invalid, "invalid");
  also(e.ignored, "ignored");
  also(e.future, "future");
  also(e.late, "late");
  text += duplicates_text(e);
  also(e.undecided, "undecided");
  const std::uint64_t rows = report.rows_final + report.rows_truncated;
  text += fmt::format("; {} lists, {} row{}", report.lists, rows, rows == 1 ? "" : "s");
  if (report.rows_truncated > 0) text += fmt::format(", {} of them not final", report.rows_truncated);
  if (!report.complete) text += " (interrupted: only what was final)";
  return text;
}

}  // namespace recmeter
