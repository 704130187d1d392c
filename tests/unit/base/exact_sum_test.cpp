#include "recmeter/base/exact_sum.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/dice.h"

namespace recmeter {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using support::Dice;

constexpr double unit = 0x1p-32;

cpp_rational exact(double value) {
  int exponent = 0;
  const cpp_int mantissa(static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53)));
  const int shift = exponent - 53;
  return shift >= 0 ? cpp_rational(mantissa << shift) : cpp_rational(mantissa, cpp_int(1) << -shift);
}

bool has_even_mantissa(double value) {
  int exponent = 0;
  return static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53)) % 2 == 0;
}

cpp_int wide(Int128 value) {
  const bool negative = value < 0;
  const Int128 magnitude = negative ? -value : value;
  const cpp_int high(static_cast<std::uint64_t>(magnitude >> 64));
  const cpp_int low(static_cast<std::uint64_t>(magnitude & 0xffffffffffffffff));
  const cpp_int all = (high << 64) + low;
  return negative ? cpp_int(-all) : all;
}

// No other double lies nearer to the truth, and of two equally near ones `value` is the even one.
testing::AssertionResult is_nearest(double value, const cpp_rational& truth) {
  const cpp_rational own = abs(exact(value) - truth);
  for (const double toward : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}) {
    const cpp_rational other = abs(exact(std::nextafter(value, toward)) - truth);
    if (other < own) return testing::AssertionFailure() << value << " is not the nearest double to " << truth;
    if (other == own && !has_even_mantissa(value)) return testing::AssertionFailure() << value << " is the odd one of a tie";
  }
  return testing::AssertionSuccess();
}

Int128 random_sum(Dice& dice) {
  const auto bits = static_cast<int>(dice.between(1, 126));
  const Int128 high = static_cast<Int128>(dice.below(std::size_t{1} << 63)) << 64;
  const Int128 low = static_cast<Int128>(dice.below(std::numeric_limits<std::size_t>::max()));
  const Int128 sum = (high | low) >> (127 - bits);
  return dice.percent(50) ? -sum : sum;
}

TEST(ToQ32, is_exact_for_multiples_of_the_unit) {
  EXPECT_EQ(to_q32(0), 0);
  EXPECT_EQ(to_q32(1), std::int64_t{1} << 32);
  EXPECT_EQ(to_q32(-1), -(std::int64_t{1} << 32));
  EXPECT_EQ(to_q32(unit), 1);
  EXPECT_EQ(to_q32(0x1p30 - unit * 0x1p10), (std::int64_t{1} << 62) - 1024) << "the largest value below 2^30";
}

TEST(ToQ32, rounds_ties_to_even) {
  EXPECT_EQ(to_q32(0.5 * unit), 0);
  EXPECT_EQ(to_q32(1.5 * unit), 2);
  EXPECT_EQ(to_q32(2.5 * unit), 2);
  EXPECT_EQ(to_q32(-0.5 * unit), 0);
  EXPECT_EQ(to_q32(-1.5 * unit), -2);
  EXPECT_EQ(to_q32(-2.5 * unit), -2);
}

TEST(ToQ32, rounds_to_the_nearest_beside_a_tie) {
  EXPECT_EQ(to_q32(std::nextafter(0.5, 1) * unit), 1);
  EXPECT_EQ(to_q32(std::nextafter(0.5, 0) * unit), 0);
  EXPECT_EQ(to_q32(std::nextafter(1.5, 0) * unit), 1);
}

TEST(ToQ32, is_never_further_than_half_a_unit_from_the_value) {
  Dice dice(1);
  const cpp_rational half(1, cpp_int(1) << 33);
  for (int i = 0; i < 20000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(dice.between(-(1LL << 53), 1LL << 53)), static_cast<int>(dice.between(-90, -24)));
    const cpp_rational rounded(cpp_int(to_q32(value)), cpp_int(1) << 32);
    ASSERT_LE(abs(rounded - exact(value)), half) << value;
  }
}

TEST(ToQ32, refuses_what_sums_have_no_room_for) {
  EXPECT_DEATH(static_cast<void>(to_q32(0x1p30)), "out of range");
  EXPECT_DEATH(static_cast<void>(to_q32(std::numeric_limits<double>::quiet_NaN())), "out of range");
}

TEST(MeanOfQ32, of_equal_values_is_the_value) {
  EXPECT_EQ(mean_of_q32(Int128{7} * to_q32(0.25), 7), 0.25);
  EXPECT_EQ(mean_of_q32(0, 5), 0);
  EXPECT_EQ(mean_of_q32(Int128{3} * to_q32(-0.5), 3), -0.5);
}

TEST(MeanOfQ32, is_one_third_as_division_gives_it) {
  EXPECT_EQ(mean_of_q32(to_q32(1), 3), 1.0 / 3);
  EXPECT_EQ(mean_of_q32(to_q32(2), 3), 2.0 / 3);
}

TEST(MeanOfQ32, rounds_ties_to_even) {
  const Int128 whole = Int128{1} << 53;  // whose next doubles lie 2 apart
  EXPECT_EQ(mean_of_q32(whole + 1, 1), 0x1p53 * unit);
  EXPECT_EQ(mean_of_q32(whole + 3, 1), (0x1p53 + 4) * unit);
  EXPECT_EQ(mean_of_q32(-(whole + 3), 1), -(0x1p53 + 4) * unit);
}

TEST(MeanOfQ32, sees_the_remainder_beyond_a_tie) {
  const Int128 tie = (Int128{1} << 60) + (1 << 7);  // half way between 2^60 and 2^60 + 2^8
  EXPECT_EQ(mean_of_q32(tie * 3, 3), 0x1p60 * unit);
  EXPECT_EQ(mean_of_q32(tie * 3 + 1, 3), (0x1p60 + 0x1p8) * unit);
  EXPECT_EQ(mean_of_q32(tie * 3 - 1, 3), 0x1p60 * unit);
}

TEST(MeanOfQ32, is_correctly_rounded_for_random_sums_of_up_to_126_bits) {
  Dice dice(2);
  for (int i = 0; i < 4000; ++i) {
    const Int128 sum = random_sum(dice);
    const auto count = std::uint64_t{1} + dice.below(std::size_t{1} << dice.between(1, 63));
    ASSERT_TRUE(is_nearest(mean_of_q32(sum, count), cpp_rational(wide(sum), cpp_int(count) << 32)));
  }
}

TEST(MeanOfQ32, is_correctly_rounded_near_every_tie) {
  Dice dice(3);
  for (int i = 0; i < 4000; ++i) {
    const auto count = std::uint64_t{1} + dice.below(1 << 20);
    const Int128 odd = (Int128{1} << 53) + 2 * Int128{dice.below(std::size_t{1} << 51)} + 1;
    const Int128 sum = (odd << dice.between(0, 30)) * static_cast<Int128>(count) + dice.between(-1, 1);
    ASSERT_TRUE(is_nearest(mean_of_q32(sum, count), cpp_rational(wide(sum), cpp_int(count) << 32)));
  }
}

TEST(MeanOfQ32, of_nothing_is_a_mistake_of_the_program) {
  EXPECT_DEATH(static_cast<void>(mean_of_q32(0, 0)), "the mean of nothing");
}

TEST(ShareOf, is_zero_of_none_and_one_of_all) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(share_of(0, 1), 0);
  EXPECT_EQ(share_of(0, most), 0);
  EXPECT_EQ(share_of(most, most), 1);
  EXPECT_EQ(share_of(1, 1), 1);
}

// Denominators so large that only the remainder of the division tells a tie from what lies beside it.
TEST(ShareOf, is_correctly_rounded_near_ties_of_large_denominators) {
  Dice dice(5);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t d = (std::uint64_t{1} << 63) + dice.below(std::size_t{1} << 63);
    const std::uint64_t odd = (std::uint64_t{1} << 53) + 2 * dice.below(std::size_t{1} << 52) + 1;  // half way at 53 bits
    const auto n = static_cast<std::uint64_t>(cpp_int((cpp_int(odd) * d >> 54) + dice.below(2)));
    ASSERT_TRUE(is_nearest(share_of(n, d), cpp_rational(cpp_int(n), cpp_int(d))));
  }
}

TEST(ShareOf, is_correctly_rounded_over_the_whole_range) {
  Dice dice(4);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t n = dice.below(std::numeric_limits<std::size_t>::max()) >> dice.below(64);
    const std::uint64_t d = (dice.below(std::numeric_limits<std::size_t>::max()) >> dice.below(63)) | 1;
    if (n == 0) continue;
    ASSERT_TRUE(is_nearest(share_of(n, d), cpp_rational(cpp_int(n), cpp_int(d))));
  }
}

}  // namespace
}  // namespace recmeter
