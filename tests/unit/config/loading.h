// Loading configurations in tests: a fixed environment, a fixed catalogue, the metrics of the first release.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/load_config.h"

namespace recmeter::testing {

inline constexpr std::array<KnownMetric, 14> known_metrics{{
    {.name = "precision"},
    {.name = "hit_rate"},
    {.name = "mrr"},
    {.name = "map_list", .takes_ap_denominator = true},
    {.name = "map_user", .user_scope = true, .takes_ap_denominator = true},
    {.name = "ndcg_list", .takes_gain = true},
    {.name = "ndcg_user", .user_scope = true, .takes_gain = true},
    {.name = "recall", .user_scope = true},
    {.name = "f1", .user_scope = true},
    {.name = "fbeta", .user_scope = true, .takes_beta = true},
    {.name = "distinct_items"},
    {.name = "catalog_coverage", .needs_catalog = true},
    {.name = "empty_list_share", .has_cutoff = false},
    {.name = "short_list_share"},
}};

inline ConfigContext test_context() {
  static const std::map<std::string, std::string> variables{
      {"HOME_DIR", "/home/me"}, {"EMPTY", ""}, {"SECRET", "hunter2"}, {"THREADS", "4"}, {"COSTS", "$5 ${THREADS}"}};
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  const auto catalog = [](const std::string& path, std::size_t) -> Result<Catalog> {
    if (path != "items.txt") return failure(Errc::input_missing, "`" + path + "` cannot be read: No such file or directory");
    Catalog items;
    items.items = {"a", "b", "c"};
    items.size = 3;
    items.content_hash = 0x1234;
    return items;
  };
  return {environment, catalog, known_metrics};
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
