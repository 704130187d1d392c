#include "recmeter/metric/arithmetic.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "metric/confusion.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool goes_on(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

// What a name of docs/metrics.md, "Words", stands for; other names as they are.
std::string number_of(std::string_view name, const MetricDefinition& metric, const ScoredList& list, std::uint32_t k,
                      const MetricOptions& options) {
  if (name == "k" && k > 0) return cutoff_text(k);
  if (name == "n") return std::to_string(list.length);
  if (name == "hits_k") return std::to_string(list.hits_at(k));
  if (name == "R_list") return std::to_string(list.relevant_in_list());
  if (name == "R_user") return std::to_string(list.relevant_of_user());
  if (name == "beta") return four_decimals(options.beta);
  if (!metric.needs.has(ListPart::distinct) || !metric.needs.has(ListPart::missed)) return std::string(name);
  const Confusion counts = confusion_at(list, k, options);
  if (name == "tp") return std::to_string(counts.tp);
  if (name == "fp") return std::to_string(counts.fp);
  if (name == "fn") return std::to_string(counts.fn);
  if (name == "tn") return std::to_string(counts.tn);
  if (name == "P") return std::to_string(counts.relevant());
  if (name == "I") return std::to_string(counts.irrelevant());
  if (name == "N") return std::to_string(counts.relevant() + counts.irrelevant());
  return std::string(name);
}

}  // namespace

std::string cutoff_text(std::uint32_t k) {
  return k == PlannedMetric::no_cut ? "inf" : std::to_string(k);
}

std::string four_decimals(double value) {
  if (value == 0) return "0";  // of either sign
  constexpr double smallest = 0.00005;
  const double size = std::abs(value);
  const int digits = size < smallest ? 1 + static_cast<int>(std::ceil(-std::log10(size))) : 4;
  std::array<char, 700> buffer{};  // 309 digits before the point, 325 behind it
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits).ptr;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  return {buffer.data(), end};
}

std::string sum_text(std::span<const std::string> terms) {
  if (terms.empty()) return "0";
  std::string text;
  for (const std::string& term : terms) text += (text.empty() ? "(" : " + ") + term;
  return text + ")";
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
    text += number_of(name, metric, list, k, options);
    at = end;
  }
  return text;
}

}  // namespace recmeter
