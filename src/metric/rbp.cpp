#include <array>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

// visit((1 - p) p^(rank - 1)) for each hit up to k.
template <class Visit>
void visit_weights(const ScoredList& list, std::uint32_t k, double p, Visit&& visit) {
  double weight = 1 - p;
  std::uint32_t rank = 1;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    for (; rank < hit.rank; ++rank) weight *= p;
    visit(weight);
  }
}

double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  double sum = 0;
  visit_weights(list, k, options.persistence, [&](double weight) { sum += weight; });
  return sum;
}

std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::string> terms;
  visit_weights(list, k, options.persistence, [&](double weight) { terms.push_back(four_decimals(weight)); });
  return sum_text(terms);
}

const std::array examples{
    WorkedExample{"A", 5, "0.2 + 0.2 * 0.8 * 0.8", 0.328},
    WorkedExample{"A", 5, "0.5 + 0.5 * 0.5 * 0.5", 0.625, {.persistence = 0.5}},
};

}  // namespace

const MetricDefinition rbp_metric{
    .name = "rbp",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::persistence, MetricOption::unit_user, MetricOption::over, MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "(1 - p) * sum over relevant ranks i <= k of p^(i - 1)",
    .says =
        "What a user gains per item looked at who goes on to the next rank with probability p. With p = 0.8 five ranks are "
        "looked at on average. It needs no ideal, so lists with few and with many relevant items compare.",
    .edges = "Never 1: ranks beyond k, at most p^k of the weight, count as irrelevant.",
    .elsewhere = "trec_eval 10 and ranx (rbp.80) have it without a cut; ir_measures RBP(rel=1, p=0.8) is the same.",
    .source = "Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008, eq. 4",
    .examples = examples,
    .evaluate = evaluate,
    .arithmetic = arithmetic,
};

}  // namespace recmeter
