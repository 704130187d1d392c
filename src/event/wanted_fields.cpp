#include "recmeter/event/wanted_fields.h"

namespace recmeter {
namespace {

WantedFields& member_of(WantedFields& wanted, PathStep& step) {
  step.index = wanted.find(step.name);
  if (step.index == wanted.members.size()) wanted.members.emplace_back(step.name, WantedFields());
  return wanted.members[step.index].second;
}

// What stands at `path`; entries of lists on the way are as the list.
WantedFields& reach(WantedFields& from, FieldPath& path) {
  WantedFields* at = &from;
  for (PathStep& step : path) {
    if (step.kind == PathStep::Kind::name) at = &member_of(*at, step);
    if (step.kind == PathStep::Kind::match) member_of(*at, step).whole = true;
    if (step.kind == PathStep::Kind::json) at->whole = true;
  }
  return *at;
}

// Whether it is what stands at its path, or is made of that.
bool has_path(const FieldSource& source) {
  using Kind = FieldSource::Kind;
  return source.kind == Kind::path || source.kind == Kind::split || source.kind == Kind::written;
}

void add(WantedFields& from, FieldSource& source) {
  if (has_path(source)) reach(from, source.path).whole = true;
  for (FieldSource& part : source.parts) add(from, part);
}

void add_entries(WantedFields& from, FieldSource& items, ShapedFields& fields, std::vector<FieldCondition>& conditions) {
  if (items.kind == FieldSource::Kind::zip) return add(from, items);  // its entries are made
  for (FieldSource& part : items.parts) add_entries(from, part, fields, conditions);
  if (!has_path(items)) return;
  WantedFields& entry = reach(from, items.path);
  for (auto& source : fields.entry) {
    if (source) add(entry, *source);
  }
  for (FieldCondition& condition : conditions) reach(entry, condition.path).whole = true;
}

void add_fields(WantedFields& from, ShapedFields& fields, std::vector<FieldCondition>& entries) {
  for (std::size_t i = 0; i < field_count; ++i) {
    auto& source = fields.fields[i];
    if (!source) continue;
    static_cast<Field>(i) == Field::items ? add_entries(from, *source, fields, entries) : add(from, *source);
  }
  for (auto& [key, source] : fields.segments) add(from, source);
}

// Notes which steps lead through objects of which all is known that they have. Of entries nothing is: they may be made of
// split texts, and several lists share their paths.
void place(const WantedFields& from, FieldPath& path) {
  const WantedFields* at = &from;
  for (PathStep& step : path) {
    if (step.kind == PathStep::Kind::index) continue;  // an entry is wanted as its list is
    if (at->whole || step.kind != PathStep::Kind::name) return;
    step.is_placed = true;
    at = &at->members[step.index].second;
  }
}

void place(const WantedFields& from, FieldSource& source) {
  place(from, source.path);
  for (FieldSource& part : source.parts) place(from, part);
}

void place(const WantedFields& from, ShapedFields& fields) {
  for (auto& source : fields.fields) {
    if (source) place(from, *source);
  }
  for (auto& [key, source] : fields.segments) place(from, source);
}

}  // namespace

WantedFields wanted_fields(Shape& shape) {
  WantedFields all;
  WantedFields& root = reach(all, shape.root);
  add_fields(root, shape.common, shape.entries);
  for (EventRule& rule : shape.rules) {
    for (FieldCondition& condition : rule.when) reach(root, condition.path).whole = true;
    add_fields(root, rule.fields, rule.entries);
  }
  place(all, shape.root);
  place(root, shape.common);
  for (EventRule& rule : shape.rules) {
    for (FieldCondition& condition : rule.when) place(root, condition.path);
    place(root, rule.fields);
  }
  return all;
}

}  // namespace recmeter
