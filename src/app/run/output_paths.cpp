#include "app/run/output_paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

namespace recmeter {

namespace {

struct Place {
  std::optional<std::pair<dev_t, ino_t>> file;  // of a regular file that is there
  std::string name;                             // where there is none: as absolute and plain as it can be made
  bool is_standard_output = false;
};

bool names_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

Place place_of(const std::string& path, int standard_stream) {
  Place place;
  struct stat status{};
  const bool is_there = path == "-" ? ::fstat(standard_stream, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (is_there && S_ISREG(status.st_mode)) place.file = {status.st_dev, status.st_ino};
  std::error_code unknown;
  if (!is_there) place.name = std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown).string();
  place.is_standard_output = standard_stream == STDOUT_FILENO && names_standard_output(path);
  return place;
}

bool is_same(const Place& a, const Place& b) {
  if (a.is_standard_output && b.is_standard_output) return true;
  return (a.file && a.file == b.file) || (!a.name.empty() && a.name == b.name);
}

}  // namespace

Result<void> check_inputs_distinct(const std::vector<std::string>& paths) {
  std::vector<Place> seen;
  for (const std::string& path : paths) {
    const Place place = place_of(path, STDIN_FILENO);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (path == paths[i]) {
        return failure(Errc::config_invalid,
                       path + " is named twice; every event in it would be its own duplicate: name it once");
      }
      if (is_same(place, seen[i])) {
        return failure(Errc::config_invalid, paths[i] + " and " + path +
                                                 " are one file; every event in it would be its own duplicate: name it once");
      }
    }
    seen.push_back(place);
  }
  return {};
}

std::vector<NamedPath> paths_read(const Config& config, const std::string& config_path,
                                  const std::vector<std::string>& inputs) {
  std::vector<NamedPath> read;
  for (const std::string& path : inputs) read.push_back({path, "an input"});
  if (!config_path.empty()) read.push_back({config_path, "the configuration"});
  if (!config.catalog_file.empty()) read.push_back({config.catalog_file, "the catalogue"});
  for (const InputSpec& input : config.inputs) {
    if (!input.schema.empty()) read.push_back({input.schema, "a schema"});
  }
  return read;
}

Result<void> check_outputs_distinct(const std::vector<NamedPath>& outputs, const std::vector<NamedPath>& read) {
  std::vector<std::pair<Place, std::string>> taken;
  for (const NamedPath& input : read) taken.emplace_back(place_of(input.path, STDIN_FILENO), input.role);
  for (const NamedPath& output : outputs) {
    const Place place = place_of(output.path, STDOUT_FILENO);
    for (const auto& [other, role] : taken) {
      if (!is_same(place, other)) continue;
      const std::string name = place.is_standard_output ? "standard output" : output.path;
      return failure(Errc::config_invalid, output.role + ": " + name + " is " + role + " as well; choose another name");
    }
    taken.emplace_back(place, "what " + output.role + " writes");
  }
  return {};
}

}  // namespace recmeter
