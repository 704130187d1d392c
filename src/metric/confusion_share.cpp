// One count of the confusion by the sum of two: fallout, miss_rate, inverse_precision, inverse_recall.
#include "metric/metrics.h"

#include <array>

#include "metric/confusion.h"
#include "metric/families.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

RatioParts share(std::uint64_t part, std::uint64_t whole) {
  return {static_cast<double>(part), static_cast<double>(whole)};
}

RatioParts fallout(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const Confusion counts = confusion_at(list, k, options);
  return share(counts.fp, counts.irrelevant());
}
RatioParts inverse_recall(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const Confusion counts = confusion_at(list, k, options);
  return share(counts.tn, counts.irrelevant());
}
RatioParts inverse_precision(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const Confusion counts = confusion_at(list, k, options);
  return share(counts.tn, counts.others());
}
// Knows no universe, so it needs no catalogue.
RatioParts miss_rate(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const std::uint64_t relevant = list.relevant_of_user();
  return share(relevant - list.hits_at(k), relevant);
}

bool has_others(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return confusion_at(list, k, options).others() > 0;
}

const std::array fallout_examples{
    WorkedExample{"A", 5, "2 of the 12 irrelevant items were shown", 0.1667, of_20_items},
    WorkedExample{"D", 5, "nothing shown, 20 irrelevant items", 0, of_20_items},
    WorkedExample{"AC", 5, "(2 + 5) / (12 + 19)", 0.2258, of_20_items_pooled},
    WorkedExample{
        "C", 5, "of its own nine irrelevant items the top 5 shows five: 5 / 9", 0.5556, {.universe = Universe::list}},
};
const std::array miss_rate_examples{
    WorkedExample{"A", 5, "6 of 8 relevant items are not in the top 5", 0.75},
    WorkedExample{"C", 5, "its one relevant item is at rank 7", 1},
    WorkedExample{"AC", 5, "(6 + 1) / (8 + 1)", 0.7778, {.unit = Unit::pooled}},
};
const std::array inverse_precision_examples{
    WorkedExample{"A", 5, "of the 16 items not shown, 10 are irrelevant", 0.625, of_20_items},
    WorkedExample{"C", 5, "14 / 15", 0.9333, of_20_items},
    WorkedExample{"AC", 5, "(10 + 14) / (16 + 15)", 0.7742, of_20_items_pooled},
};
const std::array inverse_recall_examples{
    WorkedExample{"A", 5, "10 of the 12 irrelevant items were not shown", 0.8333, of_20_items},
    WorkedExample{"C", 5, "14 / 19", 0.7368, of_20_items},
    WorkedExample{"AC", 5, "(10 + 14) / (12 + 19)", 0.7742, of_20_items_pooled},
};

}  // namespace

constinit const MetricDefinition fallout_metric = of_confusion({
    .name = "fallout",
    .moved_by = MovedBy::every_list,
    .better = Better::lower,
    .laws = {Law::swap_up_never_raises, Law::order_within_k_is_free},
    .formula = "fp / (fp + tn)",
    .own_evidence = "I > 0: not every item is relevant",
    .says =
        "Share of the catalogue's irrelevant items that were shown; smaller is better. With a large catalogue it is close "
        "to 0 for every recommender, and a list that shows nothing has the best value.",
    .edges = "0 for an empty list.",
    .elsewhere = "1 - recall of the irrelevant class (scikit-learn: recall_score with pos_label=0). TorchMetrics "
                 "RetrievalFallOut is that "
                 "of `universe: list`.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = fallout_examples,
    .evaluate = RatioForm<fallout>::evaluate,
    .has_evidence = has_irrelevant,
    .pooled = &RatioForm<fallout>::pooled<MovedBy::every_list>,
});

const MetricDefinition miss_rate_metric{
    .name = "miss_rate",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .moved_by = MovedBy::relevant,
    .needs = {ListPart::missed},
    .better = Better::lower,
    .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::over, MetricOption::universe},
    .laws = {Law::swap_up_never_raises, Law::order_within_k_is_free},
    .formula = "(R_user - hits_k) / R_user",
    .says =
        "fn / (tp + fn), the share of the relevant items that the top k lacks; smaller is better. A list without evidence "
        "counts as 0, the best "
        "value, so its mean falls when feedback vanishes; given_relevant = 1 - that of recall.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = miss_rate_examples,
    .evaluate = RatioForm<miss_rate>::evaluate,
    .pooled = &RatioForm<miss_rate>::pooled<MovedBy::relevant>,
};

constinit const MetricDefinition inverse_precision_metric = of_confusion({
    .name = "inverse_precision",
    .moved_by = MovedBy::every_list,
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free},
    .formula = "tn / (fn + tn)",
    .own_evidence = "fn + tn > 0: the top k does not show the whole catalogue",
    .says =
        "Share of irrelevant items among those not shown: the precision of what is left out. With a large catalogue it is "
        "close to 1 for every recommender.",
    .elsewhere = "scikit-learn: precision_score with pos_label=0.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = inverse_precision_examples,
    .evaluate = RatioForm<inverse_precision>::evaluate,
    .has_evidence = has_others,
    .pooled = &RatioForm<inverse_precision>::pooled<MovedBy::every_list>,
});

constinit const MetricDefinition inverse_recall_metric = of_confusion({
    .name = "inverse_recall",
    .moved_by = MovedBy::every_list,
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free},
    .formula = "tn / (fp + tn)",
    .own_evidence = "I > 0: not every item is relevant",
    .says =
        "Share of the irrelevant items that were left out: 1 - fallout. With a large catalogue it is close to 1 for every "
        "recommender, "
        "and a list that shows nothing has the best value.",
    .edges = "1 for an empty list.",
    .elsewhere = "Specificity, true negative rate; scikit-learn: recall_score with pos_label=0.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = inverse_recall_examples,
    .evaluate = RatioForm<inverse_recall>::evaluate,
    .has_evidence = has_irrelevant,
    .pooled = &RatioForm<inverse_recall>::pooled<MovedBy::every_list>,
});

}  // namespace recmeter
