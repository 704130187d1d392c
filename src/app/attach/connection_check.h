// validate --connect: whether the world is as a configuration takes it to be: brokers, topics, files, state, address.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct ConnectionFindings {
  std::vector<std::string> facts;   // one sentence each: what is there
  std::vector<std::string> doubts;  // what a run would go on with, but hardly as meant
  std::vector<std::string> faults;  // what a run would fail at: place, cause and remedy
};

// Looks and changes nothing but that it asks brokers; takes seconds where there is no answer. Until `stop` becomes true.
[[nodiscard]] ConnectionFindings check_connections(const Config& config, const std::atomic<bool>& stop);

// What the parts of a live run refuse by the text alone: properties that librdkafka does not take, and names that would be
// one for Prometheus where topics may be attached to. In every command, so that none of them is the first to say so. A
// build without Kafka refuses nothing. Errors: config_invalid, "PATH: CAUSE; REMEDY".
[[nodiscard]] Result<void> check_live(const Config& config);

}  // namespace recmeter
