#include <fmt/format.h>

#include <algorithm>

#include "app/console/messages.h"
#include "app/console/text_layout.h"
#include "app/examination/examination_run.h"
#include "recmeter/result/render.h"

namespace recmeter::examining {

namespace {

std::string table_of(const ExaminationRun& run) {
  const bool harvests = !run.request.random;
  std::string text = fmt::format("  {:>4}  {:>9}  {:<18}  {:>10}  {:>9}{}\n", "rank", "over 1st",
                                 fmt::format("{:.4g} % interval", 100 * run.confidence), "shown", "clicked",
                                 harvests ? "  comparisons" : "");
  for (const RankExamination& at : run.examined.ranks) {
    if (at.reason == Reason::after) continue;
    const std::string value = at.value ? fmt::format("{:.4f}", *at.value) : "-";
    const std::string interval = at.ci ? fmt::format("{:.4f} to {:.4f}", at.ci->first, at.ci->second) : "-";
    text += fmt::format("  {:>4}  {:>9}  {:<18}  {:>10}  {:>9}", at.rank, value, interval, at.shows.shown, at.shows.clicked);
    if (harvests) text += at.rank == 1 ? fmt::format("  {:>11}", "-") : fmt::format("  {:>11}", at.comparisons);
    text += "\n";
  }
  return text;
}

std::string meaning_of(const ExaminationRun& run) {
  const auto& ranks = run.examined.ranks;
  const std::size_t known = run.examined.known();
  if (known < 2) return "No rank can be compared with the first.";
  const RankExamination& last = ranks[known - 1];
  return fmt::format("The same item gets {:.3g} times as many clicks at rank {} as at rank 1, because of its rank alone.",
                     *last.value, last.rank);
}

std::string end_of(const RankExamination& at, const ExaminationRun& run) {
  const bool harvests = !run.request.random && at.rank > 1;
  if (at.reason == Reason::no_clicks) {
    return fmt::format("Rank {} has no value: no clicks{}.", at.rank, harvests ? " in its comparisons" : "");
  }
  if (harvests) {
    return fmt::format(
        "Ranks from {} on have no value: items that one variant shows at rank {} and another at rank {} make {} comparisons, "
        "fewer than {}.",
        at.rank, at.rank - 1, at.rank, at.comparisons, run.request.min);
  }
  return fmt::format("Rank {} has no value: shown {} times, fewer than {}.", at.rank, at.shows.shown, run.request.min);
}

std::string left_out_of(const ExaminationRun& run) {
  std::string text;
  const auto& ranks = run.examined.ranks;
  const auto end = std::ranges::find_if(ranks, [](const RankExamination& at) { return !at.value; });
  if (end != ranks.end()) text += end_of(*end, run) + " ";
  text += fmt::format("Left out: {} lists with another `{}` or none, {} whose horizon of {} the log does not cover",
                      run.other_lists, harmless(run.request.key), run.unfinished_lists, render_duration(run.horizon));
  if (!run.request.random) {
    text += fmt::format("; and in comparisons {} times shown, of items that one variant alone shows at both ranks",
                        run.examined.moved);
  }
  return text + ".";
}

}  // namespace

std::string configuration_of(const Examined& examined) {
  const std::size_t known = examined.known();
  if (known == 0 || !examined.first) return "";
  std::string rates = "1";
  for (std::size_t i = 1; i < known; ++i) rates += fmt::format(", {:.6g}", *examined.ranks[i].value);
  return fmt::format("metrics:\n  examination: {{first: {:.6g}, by_rank: [{}]}}\n", *examined.first, rates);
}

std::string text_of(const ExaminationRun& run, std::size_t width) {
  std::uint64_t lists = 0;
  for (const auto& of_value : run.lists) lists += of_value.second;
  std::string head = fmt::format("{} lists", lists);
  if (run.request.random) {
    head += fmt::format(" in random order: `{}` = {}", harmless(run.request.key), harmless(*run.request.random));
  } else {
    std::string variants;
    for (const auto& [value, count] : run.lists) {
      variants += fmt::format("{}{} {}", variants.empty() ? "" : ", ", harmless(value), count);
    }
    head += fmt::format(" of {} variants, by `{}`: {}", run.lists.size(), harmless(run.request.key), variants);
  }
  std::string text = wrapped(head, width, 0) + "\n\n" + table_of(run) + "\n";
  text += wrapped(meaning_of(run), width, 0) + "\n" + wrapped(left_out_of(run), width, 0) + "\n";
  const std::string lines = configuration_of(run.examined);
  if (!lines.empty()) text += "\nFor the configuration (coec):\n\n" + lines;
  return text;
}

}  // namespace recmeter::examining
