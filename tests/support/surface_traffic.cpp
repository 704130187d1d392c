#include "support/surface_traffic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace recmeter::support {
namespace {

constexpr std::size_t ranks = 10;
constexpr std::size_t hours = 24;
constexpr double logit_of_first = -3.4 - 0.12;
const double odds_step = std::exp(-0.12);

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // in [0, 1)
  double normal() { return std::sqrt(-2 * std::log(1 - unit())) * std::cos(2 * std::numbers::pi * unit()); }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

double hour_weight(double hour) {
  return std::max(0.1, 1 + 0.8 * std::sin(2 * std::numbers::pi * (hour - 9) / 24));
}
double hour_logit(std::size_t hour) {
  return 0.3 * std::sin(2 * std::numbers::pi * static_cast<double>(hour) / 24);
}

// Clicks of a list with such a logit at rank 1.
double expected_of(double logit, double kept) {
  double odds = std::exp(logit);
  double sum = 0;
  for (std::size_t i = 1; i <= ranks; ++i, odds *= odds_step) sum += kept * odds / (1 + odds);
  return sum / static_cast<double>(ranks);
}

void move_visits(Day& day, double share) {
  day.share[0] -= share;
  day.share[surfaces - 1] += share;
}

// `strength`: from 0 to 1.
Day day_of(Planted what, double strength) {
  Day day;
  switch (what) {
    case Planted::nothing: break;
    case Planted::visits_move: move_visits(day, strength * surface_shares[0]); break;
    case Planted::ranker_of_a_fifth:
    case Planted::ranker_of_a_few: day.logit[planted_surface(what)] -= 6 * strength; break;
    case Planted::clicks_lost: day.kept.fill(1 - strength); break;
    case Planted::clicks_lost_of_few: day.kept[planted_surface(what)] = 1 - strength; break;
    case Planted::opposed:
      for (std::size_t s = 0; s < surfaces; ++s) {
        const double aim = 1.04 * day.expected(s);
        double low = 0, high = 1;
        for (int step = 0; step < 40; ++step) {
          const double middle = (low + high) / 2;
          Day tried = day;
          tried.logit[s] += middle;
          (tried.expected(s) < aim ? low : high) = middle;
        }
        day.logit[s] += low;
      }
      move_visits(day, strength * surface_shares[0]);
      break;
  }
  return day;
}

template <std::size_t count>
std::size_t drawn(const std::array<double, count>& shares, double unit) {
  std::size_t at = 0;
  for (; at + 1 < count && unit >= shares[at]; ++at) unit -= shares[at];
  return at;
}

void add(GroupSum& to, std::int64_t value) {
  to.sum += value;
  ++to.lists;
  to.evidence += value > 0 ? 1 : 0;
}

}  // namespace

std::size_t planted_surface(Planted what) {
  switch (what) {
    case Planted::ranker_of_a_fifth: return 1;
    case Planted::ranker_of_a_few: return 2;
    case Planted::clicks_lost_of_few: return 3;
    default: return surfaces;
  }
}

double Day::expected(std::size_t surface) const {
  double sum = 0, weights = 0;
  for (std::size_t hour = 0; hour < hours; ++hour) {
    for (double user = -4; user <= 4.001; user += 0.25) {
      const double weight = hour_weight(static_cast<double>(hour)) * std::exp(-user * user / 2);
      weights += weight;
      sum += weight * expected_of(logit_of_first + logit[surface] + hour_logit(hour) + user, kept[surface]);
    }
  }
  return sum / weights;
}

double Day::expected() const {
  double sum = 0;
  for (std::size_t s = 0; s < surfaces; ++s) sum += share[s] * expected(s);
  return sum;
}

Day planted_day(const Plant& plant) {
  const double aim = (1 - plant.fall) * Day().expected();
  double low = 0, high = 1;
  for (int step = 0; step < 30 && plant.what != Planted::nothing; ++step) {
    const double middle = (low + high) / 2;
    (day_of(plant.what, middle).expected() > aim ? low : high) = middle;
  }
  return day_of(plant.what, low);
}

TwoDays two_days(const Day& before, const Day& after, std::size_t lists, std::uint64_t seed) {
  Chance chance(seed);
  std::array<double, hours> weights{};
  for (std::size_t hour = 0; hour < hours; ++hour) weights[hour] = hour_weight(static_cast<double>(hour));
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= all;
  // Each hour adds something that lasts into the next ones. Both days have it, or the days would differ without a plant.
  std::array<double, hours> level{};
  for (std::size_t hour = 0; hour < hours; ++hour) {
    level[hour] = (hour == 0 ? 0 : 0.8 * level[hour - 1]) + 0.06 * chance.normal();
  }
  TwoDays out;
  for (std::size_t made = 0; made < lists;) {
    const double pareto = std::pow(1 - chance.unit(), -1 / 1.3);
    const auto of_user = static_cast<std::size_t>(std::min(300.0, std::floor(pareto + 1)));
    const double taste = chance.normal();
    const std::uint64_t bits = chance.bits();
    const std::size_t group = bits % user_groups;
    const std::size_t device = (bits >> 8) % devices;
    made += of_user;
    for (std::size_t d = 0; d < 2; ++d) {
      const Day& day = d == 0 ? before : after;
      TrafficSums& sums = d == 0 ? out.before : out.after;
      for (std::size_t list = 0; list < of_user; ++list) {
        const std::size_t surface = drawn(day.share, chance.unit());
        const std::size_t hour = drawn(weights, chance.unit());
        double odds = std::exp(logit_of_first + day.logit[surface] + hour_logit(hour) + level[hour] + taste);
        double hits = 0;
        for (std::size_t i = 1; i <= ranks; ++i, odds *= odds_step) {
          if (chance.unit() < day.kept[surface] * odds / (1 + odds)) ++hits;
        }
        const std::int64_t value = to_fixed(hits / static_cast<double>(ranks));
        add(sums.by_surface[surface][group], value);
        add(sums.by_device[device][group], value);
      }
    }
  }
  return out;
}

}  // namespace recmeter::support
