#include "recmeter/base/rounded_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using boost::multiprecision::cpp_int;

double sum_of(const std::vector<double>& numbers) {
  RoundedSum sum;
  for (const double number : numbers) sum.add(number);
  return sum.value();
}

// In units of 2^-1074, the smallest double.
cpp_int exact(double number) {
  int exponent = 0;
  const cpp_int mantissa(static_cast<std::int64_t>(std::ldexp(std::frexp(number, &exponent), 53)));
  const int shift = exponent - 53 + 1074;
  return shift >= 0 ? cpp_int(mantissa << shift) : cpp_int(mantissa >> -shift);
}

// Whether no double lies nearer, and of two that lie as near it is the one with the even mantissa.
bool is_nearest(double rounded, const cpp_int& sum) {
  const cpp_int off = abs(exact(rounded) - sum);
  for (const double other : {std::nextafter(rounded, -INFINITY), std::nextafter(rounded, INFINITY)}) {
    const cpp_int its = abs(exact(other) - sum);
    int exponent = 0;
    const bool is_even = static_cast<std::int64_t>(std::ldexp(std::frexp(rounded, &exponent), 53)) % 2 == 0;
    if (its < off || (its == off && !is_even)) return false;
  }
  return true;
}

TEST(RoundedSum, of_nothing_and_of_what_cancels_is_zero) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({5.25, -5.25}), 0.0);
  EXPECT_FALSE(std::signbit(sum_of({-5.25, 5.25})));
  EXPECT_FALSE(std::signbit(sum_of({-0.0})));
}

TEST(RoundedSum, is_rounded_once_where_doubles_lose_the_rest) {
  EXPECT_EQ(sum_of({1e8, 1e-20, -1e8}), 1e-20);
  EXPECT_EQ(sum_of({0.1, 0.2, 0.3}), 0.6);
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1.0) << "a tie goes to the even one";
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-105}), 1.0 + 0x1p-52) << "what is left of a tie decides";
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53, -0x1p-105}), 1.0 + 0x1p-52);
}

TEST(RoundedSum, is_the_nearest_double_in_whatever_order) {
  support::Dice dice(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> numbers;
    cpp_int sum;
    for (std::int64_t count = dice.between(1, 12); count > 0; --count) {
      const double mantissa = static_cast<double>(dice.between(-(std::int64_t{1} << 53), std::int64_t{1} << 53));
      numbers.push_back(std::ldexp(mantissa, static_cast<int>(dice.between(-120, -27))));
      sum += exact(numbers.back());
    }
    const double rounded = sum_of(numbers);
    ASSERT_TRUE(is_nearest(rounded, sum)) << "round " << round;
    for (int order = 0; order < 3; ++order) {
      dice.shuffle(numbers);
      ASSERT_EQ(sum_of(numbers), rounded) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace recmeter
