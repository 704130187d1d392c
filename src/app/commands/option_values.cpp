#include "app/commands/option_values.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "config/nearest.h"
#include "recmeter/base/read_number.h"

namespace recmeter {

CLI::Validator one_of_words(std::vector<std::string> words) {
  std::string name = fmt::format("{}", fmt::join(words, "|"));
  const auto check = [words = std::move(words)](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return {};
    const std::vector<std::string_view> views(words.begin(), words.end());
    return text + " is not known; " + config::question_or_choices(text, views);
  };
  return {check, "", std::move(name)};
}

CLI::Validator whole_number_up_to(unsigned max) {
  const auto check = [max](const std::string& text) -> std::string {
    const auto number = read_number<unsigned>(text);
    if (number && *number <= max) return {};
    return text + " is not a whole number from 0 to " + std::to_string(max);
  };
  return {check, ""};
}

bool is_url(const std::string& input) {
  return input.starts_with("http://") || input.starts_with("https://");
}

}  // namespace recmeter
