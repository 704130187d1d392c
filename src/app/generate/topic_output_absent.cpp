#include "app/generate/topic_output.h"

namespace recmeter::generate {

Result<std::unique_ptr<LogOutput>> topic_output(const TopicPlace& place, const std::atomic<bool>* /*interrupted*/) {
  return failure(Errc::config_invalid, "topic " + place.impressions +
                                           ": this program was built without Kafka (RECMETER_CORE_ONLY); build preset " +
                                           "release, or write a file with --output");
}

}  // namespace recmeter::generate
