// The metrics of what was shown, by hand: [S8].
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include "recmeter/metric/overlap_facts.h"
#include "recmeter/metric/registry.h"

namespace recmeter {
namespace {

using Levels = std::vector<CountLevel>;

std::optional<double> value(std::string_view metric, const ExposureFacts& facts, std::uint64_t exposures = 1000) {
  MetricOptions options;
  options.exposures = exposures;
  const ExposureValue measured = find_metric(metric)->measure(facts, options, 0.95);
  EXPECT_FALSE(measured.se || measured.ci);
  return measured.value;
}

ExposureFacts facts_of(const Levels& levels, std::uint64_t catalog_size) {
  ExposureFacts facts{.catalog_size = catalog_size, .levels = levels, .levels_in_catalog = levels};
  for (const CountLevel& level : levels) facts.distinct += level.items;
  facts.distinct_in_catalog = facts.distinct;
  return facts;
}

TEST(Gini, ranks_all_items_of_the_catalogue_by_how_often_they_were_shown) {
  const Levels levels{{.lists = 1, .items = 2}, {.lists = 3, .items = 1}};
  // x = 1, 1, 3: (-2*1 + 0*1 + 2*3) / (3*5)
  EXPECT_EQ(value("gini", facts_of(levels, 3)), 4.0 / 15);
  // x = 0, 0, 1, 1, 3: (0*1 + 2*1 + 4*3) / (5*5)
  EXPECT_EQ(value("gini", facts_of(levels, 5)), 14.0 / 25);
}

TEST(Gini, of_a_catalogue_by_size_has_at_least_the_items_shown) {
  const Levels levels{{.lists = 1, .items = 2}, {.lists = 3, .items = 1}};
  EXPECT_EQ(value("gini", facts_of(levels, 2)), 4.0 / 15);
}

TEST(Gini, leaves_out_items_that_the_catalogue_does_not_name) {
  const Levels shown{{.lists = 1, .items = 2}, {.lists = 9, .items = 1}};
  const Levels of_catalog{{.lists = 1, .items = 2}};
  ExposureFacts facts = facts_of(shown, 2);
  facts.levels_in_catalog = of_catalog;
  facts.distinct_in_catalog = 2;
  EXPECT_EQ(value("gini", facts), 0);
  facts.levels_in_catalog = {};
  facts.distinct_in_catalog = 0;
  EXPECT_EQ(value("gini", facts), std::nullopt);
}

TEST(Gini, does_not_overflow) {
  const Levels levels{{.lists = 1, .items = 4'000'000}, {.lists = 1U << 31U, .items = 1000}};
  EXPECT_GT(value("gini", facts_of(levels, std::uint64_t{1} << 40U)), 0.99);
}

TEST(Entropy, is_in_bits) {
  const Levels levels{{.lists = 1, .items = 2}, {.lists = 2, .items = 1}};
  EXPECT_DOUBLE_EQ(value("entropy", facts_of(levels, 0)).value_or(-1), 1.5);
  EXPECT_EQ(value("entropy", facts_of(Levels{{.lists = 5, .items = 1}}, 0)), 0);
}

TEST(ExposureMetrics, are_null_when_nothing_was_shown) {
  for (const char* metric : {"gini", "entropy", "rarefied_items", "personalisation"}) {
    EXPECT_EQ(value(metric, facts_of({}, 10)), std::nullopt) << metric;
  }
}

TEST(RarefiedItems, is_the_expected_number_of_items_drawn) {
  // Exposures a a b: two of them are aa (1 of 3) or ab (2 of 3).
  const Levels levels{{.lists = 1, .items = 1}, {.lists = 2, .items = 1}};
  EXPECT_DOUBLE_EQ(value("rarefied_items", facts_of(levels, 0), 2).value_or(-1), 5.0 / 3);
  EXPECT_EQ(value("rarefied_items", facts_of(levels, 0), 3), 2);
  EXPECT_EQ(value("rarefied_items", facts_of(levels, 0), 4), std::nullopt);
}

// C(T - x, m) / C(T, m) factor by factor, in 50 digits.
double reference(const Levels& levels, std::uint64_t m) {
  using Exact = boost::multiprecision::cpp_bin_float_50;
  std::uint64_t total = 0;
  for (const CountLevel& level : levels) total += level.lists * level.items;
  Exact items = 0;
  for (const CountLevel& level : levels) {
    Exact none = 1;
    const std::uint64_t factors = std::min(level.lists, m);
    const std::uint64_t taken = std::max(level.lists, m);
    for (std::uint64_t i = 0; i < factors; ++i) {
      none *= taken + i > total ? Exact(0) : Exact(total - taken - i) / Exact(total - i);
    }
    items += (1 - none) * level.items;
  }
  return static_cast<double>(items);
}

TEST(RarefiedItems, keeps_nine_digits_from_few_exposures_to_a_billion) {
  const std::vector<Levels> shapes{
      {{.lists = 1, .items = 100}, {.lists = 64, .items = 3}, {.lists = 65, .items = 3}, {.lists = 900, .items = 1}},
      {{.lists = 65, .items = 1}, {.lists = 81, .items = 1}},
      {{.lists = 100, .items = 2}},
      {{.lists = 1, .items = 5'000'000},
       {.lists = 70, .items = 100'000},
       {.lists = 20'000, .items = 400},
       {.lists = 990'000, .items = 1000}},
      {{.lists = 1000, .items = 1}, {.lists = 999'999'000, .items = 1}},
      {{.lists = 2, .items = 1}, {.lists = 999'999'998, .items = 1}}};
  for (const Levels& levels : shapes) {
    std::uint64_t total = 0;
    for (const CountLevel& level : levels) total += level.lists * level.items;
    for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{65}, std::uint64_t{146},
                                  std::uint64_t{1000}, std::uint64_t{30'000}, total - 70, total}) {
      if (m > total) continue;
      std::uint64_t factors = 0;
      for (const CountLevel& level : levels) factors += std::min(level.lists, m);
      if (factors > 3'000'000) continue;  // too slow to multiply
      const double expected = reference(levels, m);
      EXPECT_NEAR(value("rarefied_items", facts_of(levels, 0), m).value_or(-1) / expected, 1, 1e-9) << total << " " << m;
    }
  }
}

TEST(Personalisation, is_one_minus_the_mean_over_pairs_of_groups) {
  // Groups 0 and 1 with one list each of 4 items, two of them in both; group 2 with two lists of one other item.
  OverlapFacts overlap;
  const Int128 unit = Int128{1} << 64U;
  overlap.shared[0] = unit / 2;
  overlap.shared[1] = unit / 2;
  overlap.lists[0] = 1;
  overlap.lists[1] = 1;
  overlap.lists[2] = 2;
  const ExposureFacts facts{.overlap = &overlap};
  const ExposureValue measured = find_metric("personalisation")->measure(facts, {}, 0.95);
  EXPECT_EQ(measured.value, 0.9);  // five pairs
  // Without group 0 or 1: 1; without group 2: 1/2. Jackknife: sqrt(2/3 * (2/36 + 4/36))
  EXPECT_NEAR(measured.se.value_or(-1), std::sqrt(2.0 / 3 * 6 / 36), 1e-15);
  EXPECT_FALSE(measured.ci);
}

TEST(Personalisation, has_no_interval_where_all_groups_are_exactly_alike_and_only_there) {
  OverlapFacts overlap;
  for (std::size_t g = 0; g < 30; ++g) {
    overlap.lists[g] = 10;
    overlap.shared[g] = Int128{10 * 290} << 62;  // a quarter of each list is in each other
  }
  const ExposureFacts facts{.overlap = &overlap};
  EXPECT_FALSE(find_metric("personalisation")->measure(facts, {}, 0.95).ci);
  overlap.shared[7] += 1;  // 2^-64
  const ExposureValue measured = find_metric("personalisation")->measure(facts, {}, 0.95);
  EXPECT_EQ(measured.value, 0.75);
  EXPECT_TRUE(measured.ci);
}

TEST(Personalisation, needs_two_groups_and_three_for_an_error) {
  OverlapFacts overlap;
  overlap.lists[5] = 7;
  const ExposureFacts facts{.overlap = &overlap};
  EXPECT_EQ(value("personalisation", facts), std::nullopt);
  overlap.lists[6] = 1;
  EXPECT_EQ(value("personalisation", facts), 1);
}

// Items by their attributes; "first" ones only unless said otherwise.
struct AttributedList {
  std::vector<std::span<const std::uint32_t>> attributes;
  std::vector<std::uint32_t> distinct{0};

  void show(std::span<const std::uint32_t> of_item, bool is_first = true) {
    attributes.push_back(of_item);
    distinct.push_back(distinct.back() + (is_first ? 1 : 0));
  }
  [[nodiscard]] std::optional<double> diversity(std::uint32_t k) const {
    ScoredList list{.length = static_cast<std::uint32_t>(attributes.size()), .distinct = distinct};
    list.attributes = attributes;
    const MetricDefinition& metric = *find_metric("intra_list_diversity");
    if (!metric.has_evidence(list, k, {})) return std::nullopt;
    return metric.evaluate(list, k, {});
  }
};

TEST(IntraListDiversity, is_the_mean_distance_of_pairs_of_known_items) {
  const std::vector<std::uint32_t> jazz_live{1, 2};
  const std::vector<std::uint32_t> jazz{1};
  const std::vector<std::uint32_t> rock{3};
  AttributedList list;
  list.show(jazz_live);
  EXPECT_EQ(list.diversity(5), std::nullopt);
  list.show({});
  EXPECT_EQ(list.diversity(5), std::nullopt);
  list.show(jazz);
  EXPECT_EQ(list.diversity(5), 0.5);
  EXPECT_EQ(list.diversity(2), std::nullopt);
  list.show(jazz_live, false);
  EXPECT_EQ(list.diversity(5), 0.5);
  list.show(rock);
  EXPECT_DOUBLE_EQ(list.diversity(5).value_or(-1), 2.5 / 3);
  EXPECT_EQ(list.diversity(4), 0.5);
}

}  // namespace
}  // namespace recmeter
