// A comparison that could not fail would prove nothing: each field that differs is named.
#include "support/row_compare.h"

#include <gtest/gtest.h>

#include <functional>

namespace recmeter::support {
namespace {

Row sample() {
  Row row;
  row.window = "minute";
  row.end = EventTime{60000};
  row.segment = {{"v", "A"}};
  row.lists = 3;
  row.feedback = {{"click", 1, 2}};
  row.metrics = {{"mrr@5", "", 0.5, 0.1, std::pair{0.4, 0.6}, true, 0.7, 0.8}};
  return row;
}

TEST(RowCompare, equal_rows_have_no_difference_and_rounding_is_forgiven) {
  Row other = sample();
  other.metrics[0].value = 0.5 + 1e-12;
  EXPECT_EQ(first_difference(std::vector{sample()}, std::vector{other}, 1e-9), std::nullopt);
}

TEST(RowCompare, every_part_of_a_row_can_differ) {
  const std::vector<std::function<void(Row&)>> changes{[](Row& r) { r.window = "hour"; },
                                                       [](Row& r) { r.start.ms = 1; },
                                                       [](Row& r) { r.horizon.ms = 1; },
                                                       [](Row& r) { r.segment.clear(); },
                                                       [](Row& r) { r.stage = Stage::truncated; },
                                                       [](Row& r) { r.matured = 0.5; },
                                                       [](Row& r) { r.incomplete = {"start"}; },
                                                       [](Row& r) { r.lists = 4; },
                                                       [](Row& r) { r.feedback[0].credited = 9; },
                                                       [](Row& r) { r.feedback[0].repeated = 9; },
                                                       [](Row& r) { r.metrics[0].value = 0.6; },
                                                       [](Row& r) { r.metrics[0].se.reset(); },
                                                       [](Row& r) { r.metrics[0].ci->second = 1; },
                                                       [](Row& r) { r.metrics[0].given_relevant = 0; },
                                                       [](Row& r) { r.metrics.clear(); },
                                                       [](Row& r) { r.evaluator = "x"; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Row other = sample();
    changes[i](other);
    EXPECT_TRUE(first_difference(std::vector{sample()}, std::vector{other}, 1e-9).has_value()) << "change " << i;
  }
}

TEST(RowCompare, a_missing_row_is_named) {
  const auto difference = first_difference(std::vector{sample()}, std::vector<Row>{}, 1e-9);
  ASSERT_TRUE(difference.has_value());
  EXPECT_NE(difference->find("{v=A}"), std::string::npos) << *difference;
}

}  // namespace
}  // namespace recmeter::support
