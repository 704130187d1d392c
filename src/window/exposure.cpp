#include "recmeter/window/exposure.h"

#include <algorithm>

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

void Exposure::add_counts(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items) {
  counts_.resize(cutoffs.size());
  for_each_rank(cutoffs, items.size(), [&](std::size_t c, std::size_t rank) {
    if (items[rank] != Interner::none) counts_[c].add(items[rank], 1);
  });
}

void Exposure::add_overlap(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items, std::size_t group) {
  overlap_.resize(cutoffs.size());
  for (std::size_t c = 0; c < cutoffs.size(); ++c) {
    overlap_[c].add(items.first(std::min<std::size_t>(cutoffs[c], items.size())), group);
  }
}

void Exposure::merge(const Exposure& other) {
  merge_each(sets_, other.sets_);
  merge_each(counts_, other.counts_);
  merge_each(overlap_, other.overlap_);
}

Exposure Exposure::translated(std::span<const std::uint32_t> to) const {
  Exposure out;
  out.sets_.resize(sets_.size());
  for (std::size_t c = 0; c < sets_.size(); ++c) {
    sets_[c].for_each([&](std::uint32_t item) { out.sets_[c].insert(to[item]); });
  }
  out.counts_.resize(counts_.size());
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    counts_[c].for_each([&](std::uint64_t item, std::uint64_t lists) { out.counts_[c].add(to[item], lists); });
  }
  for (const OverlapWeights& weights : overlap_) out.overlap_.push_back(weights.translated(to));
  return out;
}

std::size_t Exposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const ItemSet& set : sets_) bytes += set.memory_bytes();
  for (const SumTable& counts : counts_) bytes += sizeof(counts) + counts.memory_bytes();
  for (const OverlapWeights& weights : overlap_) bytes += weights.memory_bytes();
  return bytes;
}

}  // namespace recmeter
