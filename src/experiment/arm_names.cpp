#include "recmeter/experiment/arm_names.h"

#include <algorithm>

#include "recmeter/base/words.h"

namespace recmeter {

namespace {

bool is_one_of(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

bool is_arm_name(std::string_view path) {
  const std::size_t last = path.rfind('.') + 1;  // 0: it has one name
  const std::size_t within = last < 2 ? 0 : path.rfind('.', last - 2) + 1;
  return std::ranges::any_of(words_in(path.substr(last)),
                             [&](const std::string& word) { return is_one_of(arm_words, word); }) &&
         std::ranges::none_of(words_in(path.substr(within)),
                              [&](const std::string& word) { return is_one_of(words_of_others, word); });
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
