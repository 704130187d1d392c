#include "recmeter/metric/arithmetic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace recmeter {

namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool goes_on(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

// The number that a name of docs/metrics.md, "Words", stands for.
std::optional<double> number_of(std::string_view name, const ScoredList& list, std::uint32_t k,
                                const MetricOptions& options) {
  if (name == "k" && k > 0) return k;
  if (name == "n") return list.length;
  if (name == "hits_k") return list.hits_at(k);
  if (name == "R_list") return static_cast<double>(list.relevant_in_list());
  if (name == "R_user") return static_cast<double>(list.relevant_of_user());
  if (name == "beta") return options.beta;
  return std::nullopt;
}

}  // namespace

std::string four_decimals(double value) {
  std::array<char, 400> buffer{};
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 4).ptr;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  const std::string text(buffer.data(), end);
  return text == "-0" ? "0" : text;
}

std::string arithmetic_of(const MetricDefinition& metric, const ScoredList& list, std::uint32_t k,
                          const MetricOptions& options) {
  if (metric.arithmetic != nullptr) return metric.arithmetic(list, k, options);
  const std::string_view formula = metric.formula;
  std::string text;
  for (std::size_t at = 0; at < formula.size();) {
    if (!starts_name(formula[at]) || (at > 0 && (goes_on(formula[at - 1]) || formula[at - 1] == '@'))) {
      text += formula[at++];
      continue;
    }
    std::size_t end = at;
    while (end < formula.size() && goes_on(formula[end])) ++end;
    const std::string_view name = formula.substr(at, end - at);
    const auto number = number_of(name, list, k, options);
    text += number ? four_decimals(*number) : std::string(name);
    at = end;
  }
  return text;
}

}  // namespace recmeter
