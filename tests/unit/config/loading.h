// Loading configurations in tests: a fixed environment, a fixed catalogue.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/load_config.h"

namespace recmeter::testing {

inline ConfigContext test_context() {
  static const std::map<std::string, std::string> variables{
      {"HOME_DIR", "/home/me"}, {"EMPTY", ""}, {"SECRET", "hunter2"}, {"THREADS", "4"}, {"COSTS", "$5 ${THREADS}"}};
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  const auto catalog = [](const std::string& path, std::size_t, const std::string& item_group) -> Result<Catalog> {
    if (path != "items.txt") return failure(Errc::input_missing, "`" + path + "` cannot be read: No such file or directory");
    Catalog items;
    items.items = {"a", "b", "c"};
    items.size = 3;
    items.content_hash = 0x1234;
    items.attribute_names = {"brand", "genre"};
    items.groups.attribute = item_group;
    items.groups.names = {"(none)", "drama"};
    return items;
  };
  return {environment, catalog};
}

inline tl::expected<Config, std::vector<ConfigFault>> load(std::string_view yaml) {
  return load_config(yaml, "test.yaml", test_context());
}

inline std::string all_text(const std::vector<ConfigFault>& faults) {
  std::string text;
  for (const ConfigFault& fault : faults) text += to_text(fault) + "\n";
  return text;
}

}  // namespace recmeter::testing
