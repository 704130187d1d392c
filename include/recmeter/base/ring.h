// Ring<T>: a queue whose elements keep a sequence number for life, so that others can refer to them after the front has
// moved.
//
// Its memory comes from a resource, for it may hold more than should be in memory. Thread safety: none. Invariants:
//   (1) sequences are given out 0, 1, 2, ... and never again;
//   (2) exactly the elements with begin() <= sequence < end() exist; a reference is valid until the next push_back.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace recmeter {

template <class T>
class Ring {
 public:
  // `memory` outlives the ring.
  explicit Ring(std::pmr::memory_resource* memory = std::pmr::get_default_resource()) : slots_(memory) {}

  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  // Requires: begin() <= sequence < end().
  [[nodiscard]] T& at(std::uint64_t sequence) { return slots_[sequence & mask_]; }
  [[nodiscard]] const T& at(std::uint64_t sequence) const { return slots_[sequence & mask_]; }

  std::uint64_t push_back(T value) {
    if (end_ - begin_ == slots_.size()) grow();
    slots_[end_ & mask_] = std::move(value);
    return end_++;
  }
  // Requires: !empty().
  void pop_front() { ++begin_; }

 private:
  void grow() {
    std::pmr::vector<T> larger(slots_.empty() ? 16 : slots_.size() * 2, slots_.get_allocator());
    const std::uint64_t mask = larger.size() - 1;
    for (std::uint64_t s = begin_; s != end_; ++s) larger[s & mask] = std::move(slots_[s & mask_]);
    slots_ = std::move(larger);
    mask_ = mask;
  }

  std::pmr::vector<T> slots_;
  std::uint64_t mask_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace recmeter
