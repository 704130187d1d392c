// Other means of map_list than the arithmetic one: gmap, hmap, qmap.
#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

namespace {

constexpr double floor_value = 1e-5;  // trec_eval's gm_map

double map_list(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return map_list_metric.evaluate(list, k, options);
}

double logarithm(double map) {
  return std::log(map);
}
double reciprocal(double map) {
  return 1 / map;
}

// Sums scaled(max(v, floor)), of each list the difference to that of a list without hits, so that those only count.
template <double (*scaled)(double)>
struct FlooredMean {
  static constexpr std::size_t width = 2;  // 2^31 lists of 2^49

  static Int128 of_floor() {
    static const std::int64_t sum = to_q32(scaled(floor_value));
    return sum;
  }
  static void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    add_wide(columns, to_q32(scaled(std::max(map_list(list, k, options), floor_value))) - of_floor());
  }
  // Of lists > 0.
  static Int128 sum(const ColumnSums& sums) { return wide_sum<Int128>(sums.columns) + of_floor() * sums.lists; }
};

std::optional<double> geometric(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  using Mean = FlooredMean<logarithm>;
  if (sums.lists == 0) return std::nullopt;
  // The edges of the range are exact, as intervals want them.
  if (wide_sum<Int128>(sums.columns) == 0) return floor_value;
  return std::clamp(std::exp(mean_of_q32(Mean::sum(sums), sums.lists)), floor_value, 1.0);
}

std::optional<double> harmonic(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.lists == 0) return std::nullopt;
  return quotient_of(Int128{sums.lists} << q32_fraction_bits, FlooredMean<reciprocal>::sum(sums));
}

std::optional<double> quadratic(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.lists == 0) return std::nullopt;
  return std::sqrt(mean_of_q32(sums.columns[0], sums.lists));
}

// What the lists without hits add to each sum is the same for every list.
Quotient by_lists(const ColumnSums& sums) {
  return {wide_sum<WideInt>(sums.columns), WideInt(Int128{sums.lists})};
}

constexpr PooledForm gmap_form{.columns = FlooredMean<logarithm>::width,
                               .moved_by = MovedBy::hits,
                               .add = FlooredMean<logarithm>::add,
                               .value = geometric,
                               .exact = by_lists,
                               .low = floor_value};
constexpr PooledForm hmap_form{.columns = FlooredMean<reciprocal>::width,
                               .moved_by = MovedBy::hits,
                               .add = FlooredMean<reciprocal>::add,
                               .value = harmonic,
                               .exact = by_lists,
                               .low = floor_value};
constexpr PooledForm qmap_form{
    .columns = 1,
    .moved_by = MovedBy::hits,
    .add =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
          const double map = map_list(list, k, options);
          columns[0] += to_q32(map * map);
        },
    .value = quadratic,
    .exact = by_lists};

std::string map_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return map_list_metric.arithmetic(list, k, options);
}
std::string floored_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return "max(" + map_text(list, k, options) + ", 0.00001)";
}

const std::array gmap_examples{
    WorkedExample{"AC", 10, "sqrt(0.8333 * 0.1429)", 0.3450},
    WorkedExample{"D", 10, "the floor", floor_value},
};
const std::array hmap_examples{
    WorkedExample{"AC", 10, "2 / (1/0.8333 + 7)", 0.2439},
    WorkedExample{"D", 10, "the floor", floor_value},
};
const std::array qmap_examples{
    WorkedExample{"AC", 10, "sqrt((0.8333^2 + 0.1429^2) / 2)", 0.5979},
    WorkedExample{"D", 10, "no hits", 0},
};

}  // namespace

const MetricDefinition gmap_metric{
    .name = "gmap",
    .family = Family::pooled,
    .evidence = Evidence::relevant_in_list,
    .low = floor_value,
    .takes = {MetricOption::ap_denominator},
    .laws = {Law::swap_up_never_lowers, Law::one_when_ideal},
    .formula = "geometric mean of map_list@k over all lists, exp(mean of ln max(v, 0.00001))",
    .says =
        "Weighs improvement of the worst lists most. With rare feedback most lists are at the floor, and the value shows "
        "little more than their number.",
    .edges = "A list without hits in the top k is worth 0.00001.",
    .elsewhere = "trec_eval's gm_map is of the uncut average precision over the judged topics.",
    .source = "Schröder et al. 2011, section 4.2; the floor: trec_eval",
    .examples = gmap_examples,
    .arithmetic = floored_text,
    .pooled = &gmap_form,
};

const MetricDefinition hmap_metric{
    .name = "hmap",
    .family = Family::pooled,
    .evidence = Evidence::relevant_in_list,
    .low = floor_value,
    .takes = {MetricOption::ap_denominator},
    .laws = {Law::swap_up_never_lowers, Law::one_when_ideal},
    .formula = "harmonic mean of map_list@k over all lists, 1 / mean of 1 / max(v, 0.00001)",
    .says = "Weighs the worst lists even more than gmap: with any share s of lists at the floor it is below 0.00001 / s.",
    .edges = "A list without hits in the top k is worth 0.00001.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = hmap_examples,
    .arithmetic = floored_text,
    .pooled = &hmap_form,
};

const MetricDefinition qmap_metric{
    .name = "qmap",
    .family = Family::pooled,
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::ap_denominator},
    .laws = {Law::swap_up_never_lowers, Law::one_when_ideal, Law::zero_without_hits},
    .formula = "quadratic mean of map_list@k over all lists, sqrt(mean of v^2)",
    .says = "Weighs the best lists most.",
    .source = "Schröder et al. 2011, section 4.2",
    .examples = qmap_examples,
    .arithmetic = map_text,
    .pooled = &qmap_form,
};

}  // namespace recmeter
