#include "support/parsed_json.h"

#include <nlohmann/json.hpp>

namespace recmeter::support {

nlohmann::json parsed_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json parsed_ordered_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace recmeter::support
