// The options of commands that read logs: whether files are sorted, and in how much memory. [I2.23].
#pragma once

#include <string>

#include "app/commands/add_option.h"
#include "app/run/input_sorter.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct SortOptions {
  std::string when = "auto";
  std::string memory = "256MiB";
};

void add_sorting(const AddOption& add, SortOptions& options);

// `output`: a file of the command's, beside which the temporary file goes; "" or "-": none. Errors: config_invalid.
[[nodiscard]] Result<Sorting> sorting_from(const SortOptions& options, const std::string& output);

}  // namespace recmeter
