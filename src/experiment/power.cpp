#include "recmeter/experiment/power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "recmeter/experiment/comparison.h"

namespace recmeter {

namespace {

constexpr int looks = 200;      // of the time until the last one; more change the share by less than 0.003
constexpr double reach_sd = 6;  // of an increment, and of the whole
constexpr double cells_per_sd = 5;

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// How the score is spread among experiments that have not been found yet. A score S(r) is normal with mean r and variance r,
// its z is S / sqrt(r).
class Score {
 public:
  explicit Score(double r_max)
      : width_(std::sqrt(r_max / looks) / cells_per_sd),
        low_(-reach_sd * std::sqrt(r_max)),
        chances_(static_cast<std::size_t>((r_max + 2 * reach_sd * std::sqrt(r_max)) / width_) + 2) {
    chances_[cell_of(0)] = 1;
    const double step = r_max / looks;
    const auto half = static_cast<std::ptrdiff_t>((step + reach_sd * std::sqrt(step)) / width_) + 1;
    for (std::ptrdiff_t cells = -half; cells <= half; ++cells) {
      const double from = (static_cast<double>(cells) - 0.5) * width_, to = from + width_;
      increments_.push_back(normal_below((to - step) / std::sqrt(step)) - normal_below((from - step) / std::sqrt(step)));
    }
  }

  void advance() {
    std::vector<double> next(chances_.size());
    const auto half = static_cast<std::ptrdiff_t>(increments_.size() / 2);
    for (std::size_t i = 0; i < chances_.size(); ++i) {
      if (chances_[i] < least) continue;
      for (std::size_t k = 0; k < increments_.size(); ++k) {
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(i + k) - half;
        if (to >= 0 && to < static_cast<std::ptrdiff_t>(next.size()))
          next[static_cast<std::size_t>(to)] += chances_[i] * increments_[k];
      }
    }
    chances_ = std::move(next);
  }

  // Takes out those at or beyond a bound on either side; returns how many lay above.
  double take_beyond(double bound) {
    double above = 0;
    for (std::size_t i = 0; i < chances_.size(); ++i) {
      const double at = low_ + static_cast<double>(i) * width_;
      if (std::abs(at) < bound) continue;
      above += at > 0 ? chances_[i] : 0;
      chances_[i] = 0;
    }
    return above;
  }

 private:
  static constexpr double least = 1e-12;
  [[nodiscard]] std::size_t cell_of(double score) const {
    return static_cast<std::size_t>(std::lround((score - low_) / width_));
  }

  double width_;
  double low_;
  std::vector<double> chances_;     // by cell
  std::vector<double> increments_;  // of one look, by cells
};

}  // namespace

double share_found(double r, double alpha) {
  Score score(r);
  double found = 0;
  for (int look = 1; look <= looks; ++look) {
    score.advance();
    const double at = r * look / looks;
    const double reach = look < looks ? sequence_reach(at, alpha) : planned_reach(at, alpha, PlannedLook::last, false);
    found += score.take_beyond(reach * std::sqrt(at));
  }
  return found;
}

double information_for(double share, double alpha) {
  double low = 1, high = 2;
  while (share_found(high, alpha) < share) low = high, high *= 2;
  constexpr int steps = 12;
  for (int step = 0; step < steps; ++step) {
    const double middle = (low + high) / 2;
    (share_found(middle, alpha) < share ? low : high) = middle;
  }
  return high;
}

}  // namespace recmeter
