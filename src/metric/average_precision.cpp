#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "metric/ratio_form.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

// Sum over the relevant ranks i <= k of precision at i, divided by what `ap_denominator` says; 0/0 is 0.
RatioParts average_precision(const ScoredList& list, std::uint32_t k, std::uint64_t relevant, ApDenominator denominator) {
  double sum = 0;
  std::uint32_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    sum += static_cast<double>(hits) / hit.rank;
  }
  switch (denominator) {
    case ApDenominator::min: return {sum, static_cast<double>(std::min<std::uint64_t>(relevant, k))};
    case ApDenominator::relevant: return {sum, static_cast<double>(relevant)};
    case ApDenominator::k: return {sum, static_cast<double>(k)};
    case ApDenominator::hits: return {sum, static_cast<double>(hits)};
  }
  RECMETER_CHECK(false, "an unknown denominator");
}

RatioParts of_list(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return average_precision(list, k, list.relevant_in_list(), options.ap_denominator);
}
RatioParts of_user(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return average_precision(list, k, list.relevant_of_user(), options.ap_denominator);
}

std::string divisor_text(std::uint32_t hits, std::uint32_t k, std::uint64_t relevant, ApDenominator denominator) {
  switch (denominator) {
    case ApDenominator::min: return "min(" + std::to_string(relevant) + ", " + cutoff_text(k) + ")";
    case ApDenominator::relevant: return std::to_string(relevant);
    case ApDenominator::k: return std::to_string(k);
    case ApDenominator::hits: return std::to_string(hits);
  }
  RECMETER_CHECK(false, "an unknown denominator");
}

std::string arithmetic_of_average(const ScoredList& list, std::uint32_t k, std::uint64_t relevant,
                                  ApDenominator denominator) {
  std::vector<std::string> terms;
  std::uint32_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    terms.push_back(std::to_string(hits) + " / " + std::to_string(hit.rank));
  }
  return sum_text(terms) + " / " + divisor_text(hits, k, relevant, denominator);
}

const std::array map_list_examples{
    WorkedExample{"A", 5, "(1 / 1 + 2 / 3) / min(2, 5)", 0.8333},
    WorkedExample{"A", 5, "(1 / 1 + 2 / 3) / 5", 0.3333, {.ap_denominator = ApDenominator::k}},
    WorkedExample{"C", 10, "(1 / 7) / min(1, 10)", 0.1429},
};
const std::array map_user_examples{
    WorkedExample{"A", 5, "(1 / 1 + 2 / 3) / min(8, 5)", 0.3333},
    WorkedExample{"A", 5, "(1 / 1 + 2 / 3) / 8", 0.2083, {.ap_denominator = ApDenominator::relevant}},
    WorkedExample{"A", 5, "(1 / 1 + 2 / 3) / 2", 0.8333, {.ap_denominator = ApDenominator::hits}},
};
constexpr MetricOptionSet options_taken{MetricOption::ap_denominator, MetricOption::unit_user, MetricOption::unit_pooled,
                                        MetricOption::over, MetricOption::cut};
constexpr MetricOptionSet options_of_user{
    MetricOption::ap_denominator, MetricOption::unit_user, MetricOption::unit_pooled,
    MetricOption::over,           MetricOption::cut,       MetricOption::cut_at_relevant};

}  // namespace

const MetricDefinition map_list_metric{
    .name = "map_list",
    .evidence = Evidence::relevant_in_list,
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over i <= k of b_i * hits_i / i, divided by min(R_list, k)",
    .says =
        "Mean of the precision at each relevant rank: rewards relevant items near the top. Grades do not matter, only "
        "relevant or not.",
    .edges =
        "The divisor is cut at k, never at n (LensKit cuts at n). Divided by R or k, a perfect list scores below 1 when R "
        "> k or R < k. Divided by the hits, a list with one hit at rank 1 scores 1 whatever it lacks.",
    .elsewhere =
        "Divisors, with R = R_list (R_user for map_user): min (default): min(R, k), as RecBole, RePlay and Recommenders "
        "map_at_k; relevant: R, as trec_eval map_cut, ir_measures, ranx, RecTools, TF-Ranking and Recommenders map; k: k, as "
        "RecTools with divide_by_k; hits: hits_k, as TorchMetrics. Tools that divide by R differ by their input: with the "
        "shown items only, R is R_list; with all of a user's positives it is R_user.",
    .source =
        "Buckley, Voorhees: Retrieval system evaluation. In TREC: Experiment and evaluation in information retrieval, 2005",
    .examples = map_list_examples,
    .evaluate = RatioForm<of_list>::evaluate,
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          return arithmetic_of_average(list, k, list.relevant_in_list(), options.ap_denominator);
        },
    .pooled = &RatioForm<of_list>::pooled<MovedBy::every_list>,
};

const MetricDefinition map_user_metric{
    .name = "map_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = options_of_user,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over i <= k of b_i * hits_i / i, divided by min(R_user, k)",
    .says =
        "As map_list, but relevant items include those that the user acted on elsewhere: a list loses value for items that "
        "it lacks.",
    .edges =
        "`ap_denominator: k` and `hits` do not contain R, so there the values of map_user and map_list are equal; only "
        "their evidence differs. With `cut: R` every divisor but `hits` is R_user.",
    .elsewhere = "trec_eval's map_cut on all relevant items is map_user with `ap_denominator: relevant`.",
    .source =
        "Buckley, Voorhees: Retrieval system evaluation. In TREC: Experiment and evaluation in information retrieval, 2005",
    .examples = map_user_examples,
    .evaluate = RatioForm<of_user>::evaluate,
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          return arithmetic_of_average(list, k, list.relevant_of_user(), options.ap_denominator);
        },
    .pooled = &RatioForm<of_user>::pooled<MovedBy::every_list>,
};

}  // namespace recmeter
