#include <gtest/gtest.h>

#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter {
namespace {

TEST(EventCounts, add_up_field_by_field) {
  EventCounts sum{1, 2, 3, 4, 5, {6, 7, 8, 9, 10, 11, 12}, 13, 14, 15, 16, 17};
  sum += EventCounts{100, 200, 300, 400, 500, {600, 700, 800, 900, 1000, 1100, 1200}, 1300, 1400, 1500, 1600, 1700};
  EXPECT_EQ(sum,
            (EventCounts{101, 202, 303, 404, 505, {606, 707, 808, 909, 1010, 1111, 1212}, 1313, 1414, 1515, 1616, 1717}));
  EXPECT_EQ(sum.duplicate(), 606U + 707U + 808U + 909U + 1010U + 1111U + 1212U);
}

TEST(FeedbackCounts, add_up_field_by_field) {
  FeedbackCounts sum{1, 2, 3, 4, 5, 6};
  sum += FeedbackCounts{10, 20, 30, 40, 50, 60};
  EXPECT_EQ(sum, (FeedbackCounts{11, 22, 33, 44, 55, 66}));
}

TEST(Stage, has_the_names_that_users_see) {
  EXPECT_EQ(to_string(Stage::provisional), "provisional");
  EXPECT_EQ(to_string(Stage::final), "final");
  EXPECT_EQ(to_string(Stage::truncated), "truncated");
}

}  // namespace
}  // namespace recmeter
