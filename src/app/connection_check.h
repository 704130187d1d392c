// validate --connect: whether the world is as a configuration takes it to be: brokers, topics, files, state, address. A build
// without Kafka (RECMETER_CORE_ONLY) has another body, which refuses.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/config/config.h"

namespace recmeter {

struct ConnectionFindings {
  std::vector<std::string> facts;   // one sentence each: what is there
  std::vector<std::string> doubts;  // what a run would go on with, but hardly as meant
  std::vector<std::string> faults;  // what a run would fail at: place, cause and remedy
};

// Looks and changes nothing but that it asks brokers; takes seconds where there is no answer. Until `stop` becomes true.
[[nodiscard]] ConnectionFindings check_connections(const Config& config, const std::atomic<bool>& stop);

}  // namespace recmeter
