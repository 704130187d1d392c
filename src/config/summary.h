// What `recmeter validate` says of a sound configuration: how it was understood, defaults included. Pure; any thread.
// Secrets (kafka.properties) appear by name only.
#pragma once

#include <string>

#include "config/config.h"

namespace recmeter {

// A page for a person, with a newline at the end.
[[nodiscard]] std::string summary_text(const Config& config);
// One JSON object without a newline; keys in a fixed order.
[[nodiscard]] std::string summary_json(const Config& config);

}  // namespace recmeter
