#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <limits>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

namespace {

const std::array distinct_items_examples{
    WorkedExample{"AC", 1, "a", 1},
    WorkedExample{"AC", 5, "a, b, c, d, e", 5},
};
const std::array catalog_coverage_examples{
    WorkedExample{"AC", 5, "5 / 20", 0.25, {.catalog_size = 20}},
};

const std::array prediction_coverage_examples{
    WorkedExample{"RS", 0, "all of R have a score, a and b of S, too: 4 / 20", 0.2, {.catalog_size = 20}},
};

ExposureValue share_of_catalog(const ExposureFacts& facts, const MetricOptions&, double) {
  return {.value = std::min(1.0, share_of(facts.distinct_in_catalog, facts.catalog_size))};
}

}  // namespace

const MetricDefinition distinct_items_metric{
    .name = "distinct_items",
    .family = Family::exposure,
    .high = std::numeric_limits<double>::infinity(),
    .laws = {Law::none_beyond_family},
    .formula = "number of distinct items shown in the top k",
    .unit = "items",
    .says =
        "How many different items users saw. It grows with traffic: compare it only between windows or variants with about "
        "as many lists.",
    .edges =
        "An item counts once, however often it is shown. Exact, not a sketch. Null above `limits.distinct_items`; the "
        "row's `incomplete` then holds distinct_items.",
    .source = "Herlocker et al. 2004, section 5.1 (coverage of the catalogue, its numerator)",
    .examples = distinct_items_examples,
    .measure = [](const ExposureFacts& facts, const MetricOptions&,
                  double) { return ExposureValue{.value = static_cast<double>(facts.distinct)}; },
};

const MetricDefinition catalog_coverage_metric{
    .name = "catalog_coverage",
    .family = Family::exposure,
    .needs_catalog = true,
    .laws = {Law::none_beyond_family},
    .formula = "distinct items of the catalogue shown in the top k / catalogue size; at most 1",
    .says = "How much of the catalogue users saw. It grows with traffic, as distinct_items.",
    .edges =
        "With `catalog: {file: ...}` only items of the file count; with `catalog: {size: N}` every shown item does, and "
        "the value is at most 1. Null above `limits.distinct_items`.",
    .elsewhere = "RePlay takes the items of the training log as the catalogue, RecPack the columns of its matrix.",
    .source = "Herlocker et al. 2004, section 5.1",
    .examples = catalog_coverage_examples,
    .measure = share_of_catalog,
};

const MetricDefinition catalog_prediction_coverage_metric{
    .name = "catalog_prediction_coverage",
    .family = Family::exposure,
    .has_cutoff = false,
    .needs_catalog = true,
    .needs = {ListPart::scores},
    .laws = {Law::none_beyond_family},
    .formula = "distinct items of the catalogue shown with a score, at any rank / catalogue size; at most 1",
    .says =
        "For how much of the catalogue the recommender is seen to predict anything. It grows with traffic, as "
        "distinct_items, "
        "and where lists are short it is mostly what was shown: of what could be predicted it is a lower bound.",
    .edges =
        "Items without a score at every rank where they were shown do not count, whatever was done with them. Items of a "
        "catalogue given by size, and the limit, as for catalog_coverage.",
    .source = "Herlocker et al. 2004, section 5.1 (prediction coverage)",
    .examples = prediction_coverage_examples,
    .measure = share_of_catalog,
};

}  // namespace recmeter
