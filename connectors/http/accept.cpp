#include "recmeter/http/accept.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <vector>

namespace recmeter::http {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t");
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

// The next piece before `mark`, trimmed; `rest` loses it. A mark in a quoted string counts like any other: none of the values
// that are compared here are quoted.
std::string_view next_piece(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view piece = trimmed(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return piece;
}

struct Parameter {
  std::string_view name;
  std::string_view value;
};

// One member of a list: a name, its parameters, and its weight in thousandths.
struct Member {
  std::string_view name;
  std::vector<Parameter> parameters;
  int weight = 1000;
};

// 0 to 1 with at most three digits behind the point; what is not that weighs nothing.
int weight_of(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1') || text.size() > 5) return 0;
  if (text.size() > 1 && text[1] != '.') return 0;
  int weight = (text[0] - '0') * 1000;
  int unit = 100;
  for (const char digit : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (digit < '0' || digit > '9') return 0;
    weight += (digit - '0') * unit;
    unit /= 10;
  }
  return std::min(weight, 1000);
}

Member read_member(std::string_view text) {
  Member member;
  member.name = next_piece(text, ';');
  while (!text.empty()) {
    std::string_view value = next_piece(text, ';');
    const std::string_view name = next_piece(value, '=');
    value = trimmed(value);
    if (boost::beast::iequals(name, "q")) {
      member.weight = weight_of(value);
      break;  // what follows a weight is no parameter of the type
    }
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    if (!name.empty()) member.parameters.push_back({name, value});
  }
  return member;
}

// How closely a range describes a type: 0 not at all, else more for more.
int closeness(const Member& range, const Member& type) {
  if (range.name == "*/*" || range.name == "*") return 1;
  const std::size_t slash = type.name.find('/');
  if (range.name.ends_with("/*")) {
    return boost::beast::iequals(range.name.substr(0, range.name.size() - 2), type.name.substr(0, slash)) ? 2 : 0;
  }
  if (!boost::beast::iequals(range.name, type.name)) return 0;
  int close = 3;
  for (const Parameter& wanted : range.parameters) {
    const auto has = std::find_if(type.parameters.begin(), type.parameters.end(),
                                  [&](const Parameter& one) { return boost::beast::iequals(one.name, wanted.name); });
    if (has == type.parameters.end()) continue;
    if (!boost::beast::iequals(has->value, wanted.value)) return 0;
    ++close;
  }
  return close;
}

}  // namespace

std::optional<std::size_t> preferred(std::string_view accept, std::span<const std::string_view> offered) {
  std::optional<std::size_t> best;
  int best_weight = 0;
  const bool wants_any = trimmed(accept).empty();
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const Member type = read_member(offered[i]);
    int weight = wants_any ? 1000 : 0;
    int close = 0;
    // The closest range decides, however much it weighs: "text/*;q=0.5, text/html;q=0" does not want HTML.
    for (std::string_view rest = accept; !rest.empty();) {
      const Member range = read_member(next_piece(rest, ','));
      const int this_close = closeness(range, type);
      if (this_close == 0 || this_close < close) continue;
      weight = this_close > close ? range.weight : std::max(weight, range.weight);
      close = this_close;
    }
    if (weight > best_weight) {
      best = i;
      best_weight = weight;
    }
  }
  return best;
}

bool takes_coding(std::string_view accept_encoding, std::string_view coding) {
  int weight = 0;
  bool is_named = false;
  while (!accept_encoding.empty()) {
    const Member member = read_member(next_piece(accept_encoding, ','));
    if (boost::beast::iequals(member.name, coding)) {
      weight = is_named ? std::max(weight, member.weight) : member.weight;
      is_named = true;
    } else if (member.name == "*" && !is_named) {
      weight = member.weight;
    }
  }
  return weight > 0;
}

}  // namespace recmeter::http
