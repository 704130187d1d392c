// Which of the files a command names are the same one, by whatever spelling, link or redirection.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

// A path and what it is to the command: "--output", "an input".
struct NamedPath {
  std::string path;  // "-": standard input as an input, standard output as an output
  std::string role;
};

// An input that is read twice would be its own duplicate. Errors: config_invalid.
[[nodiscard]] Result<void> check_inputs_distinct(const std::vector<std::string>& paths);

// What a command reads beside what only it knows of: the configuration's file ("": none), the files that it names, and
// inputs.
[[nodiscard]] std::vector<NamedPath> paths_read(const Config& config, const std::string& config_path,
                                                const std::vector<std::string>& inputs);

// An output that is also an input, the configuration or another output would be lost. Roles of `outputs` are their options;
// those without a path are left out by the caller. Devices other than standard output may be shared. Errors: config_invalid.
[[nodiscard]] Result<void> check_outputs_distinct(const std::vector<NamedPath>& outputs, const std::vector<NamedPath>& read);

}  // namespace recmeter
