// FieldTable::native() as the decoder will define it.
#include "recmeter/event/field_table.h"

namespace recmeter {

std::string_view to_string(Field field) noexcept {
  constexpr std::array<std::string_view, field_count> names{"type",       "ts",           "list_id",  "user_id",  "items",
                                                            "scores",     "propensities", "item_id",  "position", "score",
                                                            "propensity", "value",        "event_id", "segments"};
  return names[static_cast<std::size_t>(field)];
}

FieldTable FieldTable::native() {
  FieldTable table;
  for (std::size_t i = 0; i < field_count; ++i) table.paths[i] = {std::string(to_string(static_cast<Field>(i)))};
  table.entry_item_id = {"item_id"};
  table.entry_value = {"value"};
  return table;
}

}  // namespace recmeter
