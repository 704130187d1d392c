#include "recmeter/event/field_table.h"

#include <algorithm>

#include "recmeter/base/check.h"

namespace recmeter {

std::string_view to_string(Field field) noexcept {
  switch (field) {
    case Field::type: return "type";
    case Field::recommender: return "recommender";
    case Field::ts: return "ts";
    case Field::list_id: return "list_id";
    case Field::user_id: return "user_id";
    case Field::items: return "items";
    case Field::scores: return "scores";
    case Field::propensities: return "propensities";
    case Field::predicted: return "predicted";
    case Field::expected: return "expected";
    case Field::teams: return "teams";
    case Field::item_id: return "item_id";
    case Field::position: return "position";
    case Field::score: return "score";
    case Field::propensity: return "propensity";
    case Field::team: return "team";
    case Field::latency_ms: return "latency_ms";
    case Field::value: return "value";
    case Field::event_id: return "event_id";
    case Field::segments: return "segments";
  }
  RECMETER_CHECK(false, "a field without a name");
}

std::string_view to_string(EntryField field) noexcept {
  switch (field) {
    case EntryField::item_id: return "item_id";
    case EntryField::position: return "position";
    case EntryField::score: return "score";
    case EntryField::propensity: return "propensity";
    case EntryField::team: return "team";
    case EntryField::value: return "value";
  }
  RECMETER_CHECK(false, "an entry's field without a name");
}

FieldTable FieldTable::native() {
  FieldTable table;
  for (std::size_t i = 0; i < field_count; ++i) table.paths[i] = {std::string(to_string(static_cast<Field>(i)))};
  table.entry_item_id = {"item_id"};
  table.entry_value = {"value"};
  return table;
}

bool has_own_times(const Shape& shape) {
  constexpr auto ts = static_cast<std::size_t>(Field::ts);
  return std::ranges::any_of(
      shape.rules, [&](const EventRule& rule) { return rule.fields.fields[ts] != shape.rules.front().fields.fields[ts]; });
}

Shape shape_of(const FieldTable& table) {
  if (table.shape) return *table.shape;
  Shape shape;
  for (std::size_t i = 0; i < field_count; ++i) {
    shape.common.fields[i] = FieldSource{.path = path_of_names(table.paths[i])};
  }
  const auto entry = [&](EntryField field) -> auto& { return shape.common.entry[static_cast<std::size_t>(field)]; };
  entry(EntryField::item_id) = FieldSource{.path = path_of_names(table.entry_item_id)};
  entry(EntryField::value) = FieldSource{.path = path_of_names(table.entry_value)};
  return shape;
}

}  // namespace recmeter
