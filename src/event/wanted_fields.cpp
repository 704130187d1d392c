#include "recmeter/event/wanted_fields.h"

#include <algorithm>

namespace recmeter {
namespace {

WantedFields& member_of(WantedFields& wanted, const std::string& name) {
  const auto found = std::ranges::find(wanted.members, name, [](const auto& member) { return member.first; });
  if (found != wanted.members.end()) return found->second;
  return wanted.members.emplace_back(name, WantedFields()).second;
}

// What stands at `path`; entries of lists on the way are as the list.
WantedFields& reach(WantedFields& from, const FieldPath& path) {
  WantedFields* at = &from;
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::name) at = &member_of(*at, step.name);
    if (step.kind == PathStep::Kind::match) member_of(*at, step.name).whole = true;
    if (step.kind == PathStep::Kind::json) at->whole = true;
  }
  return *at;
}

void add(WantedFields& from, const FieldSource& source) {
  if (source.kind == FieldSource::Kind::path || source.kind == FieldSource::Kind::split) {
    reach(from, source.path).whole = true;
  }
  for (const FieldSource& part : source.parts) add(from, part);
}

void add_entries(WantedFields& from, const FieldSource& items, const ShapedFields& fields,
                 const std::vector<FieldCondition>& conditions) {
  for (const FieldSource& part : items.parts) add_entries(from, part, fields, conditions);
  if (items.kind != FieldSource::Kind::path && items.kind != FieldSource::Kind::split) return;
  WantedFields& entry = reach(from, items.path);
  for (const auto& source : fields.entry) {
    if (source) add(entry, *source);
  }
  for (const FieldCondition& condition : conditions) reach(entry, condition.path).whole = true;
}

void add_fields(WantedFields& from, const ShapedFields& fields, const std::vector<FieldCondition>& entries) {
  for (std::size_t i = 0; i < field_count; ++i) {
    const auto& source = fields.fields[i];
    if (!source) continue;
    static_cast<Field>(i) == Field::items ? add_entries(from, *source, fields, entries) : add(from, *source);
  }
  for (const auto& [key, source] : fields.segments) add(from, source);
}

}  // namespace

WantedFields wanted_fields(const Shape& shape) {
  WantedFields all;
  WantedFields& root = reach(all, shape.root);
  add_fields(root, shape.common, shape.entries);
  for (const EventRule& rule : shape.rules) {
    for (const FieldCondition& condition : rule.when) reach(root, condition.path).whole = true;
    add_fields(root, rule.fields, rule.entries);
  }
  return all;
}

}  // namespace recmeter
