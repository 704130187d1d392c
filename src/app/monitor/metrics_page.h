// What Prometheus scrapes: the newest final and provisional window of every series, and the run's own counters.
// [I6].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/process_facts.h"
#include "app/monitor/published_schema.h"
#include "recmeter/base/result.h"
#include "recmeter/http/server_counts.h"
#include "recmeter/result/exposition.h"

namespace recmeter {

// Samples of rows; what is beyond is left out, and counted.
inline constexpr std::size_t exposed_series_max = 10'000;

struct MetricsPageFacts {
  std::optional<std::uint64_t> state_bytes;  // absent: there is no state
  std::optional<http::ServerCounts> server;  // absent: unknown
  std::optional<ProcessFacts> process = {};  // absent: not wanted
  std::size_t series_max = exposed_series_max;
};

[[nodiscard]] std::string metrics_page(const PublishedSchema& schema, const LiveSnapshot& snapshot,
                                       const MetricsPageFacts& facts, ExpositionFormat format);

// Whether every metric and segment key has a name of its own there. Errors: config_invalid.
[[nodiscard]] Result<void> check_metric_names(const PublishedSchema& schema);

}  // namespace recmeter
