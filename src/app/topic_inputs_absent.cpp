#include "app/topic_inputs.h"

namespace recmeter {

Result<std::vector<TopicInput>> open_topic_inputs(const Config& /*config*/, const std::vector<std::string>& topics,
                                                  std::optional<EventTime> /*from*/, const std::atomic<bool>& /*stop*/) {
  return failure(Errc::config_invalid, topics.front() +
                                           ": this program was built without Kafka (RECMETER_CORE_ONLY); build " +
                                           "preset release, or name files on the command line");
}

}  // namespace recmeter
