#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "metric/wide_int.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/overlap_facts.h"

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{
        .lists = "AC", .cutoff = 5, .arithmetic = "A shows 4 items, C those and e: 1 - 4 / sqrt(4 * 5)", .value = 0.1056},
    WorkedExample{.lists = "ABCD",
                  .cutoff = 5,
                  .arithmetic = "D is empty; the pairs AB, AC, BC: 1 - (1 + 0.8944 + 0.8944) / 3",
                  .value = 0.0704},
};

// Both over the ordered pairs of lists of two different groups.
struct PairSums {
  Int128 similarity = 0;  // in 2^-64
  Int128 pairs = 0;

  // Rounding of weights can take a similarity of 1 a little beyond it.
  [[nodiscard]] std::optional<double> value() const {
    if (pairs == 0) return std::nullopt;
    const Int128 all = pairs * (Int128{1} << (2 * q32_fraction_bits));
    return quotient_of(std::max<Int128>(0, all - similarity), all);
  }
};

ExposureValue measure(const ExposureFacts& facts, const MetricOptions&, double confidence) {
  if (facts.overlap == nullptr) return {};
  const OverlapFacts& overlap = *facts.overlap;
  const std::uint64_t lists = std::accumulate(overlap.lists.begin(), overlap.lists.end(), std::uint64_t{0});
  const auto pairs_of = [&](std::size_t g) { return Int128{overlap.lists[g]} * (lists - overlap.lists[g]); };
  PairSums all;
  for (std::size_t g = 0; g < user_groups; ++g) {
    all.similarity += overlap.shared[g];
    all.pairs += pairs_of(g);
  }
  // A group's pairs stand in the sums twice: once from either side.
  const auto without = [&](std::size_t g) {
    return PairSums{.similarity = all.similarity - 2 * overlap.shared[g], .pairs = all.pairs - 2 * pairs_of(g)};
  };
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (overlap.lists[g] == 0) continue;
    left_out.add(g, without(g).value());
    ++left_out.evidence_groups;
  }
  const auto exact_without = [&](std::size_t g) { return Quotient{without(g).similarity, without(g).pairs}; };
  const Estimate estimate = estimate_left_out(all.value(), left_out, exact_without, {0, 1}, confidence);
  return {.value = estimate.value, .se = estimate.se, .ci = estimate.ci};
}

}  // namespace

const MetricDefinition personalisation_metric{
    .name = "personalisation",
    .family = Family::exposure,
    .laws = {Law::none_beyond_family},  // laws of overlap: tests/laws/exposure_laws_test.cpp
    .formula =
        "1 - mean of |A and B| / sqrt(|A| |B|) over the pairs of lists of two different user groups; A, B: the distinct "
        "items in the top k of the two lists, both not empty",
    .says =
        "How different the lists of different users are: 0 when all users see the same items, 1 when no two share any. Lists "
        "differ for other reasons too (time, context, a catalogue that changes): compare with a system that is not personal.",
    .edges =
        "The groups are the 64 of the intervals: lists of two groups are of two users, and which users share a group (1 pair "
        "of 64) comes from a hash of their ids and not from what they were shown, so the mean over pairs of groups estimates "
        "that over pairs of users without bias; the interval leaves one group out at a time. Of a window and segment value "
        "with more lists with items than `limits.compared_lists` (1024), a random sample is compared: those whose hash "
        "(XXH3-64 of the list id, seeded with the time in ms) begins with j zero bits, for the smallest j that leaves no "
        "more than the limit; the interval includes the error of sampling. All pairs of the compared lists count: 1/sqrt|A| "
        "is rounded once to 2^-32, sums are exact, so the value is within 1e-9 * sqrt(k) of the formula. A user with many "
        "lists is in many pairs. Order in the list does not matter. Null unless two groups have a list with items.",
    .elsewhere =
        "Others average the cosine over all pairs of users of a test set with one list each, or over a sample of pairs.",
    .source = "cosine of sets: Salton, McGill 1983 (Ochiai 1957); inter-user diversity: Zhou et al. 2010",
    .examples = examples,
    .exposure_needs = {.overlap = true},
    .measure = measure,
};

}  // namespace recmeter
