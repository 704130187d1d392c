// Made-up experiments: 28 days of lists of users who differ in how much they do and in what they like, in arms between which
// there is no difference, or one that is known. Shared with nothing of the product.
//
// A user's lists fall by the weights of the hours (day, night, week end) after it has come; half of the users come early.
// Heavy users decide how much is known: the number of lists is Pareto distributed with index 1.3, at most `lists_max`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/dice.h"

namespace recmeter::support {

inline constexpr int experiment_hours = 28 * 24;

enum class MadeUpValue : std::uint8_t { share, conversion, log_normal_order, pareto_order };

struct ExperimentTraffic {
  MadeUpValue value = MadeUpValue::share;
  double pareto_shape = 2.5;  // of orders
  double cap = std::numeric_limits<double>::infinity();
  std::size_t users = 8000;
  double lists_max = 300;
  double taste_spread = 1;  // standard deviation, on the scale of the logit
  int days_before = 0;      // of lists before the experiment
  std::vector<double> allocation{0.5, 0.5};
  std::vector<double> lifts = {};  // by arm, relative; empty: none
  double mixed_share = 0;          // of users who get each of their lists from an arm of its own; 1: lists are randomised
};

struct MadeUpList {
  int hour = 0;  // since the start; below 0: before
  std::uint32_t user = 0;
  std::uint8_t slot = 0;
  std::uint8_t arm = 0;
  double value = 0;
};

// In the order of their hours.
[[nodiscard]] std::vector<MadeUpList> made_up_lists(const ExperimentTraffic& traffic, Dice& dice);

// In (0, 1).
[[nodiscard]] double unit_of(Dice& dice);
// Of mean 0 and variance 1, by Box and Muller.
[[nodiscard]] double normal_of(Dice& dice);

}  // namespace recmeter::support
