// Text becomes a Config here and nowhere else. [I3].
//
// Rules of the text, beside those of [I3]:
//   (1) It is YAML 1.2 of mappings, lists and scalars: no anchors, aliases, merge keys, tags or second document; at most
//       1 MiB and 32 levels. An empty text is the configuration of all defaults.
//   (2) Scalars are read as text and typed by their key, so `no`, `1_0` or `12:30` never turn into something else. A
//       section that has no value (`limits:`) is as if absent; any other key without a value is a fault.
//   (3) `$$` in a scalar is `$`; a `$` before anything but `{` or `$` stays as it is. As in a shell, `:-` and `:?` act when
//       the variable is unset or empty. What a variable holds is not looked at again, and never shown unless it
//       is a path that cannot be read.
//   (4) All faults are found in one pass, except after broken YAML, and come sorted by their place.
//   (5) What is loaded is right for every command: none of them refuses what stands in it (docs/decisions/0032). What a
//       command needs beside it (inputs that it can read, files and brokers that are there) is its own to ask.
// Relative paths are relative to the working directory. Pure but for what the context does; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/config.h"
#include "config/config_fault.h"
#include "recmeter/base/result.h"

namespace recmeter {

// The value of an environment variable; nullopt when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
// Reads the catalogue at a path whose ids are at most that many bytes long, its items divided by an attribute; see
// catalog_file.h.
using CatalogReader =
    std::function<Result<Catalog>(const std::string& path, std::size_t id_bytes_max, const std::string& item_group)>;

// What the libraries of a live run refuse of a configuration that is right otherwise: "PATH: CAUSE; REMEDY".
using LiveCheck = std::function<Result<void>(const Config& config)>;

struct ConfigContext {
  Environment environment;
  CatalogReader read_catalog;
  LiveCheck check_live = {};  // may be empty
};

// The process environment and files.
[[nodiscard]] ConfigContext process_context();

// `file_name` is what faults call the text.
[[nodiscard]] tl::expected<Config, std::vector<ConfigFault>> load_config(std::string_view yaml, const std::string& file_name,
                                                                         const ConfigContext& context);

// The same for a file. One that is missing or unreadable is a fault, too.
[[nodiscard]] tl::expected<Config, std::vector<ConfigFault>> load_config_file(const std::string& path,
                                                                              const ConfigContext& context);

}  // namespace recmeter
