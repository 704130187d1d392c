#include "config/variables.h"

#include <fmt/format.h>

#include <algorithm>

namespace recmeter::config {

namespace {

constexpr std::string_view forms = "write ${NAME}, ${NAME:-default} or ${NAME:?message}, and $$ for a dollar sign";

bool is_name(std::string_view name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_word(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_word(c) || (c >= '0' && c <= '9'); });
}

tl::unexpected<Complaint> misread(std::string message, std::string remedy) {
  return tl::unexpected<Complaint>(Complaint{std::move(message), std::move(remedy)});
}

// `inside`: what stands between the braces.
Parsed<std::string> replacement(std::string_view inside, const Environment& environment) {
  const std::size_t colon = inside.find(':');
  const std::string name(inside.substr(0, colon));
  const std::string_view operation = colon == std::string_view::npos ? std::string_view{} : inside.substr(colon, 2);
  if (!is_name(name)) return misread(fmt::format("{} does not name a variable", in_quotes(inside)), std::string(forms));
  if (!operation.empty() && operation != ":-" && operation != ":?") {
    return misread(fmt::format("${{{}:...}} is neither a default nor a message", name), std::string(forms));
  }
  const std::optional<std::string> value = environment(name);
  const std::string_view rest = operation.empty() ? std::string_view{} : inside.substr(colon + 2);
  if (value && (operation.empty() || !value->empty())) return *value;
  if (operation == ":-") return std::string(rest);
  if (operation == ":?" && !rest.empty()) {
    return misread(fmt::format("the variable {} is not set: {}", name, rest), fmt::format("set {} in the environment", name));
  }
  return misread(fmt::format("the variable {} is not set", name),
                 fmt::format("set it in the environment, or give a default: ${{{}:-...}}", name));
}

}  // namespace

Parsed<std::string> replace_variables(std::string_view text, const Environment& environment, std::size_t bytes_max) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t dollar = std::min(text.find('$', at), text.size());
    result += text.substr(at, dollar - at);
    at = dollar;
    if (at == text.size()) break;
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next != '{') {
      result += '$';
      at += next == '$' ? 2 : 1;
      continue;
    }
    const std::size_t brace = text.find('}', at);
    if (brace == std::string_view::npos) return misread("a `${` is not closed", std::string(forms));
    Parsed<std::string> value = replacement(text.substr(at + 2, brace - at - 2), environment);
    if (!value) return value;
    result += *value;
    at = brace + 1;
    if (result.size() > bytes_max) return misread("the variables make the text longer than 1 MiB", "use shorter values");
  }
  return result;
}

}  // namespace recmeter::config
