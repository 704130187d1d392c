// `ratings`: the scale of explicit feedback, and what of it matters.
#include "config/readers.h"

namespace recmeter::config {

void read_ratings(Section& root, Config& config) {
  constexpr Range<double> values{-1e8, 1e8};
  RatingRule& rule = config.spec.ratings;
  Section ratings = root.section("ratings", "ratings: {min: 1, max: 5}");
  ratings.read("min", rule.min, values);
  ratings.read("max", rule.max, values);
  if (const auto extremes = ratings.take("extremes")) {
    const auto entries = ratings.reader().list(*extremes, "[2, 4]", 2);
    if (entries && entries->size() != 2) ratings.reader().complain(*extremes, "does not have two bounds", "write [2, 4]");
    if (entries && entries->size() == 2) {
      rule.extremes_low = ratings.reader().number((*entries)[0], values).value_or(rule.extremes_low);
      rule.extremes_high = ratings.reader().number((*entries)[1], values).value_or(rule.extremes_high);
    }
  }
  ratings.read("reversal", rule.reversal, {0, 2e8});
  ratings.read("half_life", rule.half_life, {0, 1e6});
  ratings.read("default_vote", rule.default_vote, values);
  ratings.read("liked", rule.liked, values);
  ratings.finish();
}

}  // namespace recmeter::config
