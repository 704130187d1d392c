// RatingRule: the configuration's `ratings`: the scale of explicit feedback and what its metrics mean by it. [S5].
#pragma once

namespace recmeter {

struct RatingRule {
  double min = 1;
  double max = 5;            // > min
  double extremes_low = 2;   // mae_extremes: over ratings below it, or above extremes_high
  double extremes_high = 4;  // >= extremes_low
  double reversal = 3;       // reversals: pairs whose prediction is off by at least so much; > 0
  double half_life = 5;      // half_life_utility: the rank that half of the users reach; > 1
  double default_vote = 3;   // half_life_utility: the rating that is worth nothing; in [min, max]
  double liked = 4;          // error_rate, rated_auc: an item rated below it was wrong
};

}  // namespace recmeter
