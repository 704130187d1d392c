// PagedArray: a value for each of many small numbers, in pages that are made when they are first written to. Thread safety:
// none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace recmeter {

template <class T, std::size_t page_size>
class PagedArray {
 public:
  // T{} until it is written to. The reference stays.
  [[nodiscard]] T& at(std::uint32_t number) {
    const std::size_t page = number / page_size;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<T[]>(page_size);
      ++made_;
    }
    return pages_[page][number % page_size];
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return pages_.capacity() * sizeof(pages_[0]) + made_ * page_size * sizeof(T);
  }

 private:
  std::vector<std::unique_ptr<T[]>> pages_;
  std::size_t made_ = 0;
};

}  // namespace recmeter
