#include "metric/metrics.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "recmeter/metric/definition.h"
#include "recmeter/metric/discount.h"

namespace recmeter {

namespace {

double discounted_gain(const ScoredList& list, std::uint32_t k, GainKind gain) {
  double sum = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    sum += gain_of(hit.grade, gain) * discount(hit.rank);
  }
  return sum;
}

// The best order of the list's grades and of the missed ones, merged, cut at k: never at the list's length.
double ideal_gain(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k, GainKind gain) {
  thread_local std::vector<double> grades;
  grades.clear();
  for (const Hit& hit : list.hits) grades.push_back(hit.grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  double sum = 0;
  std::uint64_t rank = 1;
  auto own = grades.begin();
  for (const GradeCount& level : missed) {
    for (; own != grades.end() && *own >= level.grade && rank <= k; ++own) sum += gain_of(*own, gain) * discount(rank++);
    for (std::uint64_t i = 0; i < level.items && rank <= k; ++i) sum += gain_of(level.grade, gain) * discount(rank++);
  }
  for (; own != grades.end() && rank <= k; ++own) sum += gain_of(*own, gain) * discount(rank++);
  return sum;
}

double ndcg(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k, GainKind gain) {
  const double reached = discounted_gain(list, k, gain);
  return reached == 0 ? 0 : reached / ideal_gain(list, missed, k, gain);
}

}  // namespace

const MetricDefinition ndcg_list_metric{
    .name = "ndcg_list",
    .evidence = Evidence::relevant_in_list,
    .takes_gain = true,
    .formula = "sum over i <= k of g(r_i) / log2(i + 1), divided by the same sum for the list's grades, best first",
    .source = "Järvelin, Kekäläinen 2002; g(r) = r or 2^r - 1 (Burges et al. 2005)",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions& options) { return ndcg(list, {}, k, options.gain); },
};

const MetricDefinition ndcg_user_metric{
    .name = "ndcg_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .takes_gain = true,
    .formula = "as ndcg_list, with the grades of the user's missed items in the ideal order",
    .source = "Järvelin, Kekäläinen 2002",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions& options) { return ndcg(list, list.missed, k, options.gain); },
};

}  // namespace recmeter
