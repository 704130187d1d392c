// FieldTable: where the known fields of an input's records stand, and what its words for types mean. [I3].
//
// The native names are only the default table; the decoder knows no other path to a field than the one given here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/event/field.h"
#include "recmeter/event/shape.h"
#include "recmeter/event/time_form.h"

namespace recmeter {

struct FieldTable {
  // Dotted path of each field split at its dots, e.g. {"user", "id"}. Empty: not read.
  std::array<std::vector<std::string>, field_count> paths;
  // Paths inside one entry of a basket given as objects; relative to the entry.
  std::vector<std::string> entry_item_id;
  std::vector<std::string> entry_value;
  // The input's word for a type -> ours. A word that is not listed stands for itself.
  std::map<std::string, std::string, std::less<>> types;
  TimeForm time;
  std::int64_t position_base = 1;  // the input's number for the first rank: 0 or 1
  std::optional<Shape> shape;      // where plain paths do not say enough; then it says all that the paths do

  [[nodiscard]] static FieldTable native();
};

// What the table says in plain paths, as a shape. Its own, where it has one.
[[nodiscard]] Shape shape_of(const FieldTable& table);

}  // namespace recmeter
