// shape_text: parts of a shape as a configuration writes them, on one line; for comparing and showing.
#pragma once

#include <string>
#include <vector>

#include "recmeter/event/shape.h"
#include "recmeter/event/time_form.h"

namespace recmeter::config {

[[nodiscard]] std::string source_text(const FieldSource& source);
[[nodiscard]] std::string conditions_text(const std::vector<FieldCondition>& conditions);
[[nodiscard]] std::string fields_text(const ShapedFields& fields);
[[nodiscard]] std::string unit_text(const TimeForm& time);

}  // namespace recmeter::config
