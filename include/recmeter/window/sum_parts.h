// SumParts: sums by key, in parts: a key may come several times, and its sum is what its parts add up to. What is added here
// is kept as one sum a key; what is merged is only put beside it, for whoever adds up anyway. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recmeter/window/sum_table.h"

namespace recmeter {

class SumParts {
 public:
  void add(std::uint32_t key, std::uint32_t by) { own_.add(key, by); }
  // Fetches what add() will look at, ahead of time.
  void prefetch(std::uint32_t key) const { own_.prefetch(key); }
  void merge(const SumParts& other) {
    merged_.reserve(merged_.size() + other.size());
    other.for_each([this](std::uint32_t key, std::uint32_t sum) { merged_.push_back({key, sum}); });
  }
  // The same under other keys, `rename(key)`, each part put in the order of its keys: what goes through them meets memory in
  // order.
  template <class Rename>
  [[nodiscard]] SumParts renamed(Rename&& rename) const {
    SumParts out;
    out.merged_.reserve(size());
    for_each([&](std::uint32_t key, std::uint32_t sum) { out.merged_.push_back({rename(key), sum}); });
    out.sort_merged();
    return out;
  }

  // Of parts.
  [[nodiscard]] std::size_t size() const { return own_.size() + merged_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const { return own_.memory_bytes() + merged_.capacity() * sizeof(Part); }

  // visit(key, part), in no promised order; no part is zero.
  template <class Visit>
  void for_each(Visit&& visit) const {
    own_.for_each(visit);
    for (const Part& part : merged_) visit(part.key, part.sum);
  }

 private:
  struct Part {
    std::uint32_t key;
    std::uint32_t sum;
  };
  void sort_merged();

  SumTable own_;
  std::vector<Part> merged_;
};

}  // namespace recmeter
