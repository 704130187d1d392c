#include "recmeter/window/segment_spec.h"

namespace recmeter {

bool must_escape(std::string_view value) {
  return value == segment_none || value == segment_other || (!value.empty() && value.front() == '\\');
}

std::string shown_segment_value(std::string_view value) {
  return (must_escape(value) ? "\\" : "") + std::string(value);
}

}  // namespace recmeter
