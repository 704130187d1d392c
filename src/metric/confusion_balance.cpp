// What is left of both classes together when chance is taken away: informedness, markedness, mcc.
//
// With d = tp tn - fp fn: informedness = d / (P I), markedness = d / (shown others), and mcc is their geometric mean with the
// sign of d, so that mcc^2 = informedness markedness.
#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "metric/confusion.h"
#include "metric/families.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

double determinant(const Confusion& counts) {
  return static_cast<double>(counts.tp) * static_cast<double>(counts.tn) -
         static_cast<double>(counts.fp) * static_cast<double>(counts.fn);
}

// A formula of the form 0/0 is 0; with a factor of 0 the determinant is 0 as well.
double quotient(double determinant, std::uint64_t a, std::uint64_t b) {
  return determinant == 0 ? 0 : determinant / (static_cast<double>(a) * static_cast<double>(b));
}

double informedness(const Confusion& counts) {
  return quotient(determinant(counts), counts.relevant(), counts.irrelevant());
}
double markedness(const Confusion& counts) {
  return quotient(determinant(counts), counts.shown(), counts.others());
}
double mcc(const Confusion& counts) {
  return std::copysign(std::sqrt(informedness(counts) * markedness(counts)), determinant(counts));
}

template <double (*of_counts)(const Confusion&)>
double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return of_counts(confusion_at(list, k, options));
}

// Of the confusions at the ranks of hits up to k, over how many hits k ranks can hold.
template <double (*of_counts)(const Confusion&), class Visit>
void visit_hits(const ScoredList& list, std::uint32_t k, const MetricOptions& options, Visit&& visit) {
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    visit(of_counts(confusion_at(list, hit.rank, options)));
  }
}

template <double (*of_counts)(const Confusion&)>
double average(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  double sum = 0;
  visit_hits<of_counts>(list, k, options, [&](double value) { sum += value; });
  return sum == 0 ? 0 : sum / static_cast<double>(std::min<std::uint64_t>(list.relevant_of_user(), k));
}

template <double (*of_counts)(const Confusion&)>
std::string average_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::string> terms;
  visit_hits<of_counts>(list, k, options, [&](double value) { terms.push_back(four_decimals(value)); });
  return sum_text(terms) + " / min(" + std::to_string(list.relevant_of_user()) + ", " + cutoff_text(k) + ")";
}

constexpr MetricDefinition of_average(MetricDefinition own) {
  own.scope = Scope::user;
  own.evidence = Evidence::relevant_of_user;
  own.needs_catalog = true;
  own.needs = {ListPart::missed, ListPart::distinct};
  own.takes = {MetricOption::unit_user, MetricOption::over, MetricOption::universe};
  own.low = -1;
  return own;
}

WideInt determinant(const WideConfusion& sums) {
  return sums.tp * sums.tn - sums.fp * sums.fn;
}

Quotient summed_informedness(const WideConfusion& sums) {
  return {determinant(sums), sums.relevant() * sums.irrelevant()};
}
Quotient summed_markedness(const WideConfusion& sums) {
  return {determinant(sums), sums.shown() * sums.others()};
}
Quotient summed_mcc(const WideConfusion& sums) {
  const WideInt above = determinant(sums);
  return {above < 0 ? -(above * above) : above * above, sums.relevant() * sums.irrelevant() * sums.shown() * sums.others()};
}

bool has_shown_and_others(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const Confusion counts = confusion_at(list, k, options);
  return counts.shown() > 0 && counts.others() > 0;
}

constexpr PooledForm pooled_informedness = ConfusionForm<summed_informedness>::in_range(-1, 1);
constexpr PooledForm pooled_markedness = ConfusionForm<summed_markedness>::in_range(-1, 1);
constexpr PooledForm pooled_mcc = ConfusionForm<summed_mcc, true>::in_range(-1, 1);

constexpr LawSet laws_claimed{Law::swap_up_never_lowers, Law::order_within_k_is_free};

const std::array informedness_examples{
    WorkedExample{"A", 5, "2/8 + 10/12 - 1: tp 2, fp 2, fn 6, tn 10", 0.0833, of_20_items},
    WorkedExample{"C", 5, "0/1 + 14/19 - 1: tp 0, fp 5, fn 1, tn 14", -0.2632, of_20_items},
    WorkedExample{"AC", 5, "2/9 + 24/31 - 1: tp 2, fp 7, fn 7, tn 24", -0.0036, of_20_items_pooled},
};
const std::array markedness_examples{
    WorkedExample{"A", 5, "2/4 + 10/16 - 1: tp 2, fp 2, fn 6, tn 10", 0.125, of_20_items},
    WorkedExample{"C", 5, "0/5 + 14/15 - 1: tp 0, fp 5, fn 1, tn 14", -0.0667, of_20_items},
    WorkedExample{"AC", 5, "2/9 + 24/31 - 1: tp 2, fp 7, fn 7, tn 24", -0.0036, of_20_items_pooled},
};
const std::array mcc_examples{
    WorkedExample{"A", 5, "(2 * 10 - 2 * 6) / sqrt(8 * 12 * 4 * 16)", 0.1021, of_20_items},
    WorkedExample{"C", 5, "(0 * 14 - 5 * 1) / sqrt(1 * 19 * 5 * 15)", -0.1325, of_20_items},
    WorkedExample{"AC", 5, "(2 * 24 - 7 * 7) / sqrt(9 * 31 * 9 * 31)", -0.0036, of_20_items_pooled},
};

const std::array average_informedness_examples{
    WorkedExample{"A", 5, "at ranks 1 and 3: (1/8 + 12/12 - 1 + 2/8 + 11/12 - 1) / min(8, 5)", 0.0583, of_20_items},
};
const std::array average_markedness_examples{
    WorkedExample{"A", 5, "at ranks 1 and 3: (1/1 + 12/19 - 1 + 2/3 + 11/17 - 1) / min(8, 5)", 0.1891, of_20_items},
    WorkedExample{"S", 5, "at rank 3 nothing is left out: 0 / min(1, 5)", 0, {.catalog_size = 3}},
};

}  // namespace

constinit const MetricDefinition informedness_metric = of_confusion({
    .name = "informedness",
    .moved_by = MovedBy::relevant,
    .low = -1,
    .laws = laws_claimed,
    .formula = "tp / (tp + fn) + tn / (fp + tn) - 1",
    .own_evidence = "P > 0 and I > 0",
    .says =
        "Recall + inverse_recall - 1: how much better than chance relevant items are separated from the others. For a random "
        "list it is 0 in expectation whatever the share of relevant items; precision, recall and f1 are not.",
    .edges = "0 for an empty list.",
    .elsewhere = "Youden's J; scikit-learn: balanced_accuracy_score with adjusted=True.",
    .source = "Schröder et al. 2011, section 5.1; Powers: Evaluation, 2011",
    .examples = informedness_examples,
    .evaluate = evaluate<informedness>,
    .has_evidence = has_both_kinds,
    .pooled = &pooled_informedness,
});

constinit const MetricDefinition markedness_metric = of_confusion({
    .name = "markedness",
    .moved_by = MovedBy::every_list,
    .low = -1,
    .laws = laws_claimed,
    .formula = "tp / (tp + fp) + tn / (fn + tn) - 1",
    .own_evidence = "tp + fp > 0 and fn + tn > 0",
    .says =
        "Precision of what is shown + inverse_precision - 1: how much being shown says about being relevant, beyond chance; "
        "0 in expectation for a random list whatever the "
        "share of relevant items.",
    .edges = "The divisor is the number of distinct items shown, not k. A list without relevant items is worth 0 and has "
             "evidence when it shows something but not the whole catalogue.",
    .source = "Schröder et al. 2011, section 5.1; Powers: Evaluation, 2011",
    .examples = markedness_examples,
    .evaluate = evaluate<markedness>,
    .has_evidence = has_shown_and_others,
    .pooled = &pooled_markedness,
});

constinit const MetricDefinition mcc_metric = of_confusion({
    .name = "mcc",
    .moved_by = MovedBy::relevant,
    .low = -1,
    .laws = laws_claimed,
    .formula = "(tp * tn - fp * fn) / sqrt((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn))",
    .says = "Correlation of shown with relevant over the catalogue; its square is informedness times markedness. 0 in "
            "expectation for a random list whatever the share of relevant items.",
    .edges = "0 when a factor is 0; the pooled value is then null.",
    .elsewhere =
        "scikit-learn: matthews_corrcoef. RecTools divides by k instead of tp + fp, so that its MCC can leave [-1, 1].",
    .source = "Schröder et al. 2011, section 5.1; Matthews 1975",
    .examples = mcc_examples,
    .evaluate = evaluate<mcc>,
    .pooled = &pooled_mcc,
});

constinit const MetricDefinition average_informedness_metric = of_average({
    .name = "average_informedness",
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over relevant ranks i <= k of informedness at i, divided by min(R_user, k)",
    .says =
        "What map_user is to precision: informedness where the hits are, so that the order within k counts, and chance is "
        "taken away at each hit.",
    .edges =
        "Not 1 for a perfect list: before the last hit informedness is below 1. Where every item is relevant (I = 0) each "
        "hit adds 0: there is nothing to tell apart.",
    .source = "Schröder et al. 2011, section 5.1",
    .examples = average_informedness_examples,
    .evaluate = average<informedness>,
    .arithmetic = average_text<informedness>,
});

constinit const MetricDefinition average_markedness_metric = of_average({
    .name = "average_markedness",
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over relevant ranks i <= k of markedness at i, divided by min(R_user, k)",
    .says = "As average_informedness, with markedness at each hit.",
    .edges = "Not 1 for a perfect list: before the last hit relevant items are among those not shown. A hit at which no item "
             "is left out adds 0.",
    .source = "Schröder et al. 2011, section 5.1",
    .examples = average_markedness_examples,
    .evaluate = average<markedness>,
    .arithmetic = average_text<markedness>,
});

}  // namespace recmeter
