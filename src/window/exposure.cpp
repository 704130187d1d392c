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

void Exposure::merge(Exposure&& other) {
  const bool is_empty = sets_.empty() && counts_.empty() && overlap_.empty();
  is_empty ? void(*this = std::move(other)) : merge(static_cast<const Exposure&>(other));
}

Exposure Exposure::translated(std::span<const std::uint32_t> to) const {
  Exposure out;
  out.sets_.resize(sets_.size());
  for (std::size_t c = 0; c < sets_.size(); ++c) {
    sets_[c].for_each([&](std::uint32_t item) { out.sets_[c].insert(to[item]); });
  }
  for (const SumParts& counts : counts_) {
    out.counts_.push_back(counts.renamed([&](std::uint64_t item) { return std::uint64_t{to[item]}; }));
  }
  for (const OverlapWeights& weights : overlap_) out.overlap_.push_back(weights.translated(to));
  return out;
}

std::size_t Exposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const ItemSet& set : sets_) bytes += set.memory_bytes();
  for (const SumParts& counts : counts_) bytes += sizeof(counts) + counts.memory_bytes();
  for (const OverlapWeights& weights : overlap_) bytes += weights.memory_bytes();
  return bytes;
}

}  // namespace recmeter
