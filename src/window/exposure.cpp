#include "recmeter/window/exposure.h"

#include <algorithm>

namespace recmeter {

void Exposure::add(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items) {
  sets_.resize(cutoffs.size());
  std::size_t rank = 0;
  for (std::size_t c = 0; c < cutoffs.size(); ++c) {
    const std::size_t end = std::min<std::size_t>(cutoffs[c], items.size());
    for (; rank < end; ++rank) {
      if (items[rank] != Interner::none) sets_[c].insert(items[rank]);
    }
  }
}

void Exposure::merge(const Exposure& other) {
  sets_.resize(std::max(sets_.size(), other.sets_.size()));
  for (std::size_t c = 0; c < other.sets_.size(); ++c) sets_[c].merge(other.sets_[c]);
}

Exposure Exposure::translated(std::span<const std::uint32_t> to) const {
  Exposure out;
  out.sets_.resize(sets_.size());
  for (std::size_t c = 0; c < sets_.size(); ++c) {
    sets_[c].for_each([&](std::uint32_t item) { out.sets_[c].insert(to[item]); });
  }
  return out;
}

std::size_t Exposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this);
  for (const ItemSet& set : sets_) bytes += set.memory_bytes();
  return bytes;
}

}  // namespace recmeter
