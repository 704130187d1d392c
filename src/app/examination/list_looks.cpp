#include "app/examination/list_looks.h"

#include <algorithm>

namespace recmeter::examining {

// A label may come to mean another value once nothing has it any more, and a list then opens with it.
void ListLooks::opened(const EventBatch& batch, const Event& opening, std::span<const std::uint32_t> labels) {
  const std::size_t label = labels.front();
  if (variants_.size() <= label) variants_.resize(label + 1, left_out);
  variants_[label] = variant_of(batch, opening);
}

std::uint32_t ListLooks::variant_of(const EventBatch& batch, const Event& opening) {
  constexpr std::size_t some = 3;
  for (std::size_t i = 0; i < opening.segment_count; ++i) {
    if (batch.segment_key(opening, i) != request_.key) continue;
    const std::string_view value = batch.segment_value(opening, i);
    const bool is_new = some_values_.size() < some && std::ranges::find(some_values_, value) == some_values_.end();
    if (is_new) some_values_.emplace_back(value);
    if (request_.random && value != *request_.random) return left_out;
    if (const auto known = numbers_.find(value); known != numbers_.end()) return known->second;
    if (numbers_.size() == variants_max) {
      has_too_many_variants_ = true;
      return left_out;
    }
    lists_.push_back(0);
    return numbers_.emplace(value, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  return left_out;
}

void ListLooks::scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items,
                       bool is_matured) {
  if (index_of(horizon) != horizon_) return;
  const std::uint32_t variant = variants_[list.labels.front()];
  if (variant == left_out) {
    ++other_lists_;
    return;
  }
  if (!is_matured) {
    ++unfinished_lists_;
    return;
  }
  ++lists_[variant];
  counts_.add_list(list.group());
  // An item counts at its first rank, where what is credited to it counts, too.
  shown_.clear();
  for (std::size_t i = 0; i < std::min<std::size_t>(list.items.size(), ranks_max); ++i) {
    if (list.items[i] != Interner::none) shown_.emplace_back(list.items[i], static_cast<std::uint32_t>(i + 1));
  }
  std::ranges::sort(shown_);
  const auto is_clicked = [&](std::uint32_t rank) {
    const auto hit = std::ranges::lower_bound(score.hits, rank, {}, &Hit::rank);
    return hit != score.hits.end() && hit->rank == rank;
  };
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const auto [item, rank] = shown_[i];
    if (i > 0 && shown_[i - 1].first == item) continue;
    if (request_.random) {
      counts_.add(rank, list.group(), is_clicked(rank));
    } else {
      counts_.add(items.text(item), rank, variant, list.group(), is_clicked(rank));
    }
  }
}

std::map<std::string, std::uint64_t> ListLooks::lists_by_value() const {
  std::map<std::string, std::uint64_t> lists;
  for (const auto& [value, number] : numbers_) {
    if (lists_[number] > 0) lists.emplace(value, lists_[number]);
  }
  return lists;
}

}  // namespace recmeter::examining
