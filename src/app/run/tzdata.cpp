#include "app/run/tzdata.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace recmeter {

namespace {

bool has_named_zone(const InputSpec& input) {
  return input.fields.time.zone != nullptr && input.fields.time.zone->is_named();
}

}  // namespace

std::string tzdata_for(const Config& config) {
  if (std::ranges::none_of(config.inputs, has_named_zone) && !has_named_zone(config.command_line)) return {};
  const char* directory = std::getenv("TZDIR");  // as the library has it
  std::ifstream file(std::string(directory == nullptr ? "/usr/share/zoneinfo" : directory) + "/tzdata.zi");
  std::string hash, word, version;
  file >> hash >> word >> version;
  return hash == "#" && word == "version" ? version : "unknown";
}

}  // namespace recmeter
