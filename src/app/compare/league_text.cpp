#include "app/compare/league_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/compare/comparison_table.h"
#include "app/compare/paired_text.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/experiment/missing_text.h"

namespace recmeter {
namespace {

// A recommender with its place in the pairs; none: the control.
struct Entry {
  std::string name;
  std::optional<double> value;
  const PairedLists::Pair* pair = nullptr;
};

std::vector<Entry> best_first(const std::vector<PairedLists::Pair>& pairs, const LeagueSpec& spec) {
  std::vector<Entry> out{{spec.control, pairs.front().control, nullptr}};
  for (const PairedLists::Pair& pair : pairs) out.push_back({pair.arm, pair.value, &pair});
  std::ranges::stable_sort(out, [&](const Entry& a, const Entry& b) {
    if (!a.value || !b.value) return a.value.has_value() && !b.value;
    return spec.better == Better::lower ? *a.value < *b.value : *a.value > *b.value;
  });
  return out;
}

// How far it is from the control, between which bounds, and whether one look decides it.
std::vector<std::string> difference_cells(const PairedLists::Pair* pair, const LeagueSpec& spec) {
  if (pair == nullptr) return {"", "", ""};
  if (!pair->comparison) return {std::string(missing_text(pair->comparison.error())), "", ""};
  const Distance& at = pair->comparison->decisive();
  const bool is_share = pair->comparison->relative.has_value();
  const std::string change = signed_text(at.value, is_share);
  if (!pair->unsure.empty()) return {change, pair->unsure, ""};
  return {change, range_text(at.ci, is_share), std::string(decided_text(*pair, {.value = spec.control}, spec.better))};
}

}  // namespace

std::string league_text(const PairedLists& lists, const LeagueSpec& spec) {
  const auto pairs = lists.pairs(spec.control, spec.alpha);
  if (pairs.empty()) return {};
  const std::vector<Entry> entries = best_first(pairs, spec);
  const bool has_judged =
      spec.judged && std::ranges::any_of(entries, [&](const Entry& entry) { return spec.judged(entry.name).has_value(); });
  ComparisonTable table{
      {{"recommender", pairs.front().metric, difference_heading(pairs, "against " + spec.control), "95 % interval", ""}}};
  if (has_judged) table.rows.front().emplace_back("judged");
  for (const Entry& entry : entries) {
    std::vector<std::string> cells{entry.name, value_text(entry.value)};
    for (std::string& cell : difference_cells(entry.pair, spec)) cells.push_back(std::move(cell));
    if (has_judged) {
      const auto share = spec.judged(entry.name);
      cells.push_back(share ? fmt::format("{:.0f} %", 100 * *share) : "");
    }
    table.rows.push_back(std::move(cells));
  }
  std::string out = "\n" + table.text() + spec.note + units_text(pairs) + many_text(pairs.size());
  if (has_judged) {
    out +=
        "judged: the share of its items that were on the list shown then. Nobody could act on the others, which count as not "
        "relevant.\n";
  }
  return out;
}

}  // namespace recmeter
