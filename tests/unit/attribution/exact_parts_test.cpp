#include "recmeter/attribution/exact_parts.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace recmeter {
namespace {

TEST(ExactParts, what_is_left_over_goes_to_the_largest_remainder_and_the_first_of_equals) {
  const double third = 1.0 / 3;
  const ExactParts found = exact_parts(std::array{third, third, third}, 1, 1.0 / 16);
  EXPECT_EQ(found.parts, (std::vector{0.375, 0.3125, 0.3125}));
  const ExactParts negative = exact_parts(std::array{-third, -third, -third}, -1, 1.0 / 16);
  EXPECT_EQ(negative.parts, (std::vector{-0.375, -0.3125, -0.3125}));
}

TEST(ExactParts, halves_are_rounded_to_even_and_there_is_no_negative_zero) {
  const ExactParts found = exact_parts(std::array{0.5, 1.5, -0.5}, 1.5, 1);
  EXPECT_EQ(found.whole, 2);
  EXPECT_EQ(found.parts, (std::vector{0.0, 2.0, 0.0}));
  EXPECT_FALSE(std::signbit(found.parts[2]));
}

TEST(ExactParts, no_parts_of_something_are_none) {
  EXPECT_TRUE(exact_parts({}, 1, 1).parts.empty());
}

}  // namespace
}  // namespace recmeter
