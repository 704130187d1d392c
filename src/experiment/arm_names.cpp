#include "recmeter/experiment/arm_names.h"

#include <algorithm>
#include <array>

#include "recmeter/base/words.h"

namespace recmeter {

namespace {

bool is_one_of(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

bool is_arm_name(std::string_view path) {
  constexpr std::array<std::string_view, 26> arms{
      "gruppe",   "groupe",      "grupo",    "variante", "versuch",    "ab",        "abtest",  "algo",     "algorithm",
      "arm",      "bucket",      "cohort",   "engine",   "experiment", "group",     "model",   "policy",   "ranker",
      "reranker", "recommender", "strategy", "test",     "tests",      "treatment", "variant", "variation"};
  // Beside these, or within them, it is a kind of user, of device or of item.
  constexpr std::array<std::string_view, 12> others{"age",  "browser", "car",   "category", "device",  "hardware",
                                                    "item", "os",      "phone", "price",    "product", "size"};
  const std::size_t last = path.rfind('.') + 1;  // 0: it has one name
  const std::size_t within = last < 2 ? 0 : path.rfind('.', last - 2) + 1;
  return std::ranges::any_of(words_in(path.substr(last)), [&](const std::string& word) { return is_one_of(arms, word); }) &&
         std::ranges::none_of(words_in(path.substr(within)),
                              [&](const std::string& word) { return is_one_of(others, word); });
}

std::optional<std::string> named_control(std::span<const std::string> values) {
  for (const std::string_view name : control_names) {
    const auto found = std::ranges::find_if(values, [&](const std::string& value) { return in_lower_case(value) == name; });
    if (found != values.end()) return *found;
  }
  return std::nullopt;
}

std::optional<ChosenControl> choose_control(std::span<const std::string> values, const std::string& asked) {
  if (!asked.empty()) {
    if (std::ranges::find(values, asked) == values.end()) return std::nullopt;
    return ChosenControl{.value = asked};
  }
  if (auto named = named_control(values)) return ChosenControl{.value = std::move(*named)};
  if (values.empty()) return std::nullopt;
  return ChosenControl{.value = values.front(), .is_known = false};
}

}  // namespace recmeter
