// PairCounts: how often two items stand together, for each item its partners. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "recommend/models.h"

namespace recmeter {

struct PairCount {
  std::uint32_t item = 0;
  std::uint32_t count = 0;
};

class PairCounts {
 public:
  // One more of x with y and y with x. False: there would be more pairs than `pairs_max`.
  [[nodiscard]] bool add(std::uint32_t x, std::uint32_t y, std::size_t pairs_max) {
    const std::uint64_t key = x < y ? std::uint64_t{x} << 32 | y : std::uint64_t{y} << 32 | x;
    const auto [place, is_new] = places_.try_emplace(key);
    if (is_new) {
      if (places_.size() > pairs_max) return false;
      std::vector<PairCount>& low = at(partners_, x < y ? x : y);
      place->second.first = static_cast<std::uint32_t>(low.size());
      low.push_back({x < y ? y : x, 0});
      std::vector<PairCount>& high = at(partners_, x < y ? y : x);
      place->second.second = static_cast<std::uint32_t>(high.size());
      high.push_back({x < y ? x : y, 0});
    }
    ++partners_[x < y ? x : y][place->second.first].count;
    ++partners_[x < y ? y : x][place->second.second].count;
    return true;
  }

  [[nodiscard]] std::span<const PairCount> of(std::uint32_t x) const {
    return x < partners_.size() ? std::span<const PairCount>(partners_[x]) : std::span<const PairCount>();
  }

 private:
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> places_;  // among the partners of either
  std::vector<std::vector<PairCount>> partners_;
};

}  // namespace recmeter
