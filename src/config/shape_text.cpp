#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

#include "config/keys.h"
#include "config/shape_text.h"

namespace recmeter::config {
namespace {

std::string pattern_text(const FieldCondition::Pattern& pattern) {
  using Kind = FieldCondition::Pattern::Kind;
  switch (pattern.kind) {
    case Kind::equal: return json_string(pattern.text);
    case Kind::prefix: return json_string(pattern.text + "*");
    case Kind::suffix: return json_string("*" + pattern.text);
    case Kind::present: return "\"*\"";
    case Kind::absent: return "null";
  }
  return {};
}

std::string sources_text(const std::vector<FieldSource>& sources) {
  return fmt::format("[{}]", fmt::join(sources | std::views::transform(source_text), ", "));
}

}  // namespace

std::string source_text(const FieldSource& source) {
  switch (source.kind) {
    case FieldSource::Kind::path: return path_text(source.path);
    case FieldSource::Kind::constant: return fmt::format("{{is: {}}}", json_string(source.text));
    case FieldSource::Kind::join:
      return fmt::format("{{join: {}, with: {}}}", sources_text(source.parts), json_string(source.text));
    case FieldSource::Kind::split:
    case FieldSource::Kind::written:
      return fmt::format("{{at: {}, {}: {}{}}}", path_text(source.path),
                         source.kind == FieldSource::Kind::split ? "split" : "list", json_string(source.text),
                         source.part.empty() ? "" : ", part: " + json_string(source.part));
    case FieldSource::Kind::product: return fmt::format("{{product: {}}}", sources_text(source.parts));
    case FieldSource::Kind::zip: return fmt::format("{{zip: {}}}", sources_text(source.parts));
    case FieldSource::Kind::first: return sources_text(source.parts);
  }
  return {};
}

std::string conditions_text(const std::vector<FieldCondition>& conditions) {
  const auto one = [](const FieldCondition& condition) {
    return fmt::format("{}: [{}]", path_text(condition.path),
                       fmt::join(condition.patterns | std::views::transform(pattern_text), ", "));
  };
  return fmt::format("{{{}}}", fmt::join(conditions | std::views::transform(one), ", "));
}

std::string fields_text(const ShapedFields& fields) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < field_count; ++i) {
    if (!fields.fields[i] || (static_cast<Field>(i) == Field::segments && !fields.segments.empty())) continue;
    parts.push_back(fmt::format("{}: {}", to_string(static_cast<Field>(i)), source_text(*fields.fields[i])));
  }
  for (std::size_t i = 0; i < entry_field_count; ++i) {
    if (!fields.entry[i]) continue;
    parts.push_back(fmt::format("items.{}: {}", to_string(static_cast<EntryField>(i)), source_text(*fields.entry[i])));
  }
  std::vector<std::string> segments;
  for (const auto& [key, source] : fields.segments) segments.push_back(json_string(key) + ": " + source_text(source));
  if (!segments.empty()) parts.push_back(fmt::format("segments: {{{}}}", fmt::join(segments, ", ")));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string unit_text(const TimeForm& time) {
  return time.unit == TimeUnit::pattern ? fmt::format("{{pattern: {}}}", json_string(time.pattern))
                                        : std::string(unit_words[static_cast<std::size_t>(time.unit)]);
}

}  // namespace recmeter::config
