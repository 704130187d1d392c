// The configuration a command was given: read, checked, and its faults told.
#pragma once

#include <optional>
#include <string>

#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

// The file's configuration, or the defaults when `path` is empty. On faults tells all of them and returns nothing.
// `check_live`: as ConfigContext, null in a build that has no live part.
[[nodiscard]] std::optional<Config> configuration_from(const std::string& path, Result<void> (*check_live)(const Config&));

// Says which keys of `config` a replay or a live run does not look at, and which command does.
void tell_unused_keys(const Config& config);

// What a command's --listen says, instead of publish.http.listen. Errors: config_invalid.
[[nodiscard]] Result<void> listen_at(const std::string& address, PublishSpec::Http& http);

}  // namespace recmeter
