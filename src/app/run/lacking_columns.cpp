#include "app/run/lacking_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace recmeter {
namespace {

constexpr std::size_t names_told = 20;

class Search {
 public:
  explicit Search(const std::vector<std::string>& columns) : columns_(columns) {}

  void look(const ShapedFields& of) {
    for (std::size_t i = 0; i < field_count; ++i) {
      const auto& source = of.fields[i];
      if (source && !is_own_name(*source, static_cast<Field>(i))) look(*source);
    }
    for (const auto& [key, source] : of.segments) look(source);
  }
  void look(const EventRule& rule) {
    const auto asks_for_texts = [](const FieldCondition& condition) {
      return std::ranges::none_of(condition.patterns, [](const FieldCondition::Pattern& pattern) {
        return pattern.kind == FieldCondition::Pattern::Kind::absent ||
               pattern.kind == FieldCondition::Pattern::Kind::present;
      });
    };
    bool is_all_there = true;
    for (const FieldCondition& condition : rule.when) {
      if (!asks_for_texts(condition) || has(condition.path)) continue;
      add(condition.path);
      is_all_there = false;
    }
    if (is_all_there) look(rule.fields);
  }
  [[nodiscard]] std::vector<std::string> take() { return std::move(lacking_); }

 private:
  static bool is_own_name(const FieldSource& source, Field field) {
    return source.kind == FieldSource::Kind::path && source.path.size() == 1 && source.path.front().name == to_string(field);
  }
  [[nodiscard]] bool has(const FieldPath& path) const {
    if (path.empty() || path.front().kind != PathStep::Kind::name) return true;
    const std::string& name = path.front().name;
    return name.starts_with('$') || std::ranges::find(columns_, name) != columns_.end();
  }
  [[nodiscard]] bool has(const FieldSource& source) const {
    using Kind = FieldSource::Kind;
    const auto has_part = [this](const FieldSource& part) { return has(part); };
    switch (source.kind) {
      case Kind::constant: return true;
      case Kind::path:
      case Kind::split:
      case Kind::written: return has(source.path);
      case Kind::first: return std::ranges::any_of(source.parts, has_part);
      case Kind::join:
      case Kind::product:
      case Kind::zip: return std::ranges::all_of(source.parts, has_part);
    }
    return true;
  }
  void look(const FieldSource& source) {
    if (has(source)) return;
    if (source.parts.empty()) add(source.path);
    for (const FieldSource& part : source.parts) look(part);
  }
  void add(const FieldPath& path) {
    const std::string& name = path.front().name;
    if (std::ranges::find(lacking_, name) == lacking_.end()) lacking_.push_back(name);
  }

  const std::vector<std::string>& columns_;
  std::vector<std::string> lacking_;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_told); ++i) {
    text += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  }
  return names.size() <= names_told ? text : fmt::format("{} and {} more", text, names.size() - names_told);
}

}  // namespace

std::vector<std::string> lacking_columns(const Shape& shape, const std::vector<std::string>& columns) {
  Search search(columns);
  for (const EventRule& rule : shape.rules) search.look(rule);
  if (shape.rules.empty()) search.look(shape.common);
  return search.take();
}

std::string lacking_sentence(const std::string& file, const Shape& shape, const std::vector<std::string>& columns) {
  const auto names = lacking_columns(shape, columns);
  if (names.empty()) return {};
  return fmt::format("{} has no column {}, which the configuration reads; its columns are {}", file, listed(names),
                     listed(columns));
}

}  // namespace recmeter
