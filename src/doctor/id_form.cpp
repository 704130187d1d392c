#include "doctor/id_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace recmeter::doctor {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_letter(char c) {
  return lower(c) >= 'a' && lower(c) <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

constexpr std::size_t exact_digits = 16;  // 2^53 has as many
constexpr std::size_t digits_max = 40;

// A whole number that a double may not hold.
std::optional<double> large_number(std::string_view id) {
  if (id.size() < exact_digits || id.size() > digits_max || !std::all_of(id.begin(), id.end(), is_digit)) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), value);
  constexpr double exact_max = 9007199254740992.0;
  return error == std::errc() && value > exact_max ? std::optional(value) : std::nullopt;
}

// 1610521604143717376
std::string all_digits(double value) {
  return fmt::format("{:.0f}", value);
}

// 1610521604143717400: the fewest digits that give the double, and zeros behind them.
std::string with_zeros(double value) {
  std::string digits = fmt::format("{}", value);
  digits.erase(std::min(digits.find('e'), digits.size()));
  std::erase(digits, '.');
  digits.resize(all_digits(value).size(), '0');
  return digits;
}

// Letters and what parts them from the rest, at the beginning.
std::size_t prefix_of(std::string_view id) {
  const auto end = static_cast<std::size_t>(std::find_if_not(id.begin(), id.end(), is_letter) - id.begin());
  if (end == 0 || end + 1 >= id.size() || std::string_view(":_/#.-|").find(id[end]) == std::string_view::npos) return 0;
  return end + 1;
}

constexpr std::array<std::string_view, 18> placeholder_words{
    "0", "-1", "anon", "anonymous", "default", "guest", "n/a", "na", "nan", "nil", "none", "null", "undefined", "unknown",
    "00000000-0000-0000-0000-000000000000",
    // MD5, SHA-1 and SHA-256 of the empty text
    "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"};

}  // namespace

std::string id_form(std::string_view id) {
  if (const std::optional<double> large = large_number(id)) return fmt::format("{}", *large);
  std::string_view rest = id;
  if (!rest.empty() && rest.front() == '{') rest.remove_prefix(1);
  rest.remove_prefix(prefix_of(rest));
  if (rest.size() > 2 && rest.ends_with(".0")) rest.remove_suffix(2);
  std::string out = lowered(rest);
  std::erase_if(out, [](char c) { return c == '-' || c == '{' || c == '}' || c == ' '; });
  return out.empty() ? lowered(id) : out;
}

bool is_placeholder(std::string_view id) {
  if (id.size() > 64) return false;
  return std::find(placeholder_words.begin(), placeholder_words.end(), lowered(id)) != placeholder_words.end();
}

bool is_spoilt_number(std::string_view id) {
  std::size_t digits = 0;
  while (digits < id.size() && is_digit(id[digits])) ++digits;
  const std::string_view rest = id.substr(digits);
  if (digits == 0 || rest.empty()) return false;
  if (rest == ".0") return true;
  std::size_t at = 0;
  if (rest[at] == '.') {
    for (++at; at < rest.size() && is_digit(rest[at]);) ++at;
  }
  if (rest.substr(at, 2) != "e+" && rest.substr(at, 2) != "E+") return false;
  const std::string_view power = rest.substr(at + 2);
  return !power.empty() && power.size() <= 2 && std::all_of(power.begin(), power.end(), is_digit);
}

bool is_rounded_number(std::string_view id) {
  const std::optional<double> value = large_number(id);
  return value && (id == with_zeros(*value) || id == all_digits(*value));
}

bool comes_before(std::string_view a, std::string_view b) {
  const bool numbers = std::all_of(a.begin(), a.end(), is_digit) && std::all_of(b.begin(), b.end(), is_digit);
  if (numbers && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

}  // namespace recmeter::doctor
