#include "recmeter/event/field_path.h"

#include "recmeter/base/read_number.h"

namespace recmeter {
namespace {

constexpr std::string_view special = ".[:\\";
constexpr std::string_view json_step = ":json";

// Takes a name off the front of `rest`, up to the next special character that is not escaped.
std::string take_name(std::string_view& rest) {
  std::string name;
  while (!rest.empty()) {
    if (rest.front() == '\\' && rest.size() > 1) {
      rest.remove_prefix(1);
    } else if (rest.front() == '.' || rest.front() == '[' || rest == json_step ||
               (rest.starts_with(json_step) && (rest[json_step.size()] == '.' || rest[json_step.size()] == '['))) {
      break;
    }
    name += rest.front();
    rest.remove_prefix(1);
  }
  return name;
}

// `[0]` or `[key=x]`.
std::optional<PathStep> take_bracket(std::string_view& rest) {
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view within = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  const std::size_t equal = within.find('=');
  if (equal == std::string_view::npos) {
    const auto index = read_number<std::size_t>(within);
    if (!index) return std::nullopt;
    return PathStep{.kind = PathStep::Kind::index, .index = *index};
  }
  if (equal == 0) return std::nullopt;
  return PathStep{.kind = PathStep::Kind::match,
                  .name = std::string(within.substr(0, equal)),
                  .value = std::string(within.substr(equal + 1))};
}

}  // namespace

std::optional<FieldPath> parse_path(std::string_view text) {
  FieldPath path;
  bool wants_word = true;
  while (wants_word || !text.empty()) {
    if (path.size() == path_steps_max) return std::nullopt;
    std::optional<PathStep> step;
    if (wants_word) {
      std::string name = take_name(text);
      if (!name.empty()) step = PathStep{.name = std::move(name)};
    } else if (text.starts_with('[')) {
      step = take_bracket(text);
    } else if (text.starts_with(json_step)) {
      text.remove_prefix(json_step.size());
      step = PathStep{.kind = PathStep::Kind::json};
    }
    if (!step) return std::nullopt;
    path.push_back(std::move(*step));
    wants_word = text.starts_with('.');
    if (wants_word) text.remove_prefix(1);
  }
  return path;
}

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const PathStep& step : path) {
    switch (step.kind) {
      case PathStep::Kind::name:
        if (!text.empty()) text += '.';
        for (const char c : step.name) {
          if (special.find(c) != std::string_view::npos) text += '\\';
          text += c;
        }
        break;
      case PathStep::Kind::index: text += '[' + std::to_string(step.index) + ']'; break;
      case PathStep::Kind::match: text += '[' + step.name + '=' + step.value + ']'; break;
      case PathStep::Kind::json: text += json_step; break;
    }
  }
  return text;
}

FieldPath path_of_names(const std::vector<std::string>& names) {
  FieldPath path;
  for (const std::string& name : names) path.push_back({.name = name});
  return path;
}

}  // namespace recmeter
