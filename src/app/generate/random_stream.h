// RandomStream: SplitMix64 (Steele, Lea, Flood 2014) with a stream for every (seed, purpose, number).
//
// List n is drawn from a stream of its own, so it is the same list whatever was drawn before it. No std distribution: their
// results differ between libraries.
// Thread safety: a value; one owner.
#pragma once

#include <cmath>
#include <cstdint>

#include "app/generate/portable_math.h"

namespace recmeter::generate {

// What a stream is for: streams of different purposes never meet, so a switch that disturbs the log leaves its traffic alone.
enum class Purpose : std::uint64_t { list = 1, disturbance = 2, user = 3, file = 4 };

[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t number) noexcept
      : state_(mix64(mix64(seed + golden * static_cast<std::uint64_t>(purpose)) ^ mix64(number + golden))) {}

  std::uint64_t next() noexcept { return mix64(state_ += golden); }

  // In [0, 1), a multiple of 2^-53.
  double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // In [0, bound), by multiplication; the bias is below bound * 2^-32. Requires: 0 < bound <= 2^32.
  std::uint64_t below(std::uint64_t bound) noexcept { return ((next() >> 32) * bound) >> 32; }

  bool chance(double probability) noexcept { return uniform() < probability; }

  // Standard normal, by the polar method.
  double normal() noexcept {
    for (;;) {
      const double u = 2.0 * uniform() - 1.0;
      const double v = 2.0 * uniform() - 1.0;
      const double s = u * u + v * v;
      if (s < 1.0 && s > 0.0) return u * std::sqrt(-2.0 * portable_log(s) / s);
    }
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

}  // namespace recmeter::generate
