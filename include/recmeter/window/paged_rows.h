// PagedRows: a row of values for each of many small numbers, in pages that are made when they are first written to. Thread
// safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

template <class T, std::size_t page_rows>
class PagedRows {
 public:
  // `width`: values in a row.
  explicit PagedRows(std::size_t width) : width_(width) {}

  // The row's values, T{} until they are written to. The pointer stays.
  [[nodiscard]] T* row(std::uint32_t number) {
    const std::size_t page = number / page_rows;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<T[]>(page_rows * width_);
      ++made_;
    }
    return &pages_[page][number % page_rows * width_];
  }
  // Hides the latency of a row() that follows soon: first with step 0, some rows later with step 1.
  void prefetch(std::uint32_t number, int step) const {
    const std::size_t page = number / page_rows;
    if (page >= pages_.size()) return;
    if (step == 0) {
      fetch_ahead(&pages_[page]);
    } else if (pages_[page]) {
      fetch_ahead(&pages_[page][number % page_rows * width_]);
    }
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return pages_.capacity() * sizeof(pages_[0]) + made_ * page_rows * width_ * sizeof(T);
  }

 private:
  std::size_t width_;
  std::vector<std::unique_ptr<T[]>> pages_;
  std::size_t made_ = 0;
};

}  // namespace recmeter
