#include "event/wide_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

namespace recmeter {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::pair<std::string_view, double>, 3> tokens{
    {{"NaN", std::numeric_limits<double>::quiet_NaN()}, {"Infinity", infinity}, {"-Infinity", -infinity}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Where a value may begin, as far as the byte before it says.
bool may_begin(std::string_view json, std::size_t at) {
  constexpr std::string_view before = " \t\r\n:,[";
  return at == 0 || before.find(json[at - 1]) != std::string_view::npos;
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

struct NumberForm {
  bool is_number = false;  // of JSON's grammar
  bool is_integer = false;
};
NumberForm form_of(std::string_view token) {
  std::size_t at = token.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_from(token, at);
  if (whole == at || (token[at] == '0' && whole > at + 1)) return {};
  at = whole;
  if (at < token.size() && token[at] == '.') {
    const std::size_t end = digits_from(token, at + 1);
    if (end == at + 1) return {};
    at = end;
  }
  if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    ++at;
    if (at < token.size() && (token[at] == '+' || token[at] == '-')) ++at;
    const std::size_t end = digits_from(token, at);
    if (end == at) return {};
    at = end;
  }
  return {.is_number = at == token.size(), .is_integer = whole == token.size()};
}

// Tells too large from too small. Requires: from_chars() finds it out of range.
bool is_beyond_double(std::string_view token) {
  const std::size_t exponent_at = token.find_first_of("eE");
  const std::string_view mantissa = token.substr(0, exponent_at);
  std::int64_t exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view digits = token.substr(exponent_at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc()) return digits[0] != '-';
  }
  // The place of the first digit that is not zero, from the point on.
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  return exponent > static_cast<std::int64_t>(first) - static_cast<std::int64_t>(point);
}

template <class Integer>
bool holds(std::string_view token) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size();
}

}  // namespace

bool WideNumbers::write_anew(std::string_view json, std::size_t padding) {
  text_.clear();
  specials_.clear();
  numbers_ = 0;
  is_anew_ = false;
  text_.reserve(json.size() + json.size() / 8 + padding);
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const auto token = std::ranges::find_if(tokens, [&](const auto& one) { return json.substr(at).starts_with(one.first); });
    if (c == '"') {
      at = take_string(json, at);
    } else if (token != tokens.end() && may_begin(json, at)) {
      put_special(token->second);
      at += token->first.size();
    } else if ((is_digit(c) || c == '-') && may_begin(json, at)) {
      at = take_number(json, at);
    } else {
      text_ += c;
      ++at;
    }
  }
  text_.reserve(text_.size() + padding);
  return is_anew_;
}

std::size_t WideNumbers::take_string(std::string_view json, std::size_t at) {
  std::size_t end = at + 1;
  while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2U : 1U;
  end = std::min(end + 1, json.size());
  text_ += json.substr(at, end - at);
  return end;
}

std::size_t WideNumbers::take_number(std::string_view json, std::size_t at) {
  const std::size_t end = std::min(json.find_first_not_of("+-.0123456789Ee", at), json.size());
  const std::string_view token = json.substr(at, end - at);
  const NumberForm form = form_of(token);
  if (form.is_integer && form.is_number && !holds<std::int64_t>(token) && !holds<std::uint64_t>(token)) {
    text_ += '"';
    text_ += token;
    text_ += '"';
    is_anew_ = true;
    return end;
  }
  double value = 0;
  const bool is_out_of_range = form.is_number && std::from_chars(token.data(), token.data() + token.size(), value).ec ==
                                                     std::errc::result_out_of_range;
  if (is_out_of_range && !form.is_integer && is_beyond_double(token)) {
    put_special(token.starts_with('-') ? -infinity : infinity);
    return end;
  }
  ++numbers_;
  text_ += token;
  return end;
}

void WideNumbers::put_special(double value) {
  specials_.push_back({.number = numbers_++, .value = value});
  text_ += "0.5";
  is_anew_ = true;
}

}  // namespace recmeter
