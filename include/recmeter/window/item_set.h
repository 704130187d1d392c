// ItemSet: a set of small numbers as bits in pages, so that it costs what it holds and not what it could. Thread safety:
// none.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace recmeter {

class ItemSet {
 public:
  ItemSet() = default;
  ItemSet(ItemSet&&) noexcept = default;
  ItemSet& operator=(ItemSet&&) noexcept = default;
  ItemSet(const ItemSet& other) { merge(other); }
  ItemSet& operator=(const ItemSet& other) {
    if (this != &other) *this = ItemSet(other);
    return *this;
  }

  static constexpr std::size_t page_bits = 4096;
  using Page = std::array<std::uint64_t, page_bits / 64>;

  void insert(std::uint32_t item) {
    const std::size_t page = item / page_bits;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    (*pages_[page])[item % page_bits / 64] |= std::uint64_t{1} << (item % 64);
  }
  void erase(std::uint32_t item) {
    const std::size_t page = item / page_bits;
    if (page < pages_.size() && pages_[page]) (*pages_[page])[item % page_bits / 64] &= ~(std::uint64_t{1} << (item % 64));
  }
  [[nodiscard]] bool contains(std::uint32_t item) const {
    const std::size_t page = item / page_bits;
    return page < pages_.size() && pages_[page] && ((*pages_[page])[item % page_bits / 64] >> (item % 64) & 1) != 0;
  }
  void merge(const ItemSet& other);
  [[nodiscard]] std::uint64_t size() const;
  // How many are in both.
  [[nodiscard]] std::uint64_t size_of_common(const ItemSet& other) const;
  [[nodiscard]] std::size_t memory_bytes() const;

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      if (!pages_[p]) continue;
      for (std::size_t w = 0; w < pages_[p]->size(); ++w) {
        for (std::uint64_t bits = (*pages_[p])[w]; bits != 0; bits &= bits - 1) {
          visit(static_cast<std::uint32_t>(p * page_bits + w * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
      }
    }
  }

 private:
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace recmeter
