#include "docs/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace recmeter::test {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<double> whole() {
    const double value = sum();
    skip();
    return good_ && rest_.empty() ? std::optional(value) : std::nullopt;
  }

 private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  double sum() {
    double value = product();
    while (good_) {
      if (take("+")) {
        value += product();
      } else if (take("-")) {
        value -= product();
      } else {
        break;
      }
    }
    return value;
  }
  double product() {
    double value = power();
    while (good_) {
      if (take("*")) {
        value *= power();
      } else if (take("/")) {
        const double divisor = power();
        value = value == 0 && divisor == 0 ? 0 : value / divisor;
      } else {
        break;
      }
    }
    return value;
  }
  double power() {
    const double base = atom();
    return take("^") ? std::pow(base, atom()) : base;
  }
  double atom() {
    if (take("min(")) return pair([](double a, double b) { return std::min(a, b); });
    if (take("max(")) return pair([](double a, double b) { return std::max(a, b); });
    if (take("sqrt(")) return std::sqrt(closed());
    if (take("(")) return closed();
    if (take("-")) return -atom();
    if (take("inf")) return std::numeric_limits<double>::infinity();
    skip();
    double value = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    good_ = good_ && read.ec == std::errc();
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return value;
  }
  double closed() {
    const double value = sum();
    good_ = take(")") && good_;
    return value;
  }
  template <class Join>
  double pair(Join join) {
    const double a = sum();
    good_ = take(",") && good_;
    const double b = closed();
    return join(a, b);
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::optional<double> value_of_expression(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace recmeter::test
