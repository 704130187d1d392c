#include "metric/metrics.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "metric/ratio_form.h"
#include "recmeter/metric/definition.h"
#include "recmeter/metric/discount.h"

namespace recmeter {

namespace {

// An ideal of ones knows no grades, so none count.
double discounted_gain(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  double sum = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    sum += (options.ideal == IdealDcg::ones ? 1 : gain_of(hit.grade, options.gain)) * discount(hit.rank);
  }
  return sum;
}

// How many ranks the ideal order has.
std::uint64_t ideal_ranks(const ScoredList& list, std::uint64_t relevant, std::uint32_t k, IdealDcg ideal) {
  switch (ideal) {
    case IdealDcg::cut:
    case IdealDcg::ones: return k;
    case IdealDcg::shown: return std::min(k, list.length);
    case IdealDcg::whole: return relevant;
  }
  return k;
}

// The best order of the list's grades and of the missed ones, merged; by default cut at k, never at the list's length.
double ideal_gain(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k, const MetricOptions& options) {
  const GainKind gain = options.gain;
  const std::uint64_t end = ideal_ranks(list, list.hits.size() + (missed.empty() ? 0 : list.missed_items), k, options.ideal);
  double sum = 0;
  std::uint64_t rank = 1;
  if (options.ideal == IdealDcg::ones) {
    for (; rank <= end; ++rank) sum += discount(rank);
    return sum;
  }
  thread_local std::vector<double> grades;
  grades.clear();
  for (const Hit& hit : list.hits) grades.push_back(hit.grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  auto own = grades.begin();
  for (const GradeCount& level : missed) {
    for (; own != grades.end() && *own >= level.grade && rank <= end; ++own) sum += gain_of(*own, gain) * discount(rank++);
    for (std::uint64_t i = 0; i < level.items && rank <= end; ++i) sum += gain_of(level.grade, gain) * discount(rank++);
  }
  for (; own != grades.end() && rank <= end; ++own) sum += gain_of(*own, gain) * discount(rank++);
  return sum;
}

RatioParts of_list(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {discounted_gain(list, k, options), ideal_gain(list, {}, k, options)};
}
RatioParts of_user(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {discounted_gain(list, k, options), ideal_gain(list, list.missed, k, options)};
}

constexpr PooledForm pooled_list = RatioForm<of_list>::moved_by(MovedBy::every_list);
constexpr PooledForm pooled_user = RatioForm<of_user>::moved_by(MovedBy::every_list);

constexpr MetricOptionSet options_taken{MetricOption::gain,        MetricOption::ideal, MetricOption::unit_user,
                                        MetricOption::unit_pooled, MetricOption::over,  MetricOption::cut};

}  // namespace

const MetricDefinition ndcg_list_metric{
    .name = "ndcg_list",
    .evidence = Evidence::relevant_in_list,
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "sum over i <= k of g(r_i) / log2(i + 1), divided by the same sum for the list's grades, best first",
    .source = "Järvelin, Kekäläinen 2002; g(r) = r or 2^r - 1 (Burges et al. 2005)",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const double reached = discounted_gain(list, k, options);
          return reached == 0 ? 0 : reached / ideal_gain(list, {}, k, options);
        },
    .pooled = &pooled_list,
};

const MetricDefinition ndcg_user_metric{
    .name = "ndcg_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "as ndcg_list, with the grades of the user's missed items in the ideal order",
    .source = "Järvelin, Kekäläinen 2002",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const double reached = discounted_gain(list, k, options);
          return reached == 0 ? 0 : reached / ideal_gain(list, list.missed, k, options);
        },
    .pooled = &pooled_user,
};

}  // namespace recmeter
