// Which recmeter this is, and what it was built with. Static storage.
#pragma once

#include <string_view>

namespace recmeter {

struct BuildFacts {
  std::string_view version;
  std::string_view type;
  std::string_view compiler;
  std::string_view simdjson;
  std::string_view yaml_cpp;
  std::string_view zstd;
};

[[nodiscard]] const BuildFacts& build_facts();

}  // namespace recmeter
