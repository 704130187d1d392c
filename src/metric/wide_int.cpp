#include "metric/wide_int.h"

#include <cmath>
#include <cstdint>

#include "recmeter/base/check.h"

namespace recmeter {

// A quotient of at least 64 bits, the rest kept as a sticky last bit: its conversion to double, which keeps 53, rounds as the
// true quotient would.
double rounded_quotient(const WideInt& numerator, const WideInt& denominator, int exponent) {
  RECMETER_CHECK(denominator > 0, "a quotient by nothing");
  if (numerator == 0) return 0;
  const bool negative = numerator < 0;
  WideInt magnitude = negative ? WideInt(-numerator) : numerator;
  const int shift = std::max(0, 64 - static_cast<int>(msb(magnitude)) + static_cast<int>(msb(denominator)));
  RECMETER_CHECK(static_cast<int>(msb(magnitude)) + shift < 510, "a sum too wide for its quotient");
  magnitude <<= static_cast<unsigned>(shift);
  WideInt quotient;
  WideInt rest;
  divide_qr(magnitude, denominator, quotient, rest);
  bool sticky = rest != 0;
  int dropped = 0;
  if (const int width = static_cast<int>(msb(quotient)) + 1; width > 63) {
    dropped = width - 63;
    sticky = sticky || lsb(quotient) < static_cast<unsigned>(dropped);
    quotient >>= static_cast<unsigned>(dropped);
  }
  const std::uint64_t bits = static_cast<std::uint64_t>(quotient) << 1 | static_cast<std::uint64_t>(sticky);
  const double value = std::ldexp(static_cast<double>(bits), exponent + dropped - shift - 1);
  return negative ? -value : value;
}

}  // namespace recmeter
