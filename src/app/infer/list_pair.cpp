#include "app/infer/list_pair.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/infer/choice.h"
#include "app/infer/entry_flags.h"
#include "app/infer/meeting.h"
#include "app/infer/name_words.h"

namespace recmeter {
namespace {

std::string name_of(const ListColumn& list) {
  return list.entry.empty() || list.entry.starts_with('$') ? list.path : list.path + "." + list.entry;
}

// Counts, of entries that may be ids, how often they are several and not the same.
double list_values(const ListColumn& list) {
  std::size_t lists = 0, distinct = 0, all = 0;
  for (const auto& cells : list.cells) {
    if (cells.size() < 2) continue;
    ++lists;
    all += cells.size();
    distinct += std::set<Cell>(cells.begin(), cells.end()).size();
  }
  return lists == 0 ? 0 : Meeting::share(distinct, all);
}

// The list of the record that has some of another's entries and no others: what was done, told in a list of its own.
const ListColumn* done_of(const LogSample& sample, const ListColumn& list) {
  constexpr std::size_t few = 10;
  for (const ListColumn& other : sample.lists) {
    if (other.path == list.path) continue;
    std::size_t with = 0, within = 0, done = 0, shown = 0;
    for (std::size_t i = 0; i < list.cells.size(); ++i) {
      if (other.cells[i].empty()) continue;
      ++with;
      done += other.cells[i].size();
      shown += list.cells[i].size();
      within += std::ranges::all_of(other.cells[i],
                                    [&](Cell cell) { return std::ranges::find(list.cells[i], cell) != list.cells[i].end(); })
                    ? 1U
                    : 0U;
    }
    if (with >= few && within * 100 >= with * 98 && done * 2 < shown) return &other;
  }
  return nullptr;
}

// The share of actions whose items lists have, and whether the actions stand beside their lists.
double fits(const LogSample& list_sample, const ListColumn& list, const std::unordered_set<Cell>& items,
            const LogSample& action_sample, const Column& item, bool& is_beside) {
  std::size_t in_own = 0, beside = 0, known = 0, apart = 0;
  for (std::size_t i = 0; i < item.cells.size(); ++i) {
    const Cell cell = item.cells[i];
    if (cell.empty()) continue;
    if (&list_sample == &action_sample && !list.cells[i].empty()) {
      ++beside;
      in_own += std::ranges::find(list.cells[i], cell) != list.cells[i].end() ? 1U : 0U;
    } else {
      ++apart;
      known += items.contains(cell) ? 1U : 0U;
    }
  }
  is_beside = beside * 2 > list.present;
  if (is_beside) return Meeting::share(in_own, beside);
  return apart < 10 ? 0 : Meeting::share(known, apart);
}

// Items are several, not the same ones, and no times.
bool may_be_items(const ListColumn& list, const TimeGuess& time) {
  if (list.entry == "$2" || list_values(list) < 0.5) return false;
  std::vector<Cell> firsts;
  for (const auto& cells : list.cells) {
    if (!cells.empty()) firsts.push_back(cells.front());
  }
  return !are_times(firsts, time);
}
}  // namespace

std::unordered_set<Cell> vocabulary_of(const ListColumn& list) {
  std::unordered_set<Cell> items;
  for (const auto& cells : list.cells) items.insert(cells.begin(), cells.end());
  items.erase(Cell());
  return items;
}
std::vector<ListPair> find_pairs(const std::vector<TimedSample>& inputs) {
  std::vector<ListPair> pairs;
  for (const TimedSample& lists : inputs) {
    for (const ListColumn& list : lists.sample->lists) {
      const auto items = vocabulary_of(list);
      if (items.size() < 5 || !may_be_items(list, *lists.time)) continue;
      const double values = list_values(list);
      const double named = std::max(name_score(Role::items, list.path), name_score(Role::item_id, name_of(list)));
      if (auto flags = flags_of(*lists.sample, list); !flags.empty()) {
        pairs.push_back(
            {.items = &list, .list_sample = lists.sample, .flags = std::move(flags), .score = score_of(named, values, 1)});
        continue;
      }
      if (const ListColumn* done = done_of(*lists.sample, list)) {
        pairs.push_back({.items = &list, .list_sample = lists.sample, .done = done, .score = score_of(named, values, 1)});
        continue;
      }
      for (const TimedSample& actions : inputs) {
        for (const Column& item : actions.sample->columns) {
          if (item.path == list.path) continue;
          ListPair pair{.items = &list, .list_sample = lists.sample, .item = &item, .action_sample = actions.sample};
          const double share = fits(*lists.sample, list, items, *actions.sample, item, pair.is_beside);
          if (share < 0.5 || are_times(item.cells, *actions.time)) continue;
          pair.score = score_of((named + name_score(Role::item_id, item.path)) / 2, values, share);
          pairs.push_back(pair);
        }
      }
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater(), &ListPair::score);
  return pairs;
}

std::optional<ListPair> find_lists_alone(const std::vector<TimedSample>& inputs) {
  for (const TimedSample& side : inputs) {
    for (const ListColumn& list : side.sample->lists) {
      const bool is_named = name_score(Role::items, list.path) == 1;
      if (!is_named || vocabulary_of(list).size() < 5 || !may_be_items(list, *side.time)) continue;
      return ListPair{.items = &list, .list_sample = side.sample};
    }
  }
  return std::nullopt;
}

}  // namespace recmeter
