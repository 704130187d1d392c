#include <array>
#include <string>
#include <vector>

#include "metric/discount.h"
#include "metric/metrics.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

// visit(R_i / i * product of 1 - R_j before it) for each hit up to k.
template <class Visit>
void visit_stops(const ScoredList& list, std::uint32_t k, const MetricOptions& options, Visit&& visit) {
  const double all = gain_of(options.gain_max, GainKind::exp2) + 1;  // 2^g
  double goes_on = 1;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    const double satisfied = gain_of(hit.grade, GainKind::exp2) / all;
    visit(goes_on * satisfied / hit.rank);
    goes_on *= 1 - satisfied;
  }
}

double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  double sum = 0;
  visit_stops(list, k, options, [&](double term) { sum += term; });
  return sum;
}

std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::string> terms;
  visit_stops(list, k, options, [&](double term) { terms.push_back(four_decimals(term)); });
  return sum_text(terms);
}

const std::array examples{
    WorkedExample{"A", 5, "of gains up to 1, a hit satisfies with (2 - 1) / 2: 0.5 / 1 + 0.5 * 0.5 / 3", 0.5833},
    WorkedExample{"B", 5, "of gains up to 3, with 1 / 8 and 7 / 8: 0.125 / 1 + 0.875 * 0.875 / 3", 0.3802, {.gain_max = 3}},
};

}  // namespace

const MetricDefinition err_metric{
    .name = "err",
    .evidence = Evidence::relevant_in_list,
    .takes_powers = true,
    .takes = {MetricOption::unit_user, MetricOption::over, MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula =
        "sum over i <= k of R_i / i * product over j < i of (1 - R_j), R = (2^r - 1) / 2^(the largest gain of join.actions)",
    .says =
        "The expected 1 / (rank at which the user is satisfied and stops). What follows a good item counts little: suitable "
        "where one excellent item is enough, and grades say how good an item is.",
    .edges =
        "Gains of actions are at most 30. Values depend on the largest gain of all configured actions; of one action it is "
        "1, "
        "and a hit satisfies with 1/2.",
    .elsewhere = "gdeval and ir_measures divide by 2^(the largest grade), as here.",
    .source = "Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009, eq. 4",
    .examples = examples,
    .evaluate = evaluate,
    .arithmetic = arithmetic,
};

}  // namespace recmeter
