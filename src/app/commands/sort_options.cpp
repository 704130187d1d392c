#include "app/commands/sort_options.h"

#include <filesystem>
#include <system_error>

#include "config/scalar.h"

namespace recmeter {

void add_sorting(const AddOption& add, SortOptions& options) {
  add("--sort", options.when, "WHEN",
      "auto: sort files that are not in time order; always: sort all that is read; never: sort nothing")
      ->check(one_of_words({"auto", "always", "never"}));
  add("--sort-memory", options.memory, "SIZE", "Memory for sorting; 256MiB by default, the rest goes to a file");
}

Result<Sorting> sorting_from(const SortOptions& options, const std::string& output) {
  Sorting sorting;
  if (options.when == "always") sorting.when = SortWhen::always;
  if (options.when == "never") sorting.when = SortWhen::never;
  const auto memory = config::parse_size(options.memory);
  if (!memory) {
    return failure(Errc::config_invalid,
                   "--sort-memory: " + options.memory + " " + memory.error().message + "; " + memory.error().remedy);
  }
  if (*memory < file::SortSpace::memory_min) {
    return failure(Errc::config_invalid,
                   "--sort-memory: " + options.memory + " is too little for sorting; write at least 1MiB");
  }
  sorting.space.memory = *memory;
  std::error_code error;
  if (output.empty() || output == "-") return sorting;
  const bool is_device = std::filesystem::exists(output, error) && !std::filesystem::is_regular_file(output, error);
  if (!is_device) sorting.space.directory = std::filesystem::path(output).parent_path().string();
  if (!is_device && sorting.space.directory.empty()) sorting.space.directory = ".";
  return sorting;
}

}  // namespace recmeter
