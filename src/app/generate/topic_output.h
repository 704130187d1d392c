// A generated log as records of Kafka topics.
//
// A record's key is its user, and its partition follows from the key as Java's clients have it; the few without a user have
// no key and go to the partitions in turn. Its timestamp is its place in the log: when an honest broker would have taken it.
// Records of a partition keep the order of the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "app/generate/log_output.h"

namespace recmeter::generate {

struct TopicPlace {
  std::string brokers;          // host:port, several joined by commas; "": no topics
  std::string impressions;      // names
  std::string feedback;         // may be the same
  std::int32_t partitions = 4;  // of a topic that has to be made; 1 to 10000, 0: none has
  std::uint64_t rate = 0;       // records a second, by the clock of this machine; 0: as many as the broker takes
  // At the end each partition gets an event of a type nobody knows, so much after the last record: what came before it is
  // over. 0: none.
  Duration end_marks{0};
};

// `interrupted` may be null, else outlives the output. Errors: config_invalid, output_failed, interrupted.
using OpenTopicOutput = Result<std::unique_ptr<LogOutput>>(const TopicPlace& place, const std::atomic<bool>* interrupted);
[[nodiscard]] OpenTopicOutput topic_output;

}  // namespace recmeter::generate
