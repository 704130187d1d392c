// MetricRule: by what rule a change of a metric is taken apart. A value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/attribution/attribution.h"
#include "recmeter/attribution/change_parts.h"

namespace recmeter::why {

struct MetricRule {
  AttributionRule parts = {};
  std::optional<RankForm> ranks = {};  // empty: it has no parts by rank
  std::uint32_t cutoff = 0;
  // The attribute that divides the catalogue of an evaluator, and the names of the groups; empty: no parts by them.
  std::string item_group = {};
  std::vector<std::string> item_groups = {};
  std::uint64_t item_groups_id = 0;
};

}  // namespace recmeter::why
