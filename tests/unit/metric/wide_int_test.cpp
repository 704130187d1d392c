// Wide integers against a library of them.
#include "metric/wide_int.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Big = boost::multiprecision::cpp_int;

// The number that two's complement of 512 bits stands for.
Big big(const WideInt& number) {
  Big value = 0;
  for (std::size_t i = 8; i-- > 0;) value = (value << 64) + number.words()[i];
  return number.is_negative() ? value - (Big(1) << 512) : value;
}

struct Both {
  WideInt wide;
  Big number;
};

// Of up to 120 bits; often at the ends of words.
Both any(support::Dice& dice) {
  Int128 value = 0;
  for (int word = 0; word < 4; ++word) {
    value =
        value << 30 | static_cast<Int128>(dice.percent(30) ? (dice.percent(50) ? 0 : (1U << 30) - 1) : dice.below(1U << 30));
  }
  value >>= static_cast<int>(dice.below(120));
  if (dice.percent(50)) value = -value;
  const bool negative = value < 0;
  const Int128 magnitude = negative ? -value : value;
  Big number = (Big(static_cast<std::uint64_t>(magnitude >> 64)) << 64) + static_cast<std::uint64_t>(magnitude);
  return {WideInt(value), negative ? Big(-number) : number};
}

TEST(WideInt, computes_as_a_library_does) {
  support::Dice dice(1);
  for (int round = 0; round < 20'000; ++round) {
    const Both a = any(dice);
    const Both b = any(dice);
    const Both c = any(dice);
    ASSERT_EQ(big(a.wide), a.number);
    ASSERT_EQ(big(a.wide + b.wide), a.number + b.number);
    ASSERT_EQ(big(a.wide - b.wide), a.number - b.number);
    ASSERT_EQ(big(-a.wide), -a.number);
    ASSERT_EQ(big(a.wide * b.wide * c.wide - a.wide * c.wide), a.number * b.number * c.number - a.number * c.number);
    ASSERT_EQ(a.wide < b.wide, a.number < b.number);
    ASSERT_EQ(a.wide == b.wide, a.number == b.number);
    ASSERT_EQ(a.wide * b.wide > c.wide, a.number * b.number > c.number);
  }
}

TEST(WideInt, takes_numbers_as_they_are) {
  EXPECT_EQ(WideInt(), 0);
  EXPECT_EQ(100 * WideInt(-3), -300);
  EXPECT_EQ(WideInt(std::uint64_t{0} - 1) - WideInt(1), WideInt(std::uint64_t{0} - 2));
  EXPECT_TRUE(WideInt(-1).is_negative());
}

TEST(Quotient, is_equal_where_a_library_of_rational_numbers_says_so) {
  using Rational = boost::multiprecision::cpp_rational;
  support::Dice dice(3);
  const auto positive = [&] {
    const Both number = any(dice);
    return number.number > 0 ? number : Both{1, 1};
  };
  int equal = 0;
  for (int round = 0; round < 5000; ++round) {
    const Both above = any(dice);
    const Both below = positive();
    const Both times = positive();
    const Both more = dice.percent(50) ? Both{0, 0} : Both{dice.percent(50) ? 1 : -1, 1};
    const Quotient a{above.wide, below.wide};
    const Quotient b{above.wide * times.wide + more.wide, below.wide * times.wide};
    const bool expected = Rational(big(a.numerator), big(a.denominator)) == Rational(big(b.numerator), big(b.denominator));
    ASSERT_EQ(a == b, expected);
    ASSERT_EQ(b == a, expected);
    ASSERT_EQ(Quotient({-above.wide, below.wide}) == b,
              Rational(big(-above.wide), big(a.denominator)) == Rational(big(b.numerator), big(b.denominator)));
    equal += expected ? 1 : 0;
  }
  EXPECT_GT(equal, 1000);
  EXPECT_LT(equal, 4000);
}

// The nearest double to a quotient lies at most half a unit in the last place away from it, and the even one of two.
TEST(RoundedQuotient, is_the_nearest_double) {
  support::Dice dice(2);
  for (int round = 0; round < 20'000; ++round) {
    const Both a = any(dice);
    const Both b = any(dice);
    Both c = any(dice);
    if (c.number < 0) c = {-c.wide, -c.number};
    if (c.number == 0) continue;
    const double value = rounded_quotient(a.wide * b.wide, c.wide, 0);
    const Big above = a.number * b.number;
    if (above == 0) {
      ASSERT_EQ(value, 0);
      continue;
    }
    // In units of 2^-600, which hold every double here exactly.
    const auto exact = [](double of) {
      int exponent = 0;
      const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(of, &exponent), 53));
      return Big(mantissa) << static_cast<unsigned>(exponent - 53 + 600);
    };
    const auto distance = [&](double of) { return Big(abs(exact(of) * c.number - (above << 600))); };
    const Big here = distance(value);
    for (const double other : {std::nextafter(value, -INFINITY), std::nextafter(value, INFINITY)}) {
      const Big there = distance(other);
      ASSERT_LE(here, there);
      if (here == there) {
        int exponent = 0;
        ASSERT_EQ(static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53)) % 2, 0);
      }
    }
  }
}

TEST(RoundedQuotient, moves_by_powers_of_two) {
  EXPECT_EQ(rounded_quotient(1, 3, 0), 1.0 / 3);
  EXPECT_EQ(rounded_quotient(1, 3, -64), std::ldexp(1.0 / 3, -64));
  EXPECT_EQ(rounded_quotient(-7, 2, 1), -7);
}

}  // namespace
}  // namespace recmeter
