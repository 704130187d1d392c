#include <array>
#include <cstdint>
#include <string>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rated_order.h"

namespace recmeter {

namespace {

struct Preferences {
  std::int64_t all = 0;           // Ci
  std::int64_t contradicted = 0;  // C-
  std::int64_t tied = 0;          // Cu
};

Preferences preferences_of(const ScoredList& list) {
  Preferences counts;
  for_each_couple(list, [&](int by_prediction, int by_rating) {
    if (by_rating == 0) return;
    ++counts.all;
    counts.tied += by_prediction == 0 ? 1 : 0;
    counts.contradicted += by_prediction == -by_rating ? 1 : 0;
  });
  return counts;
}

double ndpm(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Preferences counts = preferences_of(list);
  return static_cast<double>(2 * counts.contradicted + counts.tied) / static_cast<double>(2 * counts.all);
}

std::string ndpm_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Preferences counts = preferences_of(list);
  return "(2 * " + std::to_string(counts.contradicted) + " + " + std::to_string(counts.tied) + ") / (2 * " +
         std::to_string(counts.all) + ")";
}

// Two different ratings.
bool has_preference(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Rating* first = nullptr;
  for (const Rating& rating : list.ratings) {
    if (!rating.has_prediction) continue;
    if (first == nullptr) first = &rating;
    if (rating.rating != first->rating) return true;
  }
  return false;
}

const std::array worked_examples{
    WorkedExample{
        .lists = "R", .arithmetic = "one of six preferences is contradicted: (2 * 1 + 0) / (2 * 6)", .value = 0.1667},
    WorkedExample{.lists = "RS", .arithmetic = "(2 / 12 + 2 / 2) / 2", .value = 0.5833},
};

}  // namespace

constinit const MetricDefinition ndpm_metric = of_rated_order({
    .name = "ndpm",
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula =
        "of one list, over pairs of its rated items: (2 C- + Cu) / (2 Ci); Ci: the user rates one higher than the other, "
        "C-: of these the score says the opposite, Cu: of these the scores are equal",
    .own_evidence = "items with a score and a rating, of at least two ratings",
    .says = "The distance between the order of the scores and the user's preferences; smaller is better. Items that the user "
            "rates alike may be in any order.",
    .edges = "Over a list's items with a score and a rating. Lists without two different ratings are left out of the mean.",
    .source =
        "Herlocker et al. 2004, section 4.1.3, equation 10; Yao: Measuring retrieval effectiveness based on user preference "
        "of documents, JASIS 46(2), 1995",
    .examples = worked_examples,
    .evaluate = ndpm,
    .arithmetic = ndpm_text,
    .has_evidence = has_preference,
});

}  // namespace recmeter
