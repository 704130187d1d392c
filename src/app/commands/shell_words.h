// A command for a reader to run next, as a shell takes it. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

[[nodiscard]] std::string shell_word(const std::string& text);
// "recmeter compare --config shop.yaml shown.csv actions.csv"; of many inputs "LOG...". `options`: behind the configuration.
[[nodiscard]] std::string next_command(std::string_view command, const std::string& config,
                                       const std::vector<std::string>& inputs, const std::string& options = "");

}  // namespace recmeter
