// Dice: chance from a seed, the same on every platform (the standard's distributions are not).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace recmeter::support {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  // In [0, bound). Requires: bound > 0. The bias of the remainder does not matter here.
  [[nodiscard]] std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  // In [low, high].
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  [[nodiscard]] bool percent(std::size_t share) { return below(100) < share; }

  template <class T>
  [[nodiscard]] const T& pick(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace recmeter::support
