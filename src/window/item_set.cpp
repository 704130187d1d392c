#include "recmeter/window/item_set.h"

#include <algorithm>

namespace recmeter {

void ItemSet::merge(const ItemSet& other) {
  if (pages_.size() < other.pages_.size()) pages_.resize(other.pages_.size());
  for (std::size_t p = 0; p < other.pages_.size(); ++p) {
    if (!other.pages_[p]) continue;
    if (!pages_[p]) {
      pages_[p] = std::make_unique<Page>(*other.pages_[p]);
    } else {
      for (std::size_t w = 0; w < pages_[p]->size(); ++w) (*pages_[p])[w] |= (*other.pages_[p])[w];
    }
  }
}

std::uint64_t ItemSet::size() const {
  std::uint64_t count = 0;
  for (const auto& page : pages_) {
    if (!page) continue;
    for (const std::uint64_t word : *page) count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

std::uint64_t ItemSet::size_of_common(const ItemSet& other) const {
  std::uint64_t count = 0;
  for (std::size_t p = 0; p < std::min(pages_.size(), other.pages_.size()); ++p) {
    if (!pages_[p] || !other.pages_[p]) continue;
    for (std::size_t w = 0; w < pages_[p]->size(); ++w) {
      count += static_cast<std::uint64_t>(std::popcount((*pages_[p])[w] & (*other.pages_[p])[w]));
    }
  }
  return count;
}

std::size_t ItemSet::memory_bytes() const {
  const auto pages = std::count_if(pages_.begin(), pages_.end(), [](const auto& page) { return page != nullptr; });
  return sizeof(*this) + pages_.capacity() * sizeof(pages_[0]) + static_cast<std::size_t>(pages) * sizeof(Page);
}

}  // namespace recmeter
