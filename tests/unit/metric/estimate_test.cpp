#include "recmeter/metric/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "metric/wide_column.h"
#include "recmeter/metric/plan.h"
#include "support/dice.h"

namespace recmeter {
namespace {

// One entry a group: the sum of its values, its lists, those with evidence.
GroupSums sums_of(const std::vector<double>& values, std::uint64_t lists = 10, std::uint64_t evidence = 5) {
  GroupSums sums;
  for (std::size_t g = 0; g < values.size(); ++g) {
    sums.value[g] = to_q32(values[g]);
    sums.lists[g] = lists;
    sums.evidence[g] = evidence;
  }
  return sums;
}

// Values that differ from group to group, of which `groups` are there.
std::vector<double> uneven(std::size_t groups) {
  std::vector<double> values;
  for (std::size_t g = 0; g < groups; ++g) values.push_back(0.5 + 0.25 * static_cast<double>(g * 7 % 5));
  return values;
}

Estimate estimate(const GroupSums& sums, double confidence = 0.95) {
  return estimate_mean(sums, {0, 1}, confidence);
}

TEST(Estimate, of_no_lists_is_all_null) {
  const Estimate none = estimate(GroupSums{});
  EXPECT_FALSE(none.value);
  EXPECT_FALSE(none.se);
  EXPECT_FALSE(none.ci);
  EXPECT_FALSE(none.given_relevant);
  EXPECT_FALSE(none.relevant_share);
}

TEST(Estimate, counts_lists_without_evidence_as_zero) {
  const Estimate e = estimate(sums_of({2.5, 2.5}));
  EXPECT_EQ(e.value, 0.25);
  EXPECT_EQ(e.relevant_share, 0.5);
  EXPECT_EQ(e.given_relevant, 0.5);
}

TEST(Estimate, has_no_value_given_relevance_where_nothing_was_relevant) {
  const Estimate e = estimate(sums_of({0, 0, 0}, 10, 0));
  EXPECT_EQ(e.value, 0);
  EXPECT_EQ(e.relevant_share, 0);
  EXPECT_FALSE(e.given_relevant);
}

TEST(Estimate, has_no_error_from_a_single_group) {
  const Estimate e = estimate(sums_of({3}));
  EXPECT_TRUE(e.value);
  EXPECT_FALSE(e.se);
  EXPECT_FALSE(e.ci);
}

TEST(Estimate, has_the_standard_error_of_leaving_out_one_of_two_groups) {
  // Left out: 1/10 and 3/10; their mean 0.2; sqrt(1/2 (0.01 + 0.01)) = 0.1.
  const Estimate e = estimate(sums_of({3, 1}));
  EXPECT_NEAR(e.se.value(), 0.1, 1e-9);
}

TEST(Estimate, needs_twenty_groups_with_evidence_for_an_interval) {
  EXPECT_FALSE(estimate(sums_of(uneven(19))).ci);
  EXPECT_TRUE(estimate(sums_of(uneven(20))).ci);
}

TEST(Estimate, does_not_count_groups_with_lists_but_without_evidence) {
  GroupSums sums = sums_of(uneven(30));
  for (std::size_t g = 0; g < 11; ++g) sums.evidence[g] = 0;
  EXPECT_FALSE(estimate(sums).ci) << "19 are left";
  sums.evidence[0] = 1;
  EXPECT_TRUE(estimate(sums).ci);
}

TEST(Estimate, has_an_error_but_no_interval_when_all_groups_are_equal) {
  const Estimate e = estimate(sums_of(std::vector<double>(64, 2.5)));
  EXPECT_EQ(e.se, 0);
  EXPECT_FALSE(e.ci);
}

// What the groups hold of a quotient, such that the quotients without a group are equal but for the last digits, if at all.
struct NearlyEqual {
  std::vector<std::int64_t> above;
  std::vector<std::int64_t> below;
};

// above / below is about `numerator` / `denominator`, of some exactly.
NearlyEqual nearly_equal(support::Dice& dice, std::uint64_t numerator, std::uint64_t denominator, std::uint64_t most) {
  NearlyEqual sums;
  const std::size_t groups = 20 + dice.below(45);
  const std::uint64_t change = dice.below(3);  // none, of one group, of about half of them
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint64_t times = 1 + dice.below(most);
    const std::uint64_t more = change == 2 ? dice.below(2) : change == 1 && g == 0 ? 1 : 0;
    sums.above.push_back(static_cast<std::int64_t>(numerator * times + more));
    sums.below.push_back(static_cast<std::int64_t>(denominator * times));
  }
  return sums;
}

// By exact rational arithmetic.
bool are_equal_without_each_group(const NearlyEqual& sums) {
  using boost::multiprecision::cpp_int;
  using boost::multiprecision::cpp_rational;
  cpp_int above = 0;
  cpp_int below = 0;
  for (const std::int64_t part : sums.above) above += part;
  for (const std::int64_t part : sums.below) below += part;
  std::vector<cpp_rational> quotients;
  for (std::size_t g = 0; g < sums.above.size(); ++g) {
    quotients.emplace_back(cpp_int(above - sums.above[g]), cpp_int(below - sums.below[g]));
  }
  return std::all_of(quotients.begin(), quotients.end(), [&](const auto& quotient) { return quotient == quotients.front(); });
}

// Expects an interval where it has to be; counts where rounded values could not have told.
struct IntervalsSeen {
  int none = 0;
  int of_equal_doubles = 0;

  void expect(const Estimate& e, bool are_equal, std::size_t groups) {
    ASSERT_EQ(e.ci.has_value(), !are_equal);
    none += are_equal ? 1 : 0;
    if (are_equal) return;
    EXPECT_LE(e.ci->first, *e.value);
    EXPECT_GE(e.ci->second, *e.value);
    const auto& theta = e.left_out.theta;
    of_equal_doubles += std::count(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(groups), theta[0]) ==
                                static_cast<std::ptrdiff_t>(groups)
                            ? 1
                            : 0;
  }
};

TEST(Estimate, has_no_interval_where_the_exact_means_without_each_group_are_equal_and_only_there) {
  support::Dice dice(11);
  IntervalsSeen seen;
  for (int round = 0; round < 2000; ++round) {
    // All lists are worth about the same, as those are that have no evidence: fallout@1 of a catalogue.
    const NearlyEqual sums = nearly_equal(dice, 1 + dice.below((std::uint64_t{1} << 32) - 2), 1, std::uint64_t{1} << 29);
    GroupSums groups;
    for (std::size_t g = 0; g < sums.above.size(); ++g) {
      groups.value[g] = sums.above[g];
      groups.lists[g] = static_cast<std::uint64_t>(sums.below[g]);
      groups.evidence[g] = 1;
    }
    seen.expect(estimate(groups), are_equal_without_each_group(sums), sums.above.size());
  }
  EXPECT_GT(seen.none, 500);
  EXPECT_GT(seen.of_equal_doubles, 500);
}

TEST(Estimate, has_no_interval_where_the_exact_ratios_without_each_group_are_equal_and_only_there) {
  MetricSpec spec;
  spec.cutoffs = {1};
  for (const char* name : {"lauc", "fallout"}) {
    MetricOptions options;
    options.unit = Unit::pooled;
    spec.requests.push_back({name, name, options});
  }
  const auto plan = MetricPlan::make(spec, {.catalog_size = 2000, .catalog_has_attributes = false, .ratings = {}});
  ASSERT_TRUE(plan);
  for (const PlannedMetric& metric : plan->metrics()) {
    support::Dice dice(12);
    IntervalsSeen seen;
    const std::size_t width = metric.columns / 2;  // of the numerator and of the denominator
    for (int round = 0; round < 1000; ++round) {
      const std::uint64_t denominator = 2 + dice.below(1'000'000);
      const NearlyEqual sums = nearly_equal(dice, 1 + dice.below(denominator - 1), denominator, std::uint64_t{1} << 40);
      std::vector<Int128> columns;
      GroupColumns groups{.lists = {}, .evidence = {}, .columns = {}, .stride = metric.columns};
      for (std::size_t g = 0; g < user_groups; ++g) {
        std::vector<std::int64_t> of_group(metric.columns, 0);
        if (g < sums.above.size()) {
          add_wide(std::span(of_group).first(width), sums.above[g]);
          add_wide(std::span(of_group).last(width), sums.below[g]);
          groups.lists[g] = groups.evidence[g] = 1;
        }
        columns.insert(columns.end(), of_group.begin(), of_group.end());
      }
      groups.columns = columns;
      seen.expect(estimate_pooled(*metric.pooled, groups, 1, metric.options, 0.95), are_equal_without_each_group(sums),
                  sums.above.size());
    }
    EXPECT_GT(seen.none, 250) << metric.key;
    EXPECT_GT(seen.of_equal_doubles, 200) << metric.key;
  }
}

TEST(Estimate, has_no_interval_on_the_edge_of_the_range) {
  EXPECT_FALSE(estimate(sums_of(std::vector<double>(64, 0))).ci);
  EXPECT_FALSE(estimate(sums_of(std::vector<double>(64, 10))).ci);
}

TEST(Estimate, has_no_interval_when_leaving_out_a_group_falls_on_the_edge) {
  std::vector<double> values(64, 0);
  values[9] = 3;  // without it there is nothing but zeros
  const Estimate e = estimate(sums_of(values));
  EXPECT_TRUE(e.se);
  EXPECT_FALSE(e.ci);
}

TEST(Estimate, ignores_groups_without_lists) {
  GroupSums some = sums_of(uneven(25));
  GroupSums spread;
  for (std::size_t g = 0; g < 25; ++g) {
    spread.value[g + 30] = some.value[g];
    spread.lists[g + 30] = some.lists[g];
    spread.evidence[g + 30] = some.evidence[g];
  }
  EXPECT_EQ(estimate(spread).se, estimate(some).se);
  EXPECT_EQ(estimate(spread).ci, estimate(some).ci);
}

struct Jackknife {
  double se;
  double low;
  double high;
};

// The interval of [S6] step by step, in long double.
Jackknife by_hand(const std::vector<double>& values, const std::vector<double>& lists, double range_low, double range_high,
                  double confidence) {
  long double total = 0;
  long double all = 0;
  for (std::size_t g = 0; g < values.size(); ++g) {
    total += static_cast<long double>(values[g]);
    all += static_cast<long double>(lists[g]);
  }
  const auto scale = [&](long double x) {
    return std::log((x - static_cast<long double>(range_low)) / (static_cast<long double>(range_high) - x));
  };
  std::vector<long double> theta;
  std::vector<long double> y;
  for (std::size_t g = 0; g < values.size(); ++g) {
    theta.push_back((total - static_cast<long double>(values[g])) / (all - static_cast<long double>(lists[g])));
    y.push_back(scale(theta.back()));
  }
  const auto moments = [](const std::vector<long double>& xs) {
    long double mean = 0;
    for (const long double x : xs) mean += x / static_cast<long double>(xs.size());
    long double second = 0;
    long double fourth = 0;
    for (const long double x : xs) {
      second += (x - mean) * (x - mean);
      fourth += std::pow(x - mean, 4.0L);
    }
    return std::pair{second, fourth};
  };
  const auto groups = static_cast<long double>(values.size());
  const long double shrink = (groups - 1) / groups;
  const auto [second, fourth] = moments(y);
  const long double kappa = groups * fourth / (second * second);
  const long double freedom = std::min(groups - 1, std::max(1.0L, 2 * groups / (kappa - 1)));
  const boost::math::students_t distribution(static_cast<double>(freedom));
  const double reach =
      boost::math::quantile(distribution, 1 - (1 - confidence) / 2) * static_cast<double>(std::sqrt(shrink * second));
  const auto middle = static_cast<double>(scale(total / all));
  const auto back = [&](double x) { return range_low + (range_high - range_low) / (1 + std::exp(-x)); };
  return {static_cast<double>(std::sqrt(shrink * moments(theta).first)), back(middle - reach), back(middle + reach)};
}

TEST(Estimate, agrees_with_the_formula_step_by_step) {
  support::Dice dice(1);
  for (int round = 0; round < 50; ++round) {
    const auto groups = static_cast<std::size_t>(dice.between(20, 64));
    const double high = round % 3 == 0 ? 4 : 1;
    GroupSums sums;
    std::vector<double> values;
    std::vector<double> lists;
    for (std::size_t g = 0; g < groups; ++g) {
      // Heavy-tailed: a few groups hold most lists, so that the degrees of freedom matter.
      const std::uint64_t n = 2 + (dice.percent(5) ? dice.below(5000) : dice.below(20));
      const double value = static_cast<double>(1 + dice.below(1000)) / 1024 * static_cast<double>(n) * high / 2;
      sums.value[g] = to_q32(value);
      sums.lists[g] = n;
      sums.evidence[g] = 1;
      values.push_back(static_cast<double>(to_q32(value)) * 0x1p-32);
      lists.push_back(static_cast<double>(n));
    }
    const Estimate e = estimate_mean(sums, {0, high}, 0.9);
    const Jackknife expected = by_hand(values, lists, 0, high, 0.9);
    ASSERT_TRUE(e.ci);
    EXPECT_NEAR(e.se.value(), expected.se, 1e-12);
    EXPECT_NEAR(e.ci->first, expected.low, 1e-9);
    EXPECT_NEAR(e.ci->second, expected.high, 1e-9);
  }
}

TEST(Estimate, holds_the_value_inside_its_interval_and_the_interval_inside_the_range) {
  const Estimate e = estimate(sums_of(uneven(40)));
  ASSERT_TRUE(e.ci);
  EXPECT_LT(e.ci->first, e.value.value());
  EXPECT_GT(e.ci->second, e.value.value());
  EXPECT_GT(e.ci->first, 0);
  EXPECT_LT(e.ci->second, 1);
}

TEST(Estimate, widens_its_interval_with_the_confidence) {
  const GroupSums sums = sums_of(uneven(40));
  const auto narrow = estimate(sums, 0.8).ci.value();
  const auto wide = estimate(sums, 0.99).ci.value();
  EXPECT_LT(wide.first, narrow.first);
  EXPECT_GT(wide.second, narrow.second);
}

TEST(Estimate, grows_with_any_groups_sum) {
  const GroupSums before = sums_of(uneven(30));
  for (std::size_t g = 0; g < 30; ++g) {
    GroupSums after = before;
    after.value[g] += to_q32(0.5);
    EXPECT_GT(estimate(after).value.value(), estimate(before).value.value());
  }
}

TEST(UserGroup, is_the_top_six_bits) {
  EXPECT_EQ(user_group(0), 0U);
  EXPECT_EQ(user_group((std::uint64_t{1} << 58) - 1), 0U);
  EXPECT_EQ(user_group(std::uint64_t{1} << 58), 1U);
  EXPECT_EQ(user_group(~std::uint64_t{0}), 63U);
}

// [S6]: the same from the differences of the values without a group, on the plain scale.
TEST(Difference, is_estimated_from_what_is_left_of_both_without_a_group) {
  const Estimate a = estimate(sums_of(uneven(30)));
  std::vector<double> other;
  for (std::size_t g = 0; g < 25; ++g) other.push_back(0.25 + 0.125 * static_cast<double>(g * 5 % 7));
  const Estimate b = estimate(sums_of(other));
  const Estimate d = estimate_difference({a.value, a.left_out}, {b.value, b.left_out}, 0.95);
  ASSERT_TRUE(d.value && d.se && d.ci);
  EXPECT_EQ(*d.value, *a.value - *b.value);

  const auto without = [](const std::vector<double>& values, std::size_t left_out) {
    long double sum = 0;
    std::size_t groups = 0;
    for (std::size_t g = 0; g < values.size(); ++g) {
      if (g == left_out) continue;
      sum += values[g];
      ++groups;
    }
    return sum / static_cast<long double>(10 * groups);
  };
  std::vector<long double> theta;
  for (std::size_t g = 0; g < 30; ++g) theta.push_back(without(uneven(30), g) - without(other, g));
  long double mean = 0;
  for (const long double t : theta) mean += t / 30;
  long double squares = 0;
  for (const long double t : theta) squares += (t - mean) * (t - mean);
  EXPECT_NEAR(*d.se, static_cast<double>(std::sqrt(29.0L / 30 * squares)), 1e-12);
  EXPECT_NEAR((d.ci->first + d.ci->second) / 2, *d.value, 1e-12) << "on the plain scale it is symmetric";
  EXPECT_GT(d.ci->second - d.ci->first, 2 * 1.9 * *d.se);
}

TEST(Difference, knows_what_both_have_in_common) {
  std::vector<double> better = uneven(40);
  for (double& value : better) value += 0.5;
  better.front() += 0.25;
  const Estimate a = estimate(sums_of(better));
  const Estimate b = estimate(sums_of(uneven(40)));
  const Estimate d = estimate_difference({a.value, a.left_out}, {b.value, b.left_out}, 0.95);
  ASSERT_TRUE(d.ci);
  EXPECT_LT(*d.se, *a.se / 5) << "the same users make both values go up and down";
  EXPECT_GT(d.ci->first, 0);
}

TEST(Difference, of_a_value_and_itself_is_nothing_without_doubt_about_it) {
  const Estimate a = estimate(sums_of(uneven(40)));
  const Estimate d = estimate_difference({a.value, a.left_out}, {a.value, a.left_out}, 0.95);
  EXPECT_EQ(d.value, 0);
  EXPECT_EQ(d.se, 0);
  EXPECT_FALSE(d.ci);
}

TEST(Difference, has_no_interval_where_a_side_has_evidence_in_fewer_than_20_groups) {
  const Estimate a = estimate(sums_of(uneven(40)));
  const Estimate few = estimate(sums_of(uneven(19)));
  const Estimate enough = estimate(sums_of(uneven(20)));
  EXPECT_FALSE(estimate_difference({a.value, a.left_out}, {few.value, few.left_out}, 0.95).ci);
  EXPECT_TRUE(estimate_difference({a.value, a.left_out}, {enough.value, enough.left_out}, 0.95).ci);
  EXPECT_FALSE(estimate_difference({few.value, few.left_out}, {a.value, a.left_out}, 0.95).ci);
}

TEST(Difference, is_nothing_where_a_side_has_no_value) {
  const Estimate a = estimate(sums_of(uneven(40)));
  const Estimate none = estimate(GroupSums{});
  const Estimate d = estimate_difference({a.value, a.left_out}, {none.value, none.left_out}, 0.95);
  EXPECT_FALSE(d.value || d.se || d.ci);
}

TEST(Estimate, says_what_a_mean_was_made_of) {
  const Estimate e = estimate(sums_of({2.5, 5}));
  EXPECT_EQ(e.numerator, 7.5);
  EXPECT_EQ(e.denominator, 20);
}

// [S6.21]: the difference of logarithms, mapped back: an interval of a ratio does not fall below -1.
TEST(RelativeDifference, is_the_difference_of_logarithms_mapped_back) {
  const Estimate a = estimate(sums_of(uneven(30)));
  std::vector<double> other;
  for (std::size_t g = 0; g < 25; ++g) other.push_back(0.25 + 0.125 * static_cast<double>(g * 5 % 7));
  const Estimate b = estimate(sums_of(other));
  const Estimate relative = estimate_relative({a.value, a.left_out}, {b.value, b.left_out}, 0.95);
  ASSERT_TRUE(relative.value && relative.ci);
  EXPECT_NEAR(*relative.value, *a.value / *b.value - 1, 1e-12);

  // The same from values that are logarithms already.
  const auto log_of = [](const Estimate& of) {
    LeftOutValues logs;
    for (std::size_t g = 0; g < user_groups; ++g) {
      if (of.left_out.holds(g)) logs.add(g, std::log(*of.left_out.theta[g]));
    }
    logs.evidence_groups = of.left_out.evidence_groups;
    return logs;
  };
  const Estimate plain = estimate_difference({std::log(*a.value), log_of(a)}, {std::log(*b.value), log_of(b)}, 0.95);
  EXPECT_NEAR(relative.ci->first, std::exp(plain.ci->first) - 1, 1e-12);
  EXPECT_NEAR(relative.ci->second, std::exp(plain.ci->second) - 1, 1e-12);

  const Estimate turned = estimate_relative({b.value, b.left_out}, {a.value, a.left_out}, 0.95);
  EXPECT_NEAR((1 + *turned.value) * (1 + *relative.value), 1, 1e-12);
  EXPECT_NEAR((1 + turned.ci->first) * (1 + relative.ci->second), 1, 1e-12) << "the other way round it is the same";
}

TEST(RelativeDifference, is_undefined_where_a_value_is_not_above_0) {
  const Estimate a = estimate(sums_of(uneven(30)));
  LeftOutValues zeros;
  for (std::size_t g = 0; g < 30; ++g) zeros.add(g, 0.0);
  zeros.evidence_groups = 30;
  for (const auto& [first, second] : {std::pair{Valued{a.value, a.left_out}, Valued{0.0, zeros}},
                                      std::pair{Valued{0.0, zeros}, Valued{a.value, a.left_out}}}) {
    const Estimate relative = estimate_relative(first, second, 0.95);
    EXPECT_FALSE(relative.value || relative.ci);
  }
}

}  // namespace
}  // namespace recmeter
