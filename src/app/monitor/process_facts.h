// ProcessFacts: what the system says of this process. What it does not say is absent.
#pragma once

#include <optional>

namespace recmeter {

struct ProcessFacts {
  std::optional<double> cpu_seconds = {};
  std::optional<double> resident_bytes = {};
  std::optional<double> virtual_bytes = {};
  std::optional<double> open_files = {};
  std::optional<double> open_files_max = {};
  std::optional<double> start_seconds = {};  // since 1970
};
[[nodiscard]] ProcessFacts process_facts();

}  // namespace recmeter
