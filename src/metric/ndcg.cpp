#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "metric/discount.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

// An ideal of ones knows no grades, so none count.
GainKind reached_kind(const MetricOptions& options) {
  return options.ideal == IdealDcg::ones ? GainKind::binary : options.gain;
}

double reached_gain(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return discounted_gain(list, k, reached_kind(options), options.discount);
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

// The best order of the list's grades and of the missed ones, merged: visit(gain, rank). By default cut at k, never at the
// list's length.
template <class Visit>
void visit_ideal(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k, const MetricOptions& options,
                 Visit&& visit) {
  const GainKind gain = options.gain;
  const std::uint64_t end = ideal_ranks(list, list.hits.size() + (missed.empty() ? 0 : list.missed_items), k, options.ideal);
  std::uint64_t rank = 1;
  if (options.ideal == IdealDcg::ones) {
    for (; rank <= end; ++rank) visit(1.0, rank);
    return;
  }
  thread_local std::vector<double> grades;
  grades.clear();
  for (const Hit& hit : list.hits) grades.push_back(hit.grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  auto own = grades.begin();
  for (const GradeCount& level : missed) {
    for (; own != grades.end() && *own >= level.grade && rank <= end; ++own) visit(gain_of(*own, gain), rank++);
    for (std::uint64_t i = 0; i < level.items && rank <= end; ++i) visit(gain_of(level.grade, gain), rank++);
  }
  for (; own != grades.end() && rank <= end; ++own) visit(gain_of(*own, gain), rank++);
}

double ideal_gain(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k, const MetricOptions& options) {
  double sum = 0;
  visit_ideal(list, missed, k, options,
              [&](double gain, std::uint64_t rank) { sum += gain * discount(rank, options.discount); });
  return sum;
}

// (1 / 1 + 3 / 2) / (3 / 1 + 1 / 1.585): gains over what discounts divide by.
std::string arithmetic_of_gain(const ScoredList& list, std::span<const GradeCount> missed, std::uint32_t k,
                               const MetricOptions& options) {
  std::vector<std::string> terms;
  visit_ideal(list, missed, k, options,
              [&](double gain, std::uint64_t rank) { terms.push_back(gain_term(gain, rank, options.discount)); });
  return gain_text(list, k, reached_kind(options), options.discount) + " / " + sum_text(terms);
}

RatioParts of_list(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {reached_gain(list, k, options), ideal_gain(list, {}, k, options)};
}
RatioParts of_user(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {reached_gain(list, k, options), ideal_gain(list, list.missed, k, options)};
}

constexpr MetricOptionSet options_taken{MetricOption::gain,        MetricOption::ideal,          MetricOption::unit_user,
                                        MetricOption::unit_pooled, MetricOption::over,           MetricOption::cut,
                                        MetricOption::discount,    MetricOption::cut_at_relevant};
constexpr MetricOptionSet options_of_list{MetricOption::gain,        MetricOption::ideal,   MetricOption::unit_user,
                                          MetricOption::over,        MetricOption::cut,     MetricOption::grade,
                                          MetricOption::unit_pooled, MetricOption::discount};
const MetricOptions sold_by_value{.action = "purchase", .grade = Grade::value};

const std::array ndcg_list_examples{
    WorkedExample{"A", 5, "(1 / 1 + 1 / 2) / (1 / 1 + 1 / 1.585)", 0.9197},
    WorkedExample{"B", 5, "(1 / 1 + 3 / 2) / (3 / 1 + 1 / 1.585)", 0.6885},
    WorkedExample{"B", 5, "(1 / 1 + 7 / 2) / (7 / 1 + 1 / 1.585)", 0.5897, {.gain = GainKind::exp2}},
    WorkedExample{"B", 5, "(1 / 1 + 3 / 1.585) / (3 / 1 + 1 / 1)", 0.7232, {.discount = Discount::log2_max2}},
    WorkedExample{"B", 5, "20 was paid for c: (20 / 2) / (20 / 1)", 0.5, sold_by_value},
};
const std::array ndcg_user_examples{
    WorkedExample{"A", 5, "(1 / 1 + 1 / 2) / (1 / 1 + 1 / 1.585 + 1 / 2 + 1 / 2.3219 + 1 / 2.585)", 0.5087},
    WorkedExample{"A", 5, "(1 / 1 + 1 / 2) / (1 / 1 + 1 / 1.585 + 1 / 2 + 1 / 2.3219)", 0.5856, {.ideal = IdealDcg::shown}},
    WorkedExample{"P", 1, "R_user is 2: (1 / 1 + 1 / 1.585) / (1 / 1 + 1 / 1.585)", 1, {.cut = Cut::relevant}},
    WorkedExample{"S", 1, "R_user is 1, and the hit at rank 3: 0 / (1 / 1)", 0, {.cut = Cut::relevant}},
};

}  // namespace

const MetricDefinition ndcg_list_metric{
    .name = "ndcg_list",
    .evidence = Evidence::relevant_in_list,
    .takes = options_of_list,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula =
        "sum over i <= k of g(r_i) / log2(i + 1), divided by the same sum for the list's own grades, best first, cut at k",
    .says =
        "Were the best of the relevant shown items on top? A list with one relevant item at rank 1 scores 1, whatever else "
        "the user wanted; ndcg_user accounts for that.",
    .edges =
        "g(r) = r, or 2^r - 1 with `gain: exp2`, for which gains of actions are at most 30; with one grade of gain 1 both "
        "agree. The ideal is cut at k, never at n, unless `ideal` says so: ones (k grades of 1, and no grades in the "
        "sum), shown (min(k, n)), whole (not cut). `discount` says what the gain at rank i is "
        "divided by: log2(i + 1); max(1, log2(i)), as in the source (log2_max2); i (rank); or 1 (none). With `grade: value` "
        "and an `action` the grade of an item is what was paid "
        "for it, less returns.",
    .elsewhere =
        "Linear gain in trec_eval, ir_measures, ranx ndcg, Evidently, LensKit, TorchMetrics, scikit-learn; 2^r - 1 in "
        "TF-Ranking, Elasticsearch, OpenSearch, ranx ndcg_burges, Cornac, Elliot. LensKit weighs ranks 1 and 2 the same by "
        "default. trec_eval and ranx treat grades below 1 as not relevant. Tools fed with the shown items only (Evidently, "
        "TorchMetrics, TF-Ranking, TorchRec, scikit-learn) compute this one.",
    .source =
        "Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002, with the discount "
        "log2(i + 1) that also counts at rank 1; exp2: Burges et al.: Learning to rank using gradient descent. ICML, 2005",
    .examples = ndcg_list_examples,
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const double reached = reached_gain(list, k, options);
          return reached == 0 ? 0 : reached / ideal_gain(list, {}, k, options);
        },
    .arithmetic = [](const ScoredList& list, std::uint32_t k,
                     const MetricOptions& options) { return arithmetic_of_gain(list, {}, k, options); },
    .pooled = &RatioForm<of_list>::pooled<MovedBy::every_list>,
};

const MetricDefinition ndcg_user_metric{
    .name = "ndcg_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "as ndcg_list, with the grades of the user's missed items in the ideal order",
    .says =
        "Were the right items shown, and the best of them on top? A short list that lacks what the user wanted scores lower.",
    .edges =
        "The ideal is cut at k, never at n, unless `ideal` says so. `discount` as of ndcg_list. With `cut: R` list and "
        "ideal are cut at R_user: the ideal holds every item that the user wanted.",
    .elsewhere =
        "trec_eval ndcg_cut, ir_measures, ranx, RecPack, RecBole, RePlay, Recommenders, Cornac and Elliot fed with all of "
        "a user's positives compute this one: 0.5087 for list A. trec_eval's uncut ndcg gives 0.379 (its ideal has all "
        "8). Elasticsearch cuts the ideal at the returned length: 0.586. RecTools' default ideal is always k relevant "
        "items, even if the user has fewer.",
    .source =
        "Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002, with the discount "
        "log2(i + 1)",
    .examples = ndcg_user_examples,
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const double reached = reached_gain(list, k, options);
          return reached == 0 ? 0 : reached / ideal_gain(list, list.missed, k, options);
        },
    .arithmetic = [](const ScoredList& list, std::uint32_t k,
                     const MetricOptions& options) { return arithmetic_of_gain(list, list.missed, k, options); },
    .pooled = &RatioForm<of_user>::pooled<MovedBy::every_list>,
};

}  // namespace recmeter
