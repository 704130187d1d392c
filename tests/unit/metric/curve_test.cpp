// The points of curves. Whole runs: tests/integration/cli/curves_test.cpp.
#include "recmeter/metric/curve.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "recmeter/metric/worked_example.h"

namespace recmeter {
namespace {

std::vector<CurvePoint> curve_of_examples(std::string_view names, std::uint32_t k_max, std::uint64_t catalog_size) {
  MetricOptions options;
  options.catalog_size = catalog_size;
  std::vector<std::int64_t> columns(curve_columns(k_max), 0);
  for (const ExampleList& example : example_lists()) {
    if (names.find(example.name) != std::string_view::npos) add_to_curve(example.scored, k_max, options, columns);
  }
  const std::vector<Int128> sums(columns.begin(), columns.end());
  return curve_of(sums, k_max, catalog_size > 0);
}

// A: relevant at ranks 1 and 3 of 4, 6 missed. C: at rank 7 of 10.
TEST(Curve, sums_the_counts_of_lists_at_every_k) {
  const auto points = curve_of_examples("AC", 7, 20);
  ASSERT_EQ(points.size(), 9U);
  struct Counts {
    std::uint64_t tp, fp, fn, tn;
  };
  const std::array<Counts, 9> expected{{{0, 0, 9, 31},
                                        {1, 1, 8, 30},
                                        {1, 3, 8, 28},
                                        {2, 4, 7, 27},
                                        {2, 6, 7, 25},
                                        {2, 7, 7, 24},
                                        {2, 8, 7, 23},
                                        {3, 8, 6, 23},
                                        {9, 31, 0, 0}}};
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(points[k].k, k < 8 ? std::optional(static_cast<std::uint32_t>(k)) : std::nullopt);
    EXPECT_EQ(points[k].tp, expected[k].tp) << k;
    EXPECT_EQ(points[k].fp, expected[k].fp) << k;
    EXPECT_EQ(points[k].fn, expected[k].fn) << k;
    EXPECT_EQ(points[k].tn, expected[k].tn) << k;
  }
  EXPECT_DOUBLE_EQ(*points[5].recall, 2.0 / 9);
  EXPECT_DOUBLE_EQ(*points[5].fpr, 7.0 / 31);
  EXPECT_DOUBLE_EQ(*points[5].precision, 2.0 / 9);
  EXPECT_FALSE(points[0].precision);
}

TEST(Curve, counts_an_item_that_a_list_repeats_once) {
  const auto points = curve_of_examples("P", 4, 10);  // a b c b, a and b relevant
  EXPECT_EQ(points[3].fp, 1U);
  EXPECT_EQ(points[4].fp, 1U);
}

TEST(Curve, without_a_catalogue_has_no_false_positive_rate) {
  const auto points = curve_of_examples("A", 5, 0);
  ASSERT_EQ(points.size(), 6U);
  for (const CurvePoint& point : points) {
    EXPECT_FALSE(point.tn);
    EXPECT_FALSE(point.fpr);
  }
  EXPECT_DOUBLE_EQ(*points[5].recall, 0.25);
}

TEST(Curve, of_nothing_relevant_has_no_recall) {
  for (const CurvePoint& point : curve_of_examples("D", 3, 20)) {
    EXPECT_FALSE(point.recall);
    EXPECT_TRUE(point.fpr);
  }
}

TEST(Curve, of_no_lists_at_all_is_empty_counts) {
  for (const CurvePoint& point : curve_of({}, 2, false)) {
    EXPECT_EQ(point.tp + point.fp + point.fn, 0U);
    EXPECT_FALSE(point.recall);
    EXPECT_FALSE(point.precision);
  }
}

}  // namespace
}  // namespace recmeter
