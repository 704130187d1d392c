// WideInt: for sums that 128 bits do not hold: squares of ratings, and products of such sums. Exact; used per row, not per
// list.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace recmeter {

using WideInt = boost::multiprecision::int512_t;

// numerator / denominator * 2^exponent, rounded once, to nearest, ties to even. Requires: denominator > 0, and numerator of
// less than 440 bits.
[[nodiscard]] double rounded_quotient(const WideInt& numerator, const WideInt& denominator, int exponent);

}  // namespace recmeter
