// How a run stands, as JSON: the report of [I5] and what only a running evaluator knows (web/API.md, status).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/published_schema.h"

namespace recmeter {

// One line. `state_bytes`: what the state takes on disk; absent: there is none.
[[nodiscard]] std::string status_json(const PublishedSchema& schema, const LiveSnapshot& snapshot,
                                      std::optional<std::uint64_t> state_bytes);

// Records not read yet, those of open transactions among them; none: nobody knows.
[[nodiscard]] std::optional<std::int64_t> lag_records(const LivePartition& partition);
// How far its newest event lies behind `now`; 0 when all is read.
[[nodiscard]] std::optional<double> lag_seconds(const LivePartition& partition, EventTime now);

// What a run that is not ready waits for. The names are labels of /metrics, and do not change.
enum class Obstacle : std::uint8_t { starting, brokers, rights, registry, group, restoring, disk, dead_letters, publishing };
inline constexpr std::array<std::string_view, 9> obstacle_names{"starting",  "brokers", "rights",       "registry",  "group",
                                                                "restoring", "disk",    "dead_letters", "publishing"};
[[nodiscard]] std::vector<Obstacle> obstacles(const LiveSnapshot& snapshot);

// Whether it reads and publishes; why not, or what else a reader should know: LiveSnapshot::reasons.
[[nodiscard]] bool is_ready(const LiveSnapshot& snapshot);

}  // namespace recmeter
