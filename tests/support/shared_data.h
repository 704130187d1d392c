// Where real data lies on machines that have it; never part of the project. Tests that need it skip aloud without it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace recmeter::support {

// The variable RECMETER_SHARED_DATA of the environment, else the folder beside the checkout.
[[nodiscard]] inline std::string shared_data(std::string_view name) {
  const char* folder = std::getenv("RECMETER_SHARED_DATA");
  return std::string(folder != nullptr ? folder : RECMETER_SHARED_DATA) + "/" + std::string(name);
}

[[nodiscard]] inline bool has_shared_data(std::string_view name) {
  return std::filesystem::exists(shared_data(name));
}

}  // namespace recmeter::support
