// Shapes: presets for logs of known kinds, the configurations of configs/shapes by their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.h"

namespace recmeter {

[[nodiscard]] std::vector<std::string_view> shape_names();
// The text of one, a whole configuration with one input and what else such a log needs. Nothing: there is none of that name.
[[nodiscard]] std::optional<std::string_view> shape_config(std::string_view name);

}  // namespace recmeter

namespace recmeter::config {

// What the shapes that `document`'s inputs name say and it does not: keys of the input, and of the sections `join`, `time`
// and `ratings`. What it fills in stands, for messages, where the shape is named.
void fill_in_shapes(Node& document);

}  // namespace recmeter::config
