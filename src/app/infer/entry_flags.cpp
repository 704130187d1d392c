#include "app/infer/entry_flags.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "app/infer/action_words.h"
#include "app/infer/flag_words.h"

namespace recmeter {
namespace {

constexpr std::size_t few = 10;

// Tells whether in nearly all records that have both they are as long.
bool stands_beside(const ListColumn& flag, const ListColumn& items) {
  std::size_t both = 0, as_long = 0;
  for (std::size_t i = 0; i < items.cells.size(); ++i) {
    if (items.cells[i].empty() || flag.cells[i].empty()) continue;
    ++both;
    as_long += items.cells[i].size() == flag.cells[i].size() ? 1U : 0U;
  }
  return both >= few && as_long * 100 >= both * 98;
}

// Tells whether hardly an item that was set is now set and now not: what is for sale is a flag of it, too.
bool goes_with_item(const ListColumn& flag, const ListColumn& items) {
  struct OfItem {
    std::size_t shown = 0, set = 0;
  };
  std::unordered_map<Cell, OfItem> all;
  for (std::size_t i = 0; i < items.cells.size(); ++i) {
    if (items.cells[i].size() != flag.cells[i].size()) continue;
    for (std::size_t k = 0; k < items.cells[i].size(); ++k) {
      OfItem& item = all[items.cells[i][k]];
      ++item.shown;
      item.set += is_set(flag.cells[i][k]) ? 1U : 0U;
    }
  }
  std::size_t often = 0, mixed = 0;
  for (const auto& [id, item] : all) {
    if (item.set == 0 || item.shown < 3) continue;
    ++often;
    mixed += item.set < item.shown ? 1U : 0U;
  }
  return often >= few && mixed * 5 <= often;
}

bool is_set_at_times(const ListColumn& flag) {
  std::size_t set = 0, all = 0;
  for (const auto& cells : flag.cells) {
    all += cells.size();
    set += static_cast<std::size_t>(std::ranges::count_if(cells, is_set));
  }
  return set > 0 && set * 2 < all;
}

bool is_named(const ListColumn* flag) {
  return action_word(flag_name(*flag)).is_known();
}

}  // namespace

bool is_within(const ListColumn& flag, const ListColumn& items) {
  return flag.path == items.path && flag.part == items.part;
}

std::string flag_name(const ListColumn& flag) {
  std::string name = flag.entry.empty() || flag.entry.starts_with('$') ? flag.path : flag.entry;
  if (name.ends_with(":json")) name.resize(name.size() - 5);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::vector<std::string> set_values(const ListColumn& flag) {
  std::set<std::string> values;
  for (const auto& cells : flag.cells) {
    for (const Cell cell : cells) {
      if (is_set(cell)) values.emplace(cell);
    }
  }
  return {values.begin(), values.end()};
}

std::vector<const ListColumn*> flags_of(const LogSample& sample, const ListColumn& items) {
  std::vector<const ListColumn*> flags;
  for (const ListColumn& flag : sample.lists) {
    if (&flag == &items || !is_flag(flag) || !is_set_at_times(flag)) continue;
    if (!is_within(flag, items) && (flag.path == items.path || !stands_beside(flag, items))) continue;
    if (goes_with_item(flag, items)) continue;
    // Seeing is no action yet, and what was done may stand elsewhere.
    if (action_word(flag_name(flag)).sense == ActionWord::Sense::seen) continue;
    flags.push_back(&flag);
  }
  if (std::ranges::any_of(flags, is_named)) {
    std::erase_if(flags, [](const ListColumn* flag) { return !is_named(flag); });
  } else if (flags.size() > 1) {
    flags.resize(1);
  }
  return flags;
}

}  // namespace recmeter
