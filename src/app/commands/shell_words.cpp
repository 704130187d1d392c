#include "app/commands/shell_words.h"

#include <algorithm>
#include <cctype>

namespace recmeter {

std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 ||
           std::string_view("_-./:@%+=,").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string next_command(std::string_view command, const std::string& config, const std::vector<std::string>& inputs,
                         const std::string& options) {
  constexpr std::size_t inputs_max = 4;
  std::string out = "recmeter " + std::string(command);
  if (!config.empty()) out += " --config " + shell_word(config);
  if (!options.empty()) out += " " + options;
  if (inputs.size() > inputs_max) return out + " LOG...";
  for (const std::string& input : inputs) out += " " + shell_word(input);
  return out;
}

}  // namespace recmeter
