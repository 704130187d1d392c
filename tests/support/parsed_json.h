// JSON that a test reads. The parser is compiled once, here: in every test that reads JSON it would take a second.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace recmeter::support {

// What `text` says; a discarded value when it is no JSON.
[[nodiscard]] nlohmann::json parsed_json(std::string_view text);
[[nodiscard]] nlohmann::ordered_json parsed_ordered_json(std::string_view text);

}  // namespace recmeter::support
