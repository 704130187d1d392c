#include "app/examination/show_counts.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "recmeter/base/check.h"

namespace recmeter::examining {

namespace {

auto place_of(const ShowCounts::Entry& entry) {
  return std::tie(entry.item, entry.rank, entry.variant, entry.group);
}

// Whether both fit into one entry: a count of 2^32 takes two.
bool fits(const ShowCounts::Entry& a, const ShowCounts::Entry& b) {
  return a.shown <= std::numeric_limits<std::uint32_t>::max() - b.shown;
}

}  // namespace

void ShowCounts::add(std::uint32_t rank, std::size_t group, bool is_clicked) {
  RECMETER_CHECK(rank >= 1 && rank <= ranks_max, "deeper ranks are not counted");
  if (by_rank_.size() < rank) by_rank_.resize(rank);
  by_rank_[rank - 1].add(group, {.shown = 1, .clicked = is_clicked ? 1U : 0U});
}

void ShowCounts::add(std::string_view item, std::uint32_t rank, std::size_t variant, std::size_t group, bool is_clicked) {
  RECMETER_CHECK(variant < variants_max, "variants are few");
  add(rank, group, is_clicked);
  if (is_full_) return;
  item_.assign(item);
  const std::uint32_t number = items_.try_emplace(item_, static_cast<std::uint32_t>(items_.size())).first->second;
  entries_.push_back({.item = number,
                      .rank = static_cast<std::uint16_t>(rank),
                      .variant = static_cast<std::uint8_t>(variant),
                      .group = static_cast<std::uint8_t>(group),
                      .shown = 1,
                      .clicked = is_clicked ? 1U : 0U});
  if (entries_.size() < compact_at_) return;
  compact();
  is_full_ = entries_.size() > entries_most_;
  compact_at_ = std::max(compact_at_, 2 * entries_.size());
  entries_.reserve(compact_at_);
}

std::span<const ShowCounts::Entry> ShowCounts::entries() {
  compact();
  return entries_;
}

void ShowCounts::compact() {
  std::ranges::sort(entries_, {}, place_of);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (kept > 0 && place_of(entries_[kept - 1]) == place_of(entry) && fits(entries_[kept - 1], entry)) {
      entries_[kept - 1].shown += entry.shown;
      entries_[kept - 1].clicked += entry.clicked;
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
}

}  // namespace recmeter::examining
