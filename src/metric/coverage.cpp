#include "metric/metrics.h"

#include <algorithm>
#include <limits>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition distinct_items_metric{
    .name = "distinct_items",
    .family = Family::exposure,
    .high = std::numeric_limits<double>::infinity(),
    .laws = {Law::none_beyond_family},
    .formula = "number of distinct items shown in the top k",
    .source = "Herlocker et al. 2004, section 5.1 (catalogue coverage, its numerator)",
    .measure = [](const ExposureFacts& facts, const MetricOptions&,
                  double) { return ExposureValue{.value = static_cast<double>(facts.distinct)}; },
};

const MetricDefinition catalog_coverage_metric{
    .name = "catalog_coverage",
    .family = Family::exposure,
    .needs_catalog = true,
    .laws = {Law::none_beyond_family},
    .formula = "distinct items of the catalogue shown in the top k / catalogue size; at most 1",
    .source = "Herlocker et al. 2004, section 5.1",
    .measure =
        [](const ExposureFacts& facts, const MetricOptions&, double) {
          return ExposureValue{.value = std::min(1.0, share_of(facts.distinct_in_catalog, facts.catalog_size))};
        },
};

}  // namespace recmeter
