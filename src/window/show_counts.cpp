#include "recmeter/window/show_counts.h"

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <utility>

namespace recmeter {

void ShowCounts::merge(const ShowCounts& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  shown_.insert(shown_.end(), other.shown_.begin(), other.shown_.end());
  if (parts_.size() + shown_.size() >= std::max(16 * few, 4 * counted_)) count();
}

ShowCounts ShowCounts::translated(std::span<const std::uint32_t> to) const {
  ShowCounts out;
  out.parts_ = parts_;
  for (Part& part : out.parts_) part.item = to[part.item];
  out.shown_.reserve(shown_.size());
  for (const Interner::Id item : shown_) out.shown_.push_back(to[item]);
  out.count();
  return out;
}

// Sorts what is not in order yet and adds up what meets.
void ShowCounts::count() {
  boost::sort::spreadsort::integer_sort(shown_.begin(), shown_.end());
  const auto begin = parts_.begin() + static_cast<std::ptrdiff_t>(counted_);
  const auto less = [](const Part& a, const Part& b) { return a.item < b.item; };
  boost::sort::spreadsort::integer_sort(
      begin, parts_.end(), [](const Part& part, unsigned shift) { return part.item >> shift; }, less);
  std::vector<Part> all;
  all.reserve(parts_.size() + shown_.size());
  const auto append = [&all](Interner::Id item, std::uint32_t lists) {
    if (all.empty() || all.back().item != item) {
      all.push_back({item, lists});
    } else {
      all.back().lists += lists;
    }
  };
  auto counted = parts_.begin();
  auto part = begin;
  auto shown = shown_.begin();
  while (true) {
    const Interner::Id of_counted = counted == begin ? Interner::none : counted->item;
    const Interner::Id of_part = part == parts_.end() ? Interner::none : part->item;
    const Interner::Id of_shown = shown == shown_.end() ? Interner::none : *shown;
    const Interner::Id item = std::min({of_counted, of_part, of_shown});
    if (item == Interner::none) break;
    if (item == of_counted) append(item, counted++->lists);
    if (item == of_part) append(item, part++->lists);
    if (item == of_shown) {
      append(item, 1);
      ++shown;
    }
  }
  parts_ = std::move(all);
  counted_ = parts_.size();
  shown_.clear();
}

}  // namespace recmeter
