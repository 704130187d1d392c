#include "recmeter/window/segment_spec.h"

namespace recmeter {

std::string shown_segment_value(std::string_view value) {
  const bool escape = value == segment_none || value == segment_other || (!value.empty() && value.front() == '\\');
  return (escape ? "\\" : "") + std::string(value);
}

}  // namespace recmeter
