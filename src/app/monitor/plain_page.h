// The page for those without script, and of programs built without npm: the newest windows as tables.
#pragma once

#include <string>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/published_schema.h"

namespace recmeter {

// The body; whatever comes from data is escaped.
[[nodiscard]] std::string plain_tables(const PublishedSchema& schema, const LiveSnapshot& snapshot);

}  // namespace recmeter
