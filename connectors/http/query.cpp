#include <algorithm>

#include "recmeter/http/request.h"

namespace recmeter::http {

std::size_t Query::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(parameters_.begin(), parameters_.end(), [&](const Parameter& one) { return one.name == name; }));
}

std::optional<std::string_view> Query::first(std::string_view name) const {
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& one) { return one.name == name; });
  if (found == parameters_.end()) return std::nullopt;
  return found->value;
}

}  // namespace recmeter::http
