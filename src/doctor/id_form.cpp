#include "doctor/id_form.h"

#include <algorithm>
#include <array>

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

bool comes_before(std::string_view a, std::string_view b) {
  const bool numbers = std::all_of(a.begin(), a.end(), is_digit) && std::all_of(b.begin(), b.end(), is_digit);
  if (numbers && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

}  // namespace recmeter::doctor
