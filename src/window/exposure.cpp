#include "recmeter/window/exposure.h"

#include <algorithm>
#include <utility>

namespace recmeter {

namespace {

// Calls visit(c, rank) for every rank in (cutoff[c-1], cutoff[c]].
template <class Visit>
void for_each_rank(std::span<const std::uint32_t> cutoffs, std::size_t length, Visit&& visit) {
  std::size_t rank = 0;
  for (std::size_t c = 0; c < cutoffs.size(); ++c) {
    const std::size_t end = std::min<std::size_t>(cutoffs[c], length);
    for (; rank < end; ++rank) visit(c, rank);
  }
}

template <class Part>
void merge_each(std::vector<Part>& to, const std::vector<Part>& from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t c = 0; c < from.size(); ++c) to[c].merge(from[c]);
}

}  // namespace

void Exposure::add(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items) {
  sets_.resize(cutoffs.size());
  for_each_rank(cutoffs, items.size(), [&](std::size_t c, std::size_t rank) {
    if (items[rank] != Interner::none) sets_[c].insert(items[rank]);
  });
}

void Exposure::add_scored(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items,
                          std::span<const std::uint8_t> scored) {
  sets_.resize(cutoffs.size());
  for (std::size_t rank = 0; rank < items.size(); ++rank) {
    if (scored[rank] != 0 && items[rank] != Interner::none) sets_.front().insert(items[rank]);
  }
}

void Exposure::add_counts(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items) {
  counts_.resize(cutoffs.size());
  for_each_rank(cutoffs, items.size(), [&](std::size_t c, std::size_t rank) {
    if (items[rank] != Interner::none) counts_[c].add(items[rank]);
  });
}

void Exposure::add_compared(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items, std::uint64_t hash,
                            std::size_t group, std::size_t lists_max) {
  sample_.add(hash, group, items.first(std::min<std::size_t>(cutoffs.back(), items.size())), lists_max);
}

void Exposure::merge(const Exposure& other) {
  merge_each(sets_, other.sets_);
  merge_each(counts_, other.counts_);
  sample_.merge(other.sample_);
}

void Exposure::merge(Exposure&& other) {
  const bool is_empty = sets_.empty() && counts_.empty() && sample_.lists_from(sample_.threshold()) == 0;
  is_empty ? void(*this = std::move(other)) : merge(static_cast<const Exposure&>(other));
}

Exposure Exposure::translated(std::span<const std::uint32_t> to) const {
  Exposure out;
  out.sets_.resize(sets_.size());
  for (std::size_t c = 0; c < sets_.size(); ++c) {
    sets_[c].for_each([&](std::uint32_t item) { out.sets_[c].insert(to[item]); });
  }
  for (const ShowCounts& counts : counts_) out.counts_.push_back(counts.translated(to));
  out.sample_ = sample_.translated(to);
  return out;
}

std::size_t Exposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + sample_.memory_bytes() - sizeof(sample_);
  for (const ItemSet& set : sets_) bytes += set.memory_bytes();
  for (const ShowCounts& counts : counts_) bytes += sizeof(counts) + counts.memory_bytes();
  return bytes;
}

}  // namespace recmeter
