#include "recmeter/metric/estimate.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "metric/wide_int.h"

namespace recmeter {

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double jackknife_se(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto groups = static_cast<double>(values.size());
  return std::sqrt((groups - 1) / groups * squares);
}

// Groups of very unequal weight carry less information than their number says. Of equal values (0 / 0): as many as groups.
double degrees_of_freedom(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  double fourths = 0;
  for (const double v : values) {
    const double square = (v - mean) * (v - mean);
    squares += square;
    fourths += square * square;
  }
  const auto groups = static_cast<double>(values.size());
  const double kurtosis = groups * fourths / (squares * squares);
  if (!(kurtosis > 1)) return groups - 1;
  return std::min(groups - 1, std::max(1.0, 2 * groups / (kurtosis - 1)));
}

// The scale on which the interval is made: the logit of a bounded range, the logarithm of one bounded below, else the plain
// one.
double to_scale(double x, ValueRange range) {
  if (std::isinf(range.low)) return x;
  return std::isinf(range.high) ? std::log(x - range.low) : std::log((x - range.low) / (range.high - x));
}
double from_scale(double y, ValueRange range) {
  if (std::isinf(range.low)) return y;
  return std::isinf(range.high) ? range.low + std::exp(y) : range.low + (range.high - range.low) / (1 + std::exp(-y));
}

// are_equal(): of the values behind `values`, where these are.
template <class AreEqual>
std::optional<std::pair<double, double>> interval(double theta, std::span<const double> values, ValueRange range,
                                                  double confidence, AreEqual&& are_equal) {
  const auto inside = [&](double x) { return x > range.low && x < range.high; };
  if (!inside(theta) || !std::all_of(values.begin(), values.end(), inside)) return std::nullopt;
  if (std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; }) && are_equal()) return std::nullopt;
  std::array<double, user_groups> y{};
  std::transform(values.begin(), values.end(), y.begin(), [&](double x) { return to_scale(x, range); });
  const std::span<const double> ys(y.data(), values.size());
  const boost::math::students_t distribution(degrees_of_freedom(ys));
  const double reach = boost::math::quantile(distribution, 1 - (1 - confidence) / 2) * jackknife_se(ys);
  const double middle = to_scale(theta, range);
  // The way to the scale and back can round past the value where the reach is nothing.
  return std::pair{std::min(theta, from_scale(middle - reach, range)), std::max(theta, from_scale(middle + reach, range))};
}

}  // namespace

Estimate estimate_left_out(std::optional<double> value, const LeftOutValues& left_out, const ExactWithout& exact_without,
                           ValueRange range, double confidence) {
  Estimate out;
  out.value = value;
  out.left_out = left_out;
  std::array<double, user_groups> theta{};
  std::size_t count = 0;
  for (std::size_t g = 0; g < user_groups && value; ++g) {
    if (!left_out.holds(g)) continue;
    if (!left_out.theta[g]) return out;
    theta[count++] = *left_out.theta[g];
  }
  if (count < 2) return out;
  const std::span<const double> values(theta.data(), count);
  out.se = jackknife_se(values);
  if (left_out.evidence_groups < evidence_groups_min) return out;
  out.ci = interval(*value, values, range, confidence, [&] {
    std::optional<Quotient> first;
    for (std::size_t g = 0; g < user_groups && exact_without; ++g) {
      if (!left_out.holds(g)) continue;
      if (!first) first = exact_without(g);
      if (!(exact_without(g) == *first)) return false;
    }
    return true;
  });
  return out;
}

GroupSums& GroupSums::operator+=(const GroupSums& other) {
  for (std::size_t g = 0; g < user_groups; ++g) {
    value[g] += other.value[g];
    lists[g] += other.lists[g];
    evidence[g] += other.evidence[g];
  }
  return *this;
}

Estimate estimate_mean(const GroupSums& sums, ValueRange range, double confidence) {
  Int128 total = 0;
  std::uint64_t lists = 0;
  std::uint64_t evidence = 0;
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    total += sums.value[g];
    lists += sums.lists[g];
    evidence += sums.evidence[g];
    left_out.evidence_groups += sums.evidence[g] > 0 ? 1U : 0U;
  }
  if (lists == 0) return {};
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (sums.lists[g] == 0) continue;
    const bool is_all = sums.lists[g] == lists;
    left_out.add(g, is_all ? std::nullopt : std::optional(mean_of_q32(total - sums.value[g], lists - sums.lists[g])));
  }
  const auto exact_without = [&](std::size_t g) { return Quotient{total - sums.value[g], Int128{lists - sums.lists[g]}}; };
  Estimate out = estimate_left_out(mean_of_q32(total, lists), left_out, exact_without, range, confidence);
  out.relevant_share = share_of(evidence, lists);
  if (evidence > 0) out.given_relevant = mean_of_q32(total, evidence);
  out.numerator = std::ldexp(static_cast<double>(total), -q32_fraction_bits);
  out.denominator = static_cast<double>(lists);
  return out;
}

Estimate estimate_pooled(const PooledForm& form, const GroupColumns& sums, std::uint32_t cutoff, const MetricOptions& options,
                         double confidence) {
  const std::size_t width = form.columns_at(cutoff);
  const std::vector<Int128> nothing(sums.columns.empty() ? width : 0, 0);
  const auto of_group = [&](std::size_t g) {
    const auto columns = sums.columns.empty() ? std::span<const Int128>(nothing) : sums.columns.subspan(g * sums.stride);
    return ColumnSums{.lists = sums.lists[g], .evidence = sums.evidence[g], .columns = columns.first(width)};
  };
  ColumnSums total;
  std::vector<Int128> total_columns(width, 0);
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    const ColumnSums group = of_group(g);
    total.lists += group.lists;
    total.evidence += group.evidence;
    left_out.evidence_groups += group.evidence > 0 ? 1U : 0U;
    std::transform(total_columns.begin(), total_columns.end(), group.columns.begin(), total_columns.begin(), std::plus<>());
  }
  total.columns = total_columns;
  const std::optional<double> value = form.value(total, cutoff, options);
  std::vector<Int128> rest(width, 0);
  const auto without = [&](std::size_t g) {  // valid until the next
    const ColumnSums group = of_group(g);
    std::transform(total_columns.begin(), total_columns.end(), group.columns.begin(), rest.begin(), std::minus<>());
    return ColumnSums{.lists = total.lists - group.lists, .evidence = total.evidence - group.evidence, .columns = rest};
  };
  for (std::size_t g = 0; g < user_groups && value; ++g) {
    const ColumnSums group = of_group(g);
    if ((form.weight != nullptr ? form.weight(group) : group.lists) == 0) continue;
    left_out.add(g, form.value(without(g), cutoff, options));
  }
  const auto exact_without = [&](std::size_t g) { return form.exact(without(g)); };
  Estimate out = estimate_left_out(value, left_out, exact_without, {form.low, form.high}, confidence);
  if (total.lists > 0) out.relevant_share = share_of(total.evidence, total.lists);
  return out;
}

namespace {

// apart(a, b): how far two values are apart, on the scale of the interval; nullopt: undefined.
template <class Apart>
Estimate estimate_apart(const Valued& first, const Valued& second, double confidence, const Apart& apart) {
  const auto between = [&](std::optional<double> a, std::optional<double> b) -> std::optional<double> {
    return a && b ? apart(*a, *b) : std::nullopt;
  };
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (!first.left_out.holds(g) && !second.left_out.holds(g)) continue;
    left_out.add(g, between(first.left_out.holds(g) ? first.left_out.theta[g] : first.value,
                            second.left_out.holds(g) ? second.left_out.theta[g] : second.value));
  }
  left_out.evidence_groups = std::min(first.left_out.evidence_groups, second.left_out.evidence_groups);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return estimate_left_out(between(first.value, second.value), left_out, {}, {-infinite, infinite}, confidence);
}

}  // namespace

Estimate estimate_difference(const Valued& first, const Valued& second, double confidence) {
  return estimate_apart(first, second, confidence, [](double a, double b) { return std::optional(a - b); });
}

Estimate estimate_relative(const Valued& first, const Valued& second, double confidence) {
  const Estimate ratio = estimate_apart(first, second, confidence, [](double a, double b) {
    return a > 0 && b > 0 ? std::optional(std::log(a / b)) : std::nullopt;
  });
  Estimate out;
  if (ratio.value) out.value = std::expm1(*ratio.value);
  if (ratio.ci) out.ci = {std::expm1(ratio.ci->first), std::expm1(ratio.ci->second)};
  return out;
}

double quotient_of(Int128 numerator, Int128 denominator) noexcept {
  if (denominator <= std::numeric_limits<std::uint64_t>::max()) {
    return std::ldexp(mean_of_q32(numerator, static_cast<std::uint64_t>(denominator)), q32_fraction_bits);
  }
  return rounded_quotient(WideInt(numerator), WideInt(denominator), 0);
}

}  // namespace recmeter
