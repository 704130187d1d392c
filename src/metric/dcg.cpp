#include <algorithm>
#include <array>
#include <limits>

#include "metric/discount.h"
#include "metric/metrics.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

constexpr double list_max = 0x1p59;  // what a sum of 2^31 lists can hold

// Per list: 1 below. It has no range, so it is summed in columns that are wide enough for any.
RatioParts of_gain(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {std::min(discounted_gain(list, k, options.gain, options.discount), list_max), 1};
}

constexpr PooledForm form = RatioForm<of_gain>::form(MovedBy::every_list, std::numeric_limits<double>::infinity());

const std::array examples{
    WorkedExample{"A", 5, "1 / 1 + 1 / 2", 1.5},
    WorkedExample{"B", 5, "1 / 1 + 3 / 2", 2.5},
    WorkedExample{"B", 5, "1 / 1 + 7 / 2", 4.5, {.gain = GainKind::exp2}},
    WorkedExample{"B", 5, "1 / 1 + 3 / 1.585", 2.8928, {.discount = Discount::log2_max2}},
    WorkedExample{"B", 5, "1 / 1 + 3 / 3", 2, {.discount = Discount::rank}},
    WorkedExample{"B", 5, "1 + 3", 4, {.discount = Discount::none}},
    WorkedExample{"ABCD", 5, "(1.5 + 2.5 + 0 + 0) / 4", 1},
};

}  // namespace

const MetricDefinition dcg_metric{
    .name = "dcg",
    .family = Family::pooled,
    .evidence = Evidence::relevant_in_list,
    .high = std::numeric_limits<double>::infinity(),
    .takes = {MetricOption::gain, MetricOption::discount, MetricOption::grade, MetricOption::over, MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over i <= k of g(r_i) / log2(i + 1)",
    .says =
        "What the list offered, rank by rank, without a division by an ideal: lists with much that is relevant count more. "
        "It "
        "has no upper end, so values compare only under the same k, gains and discount.",
    .edges =
        "g(r) = r, or 2^r - 1 with `gain: exp2`, for which gains of actions are at most 30. `discount` says what the gain at "
        "rank i is divided by: log2(i + 1); max(1, log2(i)), as in the source (log2_max2); i (rank); or 1 (none), which "
        "makes it "
        "the cumulated gain. One list counts at most 2^59.",
    .elsewhere =
        "ranx dcg and dcg_burges (exp2), and scikit-learn dcg_score are this one. TF-Ranking's DCGMetric is that of exp2. "
        "With `gain: binary` and `discount: none` it counts hits, as ranx hits and RecPack HitK do.",
    .source =
        "Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002, with the discount "
        "log2(i + 1) that also counts at rank 1",
    .examples = examples,
    .arithmetic = [](const ScoredList& list, std::uint32_t k,
                     const MetricOptions& options) { return gain_text(list, k, options.gain, options.discount); },
    .pooled = &form,
};

}  // namespace recmeter
