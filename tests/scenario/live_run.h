// A scenario as `recmeter attach` would see it: its partitions are topics that do not end, with a restart in the middle.
#pragma once

#include <map>
#include <string>

#include "scenario/scenario.h"

namespace recmeter::scenario {

// The final rows that were published, by their key. Brokers took each record at the newest time so far of its partition, so
// that none is ahead of its broker.
[[nodiscard]] std::map<std::string, std::string> live_rows(const Scenario& scenario);

}  // namespace recmeter::scenario
