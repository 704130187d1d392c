#include "app/infer/meeting.h"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace recmeter {
namespace {

constexpr std::size_t lists_looked_at = 100;  // of one key; an id of lists has few

}  // namespace

Meeting meet(const ListSide& lists, const Column& list_key, const ActionSide& actions, const Column& action_key) {
  Meeting meeting;
  std::unordered_map<Cell, std::vector<std::size_t>> records_of;
  for (std::size_t i = 0; i < lists.items.cells.size(); ++i) {
    if (lists.items.cells[i].empty() || list_key.cells[i].empty() || !lists.time.times[i]) continue;
    records_of[list_key.cells[i]].push_back(i);
    ++meeting.lists;
  }
  meeting.keys = records_of.size();
  for (auto& [key, records] : records_of) {
    std::ranges::stable_sort(records, {}, [&](std::size_t i) { return *lists.time.times[i]; });
    const auto& first = lists.items.cells[records.front()];
    const bool is_one = std::ranges::all_of(records, [&](std::size_t i) { return lists.items.cells[i] == first; });
    meeting.one_list += is_one ? 1U : 0U;
    meeting.several += records.size() > 1 ? 1U : 0U;
  }
  const auto has = [&](std::size_t list, Cell item) {
    return std::ranges::find(lists.items.cells[list], item) != lists.items.cells[list].end();
  };
  const bool is_same = &lists.sample == &actions.sample;
  for (std::size_t i = 0; i < actions.item.cells.size(); ++i) {
    const Cell item = actions.item.cells[i], key = action_key.cells[i];
    if (item.empty() || key.empty() || !actions.time.times[i]) continue;
    if (is_same && !actions.beside_lists && !lists.items.cells[i].empty()) continue;
    ++meeting.actions;
    const auto found = records_of.find(key);
    if (found == records_of.end()) continue;
    const EventTime at = *actions.time.times[i];
    const auto& candidates = found->second;
    const auto few = std::span(candidates).first(std::min(candidates.size(), lists_looked_at));
    meeting.in_any += std::ranges::any_of(few, [&](std::size_t list) { return has(list, item); }) ? 1U : 0U;
    const auto time_of = [&](std::size_t list) { return *lists.time.times[list]; };
    const auto after = std::ranges::upper_bound(candidates, at, {}, time_of);
    if (after == candidates.begin() || at - time_of(after[-1]) > one_day) continue;
    meeting.in_latest += has(after[-1], item) ? 1U : 0U;
  }
  return meeting;
}

}  // namespace recmeter
